import { createHmac } from 'node:crypto'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import {
  COLLECTED,
  callsOfFunctions,
  carriesWords,
  ENDPOINTS,
  OPEN,
  WORKERS,
} from '../../../harness/client/endpoints.ts'
import { newStudent, type Student } from '../../../harness/factories/students.ts'
import { localOnly, localStack, serviceClient, withDatabase } from '../../../harness/stack/project.ts'
import { inDepth } from '../../depth.ts'

const project = inject('project')

/** What the tokens are made of: five students, of whom one is deleted, one half deleted, one banned and one signed out; and one without a role. */
type Makings = {
  student: Student
  deleted: Student
  leaving: Student
  banned: Student
  signedOut: Student
  withoutRole: Student
}
let makings: Makings

beforeAll(async () => {
  const [student, deleted, leaving, banned, signedOut, withoutRole] = await Promise.all([
    newStudent(project, []),
    newStudent(project, []),
    newStudent(project, []),
    newStudent(project, []),
    newStudent(project, []),
    newStudent(project, []),
  ])
  const { admin } = serviceClient(project).auth
  await admin.deleteUser(deleted.id)
  // As a request finds it that Auth let through just before the deletion.
  await withDatabase(project, (sql) => sql`delete from public.profiles where user_id = ${leaving.id}`)
  await admin.updateUserById(banned.id, { ban_duration: '1h' })
  await signedOut.client.auth.signOut()
  const taken = await serviceClient(project).from('user_roles').delete().eq('user_id', withoutRole.id)
  if (taken.error) throw taken.error
  makings = { student, deleted, leaving, banned, signedOut, withoutRole }
})

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}

function signed(claims: object, secret = localStack().jwtSecret): string {
  const unsigned = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  return `${unsigned}.${createHmac('sha256', secret).update(unsigned).digest('base64url')}`
}

const inAnHour = () => Math.floor(Date.now() / 1000) + 3600
const anotherSecret = 'another-secret-of-another-project-0123456789'

/** Tokens that must open nothing, by what is wrong with them. */
const BAD_TOKENS: [string, (makings: Makings) => string | null][] = [
  ['missing', () => null],
  ['malformed', () => 'not-a-token'],
  ['malformed, in three parts', () => 'not.a.token'],
  ['cut off', ({ student }) => student.token.slice(0, -10)],
  ['signed with the wrong key', ({ student }) => signed(claimsOf(student.token), anotherSecret)],
  [
    'changed after it was signed',
    ({ student, banned }) => {
      const [header, , signature] = student.token.split('.')
      return `${header}.${encode({ ...claimsOf(student.token), sub: banned.id })}.${signature}`
    },
  ],
  [
    'unsigned (alg none)',
    ({ student }) => `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claimsOf(student.token))}.`,
  ],
  [
    'of another project',
    ({ student }) =>
      signed({ ...claimsOf(student.token), iss: 'https://other.example.edu/auth/v1' }, anotherSecret),
  ],
  ['a publishable key', () => project.publishableKey],
  ['a secret key', () => project.secretKey],
  ['of a deleted account', ({ deleted }) => deleted.token],
  ['of an account that is being deleted', ({ leaving }) => leaving.token],
  ['of a banned account', ({ banned }) => banned.token],
  ['of a session that was signed out', ({ signedOut }) => signedOut.token],
]

/** The same, signed as the project signs. */
const SIGNED_TOKENS: typeof BAD_TOKENS = [
  ['expired', ({ student }) => signed({ ...claimsOf(student.token), exp: 1 })],
  ['an older publishable key', () => signed({ iss: 'supabase', role: 'anon', exp: inAnHour() })],
  ['an older secret key', () => signed({ iss: 'supabase', role: 'service_role', exp: inAnHour() })],
]

/** What every call rejects. All calls ask one check of tokens, so of the others each call is given a quarter, in turn. */
const BY_EVERY_CALL = ['missing', 'signed with the wrong key', 'a secret key', 'of a banned account']

const givenAt = (place: number, tokens: typeof BAD_TOKENS) =>
  tokens.filter(([what], index) => inDepth || BY_EVERY_CALL.includes(what) || index % 4 === place % 4)

const described = <Row extends { method: string; path: string }>(rows: Row[]) =>
  rows.map((row, place) => [`${row.method} ${row.path}`, row, place] as const)

const unauthorized = {
  error: expect.stringMatching(/\S/),
  code: 'unauthorized',
  timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/),
}

describe.each(described(ENDPOINTS))('%s', (_, endpoint, place) => {
  const { method, path, body, errorMembers } = endpoint
  // Somebody who is known, and only kept out, is told where help is.
  const withHelp = carriesWords(endpoint) && { details: { crisis_resources: expect.any(Array) } }
  const rejects = async (what: string, make: (makings: Makings) => string | null) => {
    const answer = await call(project, make(makings), method, path, body)
    expect(answer.status).toBe(401)
    expect(answer.body).toEqual({
      ...errorMembers,
      ...unauthorized,
      ...(what === 'of a banned account' && withHelp),
    })
    expect(answer.headers.get('api-version')).toBe('2.0')
    expect(answer.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{8,64}$/)
  }
  test.each(givenAt(place, BAD_TOKENS))('rejects a token that is %s', rejects)
  test.each(givenAt(place, SIGNED_TOKENS))('rejects a token that is %s', localOnly('signs tokens'), rejects)

  // Whose session it ends serves for nothing else.
  const isSignOut = path === 'api/auth/signout'

  test('lets nobody in who has no role, but to what is stored of them and to their sessions', async () => {
    if (isSignOut) return
    const answer = await call(project, makings.withoutRole.token, method, path, body)
    if (/^api\/(privacy\/(exports|erasure)|auth\/)/.test(path)) {
      expect(['unauthorized', 'forbidden']).not.toContain(answer.body.code)
      return
    }
    expect(answer.status).toBe(403)
    expect(answer.body).toEqual({ ...errorMembers, ...unauthorized, code: 'forbidden', ...withHelp })
  })

  test('lets a student in', async () => {
    const { token } = isSignOut ? await newStudent(project, []) : makings.student
    const answer = await call(project, token, method, path, body)
    expect(answer.status).toBeLessThan(500)
    expect([401, 429]).not.toContain(answer.status)
    expect(answer.body.code).not.toBe('unauthorized')
    expect(answer.headers.get('api-version')).toBe('2.0')
    expect(answer.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{8,64}$/)
  })
})

describe.each(described(WORKERS))('%s', (_, { method, path, body }) => {
  const wrong: typeof BAD_TOKENS = [
    ...BAD_TOKENS,
    ['a student’s', ({ student }) => student.token],
    ['another secret', () => 'x'.repeat(64)],
  ]
  const rejects = async (_: string, make: (makings: Makings) => string | null) => {
    const answer = await call(project, make(makings), method, path, body)
    expect(answer.status).toBe(401)
    expect(answer.body).toEqual(unauthorized)
    expect(answer.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{8,64}$/)
    expect(answer.headers.get('api-version')).toBe('2.0')
  }
  test.each(wrong)('rejects a token that is %s', rejects)
  test.each(SIGNED_TOKENS)('rejects a token that is %s', localOnly('signs tokens'), rejects)

  test('lets the database in', async () => {
    const secret = await withDatabase(project, async (sql) => {
      const [row] =
        await sql`select decrypted_secret from vault.decrypted_secrets where name = 'pipeline_secret'`
      return String(row?.decrypted_secret)
    })
    const answer = await call(project, secret, method, path, body)
    expect(answer.status).toBe(202)
  })
})

/** `/buddy/texts` and `/buddy/text-status`: only Twilio can call them, so no document describes them (docs/decisions.md). */
const TWILIO_WEBHOOKS = 2

test('every call of every function is described', () => {
  const listed = Object.groupBy(
    [...ENDPOINTS, ...WORKERS, ...COLLECTED, ...OPEN],
    ({ path }) => path.split(/[/?]/)[0] ?? '',
  )
  const counts = Object.entries(listed).map(([name, rows]) => [name, rows?.length])
  const served = callsOfFunctions()
  expect(Object.fromEntries(counts)).toEqual({ ...served, buddy: (served.buddy ?? 0) - TWILIO_WEBHOOKS })
})
