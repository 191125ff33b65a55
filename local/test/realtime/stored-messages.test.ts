import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { followMessages } from '../../src/realtime/stored-messages.ts'
import { sharedCluster } from '../postgres/cluster.ts'
import { until } from './setup.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

type Scene = {
  sql: postgres.Sql
  /** What was told, as the `n` of its payload. */
  told: unknown[]
  begun(): Promise<void>
  send(n: number): Promise<void>
  /** Ends the listening connection, and waits until its successor listens. */
  cut(): Promise<void>
}

/** Follows the messages of a database of its own. */
async function follow(use: (scene: Scene) => Promise<void>, prepare?: (sql: postgres.Sql) => Promise<void>) {
  const { adminUrl } = await sharedCluster.database()
  const sql = postgres(adminUrl, { max: 4, onnotice: () => undefined })
  await prepare?.(sql)
  const told: unknown[] = []
  const messages = followMessages(sql, adminUrl, ({ payload }) => {
    told.push(payload !== null && typeof payload === 'object' && 'n' in payload ? payload.n : payload)
  })
  try {
    await use({
      sql,
      told,
      begun: messages.begun,
      async send(n) {
        await sql`select realtime.send(${sql.json({ n })}, 'step', ${randomUUID()}, true)`
      },
      async cut() {
        const before = await listenerOf(sql)
        await sql`select pg_terminate_backend(${before ?? null})`
        await until(async () => ![undefined, before].includes(await listenerOf(sql)))
      },
    })
  } finally {
    await messages.stop()
    await sql.end({ timeout: 1 })
  }
}

/** Process id of the connection that listens, once it does. */
async function listenerOf(sql: postgres.Sql): Promise<number | undefined> {
  const [row] = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity
    where datname = current_database() and application_name = 'listen realtime_messages'
      and state = 'idle' and query ilike 'listen %'`
  return row?.pid
}

describe('followMessages', () => {
  it('tells what is sent as soon as it has begun', async () => {
    await follow(async ({ told, begun, send }) => {
      await begun()
      await send(1)
      await until(() => told.length > 0)
      expect(told).toEqual([1])
    })
  })

  it('does not tell what was sent before it began', async () => {
    await follow(
      async ({ told, begun, send }) => {
        await begun()
        await send(2)
        await until(() => told.length > 0)
        expect(told).toEqual([2])
      },
      async (sql) => {
        await sql`select realtime.send(${sql.json({ n: 1 })}, 'step', 'topic', true)`
      },
    )
  })

  it('tells nothing twice when the connection is cut long after the last time', async () => {
    const aMinute = 60_000
    await follow(async ({ told, begun, send, cut }) => {
      await begun()
      await send(1)
      await until(() => told.length === 1)
      await cut()
      await send(2)
      await until(() => told.length === 2)
      const now = Date.now
      vi.spyOn(Date, 'now').mockImplementation(() => now() + 10 * aMinute)
      await cut()
      await send(3)
      await until(() => told.includes(3))
      expect(told).toEqual([1, 2, 3])
    })
  })
})
