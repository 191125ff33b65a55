import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import type { Claims } from '../http/jwt.ts'

/** Whom a channel acts for. */
export type Identity = {
  role: string
  claims: Claims
  /** When the token expires, in milliseconds since 1970; API keys do not. */
  expiresAt?: number
}

export type Extension = 'broadcast' | 'presence'

/** What somebody may do in a channel, by extension. */
export type Permissions = Record<Extension, boolean>

export type Policies = {
  /** Whether the policies let the identity see messages of the topic. */
  mayRead(topic: string, identity: Identity): Promise<Permissions>
  /** Whether the policies let the identity insert a message of the topic. */
  mayWrite(topic: string, identity: Identity, extension: Extension): Promise<boolean>
}

/** The database could not be asked. */
export class DatabaseUnavailable extends Error {
  constructor(cause?: unknown) {
    super('Realtime was unable to connect to the project database', { cause })
  }
}

const insufficientPrivilege = '42501'
/** A server that is out of connections, stopping, starting, or was told to cancel. */
const unavailable = /^(53|57)/

/**
 * Asks the policies on `realtime.messages` the way the platform does: tries to read and to insert rows of the topic as
 * the token's role, and takes everything back. A policy that fails grants nothing.
 *
 * Each question is one script in one implicit transaction, and not `sql.begin`: that one brings the process down when
 * the connection breaks between its statements.
 *
 * Both throw DatabaseUnavailable.
 */
export function createPolicies(sql: postgres.Sql, log: (line: string) => void): Policies {
  return {
    async mayRead(topic, identity) {
      const probes: Permissions = { broadcast: false, presence: false }
      const ids: Record<Extension, string> = { broadcast: randomUUID(), presence: randomUUID() }
      const seen = await ask(topic, [
        `insert into realtime.messages (id, topic, extension) values
          (${literal(ids.broadcast)}, ${literal(topic)}, 'broadcast'),
          (${literal(ids.presence)}, ${literal(topic)}, 'presence')`,
        become(topic, identity),
        `select id::text from realtime.messages
          where topic = ${literal(topic)} and id in (${literal(ids.broadcast)}, ${literal(ids.presence)})`,
      ])
      for (const { id } of seen ?? []) {
        if (id === ids.broadcast) probes.broadcast = true
        if (id === ids.presence) probes.presence = true
      }
      return probes
    },
    async mayWrite(topic, identity, extension) {
      const inserted = await ask(topic, [
        become(topic, identity),
        `insert into realtime.messages (topic, extension) values (${literal(topic)}, ${literal(extension)})`,
      ])
      return inserted !== undefined
    },
  }

  /** The rows of the last statement; undefined when the database rejected one of them. */
  async function ask(topic: string, statements: string[]): Promise<{ id?: string }[] | undefined> {
    try {
      const results = await sql.unsafe<{ id?: string }[][]>([...statements, 'rollback'].join(';\n'))
      return [...(results[statements.length - 1] ?? [])]
    } catch (error) {
      if (!(error instanceof postgres.PostgresError) || unavailable.test(error.code)) {
        throw new DatabaseUnavailable(error)
      }
      if (error.code !== insufficientPrivilege) {
        log(`realtime: a policy on realtime.messages failed for topic "${topic}": ${error.message}`)
      }
      return undefined
    }
  }
}

function become(topic: string, { role, claims }: Identity): string {
  const settings: Record<string, string> = {
    role,
    'realtime.topic': topic,
    'request.jwt.claims': JSON.stringify(claims),
    'request.jwt.claim.sub': typeof claims.sub === 'string' ? claims.sub : '',
    'request.jwt.claim.role': role,
    'request.headers': '{}',
  }
  const calls = Object.entries(settings).map(
    ([name, value]) => `set_config(${literal(name)}, ${literal(value)}, true)`,
  )
  return `select ${calls.join(', ')}`
}

/** A string constant; one with a backslash is written so that the server's settings do not matter. */
function literal(text: string): string {
  const quoted = text.replaceAll('\0', '').replaceAll("'", "''")
  return quoted.includes('\\') ? `E'${quoted.replaceAll('\\', '\\\\')}'` : `'${quoted}'`
}
