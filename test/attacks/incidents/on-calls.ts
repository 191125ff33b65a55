import { randomBytes } from 'node:crypto'
import { type AttackedStack, times, tokenOf } from '../../../harness/factories/attacked-stack.ts'
import { newStaff, newStudent } from '../../../harness/factories/students.ts'
import { type Attack, oneAccount } from './plays.ts'

const inAnHour = () => Math.floor(Date.now() / 1000) + 3600

/** Uses tokens against a call that needs one. */
async function forge(
  stack: AttackedStack,
  token: (account: string) => Promise<string> | string,
): Promise<undefined> {
  const [{ id }, address] = [await oneAccount(stack), stack.newAddress()]
  const forged = await token(id)
  await times(7, () => stack.send(address, '/functions/v1/api/privacy/exports', { token: forged }))
}

const claimsOf = (sub: string) => ({ sub, role: 'authenticated', aud: 'authenticated', exp: inAnHour() })

const forgery = { type: 'unauthorized_access' }

const WORKERS = [
  'pipeline-audio',
  'pipeline-text',
  'pipeline-crisis',
  'pipeline-fusion',
  'deliver-messages',
  'export-data',
  'remove-objects',
]

/** Attacks on the edge functions. */
export const ON_CALLS: Attack[] = [
  {
    ...forgery,
    name: 'tokens signed with a guessed secret',
    run: (stack) => forge(stack, (sub) => tokenOf(claimsOf(sub), 'secret')),
  },
  {
    ...forgery,
    name: 'tokens without a signature',
    run: (stack) => forge(stack, (sub) => tokenOf(claimsOf(sub), '', 'none')),
  },
  {
    ...forgery,
    name: 'tokens of another project',
    run: (stack) =>
      forge(stack, (sub) =>
        tokenOf(
          { ...claimsOf(sub), iss: 'https://another.example.edu/auth/v1', session_id: crypto.randomUUID() },
          'the-secret-of-another-project-0123456789',
        ),
      ),
  },
  {
    ...forgery,
    name: 'a real token whose claims were altered',
    run: (stack) =>
      forge(stack, async () => {
        const { token } = await newStudent(stack.project, [])
        const [header, payload, signature] = token.split('.')
        const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString())
        const altered = Buffer.from(JSON.stringify({ ...claims, role: 'service_role' })).toString('base64url')
        return [header, altered, signature].join('.')
      }),
  },
  {
    ...forgery,
    name: 'the secret of one worker is guessed',
    async run(stack) {
      const address = stack.newAddress()
      await times(7, () =>
        stack.send(address, '/functions/v1/pipeline-text', {
          method: 'POST',
          token: randomBytes(32).toString('hex'),
          body: {},
        }),
      )
      return undefined
    },
  },
  {
    ...forgery,
    name: 'a secret is tried on all workers',
    async run(stack) {
      const address = stack.newAddress()
      await times(WORKERS.length, (index) =>
        stack.send(address, `/functions/v1/${WORKERS[index]}`, {
          method: 'POST',
          token: 'pipeline',
          body: {},
        }),
      )
      return undefined
    },
  },
  {
    name: 'a student reaches for the security administrator’s calls',
    type: 'unauthorized_access',
    async run(stack) {
      const [{ token }, address] = [await newStudent(stack.project, []), stack.newAddress()]
      await times(24, () => stack.send(address, '/functions/v1/api/security/incidents', { token }))
      return undefined
    },
  },
  {
    name: 'a counselor tries to change the university',
    type: 'unauthorized_access',
    async run(stack) {
      const [{ token }, address] = [await newStaff(stack.project, 'counselor'), stack.newAddress()]
      await times(24, () =>
        stack.send(address, '/functions/v1/api/university/northfield', {
          method: 'PUT',
          token,
          body: { name: 'Mine now' },
        }),
      )
      return undefined
    },
  },
  {
    name: 'a flood of requests of one account',
    type: 'suspicious_activity',
    async run(stack) {
      const [{ token }, address] = [await newStudent(stack.project, []), stack.newAddress()]
      // However fast the machine is, and so however many the limit lets through meanwhile.
      for (let limited = 0; limited < 215; ) {
        const responses = await times(
          48,
          () => stack.send(address, '/functions/v1/api/universities', { token }),
          12,
        )
        limited += responses.filter(({ status }) => status === 429).length
      }
      return undefined
    },
  },
  {
    name: 'a flood of requests of nobody',
    type: 'suspicious_activity',
    async run(stack) {
      const address = stack.newAddress()
      const body = { refresh_token: 'an-invented-refresh-token' }
      await times(
        240,
        () => stack.send(address, '/functions/v1/api/auth/refresh', { method: 'POST', body }),
        12,
      )
      return undefined
    },
  },
  {
    name: 'links are guessed',
    type: 'suspicious_activity',
    async run(stack) {
      const address = stack.newAddress()
      await times(36, () =>
        stack.send(address, `/functions/v1/buddy/checkin/${randomBytes(48).toString('base64url')}`),
      )
      return undefined
    },
  },
  {
    name: 'accounts are exported one after another',
    type: 'data_breach',
    async run(stack) {
      const address = stack.newAddress()
      await times(6, async () => {
        const { token } = await newStudent(stack.project, [])
        await stack.send(address, '/functions/v1/api/privacy/exports', { method: 'POST', token, body: {} })
      })
      return undefined
    },
  },
]
