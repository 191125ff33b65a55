import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { errorOfInvoke } from '../../../client/src/explain.ts'
import {
  createWellbeingClient,
  type Device,
  memoryDevice,
  type WellbeingClient,
  WellbeingError,
} from '../../../client/src/index.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

type Answer = () => Response | Promise<Response>
const json =
  (status: number, body: object, headers: Record<string, string> = {}): Answer =>
  () =>
    new Response(JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    })
const unreachable: Answer = () => {
  throw new TypeError('fetch failed')
}
const entries = json(200, { entries: [], next: null, crisis_resources: [] })
const error = (status: number, code: string, headers?: Record<string, string>) =>
  json(status, { error: 'x', code, timestamp: '2026-11-28T09:00:00Z' }, headers)
const user = { id: '5b0f6c8e-93a1-4d0e-8a57-1f0c2d7b6e44', aud: 'authenticated', email: 'robin@example.edu' }
const session = (token: string) => ({
  access_token: token,
  refresh_token: 'r',
  token_type: 'bearer',
  expires_in: 3600,
  user,
})

/** A client whose calls get one answer after the other, and what was sent. */
function answered(
  answers: Record<string, Answer[]>,
  device: Device = memoryDevice(),
): {
  supabase: SupabaseClient
  wellbeing: WellbeingClient
  sent: { address: string; method: string; token: string | null }[]
} {
  const sent: { address: string; method: string; token: string | null }[] = []
  const supabase = createClient('https://wellbeing.example.edu', 'sb_publishable_x', {
    auth: { persistSession: false, autoRefreshToken: false },
    global: {
      async fetch(input, init) {
        const address = String(input).replace('https://wellbeing.example.edu/', '')
        const [part = ''] = Object.keys(answers).filter((name) => address.includes(name))
        sent.push({
          address,
          method: init?.method ?? 'GET',
          token: new Headers(init?.headers).get('authorization'),
        })
        const next = answers[part]?.shift()
        if (!next) throw new Error(`There is no answer to ${address}`)
        return next()
      },
    },
  })
  return { supabase, wellbeing: createWellbeingClient(supabase, { device }), sent }
}

async function outcome<Result>(call: Promise<Result>): Promise<Result | WellbeingError> {
  const settled = call.catch((reason: unknown) => {
    if (reason instanceof WellbeingError) return reason
    throw reason
  })
  await vi.advanceTimersByTimeAsync(20_000)
  return settled
}

test('a call that reads is made again while there is no network, and after errors of the platform and the service', async () => {
  for (const failure of [
    unreachable,
    json(503, { code: 'BOOT_ERROR' }),
    error(503, 'busy'),
    error(500, 'internal_error'),
  ]) {
    const { wellbeing, sent } = answered({ 'api/history': [failure, failure, entries] })
    expect(await outcome(wellbeing.history())).toEqual([])
    expect(sent).toHaveLength(3)
  }
})

test('after three attempts it has failed', async () => {
  const { wellbeing, sent } = answered({ 'api/history': [unreachable, unreachable, unreachable, entries] })
  expect(await outcome(wellbeing.history())).toMatchObject({ code: 'offline', retryable: true })
  expect(sent).toHaveLength(3)
})

test('a device that says it is offline is believed after one attempt', async () => {
  const connection = { isOnline: () => false, subscribe: () => () => {} }
  const { wellbeing, sent } = answered({ 'api/history': [unreachable] }, { ...memoryDevice(), connection })
  expect(await outcome(wellbeing.history())).toMatchObject({ code: 'offline' })
  expect(sent).toHaveLength(1)
})

test('a call that may have taken effect is not made again, one that certainly did not is', async () => {
  for (const failure of [unreachable, json(503, { code: 'BOOT_ERROR' }), error(500, 'internal_error')]) {
    const lost = answered({ 'api/privacy/exports': [failure], 'api/failure-reasons': [json(200, [])] })
    expect(await outcome(lost.wellbeing.exports.request())).toMatchObject({ retryable: true })
    expect(lost.sent.filter(({ address }) => address.includes('exports'))).toHaveLength(1)
  }
  const busy = answered({ 'api/privacy/exports': [error(503, 'busy'), json(202, { id: 'e' })] })
  expect(await outcome(busy.wellbeing.exports.request())).toEqual({ id: 'e' })
})

test('it waits as long as the service asks, unless that is long: then the caller decides', async () => {
  const soon = answered({ 'api/history': [error(429, 'rate_limited', { 'retry-after': '4' }), entries] })
  const begun = Date.now()
  expect(await outcome(soon.wellbeing.history())).toEqual([])
  expect(Date.now() - begun).toBeGreaterThanOrEqual(4000)
  const late = answered({
    'api/history': [error(429, 'rate_limited', { 'retry-after': '60' })],
    'api/failure-reasons': [json(200, [])],
  })
  expect(await outcome(late.wellbeing.history())).toMatchObject({ code: 'rate_limited', retryAfterS: 60 })
  expect(late.sent.filter(({ address }) => address.includes('history'))).toHaveLength(1)
})

test('a token that is no longer taken is renewed once, and the call made again', async () => {
  const { supabase, wellbeing, sent } = answered({
    'grant_type=password': [json(200, session('first'))],
    'grant_type=refresh_token': [json(200, session('second'))],
    'api/history': [error(401, 'unauthorized'), entries, error(401, 'unauthorized')],
  })
  await supabase.auth.signInWithPassword({ email: user.email, password: 'invented-password-1' })
  expect(await outcome(wellbeing.history())).toEqual([])
  expect(sent.filter(({ address }) => address.includes('history')).map(({ token }) => token)).toEqual([
    'Bearer first',
    'Bearer second',
  ])
})

test('a session that cannot be renewed has ended; one of which nobody knows is offline', async () => {
  for (const [refused, code] of [
    [json(400, { code: 'refresh_token_not_found', message: 'x' }), 'session_ended'],
    [unreachable, 'offline'],
  ] as const) {
    const { supabase, wellbeing } = answered({
      'grant_type=password': [json(200, session('first'))],
      'grant_type=refresh_token': [...Array(20)].map(() => refused),
      'auth/v1/logout': [json(204, {})],
      'api/history': [error(401, 'unauthorized'), error(401, 'unauthorized')],
    })
    await supabase.auth.signInWithPassword({ email: user.email, password: 'invented-password-1' })
    const failed = outcome(wellbeing.history())
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await failed).toMatchObject({ code })
  }
})

test('words that cannot be read leave the error as the service said it', async () => {
  const { wellbeing } = answered({
    'api/privacy/exports': [error(404, 'export_not_found')],
    'api/failure-reasons': [unreachable, error(429, 'rate_limited')],
  })
  expect(await outcome(wellbeing.exports.get('x'))).toMatchObject({
    code: 'export_not_found',
    words: { title: 'x', advice: '' },
  })
})

test('words are read once, in the language that is wanted, and kept', async () => {
  const device = memoryDevice()
  const rows = [
    { code: 'busy', language: 'pt', title: 'Ocupado.', advice: 'Espera.' },
    { code: 'silent', language: 'en', title: 'Silent.', advice: 'Speak.' },
  ]
  const { wellbeing, sent } = answered({ 'api/failure-reasons': [json(200, { reasons: rows })] }, device)
  wellbeing.setLanguage('pt-BR')
  expect(await outcome(wellbeing.words('busy'))).toEqual({ title: 'Ocupado.', advice: 'Espera.' })
  expect(await outcome(wellbeing.words('silent'))).toEqual({ title: 'Silent.', advice: 'Speak.' })
  expect(sent.map(({ address }) => address)).toEqual(['functions/v1/api/failure-reasons?languages=pt-BR'])
  const later = answered({}, device)
  later.wellbeing.setLanguage('pt-BR')
  expect(await outcome(later.wellbeing.words('busy'))).toMatchObject({ title: 'Ocupado.' })
})

test('a day later words are read again; where that fails, those that were kept stay', async () => {
  const device = memoryDevice()
  const rows = (title: string) =>
    json(200, { reasons: [{ code: 'busy', language: 'en', title, advice: 'Wait.' }] })
  expect(
    await outcome(answered({ 'api/failure-reasons': [rows('Old.')] }, device).wellbeing.words('busy')),
  ).toMatchObject({
    title: 'Old.',
  })
  vi.setSystemTime(Date.now() + 25 * 60 * 60 * 1000)
  const failing = answered({ 'api/failure-reasons': [unreachable] }, device)
  expect(await outcome(failing.wellbeing.words('busy'))).toMatchObject({ title: 'Old.' })
  const reached = answered({ 'api/failure-reasons': [rows('New.')] }, device)
  expect(await outcome(reached.wellbeing.words('busy'))).toMatchObject({ title: 'New.' })
})

test('a device that keeps nothing still has words', async () => {
  const broken = async () => {
    throw new Error('nothing is kept')
  }
  const items = { getItem: broken, setItem: broken, removeItem: broken, getAllKeys: broken }
  const { wellbeing } = answered(
    {
      'api/failure-reasons': [
        json(200, { reasons: [{ code: 'busy', language: 'en', title: 'Busy.', advice: 'Wait.' }] }),
      ],
    },
    { ...memoryDevice(), items },
  )
  expect(await outcome(wellbeing.words('busy'))).toMatchObject({ title: 'Busy.' })
})

test('an error of Auth is told in words of its own code, where there are some', async () => {
  const reasons = [
    { code: 'invalid_credentials', language: 'en', title: 'Wrong.', advice: 'x' },
    { code: 'email_not_confirmed', language: 'en', title: 'Not confirmed.', advice: 'x' },
  ]
  const { wellbeing } = answered({ 'api/failure-reasons': [json(200, { reasons })] })
  const reported = (code: string) => ({ name: 'AuthApiError', status: 400, code, message: 'x' })
  expect(await outcome(wellbeing.explain(reported('email_not_confirmed')))).toMatchObject({
    code: 'invalid_credentials',
    words: { title: 'Not confirmed.' },
  })
  expect(await outcome(wellbeing.explain(reported('user_not_found')))).toMatchObject({ code: 'unknown' })
  expect(await outcome(wellbeing.explain(reported('invalid_credentials')))).toMatchObject({
    words: { title: 'Wrong.' },
  })
})

test('crisis resources stay those of the university while nobody can say which it is', async () => {
  const device = memoryDevice()
  const resources = [{ name: 'Northfield help', phone: '+1 202 555 0100', website: null }]
  const answers = (profile: Answer) => ({
    'grant_type=password': [json(200, session('first'))],
    'rest/v1/profiles': [profile],
    'api/crisis-resources': [json(200, { crisis_resources: resources })],
  })
  const credentials = { email: user.email, password: 'invented-password-1' }
  for (const profile of [json(200, { university_id: 'northfield' }), error(401, 'unauthorized')]) {
    const { supabase, wellbeing, sent } = answered(answers(profile), device)
    await supabase.auth.signInWithPassword(credentials)
    expect(await outcome(wellbeing.crisisResources())).toEqual(resources)
    expect(sent.at(-1)?.address).toBe('functions/v1/api/crisis-resources?university_id=northfield')
  }
})

test('crisis resources that the device has are there within two seconds, however slow the network is', async () => {
  const device = memoryDevice()
  const crisis_resources = [{ name: 'Northfield help', phone: '+1 202 555 0100', website: null }]
  const never = () => new Promise<Response>(() => {})
  const { wellbeing } = answered({ 'api/crisis-resources': [json(200, { crisis_resources }), never] }, device)
  await outcome(wellbeing.crisisResources())
  const shown = wellbeing.crisisResources()
  await vi.advanceTimersByTimeAsync(2000)
  expect(await shown).toEqual(crisis_resources)
})

test('a response of another fetch than the platform’s is read too', async () => {
  const response = {
    status: 409,
    json: async () => ({ code: 'export_running', error: 'x' }),
    headers: new Headers(),
  }
  const reported = { name: 'FunctionsHttpError', message: 'x', context: response }
  expect(await errorOfInvoke(reported)).toMatchObject({ code: 'export_running', status: 409 })
})
