import { createClient } from '@supabase/supabase-js'
import { expect, inject, test, vi } from 'vitest'
import { createWellbeingClient, memoryDevice, WellbeingError } from '../../../client/src/index.ts'
import { mailsTo } from '../../../harness/factories/mails.ts'
import { newStudent } from '../../../harness/factories/students.ts'
import { localOnly } from '../../../harness/stack/project.ts'

const project = inject('project')

/** What a call was rejected with. */
async function errorOf(call: Promise<unknown>): Promise<WellbeingError> {
  const error = await call.then(
    () => new Error('It was not rejected.'),
    (reason) => reason,
  )
  if (error instanceof WellbeingError) return error
  throw error
}

const anonymous = () =>
  createClient(project.apiUrl, project.publishableKey, { auth: { persistSession: false } })

test('before anybody signs in, the university, its crisis resources and the texts of consents are there', async () => {
  const wellbeing = createWellbeingClient(anonymous(), { language: 'de-AT' })
  expect(await wellbeing.universities.ofEmail('robin@northfield.example.edu')).toMatchObject({
    id: 'northfield',
  })
  expect(await wellbeing.universities.ofEmail('robin@example.org')).toBeNull()
  expect(await wellbeing.universities.ofEmail('robin')).toBeNull()
  expect(await wellbeing.crisisResources()).toContainEqual(
    expect.objectContaining({ name: expect.any(String) }),
  )
  expect(await wellbeing.consents.texts()).toContainEqual(
    expect.objectContaining({ kind: 'audio', language: 'de' }),
  )
})

test('a call without a session is session_ended, in the person’s words', async () => {
  const wellbeing = createWellbeingClient(anonymous(), { language: 'de' })
  for (const call of [wellbeing.history, wellbeing.account.profile, wellbeing.exports.list]) {
    expect(await errorOf(call())).toMatchObject({
      code: 'session_ended',
      retryable: false,
      words: { title: 'Du bist abgemeldet.' },
    })
  }
})

test('crisis resources are kept on the device, for when there is no network', async () => {
  const device = memoryDevice()
  const known = await createWellbeingClient(anonymous(), { device }).crisisResources()
  const unreachable = createClient('http://127.0.0.1:9', project.publishableKey, {
    auth: { persistSession: false },
  })
  const offline = { ...device, connection: { isOnline: () => false, subscribe: () => () => {} } }
  expect(await createWellbeingClient(unreachable, { device: offline }).crisisResources()).toEqual(known)
  const empty = { ...memoryDevice(), connection: offline.connection }
  expect(
    await errorOf(createWellbeingClient(unreachable, { device: empty }).crisisResources()),
  ).toMatchObject({
    code: 'offline',
    retryable: true,
    status: null,
  })
})

test('a student reads and changes the profile, agrees, withdraws, and sees who looked', async () => {
  const { client, id } = await newStudent(project, [])
  const wellbeing = createWellbeingClient(client, { language: 'fr' })
  await wellbeing.account.tellWhere()
  expect(await wellbeing.account.profile()).toMatchObject({ user_id: id, language: 'fr' })
  await wellbeing.account.updateProfile({ first_name: 'Robin' })
  expect(await wellbeing.account.profile()).toMatchObject({ first_name: 'Robin' })
  expect(await wellbeing.account.accesses()).toEqual([])

  const [text] = await wellbeing.consents.texts()
  await wellbeing.consents.grant(['audio', 'text'], text?.version ?? '')
  const inForce = async () =>
    (await wellbeing.consents.status()).flatMap(({ kind, in_force }) => (in_force ? kind : [])).sort()
  expect(await inForce()).toEqual(['audio', 'text'])
  expect(await wellbeing.consents.withdraw('text')).toMatchObject({ transcripts: 0 })
  expect(await inForce()).toEqual(['audio'])
  const outdated = await errorOf(wellbeing.consents.grant(['audio'], 'none'))
  expect(outdated.code).toBe('consent_version_unknown')
  expect(await wellbeing.history()).toEqual([])
})

test('a code of the service has its words, before sign-in too, kept on the device; an unknown one says that something went wrong', async () => {
  const device = memoryDevice()
  const { client } = await newStudent(project, [])
  const wellbeing = createWellbeingClient(client, { device, language: 'de-AT' })
  expect((await wellbeing.words('silent')).advice).toMatch(/Mikrofon/)
  expect(await wellbeing.words('never_heard_of')).toEqual(await wellbeing.words('unknown'))
  wellbeing.setLanguage('en')
  expect((await wellbeing.words('silent')).advice).toMatch(/microphone/)

  const elsewhere = createWellbeingClient(anonymous(), { device, language: 'de-AT' })
  expect((await elsewhere.words('silent')).advice).toMatch(/Mikrofon/)

  const beforeSignIn = createWellbeingClient(anonymous(), { language: 'fr' })
  expect((await beforeSignIn.words('invalid_credentials')).title).toMatch(/mot de passe/)
})

test('the support circle is kept, ordered and paused, and its errors have their codes', async () => {
  const { client } = await newStudent(project, ['support_circle'])
  const { buddies } = createWellbeingClient(client)
  const first = await buddies.add({
    name: 'Ottoline Example',
    phone: '+1 202 555 0143',
    email: 'o@example.com',
  })
  const second = await buddies.add({ name: 'Percival Example', phone: '+1 202 555 0144' })
  expect((await errorOf(buddies.add({ name: 'X', phone: '+1 202 555 0143' }))).code).toBe('buddy_duplicate')
  expect((await errorOf(buddies.add({ name: 'X', phone: 'none' }))).code).toBe('buddy_phone_invalid')
  await buddies.reorder([second.id, first.id])
  expect((await buddies.list()).map(({ id }) => id)).toEqual([second.id, first.id])
  expect(await buddies.update(first.id, { relationship: 'sister', name: 'Ottoline' })).toMatchObject({
    name: 'Ottoline',
    relationship: 'sister',
    email: 'o@example.com',
  })
  expect(await buddies.update(second.id, { isActive: false })).toMatchObject({ is_active: false })
  await buddies.askToAgree(first.id)
  expect(await errorOf(buddies.askToAgree(first.id))).toMatchObject({
    code: 'rate_limited',
    retryable: true,
    retryAfterS: expect.any(Number),
  })
  expect((await errorOf(buddies.requestCheckIn(first.id))).code).toBe('buddy_unavailable')
  expect(await buddies.requests()).toEqual([])
  expect(await buddies.alerts()).toEqual([])
  expect(await buddies.reportAllRight()).toBeNull()
  const until = new Date(Date.now() + 24 * 60 * 60 * 1000)
  await buddies.pauseAlerts(until)
  expect(new Date((await buddies.preferences()).alerts_paused_until ?? '')).toEqual(until)
  await buddies.pauseAlerts(null)
  expect(await buddies.preferences()).toMatchObject({ alerts_paused_until: null, pass_on_all_right: true })
  await buddies.remove(second.id)
  expect((await buddies.list()).map(({ id }) => id)).toEqual([first.id])
})

test('an export is asked for, told on its channel, and deleted; an erasure is asked for and cancelled', async () => {
  const { client } = await newStudent(project, [])
  const wellbeing = createWellbeingClient(client)
  const heard: string[] = []
  wellbeing.exports.subscribe(({ status }) => heard.push(status))
  const { id } = await wellbeing.exports.request()
  expect(await errorOf(wellbeing.exports.request())).toMatchObject({
    code: 'export_running',
    details: { id },
  })
  await vi.waitFor(async () => expect((await wellbeing.exports.get(id)).status).toBe('ready'), 60_000)
  await vi.waitFor(() => expect(heard).toContain('ready'), 10_000)
  await wellbeing.exports.remove(id)
  expect((await wellbeing.exports.list()).map(({ status }) => status)).toEqual(['cancelled'])
  expect((await errorOf(wellbeing.exports.get(crypto.randomUUID()))).code).toBe('export_not_found')

  expect(await wellbeing.erasure.status()).toBeNull()
  expect((await errorOf(wellbeing.erasure.request('not-the-password'))).code).toBe('wrong_password')
  expect(await wellbeing.erasure.request('invented-password-1')).toMatchObject({ status: 'scheduled' })
  await wellbeing.erasure.cancel()
  expect(await wellbeing.erasure.status()).toBeNull()
  await wellbeing.close()
})

test('a session is analysed and scored, and tells it on its channel', async () => {
  const { client } = await newStudent(project)
  const wellbeing = createWellbeingClient(client)
  const session = await wellbeing.session()
  const heard: string[] = []
  session.subscribe(({ type }) => heard.push(type))
  await vi.waitFor(() => expect(heard).toContain('joined'), 20_000)
  expect((await errorOf(session.score())).code).toBe('analyses_incomplete')
  await session.analyzeText(
    'I walked to the lake with a friend, and slept well for the first time in a week.',
  )
  expect(await wellbeing.sessionScore(session.id)).toBeNull()
  const { fusion_score } = await session.score()
  expect(await wellbeing.sessionScore(session.id)).toEqual(fusion_score)
  await vi.waitFor(() =>
    expect(heard).toEqual(expect.arrayContaining(['analysis_complete', 'score_calculated'])),
  )
  expect(await wellbeing.session({ id: session.id })).toMatchObject({ id: session.id })
  await session.end()
  expect((await errorOf(wellbeing.session({ id: crypto.randomUUID() }))).code).toBe('session_not_found')
  expect(await wellbeing.history()).toMatchObject([{ source: 'session', id: session.id }])
  expect((await errorOf(wellbeing.readCheckIn(crypto.randomUUID()))).code).toBe('check_in_not_found')
})

test('what supabase-js reported to the app itself is explained: a sign-in, a code of a mail, a query', async () => {
  const supabase = anonymous()
  const wellbeing = createWellbeingClient(supabase, { language: 'es' })
  const { error } = await supabase.auth.signInWithPassword({ email: 'nobody@example.edu', password: 'x' })
  expect((await wellbeing.explain(error)).code).toBe('invalid_credentials')
  const code = await supabase.auth.verifyOtp({
    email: 'nobody@example.edu',
    token: '1234567890',
    type: 'email',
  })
  expect(await wellbeing.explain(code.error)).toMatchObject({
    code: 'mail_code_invalid',
    words: { title: 'Este código no es correcto o ya no es válido.' },
  })
  const query = await supabase.from('profiles').select('nothing')
  expect(['session_ended', 'unknown']).toContain((await wellbeing.explain(query.error)).code)
})

test('somebody signs up, and the code of the mail signs them in', localOnly('reads the inbox'), async () => {
  const supabase = anonymous()
  const wellbeing = createWellbeingClient(supabase, { language: 'de-AT' })
  const email = `robin-${crypto.randomUUID()}@northfield.example.edu`
  const account = { email, password: 'invented-password-1', firstName: 'Robin', lastName: 'Field' }
  expect(await errorOf(wellbeing.account.signUp({ ...account, password: 'short' }))).toMatchObject({
    code: 'weak_password',
    details: { reasons: expect.arrayContaining(['length']) },
  })
  expect(await errorOf(wellbeing.account.signUp({ ...account, universityId: 'nowhere' }))).toMatchObject({
    code: 'university_not_accepted',
  })
  await wellbeing.account.signUp(account)
  await vi.waitFor(async () => expect(await mailsTo(email)).toHaveLength(1), 20_000)
  const [mail] = await mailsTo(email)
  const [token = ''] = mail?.text.match(/\b\d{10}\b/) ?? []
  const confirmed = await supabase.auth.verifyOtp({ email, token, type: 'signup' })
  expect(confirmed.error).toBeNull()
  expect(await wellbeing.account.profile()).toMatchObject({
    first_name: 'Robin',
    university_id: 'northfield',
  })
})
