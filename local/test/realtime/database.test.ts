import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestCluster } from '../postgres/cluster.ts'
import { type Cluster, createSetup, join, type RealtimeSetup, tokenOf, uniqueTopic, until } from './setup.ts'

let cluster: Cluster
let setup: RealtimeSetup
beforeAll(async () => {
  cluster = await startTestCluster()
  setup = await createSetup({}, cluster)
})
afterAll(async () => {
  await setup.stop()
  await cluster.stop()
})

type Heard = {
  event: string
  payload: { n?: number; id?: string }
  meta?: { id: string; replayed?: boolean }
}

/** A member of a private channel and what it hears. */
async function listenTo(topic: string, config: object = {}): Promise<Heard[]> {
  const heard: Heard[] = []
  const channel = setup.client(tokenOf(randomUUID())).channel(topic, { config: { private: true, ...config } })
  channel.on('broadcast', { event: '*' }, ({ event, payload, meta }) => heard.push({ event, payload, meta }))
  await join(channel)
  return heard
}

const numbers = (heard: Heard[]): (number | undefined)[] => heard.map(({ payload }) => payload.n)

describe('a broadcast from the database', () => {
  it('reaches the channel once its transaction is committed, and in its order', async () => {
    const topic = uniqueTopic('read')
    const heard = await listenTo(topic)
    await setup.sql.begin(async (transaction) => {
      for (const n of [1, 2, 3])
        await transaction`select realtime.send(${setup.sql.json({ n })}, 'step', ${topic}, true)`
      await setup.sql`select realtime.send(${setup.sql.json({ n: 0 })}, 'step', ${topic}, true)`
      await until(() => heard.length === 1)
    })
    await until(() => heard.length === 4)
    expect(numbers(heard)).toEqual([0, 1, 2, 3])
    expect(heard[0]).toMatchObject({ event: 'step', meta: { id: heard[0]?.payload.id } })
  })

  // supabase/realtime, realtime.send_binary(payload bytea, event text, topic text, private boolean default true).
  it('may be bytes', async () => {
    const topic = uniqueTopic('read')
    const heard: unknown[] = []
    const channel = setup.client(tokenOf(randomUUID())).channel(topic, { config: { private: true } })
    channel.on('broadcast', { event: 'blob' }, ({ payload }) => heard.push(payload))
    await join(channel)
    await setup.sql`select realtime.send_binary(${Buffer.from([0, 255, 7])}, 'blob', ${topic})`
    await until(() => heard.length > 0)
    expect(heard).toEqual([new Uint8Array([0, 255, 7]).buffer])
  })

  it('is never heard when its transaction is rolled back', async () => {
    const topic = uniqueTopic('read')
    const heard = await listenTo(topic)
    await setup.sql
      .begin(async (transaction) => {
        await transaction`select realtime.send(${setup.sql.json({ n: 1 })}, 'step', ${topic}, true)`
        throw new Error('undone')
      })
      .catch(() => undefined)
    await setup.sql`select realtime.send(${setup.sql.json({ n: 2 })}, 'step', ${topic}, true)`
    await until(() => heard.length > 0)
    expect(numbers(heard)).toEqual([2])
  })

  it('goes to the public channel only when it says so', async () => {
    const topic = uniqueTopic('read')
    const heard = await listenTo(topic)
    const open: Heard[] = []
    const channel = setup.client().channel(topic)
    await join(
      channel.on('broadcast', { event: '*' }, ({ event, payload, meta }) =>
        open.push({ event, payload, meta }),
      ),
    )
    await setup.sql`select realtime.send(${setup.sql.json({ n: 1 })}, 'step', ${topic}, true)`
    await setup.sql`select realtime.send(${setup.sql.json({ n: 2 })}, 'step', ${topic}, false)`
    await until(() => heard.length + open.length === 2)
    expect([numbers(heard), numbers(open)]).toEqual([[1], [2]])
  })

  it('can be large', async () => {
    const topic = uniqueTopic('read')
    const heard = await listenTo(topic)
    await setup.sql`select realtime.send(${setup.sql.json({ n: 1, text: 'x'.repeat(200_000) })}, 'step', ${topic}, true)`
    await until(() => heard.length === 1)
  })

  it('is replayed to who asks for the past, and not told again', async () => {
    const topic = uniqueTopic('read')
    const before = Date.now() - 1000
    const witness = await listenTo(topic)
    for (const n of [1, 2, 3])
      await setup.sql`select realtime.send(${setup.sql.json({ n })}, 'step', ${topic}, true)`
    await until(() => witness.length === 3)
    const heard = await listenTo(topic, { broadcast: { replay: { since: before, limit: 2 } } })
    await until(() => heard.length === 2)
    await setup.sql`select realtime.send(${setup.sql.json({ n: 4 })}, 'step', ${topic}, true)`
    await until(() => heard.length === 3)
    expect(numbers(heard)).toEqual([2, 3, 4])
    expect(heard.map(({ meta }) => meta?.replayed)).toEqual([true, true, undefined])
  })

  it('is not missed by who was told that the connection to the database is ready', async () => {
    const topic = uniqueTopic('read')
    const config = { private: true, broadcast: { replication_ready: true } }
    const channel = setup.client(tokenOf(randomUUID())).channel(topic, { config })
    const heard: unknown[] = []
    const told: unknown[] = []
    channel.on('broadcast', { event: '*' }, ({ payload }) => heard.push(payload.n))
    channel.on('system', {}, (message) => told.push(message))
    await join(channel)
    await until(() => told.length > 0)
    expect(told).toEqual([
      { extension: 'system', status: 'ok', message: 'Replication connection established', channel: topic },
    ])
    await setup.sql`select realtime.send(${setup.sql.json({ n: 1 })}, 'step', ${topic}, true)`
    await until(() => heard.length > 0)
    expect(heard).toEqual([1])
  })

  it('is neither lost nor doubled when the listening connection is cut', async () => {
    const topic = uniqueTopic('read')
    const heard = await listenTo(topic)
    let cuts = 0
    for (let n = 0; n < 60; n += 1) {
      await setup.sql`select realtime.send(${setup.sql.json({ n })}, 'step', ${topic}, true)`
      if (n % 20 === 10) {
        const cut = await setup.sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'listen realtime_messages'`
        cuts += cut.length
      }
    }
    await until(() => heard.length >= 60)
    expect(cuts).toBeGreaterThan(0)
    await setup.listening()
    await setup.sql`select realtime.send(${setup.sql.json({ n: 60 })}, 'step', ${topic}, true)`
    await until(() => heard.length >= 61)
    expect(numbers(heard)).toEqual(Array.from({ length: 61 }, (_, n) => n))
  })

  it('is neither lost nor doubled when Postgres is killed', async () => {
    const topic = uniqueTopic('read')
    const heard = await listenTo(topic)
    const sent: number[] = []
    for (let round = 0; round < 2; round += 1) {
      for (let n = 0; n < 20; n += 1) {
        const number = round * 100 + n
        await setup.sql`select realtime.send(${setup.sql.json({ n: number })}, 'step', ${topic}, true)`
        sent.push(number)
      }
      const pid = cluster.server.pid()
      if (pid !== undefined) process.kill(pid, 'SIGKILL')
      await until(() => cluster.server.pid() !== pid)
      await until(async () => (await setup.sql`select`.catch(() => undefined)) !== undefined)
      await setup.sql`select realtime.send(${setup.sql.json({ n: round * 100 + 50 })}, 'step', ${topic}, true)`
      sent.push(round * 100 + 50)
    }
    await until(() => heard.length >= sent.length)
    await setup.listening()
    await setup.sql`select realtime.send(${setup.sql.json({ n: 999 })}, 'step', ${topic}, true)`
    await until(() => heard.some(({ payload }) => payload.n === 999))
    expect(numbers(heard)).toEqual([...sent, 999])
  })
})

describe('a channel', () => {
  it('is joined only once all that is sent from then on will be heard', async () => {
    const { adminUrl } = await cluster.database()
    const sql = postgres(adminUrl, { max: 2 })
    const topic = uniqueTopic('public')
    const heard: Heard[] = []
    const { late, channel, joined } = await sql.begin(async (transaction) => {
      await transaction`lock table realtime.messages in access exclusive mode`
      const late = await createSetup({ adminUrl }, cluster)
      const client = late.client()
      const channel = client.channel(topic)
      const beats: string[] = []
      client.realtime.onHeartbeat((status) => beats.push(status))
      channel.on('broadcast', { event: '*' }, ({ event, payload }) => heard.push({ event, payload }))
      const joined = join(channel)
      await until(async () => {
        const waiting = await sql`
          select from pg_locks where not granted and relation = 'realtime.messages'::regclass`
        return waiting.length > 0
      })
      // Frames are handled in their order, so the join has been by the time of the reply.
      await until(() => client.realtime.isConnected())
      await client.realtime.sendHeartbeat()
      await until(() => beats.includes('ok'))
      expect(channel.state).toBe('joining')
      await transaction`select realtime.send(${transaction.json({ n: 1 })}, 'step', ${topic}, false)`
      return { late, channel, joined }
    })
    await joined
    expect(channel.state).toBe('joined')
    await sql`select realtime.send(${sql.json({ n: 2 })}, 'step', ${topic}, false)`
    await until(() => numbers(heard).includes(2))
    await late.stop()
    await sql.end()
  })

  it('that is joined while Postgres is down says so, and is joined once it is back', async () => {
    const pid = cluster.server.pid()
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
    const outcomes: string[] = []
    const client = setup.client(tokenOf(randomUUID()))
    client.channel(uniqueTopic('read'), { config: { private: true } }).subscribe((status, error) => {
      outcomes.push(error?.message ?? status)
    })
    await until(() => outcomes.includes('SUBSCRIBED'))
    const rejections = outcomes.filter((outcome) => outcome !== 'SUBSCRIBED')
    const reason = 'UnableToConnectToProject: Realtime was unable to connect to the project database'
    expect(rejections).toEqual(rejections.map(() => reason))
  })
})
