import { describe, expect, test } from 'vitest'
import { openApiDocumentOf } from '../../functions/_shared/openapi/document.ts'
import { ROUTES } from '../../functions/api/routes.ts'
import { type Attempt, attemptsFrom } from './attempts.ts'
import { canary } from './canary.ts'
import { callsOf } from './described-call.ts'
import type { Attacker } from './person.ts'
import { QUERY_VALUES } from './values/queries.ts'
import { TEXT_VALUES } from './values/texts.ts'
import { faultsOf } from './verdict.ts'

const document = openApiDocumentOf(ROUTES, 'http://127.0.0.1')
const law = {
  document,
  calls: callsOf(document),
  secrets: ['sb_secret_invented'],
  files: { private: ['victims/students/1/letter.txt'], university: ['victims/shared/guide.txt'] },
}
const attacker: Attacker = {
  name: 'a student',
  isStudent: true,
  token: 'a.b.c',
  userId: '5b0f2d0e-0d0c-4c0e-9d6e-0f6d1d7a1c11',
  university: 'northfield',
  student: '5b0f2d0e-0d0c-4c0e-9d6e-0f6d1d7a1c11',
  sessions: ['5b0f2d0e-0d0c-4c0e-9d6e-0f6d1d7a1c12'],
  checkIns: ['5b0f2d0e-0d0c-4c0e-9d6e-0f6d1d7a1c13'],
  file: 'northfield/shared/guide.txt',
  sees: [],
}
const attempt: Attempt = {
  number: 1,
  name: 'GET /api/students/{id}',
  attacker,
  places: ['GET /api/students/{id} path.id'],
  request: { method: 'GET', target: '/functions/v1/api/students/x', headers: [], body: null },
}

/** What a refusal could repeat of a request. */
const repeatable = [...QUERY_VALUES, ...TEXT_VALUES].flatMap((value) => ('text' in value ? [value.text] : []))

const refusal = (error = 'There is no such student.', code = 'student_not_found') =>
  JSON.stringify({ error, code, timestamp: new Date().toISOString() })

function answer(status: number, body: string, headers: Record<string, string> = {}) {
  const service = {
    'content-type': 'application/json',
    'api-version': '2.0',
    'x-request-id': 'invented-request',
    'ratelimit-limit': '100',
    'ratelimit-remaining': '99',
    'ratelimit-reset': '1',
    'ratelimit-policy': '100;w=60',
  }
  return { status, headers: new Headers({ ...service, ...headers }), body }
}

describe('the judge of answers', () => {
  test('has nothing against a refusal as it is described', async () => {
    expect(await faultsOf(law, attempt, answer(404, refusal()))).toEqual([])
  })

  test.each([
    ['an error of the server', answer(500, refusal('Something went wrong.', 'internal_error'))],
    ['a status that is not described', answer(418, refusal())],
    ['a code that the call does not have', answer(404, refusal('No such table.', 'table_not_found'))],
    ['a body without the members of an error', answer(404, '{}')],
    ['an answer without the documented members', answer(200, '{"id": 1}')],
    ['a stack', answer(404, refusal('Error\n    at read (file:///x/rows.ts:1:2)'))],
    ['words of the database', answer(404, refusal('invalid input syntax for type uuid: "x"'))],
    ['the class of an error', answer(404, refusal('PostgresError: no'))],
    ['an address of the database', answer(404, refusal('postgresql://postgres@127.0.0.1/postgres'))],
    ['a secret', answer(404, refusal('sb_secret_invented'))],
    ['what a victim wrote', answer(404, refusal(canary('private')))],
    ['what only members of another university see', answer(404, refusal(canary('university')))],
    ['an address of a victim’s file', answer(404, refusal('/victims/students/1/letter.txt?token=x'))],
    ['a header of the attack', answer(404, refusal(), { 'x-injected': 'yes' })],
    ['silence', 'the server hung up without an answer' as const],
  ])('sees %s', async (_, wrong) => {
    expect(await faultsOf(law, attempt, wrong)).not.toEqual([])
  })

  test('lets people see what they may', async () => {
    const member = { ...attempt, attacker: { ...attacker, sees: ['university'] as const } }
    expect(await faultsOf(law, member, answer(404, refusal(canary('university'))))).toEqual([])
    expect(await faultsOf(law, member, answer(404, refusal(canary('private'))))).not.toEqual([])
  })

  test('takes no hostile text for a leak when a refusal repeats it', async () => {
    const suspicious = new Set<string>()
    for (const text of repeatable) {
      const faults = await faultsOf(law, attempt, answer(404, refusal(text)))
      for (const fault of faults) suspicious.add(`${text} ${fault}`)
    }
    expect([...suspicious]).toEqual([])
  })
})

describe('hostile requests', () => {
  test('are the same whenever the seed is, and others with another', () => {
    const numbers = [0, 1_000, 5_000_000]
    const requests = (seed: string) => numbers.map((number) => attempts(seed).at(number))
    expect(requests('7')).toEqual(requests('7'))
    expect(requests('7')).not.toEqual(requests('8'))
  })
})

function attempts(seed: string) {
  const attackers = {
    people: [attacker, attacker] as const,
    spare: attacker,
    leaver: attacker,
    database: attacker,
    account: { email: 'ada@northfield.example.edu', password: 'invented-password-1', refreshToken: 'x' },
    still: 'aGVsbG8=',
    foreign: ['5b0f2d0e-0d0c-4c0e-9d6e-0f6d1d7a1c14'],
    victims: ['5b0f2d0e-0d0c-4c0e-9d6e-0f6d1d7a1c14'],
    exposed: ['public.profiles'],
    hidden: ['private.outbox'],
  }
  return attemptsFrom(document, attackers, { seed, requests: 1_000, tokens: ['x'] })
}
