import { createClient } from '@supabase/supabase-js'
import { expect, test, vi } from 'vitest'
import { createWellbeingClient } from '../../../client/src/index.ts'
import { createTestService, type TestServiceOptions } from '../../../client/src/testing/index.ts'

/** The package's own client, signed in to a service in memory. */
async function signedIn(options: TestServiceOptions = {}) {
  const service = createTestService(options)
  const supabase = createClient(service.url, service.key, {
    ...service.options,
    auth: { persistSession: false, autoRefreshToken: false },
  })
  const { error } = await supabase.auth.signInWithPassword(service.student)
  if (error) throw error
  return { service, supabase, wellbeing: createWellbeingClient(supabase) }
}

const audio = new Blob([new Uint8Array(2000)], { type: 'audio/webm;codecs=opus' })
const images = Array.from(
  { length: 8 },
  (_, at) => new Blob([new Uint8Array(100 + at)], { type: 'image/jpeg' }),
)

test('a check-in ends with what the test says', async () => {
  const { service, wellbeing } = await signedIn()
  service.endCheckIn({ score: 48, score_interval: [40, 56], risk_level: 'mild' })
  const ended = await wellbeing.checkIn({ audio, images, mood: 4 })
  expect(ended).toMatchObject({ status: 'complete', result: { score: 48, risk_level: 'mild' } })
  expect(await wellbeing.history()).toMatchObject([{ source: 'check_in', score: 48 }])
  await wellbeing.close()
})

test('what the test refuses is refused once, with its code and details', async () => {
  const { service, wellbeing } = await signedIn()
  service.failNext('export_limit', { path: '/exports', details: { retry_after_s: 86_400 } })
  await expect(wellbeing.exports.request()).rejects.toMatchObject({
    code: 'export_limit',
    retryAfterS: 86_400,
    words: { title: '[en] export_limit' },
  })
  expect(await wellbeing.exports.request()).toMatchObject({ status: 'queued' })
  service.failNext('buddy_limit', { path: '/rpc/add_buddy' })
  await expect(wellbeing.buddies.add({ name: 'X', phone: '+12025550143' })).rejects.toMatchObject({
    code: 'buddy_limit',
  })
})

test('a check-in waits while there is no network, and is sent once when it is back, though a response was lost', async () => {
  const { service, wellbeing } = await signedIn()
  service.goOffline()
  const steps: (string | undefined)[] = []
  wellbeing.queue.subscribe(([first]) => steps.push(first?.problem?.code))
  const ended = wellbeing.checkIn({ audio })
  await vi.waitFor(() => expect(steps).toContain('offline'))
  service.goOnline()
  service.loseResponse('/complete')
  for (const { id } of await wellbeing.queue.list()) await wellbeing.queue.retry(id)
  await vi.waitFor(async () => {
    const [waiting] = await wellbeing.queue.list()
    if (waiting?.step === 'waiting') await wellbeing.queue.retry(waiting.id)
    expect(waiting?.step).toBe('complete')
  }, 20_000)
  expect((await ended).status).toBe('complete')
  expect(await wellbeing.history()).toHaveLength(1)
  await wellbeing.close()
})

test('a check-in is held, shows how far it is, and fails with a reason', async () => {
  const { service, wellbeing } = await signedIn()
  service.holdCheckIns()
  const seen: number[] = []
  const ended = wellbeing.checkIn(
    { audio },
    { onProgress: ({ step, progress }) => step === 'analysing' && seen.push(progress) },
  )
  await vi.waitFor(() => {
    service.showProgress(0.4)
    expect(seen).toContain(0.4)
  })
  service.failCheckIn('silent')
  expect(await ended).toMatchObject({
    status: 'failed',
    error: { reason: 'silent', reasons: [{ modality: 'audio', title: '[en] silent' }] },
    crisis_resources: [{ name: 'Northfield Counseling' }, { name: 'Emergency' }],
  })
  await wellbeing.close()
})

test('a token that has expired is renewed unseen; a session that has ended is told', async () => {
  const { service, wellbeing } = await signedIn()
  service.expireTokens()
  expect(await wellbeing.history()).toEqual([])
  service.endSessions()
  await expect(wellbeing.history()).rejects.toMatchObject({ code: 'session_ended' })
})

test('an export is finished, and told on its channel', async () => {
  const { service, wellbeing } = await signedIn()
  const heard: string[] = []
  wellbeing.exports.subscribe(({ status }) => heard.push(status))
  const { id } = await wellbeing.exports.request()
  await vi.waitFor(() => {
    service.finishExport()
    expect(heard).toEqual(['ready'])
  })
  const { volumes } = await wellbeing.exports.get(id)
  expect(volumes).toMatchObject([{ number: 1, url: expect.stringContaining(id) }])
  await wellbeing.close()
})

test('somebody agrees, an alert is opened, and is ended by the student', async () => {
  const { service, wellbeing } = await signedIn({ consents: ['support_circle'] })
  const { buddies } = wellbeing
  const { id } = await buddies.add({ name: 'Ottoline', phone: '+1 202 555 0143', email: 'o@example.com' })
  const heard: string[] = []
  buddies.subscribe(({ type }) => heard.push(type))
  await vi.waitFor(() => expect(heard).toEqual(['joined']))
  service.contactAgrees(id)
  service.openAlert()
  await vi.waitFor(() => expect(heard).toEqual(['joined', 'contact', 'alert']))
  expect(await buddies.requestCheckIn(id)).toMatchObject({ sending: 'when_they_agree' })
  expect(await buddies.reportAllRight()).toBe(1)
  expect(await buddies.alerts()).toMatchObject([{ status: 'resolved' }])
  await wellbeing.close()
})

test('an app asks tables of its own', async () => {
  const { supabase, wellbeing } = await signedIn({ consents: ['support_circle'] })
  for (const name of ['Percival', 'Ann'])
    await wellbeing.buddies.add({ name, phone: `+1202555014${name.length}` })
  const { data } = await supabase.from('buddy_contacts').select('name').order('name').limit(1)
  expect(data).toEqual([{ name: 'Ann' }])
  const none = await supabase.from('students').select()
  expect(none.error?.hint).toBe('table_not_found')
})
