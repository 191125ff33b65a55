import { type Device, memoryDevice, type WellbeingClient } from '@student-wellbeing/client'
import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, afterEach, expect, inject, test, vi } from 'vitest'
import type { Upload } from '../../../functions/_shared/checkins/start.ts'
import { call } from '../../../harness/client/call.ts'
import { runnableModules } from '../../../harness/documentation.ts'
import { PASSWORD } from '../../../harness/factories/accounts.ts'
import { speech, start } from '../../../harness/factories/check-ins.ts'
import { newStudent } from '../../../harness/factories/students.ts'

const project = inject('project')

type Service = { supabase: SupabaseClient; client: WellbeingClient }
type Kind = 'audio' | 'camera' | 'text'
type Outcome = { score: number | null; interval?: number[]; help: object[] }
type OnDevice = { step: string; percent: number }

/** What the modules of docs/app-developers.md export, as far as it is called here. */
type Page = {
  'service.ts': {
    connect(url: string, key: string, device: Device, language: string): Service
  }
  'account.ts': {
    signIn(service: Service, email: string, password: string): Promise<void>
    signOut(service: Service): Promise<void>
  }
  'before-sign-in.ts': {
    welcome(service: Service, email: string): Promise<{ university: { id: string } | null; help: object[] }>
  }
  'consents.ts': {
    consents(
      service: Service,
    ): Promise<{ kind: Kind; version: string; language: string; inForce: boolean; askAgain: boolean }[]>
    agree(service: Service, text: { kind: Kind; version: string }): Promise<void>
    withdraw(service: Service, kind: Kind): Promise<Record<string, number>>
  }
  'check-in.ts': {
    checkIn(service: Service, media: object, show: (where: OnDevice) => void): Promise<Outcome>
    follow(service: Service, show: (waiting: OnDevice[]) => void): () => void
  }
  'open-check-in.ts': {
    openCheckIn(
      service: Service,
      show: (share: number) => void,
    ): Promise<{ id: string; status: string; uploads?: object } | null>
  }
  'history.ts': {
    history(
      service: Service,
      days: number,
    ): Promise<{ checkIns: { id: string; score: number | null }[]; sessions: object[] }>
  }
  'support-circle.ts': { iAmAllRight(service: Service): Promise<number | null> }
}

/** What the modules of docs/checkins.md export. */
type WithoutThePackage = {
  'resumable-upload.ts': {
    uploadResumably(
      url: string,
      place: Upload,
      file: object,
      onProgress: (share: number) => void,
    ): Promise<void>
  }
  'follow.ts': {
    follow(
      supabase: SupabaseClient,
      id: string,
      read: () => Promise<{ status: string }>,
      onProgress: (share: number) => void,
    ): Promise<{ status: string }>
  }
}

const pages = [runnableModules('app-developers.md'), runnableModules('checkins.md')] as const
afterAll(() => {
  for (const page of pages) page.remove()
})
const load = <Name extends keyof Page>(name: Name) => pages[0].load(name) as Promise<Page[Name]>
const loadRaw = <Name extends keyof WithoutThePackage>(name: Name) =>
  pages[1].load(name) as Promise<WithoutThePackage[Name]>

const services: Service[] = []
afterEach(async () => {
  await Promise.all(services.splice(0).map(({ client }) => client.close()))
})

/** A device of somebody's, before they sign in. */
async function newDevice(language = 'en'): Promise<Service> {
  const { connect } = await load('service.ts')
  const service = connect(project.apiUrl, project.publishableKey, memoryDevice(), language)
  services.push(service)
  return service
}

test('the code of the page signs in, checks in by text, reads the result and withdraws', async () => {
  const student = await newStudent(project, ['text'])
  const service = await newDevice()
  const { signIn, signOut } = await load('account.ts')
  await signIn(service, student.email, PASSWORD)

  const { checkIn, follow } = await load('check-in.ts')
  const waiting: OnDevice[][] = []
  const leave = follow(service, (list) => waiting.push(list))
  const shown: OnDevice[] = []
  const transcript =
    'I walked to the lake with a friend this morning, and slept well for the first time in a week. '.repeat(3)
  const outcome = await checkIn(service, { transcript, mood: 7 }, (where) => shown.push(where))
  leave()
  expect(outcome).toMatchObject({
    score: expect.any(Number),
    interval: [expect.any(Number), expect.any(Number)],
    notCompared: 'too_few_check_ins',
  })
  expect(outcome.help.length).toBeGreaterThan(0)
  expect(new Set(shown.map(({ step }) => step))).toContain('analysing')
  expect(waiting.flat().some(({ step }) => step === 'analysing')).toBe(true)

  const { consents, withdraw } = await load('consents.ts')
  const kinds = await consents(service)
  expect(kinds.filter(({ askAgain }) => askAgain)).toEqual([])
  expect(kinds.filter(({ inForce }) => inForce).map(({ kind }) => kind)).toEqual(['text'])
  expect(await withdraw(service, 'text')).toMatchObject({ transcripts: 1 })
  expect(await (await load('support-circle.ts')).iAmAllRight(service)).toBeNull()
  await signOut(service)
})

test('the code of the page shows what to agree to, sends a recording, and finds the check-in on another device', async () => {
  const student = await newStudent(project, [])
  const [phone, laptop] = [await newDevice('de-AT'), await newDevice('de')]
  const { welcome } = await load('before-sign-in.ts')
  const { university, help } = await welcome(phone, student.email)
  expect(university).toMatchObject({ id: 'northfield' })
  expect(help.length).toBeGreaterThan(0)
  const elsewhere = await welcome(phone, 'robin@example.org')
  expect(elsewhere.university).toBeNull()
  expect(elsewhere.help.length).toBeGreaterThan(0)

  const { signIn } = await load('account.ts')
  await signIn(phone, student.email, PASSWORD)
  const { consents, agree } = await load('consents.ts')
  const [text] = await consents(phone)
  if (!text) throw new Error('There is no text to show')
  expect(text).toMatchObject({ kind: 'audio', language: 'de', inForce: false, askAgain: false })
  await agree(phone, text)
  expect((await consents(phone))[0]).toMatchObject({ kind: 'audio', inForce: true })

  await signIn(laptop, student.email, PASSWORD)
  const { openCheckIn } = await load('open-check-in.ts')
  const open = () => openCheckIn(laptop, () => {})
  expect(await open()).toBeNull()
  const { id } = await start(project, student)
  expect(await open()).toMatchObject({ id, status: 'created', uploads: { audio: null } })

  const { bytes, type } = speech('short.m4a')
  const { checkIn } = await load('check-in.ts')
  const shown: OnDevice[] = []
  const followed: ReturnType<typeof open>[] = []
  const outcome = await checkIn(phone, { audio: new Blob([bytes], { type }) }, (where) => {
    shown.push(where)
    if (where.step === 'analysing' && followed.length === 0) followed.push(open())
  })
  expect(outcome.score).toEqual(expect.any(Number))
  expect(shown).toContainEqual(expect.objectContaining({ step: 'uploading', percent: 100 }))
  const [seen] = await Promise.all(followed)
  expect(seen ? seen.status : 'ended already').toMatch(/^(complete|ended already)$/)
  expect(await open()).toBeNull()
  const { checkIns, sessions } = await (await load('history.ts')).history(laptop, 31)
  expect(checkIns).toMatchObject([{ id, score: expect.any(Number) }])
  expect(sessions).toEqual([])
  expect((await laptop.client.words('silent')).advice).toMatch(/Mikrofon/)
})

test('without the package a recording resumes, and its check-in is followed to its end', async () => {
  const student = await newStudent(project, ['audio'])
  const { id, uploads } = await start(project, student)
  if (!uploads.audio) throw new Error('There is no upload address')
  const { bytes, type } = speech('short.m4a')
  // In Node tus-js-client takes a buffer, in browsers a file.
  const file = Object.assign(Buffer.from(bytes), { type })
  const sent: number[] = []
  const { uploadResumably } = await loadRaw('resumable-upload.ts')
  await uploadResumably(project.apiUrl, uploads.audio, file, (share) => sent.push(share))
  expect(sent.at(-1)).toBe(1)
  const read = async () => {
    const { body } = await call(project, student.token, 'GET', `checkins/${id}`)
    return { ...body, status: String(body.status) }
  }
  expect(await read()).toMatchObject({
    status: 'created',
    uploads: { audio: { bytes: bytes.length, content_type: type } },
  })

  const analysed: number[] = []
  const { follow } = await loadRaw('follow.ts')
  const following = follow(student.client, id, read, (share) => analysed.push(share))
  const completed = await call(project, student.token, 'POST', `checkins/${id}/complete`, {})
  expect(completed.status).toBe(200)
  expect(await following).toMatchObject({ status: 'complete', result: { score: expect.any(Number) } })
  await vi.waitFor(() => expect(student.client.getChannels()).toEqual([]))
})
