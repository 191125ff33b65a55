import { createHmac } from 'node:crypto'
import { describe, expect, inject, test } from 'vitest'
import { call, newStudent, serviceClient } from './project.ts'

const project = inject('stack')
const CALLS = [
  ['POST', 'checkins/start'],
  ['POST', `checkins/${crypto.randomUUID()}/complete`],
  ['GET', `checkins/${crypto.randomUUID()}`],
] as const

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function signed(claims: object, secret: string, header: object = { alg: 'HS256', typ: 'JWT' }): string {
  const unsigned = `${encode(header)}.${encode(claims)}`
  return `${unsigned}.${createHmac('sha256', secret).update(unsigned).digest('base64url')}`
}

/** Tokens that must open nothing, by what is wrong with them. */
async function badTokens(): Promise<Record<string, string | null>> {
  const student = await newStudent(project, [])
  const claims = JSON.parse(Buffer.from(student.token.split('.')[1] ?? '', 'base64url').toString())
  const deleted = await newStudent(project, [])
  const banned = await newStudent(project, [])
  const service = serviceClient(project)
  await service.auth.admin.deleteUser(deleted.id)
  await service.auth.admin.updateUserById(banned.id, { ban_duration: '1h' })
  return {
    missing: null,
    malformed: 'not-a-token',
    'cut off': student.token.slice(0, -10),
    expired: signed({ ...claims, exp: 1 }, project.jwtSecret),
    'of another project': signed(claims, 'another-secret-of-another-project-0123456789'),
    unsigned: `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims)}.`,
    'a publishable key': project.publishableKey,
    'a secret key': project.secretKey,
    'of a deleted account': deleted.token,
    'of a banned account': banned.token,
  }
}

describe('without a valid access token', () => {
  test('every call answers 401', async () => {
    for (const [what, token] of Object.entries(await badTokens())) {
      for (const [method, path] of CALLS) {
        const answer = await call(
          project,
          token,
          method,
          path,
          method === 'POST' ? { type: 'daily' } : undefined,
        )
        expect(answer, `${method} ${path} with a token that is ${what}`).toMatchObject({
          status: 401,
          body: { code: 'unauthorized', error: expect.any(String), timestamp: expect.any(String) },
        })
      }
    }
  })

  test('a valid token opens them', async () => {
    const student = await newStudent(project, [])
    const answer = await call(project, student.token, 'POST', 'checkins/start', { type: 'daily' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('api-version')).toBe('2.0')
    expect(answer.headers.get('x-request-id')).toMatch(/\S{8,}/)
  })
})
