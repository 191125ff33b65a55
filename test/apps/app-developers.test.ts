import { type Device, memoryDevice, type Session, type WellbeingClient } from '@student-wellbeing/client'
import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, afterEach, expect, inject, test, vi } from 'vitest'
import { runnableModules } from '../../harness/documentation.ts'
import { newAddress, newcomer, PASSWORD } from '../../harness/factories/accounts.ts'
import { mailsTo } from '../../harness/factories/mails.ts'
import { newStudent } from '../../harness/factories/students.ts'
import { newAddress as newFriend, newMobileNumber } from '../../harness/factories/support-contacts.ts'
import { localOnly } from '../../harness/stack/project.ts'

const project = inject('project')

type Service = { supabase: SupabaseClient; client: WellbeingClient }
type Contact = { id: string; name: string; agreed: string }

/** What the modules of docs/app-developers.md export, as far as test/api/checkins does not call it. */
type Page = {
  'service.ts': { connect(url: string, key: string, device: Device, language: string): Service }
  'failures.ts': {
    failure(
      service: Service,
      error: unknown,
    ): Promise<{ code: string; title: string; advice: string; retryable: boolean; reference: string | null }>
  }
  'account.ts': {
    signUp(service: Service, person: object): Promise<void>
    confirm(service: Service, email: string, code: string): Promise<void>
    signIn(service: Service, email: string, password: string): Promise<void>
    choosePassword(service: Service, password: string): Promise<void>
    signOut(service: Service): Promise<void>
  }
  'consents.ts': {
    consents(service: Service): Promise<{ kind: string; version: string }[]>
    agree(service: Service, text: { kind: string; version: string }): Promise<void>
  }
  'history.ts': { history(service: Service, days: number): Promise<{ sessions: { score: number }[] }> }
  'conversation.ts': {
    converse(service: Service, show: (event: string) => void, id?: string): Promise<Session>
    conclude(session: Session, said: string): Promise<{ final_score: number }>
  }
  'support-circle.ts': {
    circle(service: Service): Promise<{ contacts: Contact[]; open: object | null }>
    addContact(service: Service, contact: { name: string; phone: string; email: string }): Promise<string>
    move(service: Service, ids: string[], id: string, place: number): Promise<string[]>
  }
  'live.ts': { live(service: Service, show: { circle: () => void; exports: () => void }): () => void }
  'data-rights.ts': {
    downloads(service: Service): Promise<{ volumes: { url: string | null }[] }[]>
    requestExport(service: Service, includeName: boolean): Promise<{ id: string }>
    erasure(service: Service): Promise<{ status: string; cancelBefore: string } | null>
    erase(service: Service, password: string): Promise<void>
    keep(service: Service): Promise<void>
    whoLooked(service: Service): Promise<object[]>
  }
  'reminders.ts': {
    remind(service: Service, reminder: object, words: { title: string; description: string }): Promise<Blob>
    isDue(service: Service): Promise<boolean>
  }
}

const page = runnableModules('app-developers.md')
afterAll(() => page.remove())
const load = <Name extends keyof Page>(name: Name) => page.load(name) as Promise<Page[Name]>

const services: Service[] = []
afterEach(async () => {
  await Promise.all(services.splice(0).map(({ client }) => client.close()))
})

async function newDevice(): Promise<Service> {
  const { connect } = await load('service.ts')
  const service = connect(project.apiUrl, project.publishableKey, memoryDevice(), 'en')
  services.push(service)
  return service
}

/** A device of a student's. */
async function signedIn({ email }: { email: string }): Promise<Service> {
  const service = await newDevice()
  await (await load('account.ts')).signIn(service, email, PASSWORD)
  return service
}

test(
  'the code of the page signs a person up, who is signed in by a code',
  localOnly('reads the inbox'),
  async () => {
    const service = await newDevice()
    const email = newAddress()
    const { signUp, confirm, signIn, choosePassword, signOut } = await load('account.ts')
    await signUp(service, { email, password: PASSWORD, firstName: 'New', lastName: 'Comer', language: 'de' })
    const code = await vi.waitFor(async () => {
      const [found] = (await mailsTo(email))[0]?.text.match(/\b\d{10}\b/) ?? []
      if (!found) throw new Error(`No mail with a code came to ${email}`)
      return found
    }, 30_000)
    await confirm(service, email, code)
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    expect(await service.client.account.profile()).toMatchObject({ first_name: 'New', time_zone: timeZone })
    const another = 'another-invented-1'
    await choosePassword(service, another)
    await signOut(service)
    expect((await service.supabase.auth.getSession()).data.session).toBeNull()
    expect(await signIn(service, email, PASSWORD).catch((error) => error)).toMatchObject({
      code: 'invalid_credentials',
    })
    await signIn(service, email, another)
    expect(await service.client.account.profile()).toMatchObject({ first_name: 'New' })
  },
)

test('the code of the page says in words why a sign-up failed', async () => {
  const service = await newDevice()
  const { signUp } = await load('account.ts')
  const { email } = newcomer()
  const error = await signUp(service, {
    email,
    password: 'short',
    firstName: 'New',
    lastName: 'Comer',
  }).catch((error) => error)
  const { failure } = await load('failures.ts')
  const shown = await failure(service, error)
  expect(shown).toMatchObject({ code: 'weak_password', retryable: false, reference: expect.any(String) })
  expect(`${shown.title} ${shown.advice}`).toMatch(/password/i)
})

test('the code of the page scores a conversation, which is in the history beside the check-ins', async () => {
  const student = await newStudent(project, ['text'])
  const [service, other] = [await signedIn(student), await signedIn(student)]
  const { converse, conclude } = await load('conversation.ts')
  const session = await converse(service, () => {})
  const told: string[] = []
  await converse(other, (event) => told.push(event), session.id)
  await vi.waitFor(() => expect(told).toContain('joined'), 30_000)
  const said = 'I walked to the lake with a friend this morning, and slept well for once. '.repeat(4)
  expect((await conclude(session, said)).final_score).toEqual(expect.any(Number))
  await vi.waitFor(() => expect(told).toContain('score_calculated'), 30_000)
  const { sessions } = await (await load('history.ts')).history(service, 31)
  expect(sessions).toMatchObject([{ score: expect.any(Number) }])
})

test(
  'the code of the page asks contacts whether they agree, and puts them in order',
  localOnly('reads the inbox'),
  async () => {
    const service = await signedIn(await newStudent(project, ['support_circle']))
    const { addContact, circle, move } = await load('support-circle.ts')
    const [, area, number] = newMobileNumber().match(/^\+1(\d{3})555(\d{4})$/) ?? []
    const email = newFriend()
    const ottoline = await addContact(service, { name: 'Ottoline', phone: `(${area}) 555-${number}`, email })
    const percy = await addContact(service, { name: 'Percy', phone: newMobileNumber(), email: newFriend() })
    await vi.waitFor(async () => expect(await mailsTo(email)).toHaveLength(1), 30_000)
    expect(await circle(service)).toEqual({
      contacts: [
        { id: ottoline, name: 'Ottoline', is_active: true, agreed: 'not_yet' },
        { id: percy, name: 'Percy', is_active: true, agreed: 'not_yet' },
      ],
      open: null,
    })
    await move(service, [ottoline, percy], percy, 0)
    expect((await circle(service)).contacts.map(({ name }) => name)).toEqual(['Percy', 'Ottoline'])
  },
)

test('the code of the page takes everything along, asks for an erasure and cancels it', async () => {
  const service = await signedIn(await newStudent(project, []))
  const { downloads, requestExport, erasure, erase, keep, whoLooked } = await load('data-rights.ts')
  let changes = 0
  const leave = (await load('live.ts')).live(service, { circle: () => {}, exports: () => changes++ })
  const asked = await requestExport(service, false)
  const ready = await vi.waitFor(
    async () => {
      const exports = await downloads(service)
      expect(exports).toMatchObject([{ id: asked.id, status: 'ready' }])
      return exports
    },
    { timeout: 120_000, interval: 1000 },
  )
  expect(changes).toBeGreaterThan(0)
  leave()
  const [volume] = ready[0]?.volumes ?? []
  expect((await fetch(volume?.url ?? '')).status).toBe(200)

  expect(await erasure(service)).toBeNull()
  await expect(erase(service, 'not-the-password-1')).rejects.toMatchObject({ code: 'wrong_password' })
  await erase(service, PASSWORD)
  expect(await erasure(service)).toMatchObject({ status: 'scheduled', cancelBefore: expect.any(String) })
  await keep(service)
  expect(await erasure(service)).toBeNull()
  expect(await whoLooked(service)).toEqual([])
})

test('the code of the page reminds by a calendar, and until there is a check-in', async () => {
  const service = await signedIn(await newStudent(project, ['text']))
  const { remind, isDue } = await load('reminders.ts')
  expect(await isDue(service)).toBe(false)
  const words = { title: 'Check in', description: 'How was your day?' }
  const calendar = await remind(service, { time: '00:00', days: [0, 1, 2, 3, 4, 5, 6] }, words)
  expect(await calendar.text()).toMatch(/BEGIN:VALARM/)
  expect(await isDue(service)).toBe(true)
  const transcript = 'I walked to the lake with a friend this morning, and slept well for once. '.repeat(4)
  await service.client.checkIn({ transcript })
  expect(await isDue(service)).toBe(false)
})
