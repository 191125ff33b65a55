import postgres from 'postgres'
import type { Identity } from './identity.ts'

export type Extension = 'broadcast' | 'presence'

/** What somebody may do in a channel, by extension. */
export type Permissions = Record<Extension, boolean>

export type Policies = {
  /** Whether the policies let the identity see messages of the topic. */
  mayRead(topic: string, identity: Identity): Promise<Permissions>
  /** Whether the policies let the identity insert messages of the topic. */
  mayWrite(topic: string, identity: Identity): Promise<Permissions>
}

/** The database could not be asked. */
export class DatabaseUnavailable extends Error {}

const extensions: Extension[] = ['broadcast', 'presence']
const insufficientPrivilege = '42501'

/** Carries an answer out of a transaction that is rolled back. */
class RolledBack {
  readonly permissions: Permissions

  constructor(permissions: Permissions) {
    this.permissions = permissions
  }
}

/**
 * Asks the policies on `realtime.messages` the way the platform does: tries to read and to insert rows of the
 * topic as the token's role, in a transaction that is rolled back. A policy that fails grants nothing.
 *
 * `mayRead` and `mayWrite` throw DatabaseUnavailable.
 */
export function createPolicies(sql: postgres.Sql, log: (line: string) => void): Policies {
  return {
    mayRead: (topic, identity) =>
      ask(topic, async (transaction) => {
        const probes = await transaction<{ id: string; extension: Extension }[]>`
          insert into realtime.messages (topic, extension)
          select ${topic}, unnest(${extensions}::text[])
          returning id::text, extension`
        await become(transaction, topic, identity)
        const ids = probes.map((probe) => probe.id)
        const seen = await transaction<{ extension: Extension }[]>`
          select extension from realtime.messages where topic = ${topic} and id = any(${ids}::uuid[])`
        const visible = (extension: Extension) => seen.some((row) => row.extension === extension)
        return { broadcast: visible('broadcast'), presence: visible('presence') }
      }),
    mayWrite: (topic, identity) =>
      ask(topic, async (transaction) => {
        await become(transaction, topic, identity)
        const inserts = async (extension: Extension): Promise<boolean> => {
          try {
            await transaction.savepoint(
              (probe) =>
                probe`insert into realtime.messages (topic, extension) values (${topic}, ${extension})`,
            )
            return true
          } catch (error) {
            if (error instanceof postgres.PostgresError && error.code === insufficientPrivilege) return false
            throw error
          }
        }
        return { broadcast: await inserts('broadcast'), presence: await inserts('presence') }
      }),
  }

  async function ask(
    topic: string,
    question: (transaction: postgres.TransactionSql) => Promise<Permissions>,
  ): Promise<Permissions> {
    try {
      await sql.begin(async (transaction) => {
        throw new RolledBack(await question(transaction))
      })
    } catch (answer) {
      if (answer instanceof RolledBack) return answer.permissions
      // Class 57 is a server that is stopping, starting, or was told to cancel.
      if (answer instanceof postgres.PostgresError && !answer.code.startsWith('57')) {
        log(`realtime: a policy on realtime.messages failed for topic "${topic}": ${answer.message}`)
        return { broadcast: false, presence: false }
      }
      throw new DatabaseUnavailable('Realtime was unable to connect to the project database', {
        cause: answer,
      })
    }
    return { broadcast: false, presence: false }
  }
}

async function become(
  transaction: postgres.TransactionSql,
  topic: string,
  { role, claims }: Identity,
): Promise<void> {
  const sub = typeof claims.sub === 'string' ? claims.sub : ''
  await transaction`
    select
      set_config('role', ${role}, true),
      set_config('realtime.topic', ${topic}, true),
      set_config('request.jwt.claims', ${JSON.stringify(claims)}, true),
      set_config('request.jwt.claim.sub', ${sub}, true),
      set_config('request.jwt.claim.role', ${role}, true),
      set_config('request.headers', '{}', true)`
}
