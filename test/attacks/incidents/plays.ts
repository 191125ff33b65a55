import type { AttackedStack } from '../../../harness/factories/attacked-stack.ts'

/** Puts things back after a play; runs after the incident was looked at. */
type Undo = () => Promise<unknown>

/** Something that happens to the service. Returns how to put back what it has changed outside of its own accounts. */
export type Play = { name: string; run(stack: AttackedStack): Promise<Undo | undefined> }

/** An attack, and what is expected of it. */
export type Attack = Play & {
  /** Type of its one incident. */
  type: string
  /** Whether it is stopped: every address that it came from is blocked. */
  blocked?: boolean
}

/** The wrong password of every play. */
export const WRONG = 'not-the-password-1'

/** An account, which the database makes for a play. */
export async function oneAccount(stack: AttackedStack): Promise<{ id: string; email: string }> {
  const [account] = await stack.accounts(1)
  if (!account) throw new Error('No account was made')
  return account
}

/** Runs statements as if a person had sent them. */
export async function asPerson(stack: AttackedStack, account: string, statement: string): Promise<void> {
  await stack.sql.begin(async (sql) => {
    await sql`select set_config('request.jwt.claims', ${JSON.stringify({ sub: account, role: 'authenticated' })}, true)`
    await sql.unsafe(statement)
  })
}

/** Who takes their time is not stopped by the limit of calls a minute: as if the next one had begun. */
export async function minutePasses({ sql }: AttackedStack, { id }: { id: string }): Promise<void> {
  await sql`delete from private.rate_limit_uses where subject = ${id}`
}
