import { parseArgs } from 'node:util'
import { buildPlatformDatabase, withScratchServer } from 'local-supabase'
import postgres from 'postgres'
import {
  load,
  type Machine,
  machineAfter,
  markdownTable,
  measuredOn,
  writeFigures,
} from '../harness/measuring/figures.ts'
import { applyDeclaredSchema } from '../scripts/schema.ts'
import { parentOf, postgresSeconds } from './load/cpu.ts'

const WORKERS = [1, 8, 64]
/** Check-ins that wait, each with its slices. */
const BACKLOGS = [100, 2000]
const SLICES = 8

const HELP = `npm run bench:queue -- [options]

Claims and ends jobs with ${WORKERS.join(', ')} connections at once, with ${BACKLOGS.join(' and ')} check-ins waiting: in the project's queue, and in
a plain one that hands out the oldest message that nobody has (for update skip locked, and a time until which it is invisible), as pgmq
documents its own. Prints a table of claims a second, each with its end.

  --seconds N  how long each is measured (5)
  --write      also write the figures into docs/benchmarks.md
  --help       this text`

/** One queue under measurement: takes a job and ends it; false where there was none. */
type Queue = {
  name: string
  fill(sql: postgres.Sql, checkIns: number): Promise<unknown>
  work(sql: postgres.Sql): Promise<boolean>
}

const project: Queue = {
  name: 'this project',
  fill: (sql, checkIns) =>
    sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`
      await tx`truncate checkin.check_ins, auth.users cascade`
      // A bound of jobs in flight would measure the bound.
      await tx`update private.pipeline_settings set max_in_flight = ${Math.max(...WORKERS) + 1}, lease = '1 hour'`
      await tx`
        insert into auth.users (id, email, aud, role)
        select gen_random_uuid(), n || '@example.edu', 'authenticated', 'authenticated'
        from generate_series(1, ${checkIns}) n`
      await tx`
        insert into checkin.check_ins (user_id, type, status, submitted_at)
        select id, 'daily', 'processing', now() from auth.users`
      await tx`
        insert into private.analysis_jobs (check_in_id, kind, ordinal)
        select id, 'audio_slice', n from checkin.check_ins, generate_series(0, ${SLICES - 1}) n`
    }),
  async work(sql) {
    const [job] = await sql<{ id: string }[]>`
      select id from private.claim_job('pipeline-audio', '{audio_slice}', null)`
    if (job) await sql`update private.analysis_jobs set status = 'done' where id = ${job.id}`
    return job !== undefined
  },
}

const plain: Queue = {
  name: 'plain, as pgmq',
  fill: (sql, checkIns) =>
    sql.begin((tx) => [
      tx`create schema if not exists bench`,
      tx`drop table if exists bench.messages`,
      tx`
        create table bench.messages (
          id bigint generated always as identity primary key,
          reads integer not null default 0,
          sent_at timestamptz not null default now(),
          visible_at timestamptz not null default clock_timestamp(),
          message jsonb
        )`,
      tx`create index messages_visible_at_idx on bench.messages (visible_at)`,
      tx`insert into bench.messages (message) select '{}' from generate_series(1, ${checkIns * SLICES})`,
    ]),
  async work(sql) {
    const [message] = await sql<{ id: string }[]>`
      update bench.messages
      set reads = reads + 1, visible_at = clock_timestamp() + interval '1 hour'
      where id = (
        select id from bench.messages where visible_at <= clock_timestamp() order by id limit 1 for update skip locked
      )
      returning id`
    if (message) await sql`delete from bench.messages where id = ${message.id}`
    return message !== undefined
  },
}

/** `npm run bench:queue` */
const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
})
if (options.help) {
  console.log(HELP)
  process.exit()
}
const seconds = Number(options.seconds)
if (!(seconds > 0)) throw new Error('--seconds takes a number')
const loadBefore = load()
const rows: (string | number)[][] = []
await withScratchServer(async (adminUrl) => {
  const database = await buildPlatformDatabase(adminUrl, 'queue')
  await applyDeclaredSchema(database)
  for (const backlog of BACKLOGS) {
    for (const queue of [project, plain]) {
      const rates: string[] = []
      for (const workers of WORKERS) {
        const { perSecond, cpuMs } = await rateOf(database.adminUrl, queue, { backlog, workers })
        rates.push(`${perSecond.toFixed(0)} (${cpuMs.toFixed(2)})`)
        console.error(`${queue.name}, ${backlog} check-ins, ${workers} workers: ${rates.at(-1)} a second`)
      }
      rows.push([queue.name, backlog, ...rates])
    }
  }
})
const text = pageOf(machineAfter(loadBefore))
console.log(text)
if (options.write) writeFigures('queue', text)
process.exit()

/** Jobs a second that are claimed and ended, and CPU of Postgres for each; the queue is filled again whenever it is half empty. */
async function rateOf(
  url: string,
  queue: Queue,
  { backlog, workers }: { backlog: number; workers: number },
): Promise<{ perSecond: number; cpuMs: number }> {
  const filler = postgres(url, { max: 1, onnotice: () => {} })
  const connections = Array.from({ length: workers }, () => postgres(url, { max: 1, onnotice: () => {} }))
  await Promise.all(connections.map((sql) => sql`select`))
  const [{ pid }] = await filler<[{ pid: number }]>`select pg_backend_pid() as pid`
  const server = parentOf(pid)
  let cpuS = 0
  let done = 0
  let measuredMs = 0
  while (measuredMs < seconds * 1000) {
    await queue.fill(filler, backlog)
    await filler`analyze`
    let left = (backlog * SLICES) / 2
    const [began, cpuBefore] = [performance.now(), postgresSeconds(server)]
    const isOver = () => left <= 0 || measuredMs + performance.now() - began >= seconds * 1000
    await Promise.all(
      connections.map(async (sql) => {
        while (!isOver()) {
          left -= 1
          if (await queue.work(sql)) done += 1
        }
      }),
    )
    measuredMs += performance.now() - began
    cpuS += postgresSeconds(server) - cpuBefore
  }
  await Promise.all([filler, ...connections].map((sql) => sql.end()))
  return { perSecond: done / (measuredMs / 1000), cpuMs: (cpuS * 1000) / done }
}

function pageOf(machine: Machine): string {
  return [
    `${measuredOn(machine)}, ${seconds} s each.`,
    markdownTable(
      [
        'Queue',
        'Check-ins waiting',
        ...WORKERS.map(
          (workers) => `${workers} ${workers === 1 ? 'worker' : 'workers'}: claims a second (CPU, ms each)`,
        ),
      ],
      rows,
    ),
  ].join('\n\n')
}
