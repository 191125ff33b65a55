import { createHmac } from 'node:crypto'
import postgres from 'postgres'
import { PASSWORD } from '../factories/accounts.ts'
import { newStaff } from '../factories/students.ts'
import { type ConfiguredStack, startConfiguredStack } from '../stack/own-stack.ts'

/** Header by which the stack's gateway is told where a request comes from. */
const ADDRESS = 'x-played-address'

/** A running stack on which attacks are played, with the means to play many callers. */
export type AttackedStack = {
  project: ConfiguredStack
  /** The database as its superuser: what somebody with the operator's rights could do. */
  sql: postgres.Sql
  /** The one security administrator who is there throughout. */
  administratorId: string
  /** Sends a request to the project from an address. */
  send(address: string, path: string, request?: Sent): Promise<Response>
  /** Tries to sign in through the functions; returns the status. */
  signIn(address: string, email: string, password: string): Promise<number>
  /** Tries to sign in straight at Auth; returns the status. */
  signInAtAuth(address: string, email: string, password: string): Promise<number>
  /** Makes accounts whose addresses are confirmed. */
  accounts(number: number): Promise<{ id: string; email: string }[]>
  /** Another address that nobody has used, of the documentation's networks. */
  newAddress(): string
  stop(): Promise<void>
}

type Sent = { method?: string; token?: string; body?: unknown; headers?: Record<string, string> }

/** Starts the stack, whose functions get these environment variables besides the usual ones. */
export async function startAttackedStack(env: Record<string, string> = {}): Promise<AttackedStack> {
  const project = await startConfiguredStack(env, { addressHeader: ADDRESS, limits: false })
  const sql = postgres(project.local.adminUrl, { max: 2, onnotice: () => {} })
  const [hash] = await sql<{ hash: string }[]>`
    select extensions.crypt(${PASSWORD}, extensions.gen_salt('bf', 4)) as hash`
  let used = 0

  const send: AttackedStack['send'] = (address, path, { method = 'GET', token, body, headers = {} } = {}) =>
    fetch(`${project.apiUrl}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        apikey: project.publishableKey,
        [ADDRESS]: address,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })

  const status = async (response: Promise<Response>) => {
    const { status, body } = await response
    await body?.cancel()
    return status
  }

  return {
    project,
    sql,
    send,
    administratorId: (await newStaff(project, 'security_admin')).id,
    signIn: (address, email, password) =>
      status(send(address, '/functions/v1/api/auth/signin', { method: 'POST', body: { email, password } })),
    signInAtAuth: (address, email, password) =>
      status(
        send(address, '/auth/v1/token?grant_type=password', { method: 'POST', body: { email, password } }),
      ),
    async accounts(number) {
      const people = Array.from({ length: number }, () => ({
        id: crypto.randomUUID(),
        email: `person-${crypto.randomUUID()}@northfield.example.edu`,
      }))
      // As Auth stores them, without a call for each.
      await sql`
        insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data,
          raw_user_meta_data, created_at, updated_at, confirmation_token, recovery_token, email_change_token_new, email_change)
        select '00000000-0000-0000-0000-000000000000', p.id, 'authenticated', 'authenticated', p.email, ${hash?.hash ?? ''}, now(),
          '{"provider": "email", "providers": ["email"]}', '{}', now(), now(), '', '', '', ''
        from jsonb_to_recordset(${sql.json(people)}) as p (id uuid, email text)`
      return people
    },
    newAddress() {
      used++
      return `203.0.${Math.floor(used / 250) + 113}.${(used % 250) + 1}`
    },
    async stop() {
      await sql.end()
      await project.stop()
    },
  }
}

/** A token with these claims, signed with a secret. */
export function tokenOf(claims: object, secret: string, alg = 'HS256'): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const unsigned = `${part({ alg, typ: 'JWT' })}.${part(claims)}`
  const signature = alg === 'none' ? '' : createHmac('sha256', secret).update(unsigned).digest('base64url')
  return `${unsigned}.${signature}`
}

/** Runs a task so many times, a few at once. */
export async function times<Result>(
  number: number,
  task: (index: number) => Promise<Result>,
  atOnce = 8,
): Promise<Result[]> {
  const results: Result[] = []
  for (let start = 0; start < number; start += atOnce) {
    const size = Math.min(atOnce, number - start)
    results.push(...(await Promise.all(Array.from({ length: size }, (_, index) => task(start + index)))))
  }
  return results
}
