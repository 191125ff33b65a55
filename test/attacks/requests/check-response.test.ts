import { describe, expect, test } from 'vitest'
import { openApiDocumentOf } from '../../../functions/_shared/openapi/document.ts'
import { ROUTES } from '../../../functions/api/routes.ts'
import type { Attacker } from './attackers.ts'
import { type Attempt, attemptsFrom } from './attempts.ts'
import { faultsOf } from './check-response.ts'
import { callsOf } from './described-call.ts'
import { QUERY_VALUES, TEXT_VALUES } from './texts.ts'
import { canary } from './victims.ts'

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
  contacts: { named: [], agreed: [] },
  links: { checkIn: [], alert: [], verify: [] },
  sees: [],
}
const attempt: Attempt = {
  number: 1,
  name: 'GET /api/students/{id}',
  attacker,
  places: ['GET /api/students/{id} path.id'],
  request: { method: 'GET', target: '/functions/v1/api/students/x', headers: [], body: null },
}

/** What an error could repeat of a request. */
const repeatable = [...QUERY_VALUES, ...TEXT_VALUES].flatMap((value) => ('text' in value ? [value.text] : []))

const errorBody = (error = 'There is no such student.', code = 'student_not_found') =>
  JSON.stringify({ error, code, timestamp: new Date().toISOString() })

function response(status: number, body: string, headers: Record<string, string> = {}) {
  const service = {
    'content-type': 'application/json',
    'api-version': '2.0',
    'x-request-id': 'invented-request',
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    'ratelimit-limit': '100',
    'ratelimit-remaining': '99',
    'ratelimit-reset': '1',
    'ratelimit-policy': '100;w=60',
  }
  return { status, headers: new Headers({ ...service, ...headers }), body }
}

describe('the check of a response', () => {
  test('has nothing against an error as it is described', async () => {
    expect(await faultsOf(law, attempt, response(404, errorBody()))).toEqual([])
  })

  test.each([
    ['an error of the server', response(500, errorBody('Something went wrong.', 'internal_error'))],
    ['a status that is not described', response(418, errorBody())],
    ['a code that the call does not have', response(404, errorBody('No such table.', 'table_not_found'))],
    ['a body without the members of an error', response(404, '{}')],
    ['a response without the documented members', response(200, '{"id": 1}')],
    ['a stack', response(404, errorBody('Error\n    at read (file:///x/rows.ts:1:2)'))],
    ['words of the database', response(404, errorBody('invalid input syntax for type uuid: "x"'))],
    ['the class of an error', response(404, errorBody('PostgresError: no'))],
    ['an address of the database', response(404, errorBody('postgresql://postgres@127.0.0.1/postgres'))],
    ['a secret', response(404, errorBody('sb_secret_invented'))],
    ['what a victim wrote', response(404, errorBody(canary('private')))],
    ['what only members of another university see', response(404, errorBody(canary('university')))],
    ['an address of a victim’s file', response(404, errorBody('/victims/students/1/letter.txt?token=x'))],
    ['a header of the attack', response(404, errorBody(), { 'x-injected': 'yes' })],
    ['silence', 'the server hung up without a response' as const],
  ])('sees %s', async (_, wrong) => {
    expect(await faultsOf(law, attempt, wrong)).not.toEqual([])
  })

  test('lets people see what they may', async () => {
    const member = { ...attempt, attacker: { ...attacker, sees: ['university'] as const } }
    expect(await faultsOf(law, member, response(404, errorBody(canary('university'))))).toEqual([])
    expect(await faultsOf(law, member, response(404, errorBody(canary('private'))))).not.toEqual([])
  })

  test('takes no hostile text for a leak when an error repeats it', async () => {
    const suspicious = new Set<string>()
    for (const text of repeatable) {
      const faults = await faultsOf(law, attempt, response(404, errorBody(text)))
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
    image: 'aGVsbG8=',
    foreign: ['5b0f2d0e-0d0c-4c0e-9d6e-0f6d1d7a1c14'],
    victims: ['5b0f2d0e-0d0c-4c0e-9d6e-0f6d1d7a1c14'],
    exposed: ['public.profiles'],
    hidden: ['private.outbox'],
  }
  return attemptsFrom(document, attackers, { seed, requests: 1_000, tokens: ['x'] })
}
