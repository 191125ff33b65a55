import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAccount, PASSWORD } from '../../../harness/factories/accounts.ts'
import {
  type AttackedStack,
  startAttackedStack,
  times,
  tokenOf,
} from '../../../harness/factories/attacked-stack.ts'
import { newStaff, newStudent } from '../../../harness/factories/students.ts'

/** How long a block may take to be in force in every isolate, milliseconds. */
const SOON = { timeout: 6000, interval: 200 }

const WRONG = 'not-the-password-1'
const HELP = [{ phone: '112' }, { website: 'https://findahelpline.com' }]

let stack: AttackedStack

beforeAll(async () => {
  stack = await startAttackedStack()
  await stack.sql`select * from private.detect_incidents()`
}, 60_000)

afterAll(() => stack?.stop())

type Request = NonNullable<Parameters<AttackedStack['send']>[2]>

/** What a page of another site has its visitor's browser send, with the headers that the browser adds. */
const image = { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' } }
const elsewhere = { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example.org' }
const sibling = { 'sec-fetch-site': 'same-site', origin: 'https://people.northfield.example.edu' }
const oldBrowser = { origin: 'https://elsewhere.example.org' }
const text = { 'content-type': 'text/plain;charset=UTF-8' }

const junk = () => randomBytes(32).toString('base64url')
const forged = () =>
  tokenOf({ sub: crypto.randomUUID(), role: 'authenticated', exp: Date.now() }, 'a-guessed-secret')

const SIGN_IN = '/functions/v1/api/auth/signin'
const signIn = (headers: Record<string, string>): Request => ({
  method: 'POST',
  headers,
  body: { email: `nobody-${crypto.randomUUID()}@elsewhere.example.org`, password: WRONG },
})

/** Sends a request so often from an address, and returns the codes of its errors. */
async function sendOften(address: string, often: number, path: () => string, request: () => Request) {
  return times(often, async () => {
    const response = await stack.send(address, path(), request())
    const body = await response.text()
    return response.headers.get('content-type')?.includes('json') ? JSON.parse(body).code : response.status
  })
}

/** What detection makes of an address: the rules of incidents that name it, and whether it is blocked. */
async function verdictOn(address: string) {
  await stack.sql`select * from private.detect_incidents()`
  const rules = await stack.sql<{ rule: string }[]>`
    select indicators ->> 'rule' as rule from public.security_incidents
    where ended_at is null and indicators -> 'addresses' ? ${address}`
  const [row] = await stack.sql<{ blocked: boolean }[]>`select private.is_blocked(${address}) as blocked`
  return { rules: rules.map(({ rule }) => rule), blocked: row?.blocked }
}

async function block(address: string): Promise<void> {
  await stack.sql`select private.block_address(${address}, null, 'As a test wants it')`
}

const nothing = { rules: [], blocked: false }

describe('a page of another site gets nothing blocked for its visitor with', () => {
  test.each<[string, number, () => string, () => Request]>([
    ['images of contacts’ pages', 36, () => `/functions/v1/buddy/checkin/${junk()}`, () => image],
    ['images of the page to agree', 36, () => `/functions/v1/api/buddy/verify?token=${junk()}`, () => image],
    [
      'texts to a worker',
      8,
      () => '/functions/v1/pipeline-audio',
      () => ({ method: 'POST', headers: { ...elsewhere, ...text }, body: {} }),
    ],
    [
      'forged tokens',
      8,
      () => '/functions/v1/api/privacy/exports',
      () => ({ token: forged(), headers: elsewhere }),
    ],
    ['sign-ins', 14, () => SIGN_IN, () => signIn(elsewhere)],
    ['sign-ins, where the page is on a host of the same domain', 14, () => SIGN_IN, () => signIn(sibling)],
    ['sign-ins, in a browser older than 2023', 14, () => SIGN_IN, () => signIn(oldBrowser)],
  ])('%s', async (_, often, path, request) => {
    const address = stack.newAddress()
    await sendOften(address, often, path, request)
    expect(await verdictOn(address)).toEqual(nothing)
  })

  test('sign-ins as text, which are refused before anything is counted', async () => {
    const address = stack.newAddress()
    const { email } = await newAccount(stack.project)
    const codes = await sendOften(
      address,
      14,
      () => SIGN_IN,
      () => ({ method: 'POST', headers: { ...text }, body: { email, password: WRONG } }),
    )
    expect(new Set(codes)).toEqual(new Set(['content_type_not_supported']))
    expect(await verdictOn(address)).toEqual(nothing)
    expect(await stack.signIn(address, email, PASSWORD)).toBe(200)
  })
})

test('saying to be such a page shields nobody who guesses: the account’s limit holds, and it is an incident', async () => {
  const [{ id, email }, address] = [await newAccount(stack.project), stack.newAddress()]
  const codes = await sendOften(
    address,
    14,
    () => SIGN_IN,
    () => ({ method: 'POST', headers: elsewhere, body: { email, password: WRONG } }),
  )
  expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(4)
  expect(await verdictOn(address)).toEqual(nothing)
  const [incident] = await stack.sql`
    select indicators ->> 'rule' as rule from public.security_incidents where ended_at is null and ${id} = any (affected_users)`
  expect(incident).toEqual({ rule: 'brute_force_account' })
})

describe('a guess at 128 bits or more alerts and blocks nobody:', () => {
  test.each<[string, string, number, () => string, () => Request]>([
    ['links', 'link_guessing', 36, () => `/functions/v1/buddy/checkin/${junk()}`, () => ({})],
    [
      'signatures of tokens',
      'token_forgery',
      8,
      () => '/functions/v1/api/privacy/exports',
      () => ({ token: forged() }),
    ],
    [
      'the workers’ secret',
      'worker_secret',
      8,
      () => '/functions/v1/pipeline-audio',
      () => ({ method: 'POST', token: junk(), body: {} }),
    ],
  ])('%s', async (_, rule, often, path, request) => {
    const address = stack.newAddress()
    await sendOften(address, often, path, request)
    expect(await verdictOn(address)).toEqual({ rules: [rule], blocked: false })
  })
})

/** The incident of what pages of other sites have sent, as far as it goes on. */
async function incidentOfPages(rule: string) {
  await stack.sql`select * from private.detect_incidents()`
  const [incident] = await stack.sql`
    select indicators -> 'addresses' as addresses, jsonb_path_query_array(response, '$[*].action') as actions
    from public.security_incidents where ended_at is null and key = ${`${rule}:pages`}`
  return incident
}

describe('who pretends to be a page of another site alerts all the same, against no address:', () => {
  test.each<[string, string, number, () => string, () => Request]>([
    [
      'links',
      'link_guessing',
      300,
      () => `/functions/v1/buddy/checkin/${junk()}`,
      () => ({ headers: elsewhere }),
    ],
    [
      'signatures of tokens',
      'token_forgery',
      50,
      () => '/functions/v1/api/privacy/exports',
      () => ({ token: forged(), headers: elsewhere }),
    ],
    [
      'the workers’ secret',
      'worker_secret',
      50,
      () => '/functions/v1/pipeline-audio',
      () => ({ method: 'POST', token: junk(), headers: elsewhere, body: {} }),
    ],
  ])('%s', async (_, rule, often, path, request) => {
    const address = stack.newAddress()
    // Those of the tests above, which no minute separates.
    expect(await incidentOfPages(rule)).toBeUndefined()
    await sendOften(address, often, path, request)
    expect(await incidentOfPages(rule)).toEqual({ addresses: [], actions: ['send_alert'] })
    expect(await verdictOn(address)).toEqual(nothing)
  })
})

test('ten failed sign-ins by no page of another site block their address', async () => {
  const address = stack.newAddress()
  await sendOften(
    address,
    12,
    () => SIGN_IN,
    () => signIn({}),
  )
  expect(await verdictOn(address)).toEqual({ rules: ['brute_force_address'], blocked: true })
})

/** The whole answer to a request, but for when it was given. */
async function answerTo(address: string, path: string, request: Request) {
  const response = await stack.send(address, path, request)
  const { timestamp, details, ...body } = await response.json()
  return { status: response.status, ...body, help: details?.crisis_resources, contact: details?.contact }
}

describe('from a blocked address nobody learns who has an account:', () => {
  const AT_AUTH = '/auth/v1/token?grant_type=password'
  const credentials = (email: string, password: string): Request => ({
    method: 'POST',
    body: { email, password },
  })
  const nobody = () => `nobody-${crypto.randomUUID()}@northfield.example.edu`

  test('straight at Auth both, and the right password, get what wrong credentials get', async () => {
    const [{ email }, address] = [await newAccount(stack.project), stack.newAddress()]
    const before = await answerTo(address, AT_AUTH, credentials(email, WRONG))
    expect(before).toMatchObject({ status: 400, error_code: 'invalid_credentials' })
    await block(address)
    expect(await answerTo(address, AT_AUTH, credentials(email, WRONG))).toEqual(before)
    expect(await answerTo(address, AT_AUTH, credentials(email, PASSWORD))).toEqual(before)
    expect(await answerTo(address, AT_AUTH, credentials(nobody(), WRONG))).toEqual(before)
  })

  test('with a session older than the block, both are told of the block, and nothing is counted', async () => {
    const [own, other, address] = [
      await newAccount(stack.project),
      await newAccount(stack.project),
      stack.newAddress(),
    ]
    const { token } = await newSession(address, own.email)
    await block(address)
    await expect.poll(() => stack.signIn(address, own.email, PASSWORD), SOON).toBe(403)
    const told = (email: string, password: string) =>
      answerTo(address, SIGN_IN, { ...credentials(email, password), token })
    const answers = [
      await told(nobody(), WRONG),
      await told(other.email, WRONG),
      await told(other.email, PASSWORD),
      await told(own.email, PASSWORD),
    ]
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 403, code: 'address_blocked', help: HELP })
      expect(answer).toEqual(answers[0])
    }
    await times(12, () => told(other.email, WRONG))
    expect(await stack.signIn(stack.newAddress(), other.email, PASSWORD)).toBe(200)
  })

  test('nobody signs up with the session of somebody who is signed in', async () => {
    const [{ email }, address] = [await newAccount(stack.project), stack.newAddress()]
    const { token } = await newSession(address, email)
    await block(address)
    await expect.poll(() => stack.signIn(address, email, PASSWORD), SOON).toBe(403)
    const newcomer = nobody()
    const body = { email: newcomer, password: PASSWORD, first_name: 'Robin', last_name: 'Field' }
    const path = '/functions/v1/api/auth/signup'
    expect(await answerTo(address, path, { method: 'POST', token, body })).toMatchObject({
      code: 'address_blocked',
    })
    expect(await stack.sql`select from auth.users where email = ${newcomer}`).toHaveLength(0)
  })
})

/** Statuses with which a session is answered from an address, on each way. */
async function ways(address: string, { token, refresh }: { token: string; refresh: string }) {
  const status = async (path: string, request: Request) => {
    const response = await stack.send(address, path, request)
    await response.body?.cancel()
    return response.status
  }
  return {
    functions: await status('/functions/v1/api/privacy/exports', { token }),
    rest: await status('/rest/v1/profiles?select=user_id', { token }),
    rows: await stack
      .send(address, '/rest/v1/profiles?select=user_id', { token })
      .then((response) => response.json())
      .then((rows) => (Array.isArray(rows) ? rows.length : rows.hint)),
    refresh: await status('/functions/v1/api/auth/refresh', {
      method: 'POST',
      body: { refresh_token: refresh },
    }),
  }
}

async function newSession(address: string, email: string) {
  const response = await stack.send(address, SIGN_IN, { method: 'POST', body: { email, password: PASSWORD } })
  const { tokens } = await response.json()
  return { token: String(tokens.access_token), refresh: String(tokens.refresh_token) }
}

describe('a block', () => {
  test('lets a session pass that is older than itself, and no other', async () => {
    const [student, address] = [await newStudent(stack.project, []), stack.newAddress()]
    const before = await newSession(address, student.email)
    await block(address)
    await expect.poll(() => stack.signIn(address, student.email, PASSWORD), SOON).toBe(403)
    expect(await ways(address, before)).toEqual({
      functions: 200,
      // Of the export that it names none.
      rest: 200,
      rows: 1,
      refresh: 200,
    })
    const after = await newSession(stack.newAddress(), student.email)
    expect(await ways(address, after)).toMatchObject({
      functions: 403,
      rest: 403,
      rows: 'address_blocked',
    })
  })

  test('lets no session pass that has ended, nor one of a disabled account', async () => {
    const [student, address] = [await newStudent(stack.project, []), stack.newAddress()]
    const [ended, disabled] = [
      await newSession(address, student.email),
      await newSession(address, student.email),
    ]
    await block(address)
    await expect.poll(() => stack.signIn(address, student.email, PASSWORD), SOON).toBe(403)
    await stack.send(address, '/auth/v1/logout?scope=local', { method: 'POST', token: ended.token })
    expect(await ways(address, ended)).toMatchObject({ functions: 403, rest: 403 })
    await stack.sql`select private.disable_account(${student.id}, 'As a test wants it')`
    expect(await ways(address, disabled)).toMatchObject({ functions: 403, rest: 403 })
  })

  test('keeps out who had guessed a password', async () => {
    const [tried, other] = await stack.accounts(2)
    const address = stack.newAddress()
    await times(8, () => stack.signIn(address, tried?.email ?? '', WRONG))
    await times(4, () => stack.signIn(address, other?.email ?? '', WRONG))
    const session = await newSession(address, tried?.email ?? '')
    expect(await verdictOn(address)).toEqual({ rules: ['brute_force_address'], blocked: true })
    await expect
      .poll(() => ways(address, session), SOON)
      .toMatchObject({ functions: 403, rest: 403, refresh: 403 })
  })

  test('leaves a security administrator who is signed in where the incident is dealt with', async () => {
    const [{ token }, address] = [await newStaff(stack.project, 'security_admin'), stack.newAddress()]
    await sendOften(
      address,
      12,
      () => SIGN_IN,
      () => signIn({}),
    )
    expect(await verdictOn(address)).toMatchObject({ blocked: true })
    const { status } = await stack.send(address, '/functions/v1/api/security/incidents', { token })
    expect(status).toBe(200)
  })

  test('says until when, whom to ask and where help is', async () => {
    const address = stack.newAddress()
    await stack.sql`update private.detection_settings set blocked_contact = 'help@northfield.example.edu'`
    await block(address)
    const refused = async (path: string, request: Request = {}) =>
      (await stack.send(address, path, request)).json()
    const details = {
      until: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      contact: 'help@northfield.example.edu',
      crisis_resources: HELP,
    }
    await expect
      .poll(() => refused('/functions/v1/api/universities'), SOON)
      .toMatchObject({ code: 'address_blocked', details })
    expect(await refused(SIGN_IN, signIn({}))).toMatchObject({ code: 'address_blocked', details })
    expect(await refused('/rest/v1/profiles?select=user_id')).toMatchObject({
      message: expect.stringMatching(/^This address is blocked until \d{4}-\d\d-\d\d \d\d:\d\d UTC\./),
      details: expect.stringContaining('Ask help@northfield.example.edu. In danger, call'),
    })
  })

  test('keeps nobody from help, nor a contact from the pages that their messages lead to', async () => {
    const address = stack.newAddress()
    await block(address)
    await expect
      .poll(async () => (await stack.send(address, '/functions/v1/api/universities')).status, SOON)
      .toBe(403)
    const statuses = await Promise.all(
      [
        '/functions/v1/api/crisis-resources',
        `/functions/v1/buddy/checkin/${junk()}`,
        `/functions/v1/buddy/alert/${junk()}`,
        `/functions/v1/api/buddy/verify?token=${junk()}`,
      ].map(async (path) => (await stack.send(address, path)).status),
    )
    expect(statuses).toEqual([200, 404, 404, 404])
  })

  test('doubles to a day at most, and stays lifted where somebody lifts it', async () => {
    const address = stack.newAddress()
    await block(address)
    await stack.sql`
      update private.blocked_addresses set until = now() - interval '1 second', times = 9 where network = ${address}::cidr`
    await block(address)
    const [row] = await stack.sql`
      select until - now() <= interval '1 day' as a_day from private.blocked_addresses where network = ${address}::cidr`
    expect(row).toEqual({ a_day: true })

    await stack.sql`select private.unblock_address(${address})`
    await sendOften(
      address,
      12,
      () => SIGN_IN,
      () => signIn({}),
    )
    expect(await verdictOn(address)).toMatchObject({ blocked: true })
    await stack.sql`
      select private.unblock_address(${address}), private.record_response(id, 'block_ip', ${address}, true, '{"status": "done"}', null)
      from public.security_incidents where ended_at is null and indicators -> 'addresses' ? ${address}`
    expect(await verdictOn(address)).toEqual({ rules: ['brute_force_address'], blocked: false })
  })
})

test('a policy’s limit of requests is not used up for everybody behind the address of a page’s visitor', async () => {
  const address = stack.newAddress()
  await stack.sql`
    insert into public.security_policies (id, name, category, type, conditions, actions, priority)
    values ('pol_few', 'Few requests', 'monitoring', 'detective', ${stack.sql.json({ field: 'address', op: 'in', value: [address] })},
      ${stack.sql.json([{ action: 'apply_rate_limits', requests: 3, period: 600 }])}, 1)`
  try {
    const status = async (request: Request) =>
      (await stack.send(address, `/functions/v1/buddy/checkin/${junk()}`, request)).status
    const lured = await times(6, () => status(image), 1)
    expect(lured).toEqual([404, 404, 404, 429, 429, 429])
    expect(await status({})).toBe(404)
  } finally {
    await stack.sql`update public.security_policies set enabled = false where id = 'pol_few'`
  }
})
