import { setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'
import { listen } from '../postgres/connections.ts'
import type { Address } from './hub.ts'
import { DatabaseUnavailable } from './policies.ts'

/** A row of `realtime.messages`; the payload of `realtime.send_binary` is a Buffer. */
export type StoredMessage = Address & { id: string; event: string; payload: unknown }

export type StoredMessages = {
  /**
   * Resolves when every message that is committed from then on will be told.
   *
   * @throws DatabaseUnavailable when the database does not let it begin within a few seconds
   */
  begun(): Promise<void>
  /** The newest private messages of a topic since a time in milliseconds since 1970, oldest first, without binary ones. */
  replay(topic: string, since: number, limit: number): Promise<StoredMessage[]>
  stop(): Promise<void>
}

type Row = {
  id: string
  topic: string
  event: string | null
  payload: unknown
  binary_payload: Buffer | null
  private: boolean | null
}

/** A snapshot, and the database's time when it was taken. */
type Moment = { snapshot: string; taken: string }

const batch = 200
const checkpointAfter = 5000
const retryMs = 200
const rememberMs = 120_000
/** Less than the ten seconds that clients wait for a join. */
const beginMs = 5000

/**
 * Tells of each message that is inserted into `realtime.messages`, once it is committed, in the order of commits,
 * and exactly once. Those that are committed before it has begun are not reported.
 *
 * Postgres notifies in that order. When the connection was lost, what was missed is found with a snapshot: the rows
 * that the snapshot of the last time does not see, less those already told. Rows of the minute before that snapshot
 * are looked at again, since a crash may give the numbers of its last transactions to others.
 */
export function followMessages(
  sql: postgres.Sql,
  adminUrl: string,
  onMessage: (message: StoredMessage) => void,
): StoredMessages {
  let stopped = false
  let last: Moment | undefined
  const beginning = Promise.withResolvers<void>()
  let incomplete = true
  let working: Promise<void> | undefined
  const pending: string[] = []
  let untilCheckpoint = checkpointAfter
  const told = new Map<string, number>()

  const listener = listen(adminUrl, 'realtime_messages', (id) => {
    if (id === undefined) incomplete = true
    else pending.push(id)
    working ??= work().finally(() => {
      working = undefined
    })
  })

  async function work(): Promise<void> {
    while (!stopped && (incomplete || pending.length > 0)) {
      try {
        if (incomplete || untilCheckpoint <= 0) await catchUp()
        else tell(await rowsOf(pending.slice(0, batch)))
      } catch {
        // The database is down. What is pending by now is caught up with once it is back.
        incomplete = true
        await sleep(retryMs)
      }
    }
  }

  async function rowsOf(ids: string[]): Promise<Row[]> {
    const rows = await sql<Row[]>`
      select id::text, topic, event, payload, binary_payload, private from realtime.messages
      where id = any(${ids}::uuid[]) and extension = 'broadcast'`
    pending.splice(0, ids.length)
    const byId = new Map(rows.map((row) => [row.id, row]))
    return ids.flatMap((id) => byId.get(id) ?? [])
  }

  async function catchUp(): Promise<void> {
    // Before the query: what is missed while it runs must be caught up with again.
    incomplete = false
    const waiting = pending.length
    const at = Date.now()
    const before = last
    const unseen = before
      ? sql`inserted_at > ${before.taken}::text::timestamp - interval '1 minute'
          or not pg_visible_in_snapshot(xmin::text::xid8, ${before.snapshot}::pg_snapshot)`
      : sql`inserted_at > localtimestamp - interval '1 minute'`
    // One statement, so that the new snapshot is the one that its rows are seen with.
    const found = await sql<(Row & Moment)[]>`
      select moment.snapshot, moment.taken, message.id::text, topic, event, payload, binary_payload, private
      from (select pg_current_snapshot()::text as snapshot, localtimestamp::text as taken) as moment
      left join realtime.messages as message on extension = 'broadcast' and (${unseen})
      order by inserted_at, message.ctid`
    const now = found[0]
    const rows = found.filter((row) => row.id !== null)
    pending.splice(0, waiting)
    // Listeners begin after the first time, so what is stored already is not reported.
    if (!before) for (const { id } of rows) told.set(id, at)
    if (now) last = { snapshot: now.snapshot, taken: now.taken }
    untilCheckpoint = checkpointAfter
    tell(rows)
    // Only now: what was told before the last snapshot may be among the rows.
    for (const [id, toldAt] of told) if (toldAt < at - rememberMs) told.delete(id)
    beginning.resolve()
  }

  function tell(rows: Iterable<Row>): void {
    for (const row of rows) {
      if (told.has(row.id)) continue
      told.set(row.id, Date.now())
      untilCheckpoint -= 1
      const message = toMessage(row)
      if (message) onMessage(message)
    }
  }

  return {
    async begun() {
      await Promise.race([beginning.promise, sleep(beginMs, undefined, { ref: false })])
      if (!last) throw new DatabaseUnavailable()
    },
    async replay(topic, since, limit) {
      const rows = await sql<Row[]>`
        select id::text, topic, event, payload, binary_payload, private from realtime.messages
        where topic = ${topic} and private and extension = 'broadcast' and binary_payload is null
          and inserted_at >= (to_timestamp(${since / 1000}) at time zone current_setting('timezone'))
        order by inserted_at desc, ctid desc
        limit ${limit}`
      return rows.flatMap((row) => toMessage(row) ?? []).reverse()
    },
    async stop() {
      stopped = true
      await listener.stop()
      await working
    },
  }
}

function toMessage({ id, topic, event, private: isPrivate, ...row }: Row): StoredMessage | undefined {
  const payload = row.binary_payload ?? row.payload
  if (event === null || payload === null || payload === undefined) return undefined
  return { id, topic, event, payload, private: isPrivate ?? false }
}
