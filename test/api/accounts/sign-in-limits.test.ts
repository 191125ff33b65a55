import { describe, expect, inject, test } from 'vitest'
import {
  newAccount,
  newAddress,
  newcomer,
  PASSWORD,
  type SignInResponse,
  signInCall,
  tokensOf,
} from '../../../harness/factories/accounts.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')

function expectRefusals(answers: SignInResponse[], count: number, policy: string): void {
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(count)
  for (const { body, headers } of refused) {
    const seconds = Number(headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(body).toMatchObject({ success: false, code: 'rate_limited', details: { retry_after_s: seconds } })
    expect(headers.get('ratelimit-policy')).toBe(policy)
    expect(headers.get('ratelimit-remaining')).toBe('0')
  }
}

describe('the limit of', () => {
  test('sign-in lets ten tries an address through, however it is written, and shuts out the right password too', async () => {
    const [account, other] = await Promise.all([newAccount(project), newAccount(project)])
    const writings = [account.email, account.email.toUpperCase(), ` ${account.email}`]
    const answers = await Promise.all(
      Array.from({ length: 13 }, (_, index) =>
        signInCall(project, 'signin', { email: writings[index % 3], password: 'wrong-password-1' }),
      ),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
    expectRefusals(answers, 3, '10;w=300')
    const right = await signInCall(project, 'signin', { email: account.email, password: PASSWORD })
    expect(right.status).toBe(429)
    const elsewhere = await signInCall(project, 'signin', { email: other.email, password: PASSWORD })
    expect(elsewhere.status).toBe(200)
  })

  test('sign-in counts alike for an address without an account', async () => {
    const email = newAddress()
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        signInCall(project, 'signin', { email, password: 'wrong-password-1' }),
      ),
    )
    expectRefusals(answers, 2, '10;w=300')
  })

  test('sign-up lets five tries an address through within an hour', async () => {
    const answers = await Promise.all(
      [newcomer(), newcomer((await newAccount(project)).email)].map(async (person) => {
        const tries = Array.from({ length: 7 }, () => signInCall(project, 'signup', person))
        return Promise.all(tries)
      }),
    )
    for (const tries of answers) {
      expect(tries.filter(({ status }) => status === 200)).toHaveLength(5)
      expectRefusals(tries, 2, '5;w=3600')
    }
  })

  test('refresh lets thirty tries a token through', async () => {
    const { email } = await newAccount(project)
    const tokens = tokensOf(await signInCall(project, 'signin', { email, password: PASSWORD }))
    const answers = await Promise.all(
      Array.from({ length: 32 }, () =>
        signInCall(project, 'refresh', { refresh_token: tokens.refresh_token }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30)
    expectRefusals(answers, 2, '30;w=300')
  })

  test('all of them keeps a digest, never the address or the token', async () => {
    const email = newAddress()
    await signInCall(project, 'signin', { email, password: 'wrong-password-1' })
    const uses = await withDatabase(
      project,
      (sql) => sql`
        select u.scope from private.rate_limit_uses u
        where u.subject = encode(substr(sha256(convert_to(${email}, 'UTF8')), 1, 16), 'hex')::uuid`,
    )
    expect(uses).toEqual([{ scope: 'sign-in' }])
  })
})
