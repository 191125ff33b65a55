import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import postgres, { type Sql, type TransactionSql } from 'postgres'
import {
  load,
  machineAfter,
  markdownTable,
  measuredOn,
  median,
  writeFigures,
} from '../harness/measuring/figures.ts'
import { startSeededStack } from './data/seeded-stack.ts'

/**
 * `npm run bench:alerts`: the job that opens and advances support alerts, over the demonstration data of a year in which every
 * student agreed to a support circle and has three contacts. The first run opens all alerts at once; the next find nothing to
 * do. Exits with 1 when a run is over its limit or reads check-ins. `--keep DIR` keeps the database for the next run (also of
 * `bench:data`); `--write` puts the figures into docs/benchmarks.md.
 */
const { values: options } = parseArgs({
  options: {
    students: { type: 'string', default: '20000' },
    days: { type: 'string', default: '365' },
    repeats: { type: 'string', default: '5' },
    keep: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const [students, days, repeats] = [options.students, options.days, options.repeats].map(Number)
if (!students || !days || !repeats) throw new Error('--students, --days and --repeats take numbers')

/** Milliseconds. */
const LIMITS = { first: 10_000, idle: 200 }

/** Time at the client, and of the database's processor where the system tells it (Linux), milliseconds. */
type Timing = { ms: number; cpuMs: number }

type Round = {
  openedAlerts: number
  first: Timing
  idle: Timing
  check: Timing
  checkInScans: number
}

const folder = options.keep ? resolve(options.keep) : mkdtempSync(join(tmpdir(), 'bench-alerts-'))
const dataDir = join(folder, 'whole')
mkdirSync(dataDir, { recursive: true })
const progress = (line: string) => process.stderr.write(`${line}\n`)
const { stack, checkIns } = await startSeededStack(dataDir, { students, days, progress })
const sql = postgres(stack.databaseUrl, { max: 1, onnotice: () => {} })
try {
  await sql`select cron.unschedule(jobname) from cron.job where jobname in ('tick-support-alerts', 'find-standstills')`
  await giveContacts(sql)
  const loadBefore = load()
  const rounds: Round[] = []
  for (let round = 0; round < repeats; round += 1) rounds.push(await measure(sql))
  const report = {
    date: new Date().toISOString().slice(0, 10),
    machine: machineAfter(loadBefore),
    ...{ students, days, checkIns, repeats },
    openedAlerts: rounds[0]?.openedAlerts ?? 0,
    first: medianOf(rounds.map(({ first }) => first)),
    idle: medianOf(rounds.map(({ idle }) => idle)),
    check: medianOf(rounds.map(({ check }) => check)),
    checkInScans: Math.max(...rounds.map(({ checkInScans }) => checkInScans)),
  }
  const { machine } = report
  const text = [
    `${measuredOn(machine)}; ` +
      `${students} students, ${days} days, ${checkIns} check-ins; median of ${repeats} rounds.`,
    markdownTable(
      ['', 'time, ms', 'of it CPU, ms', 'limit, ms'],
      [
        [
          `first run, which opens ${report.openedAlerts} alerts`,
          report.first.ms,
          report.first.cpuMs,
          LIMITS.first,
        ],
        ['run with nothing to do, all of them open', report.idle.ms, report.idle.cpuMs, LIMITS.idle],
        ['independent check for standstills', report.check.ms, report.check.cpuMs, ''],
      ],
    ),
    `Sequential reads of check-ins and results: ${report.checkInScans}.`,
  ].join('\n\n')
  console.log(text)
  console.log(JSON.stringify(report))
  if (options.write) writeFigures('alerts', text)
  const over = [
    ...(report.openedAlerts === 0 ? ['no alert was opened'] : []),
    ...(report.first.ms > LIMITS.first ? [`the first run takes ${report.first.ms} ms`] : []),
    ...(report.idle.ms > LIMITS.idle ? [`an idle run takes ${report.idle.ms} ms`] : []),
    ...(report.checkInScans > 0 ? ['check-ins were read sequentially'] : []),
  ]
  for (const line of over) console.error(`Over its limit: ${line}`)
  process.exitCode = over.length > 0 ? 1 : 0
} finally {
  await sql.end()
  await stack.stop()
  if (!options.keep) rmSync(folder, { recursive: true, force: true })
}

/** Every student agrees and has three contacts who agreed; the patterns are those of the seeded check-ins. */
async function giveContacts(sql: Sql): Promise<void> {
  // As they would have, one by one.
  await sql`
    alter table public.consents disable trigger require_student`
  await sql`
    alter table public.buddy_contacts disable trigger require_answer`
  await sql`
    insert into public.consents (user_id, kind, version)
    select s.user_id, 'support_circle', '2026-11' from public.students s
    on conflict do nothing`
  await sql`
    insert into public.buddy_contacts (
      user_id, name, phone, email, priority_rank, verified, verified_at, phone_confirmed_at, phone_confirmed_by, texts_at_night
    )
    select s.user_id, 'Robin', '+1202555' || lpad((100 + n)::text, 4, '0'), 'robin@example.com', n, true, now(), now(), 'reply', true
    from public.students s cross join generate_series(1, 3) n
    where not exists (select from public.buddy_contacts c where c.user_id = s.user_id)`
  await sql`select private.collect_worrying_days()`
  await sql`vacuum (analyze) public.consents, public.buddy_contacts, private.worrying_days`
}

/** One round in a transaction that is rolled back, so that nothing is sent and every round begins alike. */
async function measure(sql: Sql): Promise<Round> {
  let measured: Round | undefined
  const rolledBack = new Error('rolled back')
  await sql
    .begin(async (transaction) => {
      const [backend] = await transaction<{ pid: number }[]>`select pg_backend_pid() as pid`
      const timed = timer(backend?.pid ?? 0)
      const scansBefore = await checkInScans(transaction)
      const tick = () => transaction`select private.tick_support_alerts(now())`
      const first = await timed(1, tick)
      const idle = await timed(10, tick)
      const scans = (await checkInScans(transaction)) - scansBefore
      const check = await timed(10, () => transaction`select count(*) from private.standstills_at(now())`)
      const [opened] = await transaction<
        { n: number }[]
      >`select count(*)::integer as n from public.support_alerts`
      measured = { openedAlerts: opened?.n ?? 0, first, idle, check, checkInScans: scans }
      throw rolledBack
    })
    .catch((error: unknown) => {
      if (error !== rolledBack) throw error
    })
  if (!measured) throw new Error('Nothing was measured')
  return measured
}

/** Measures the mean of so many runs, of which the processor's part is that of the database's process. */
function timer(pid: number) {
  return async (runs: number, run: () => PromiseLike<unknown>): Promise<Timing> => {
    const cpuBefore = cpuMsOf(pid)
    const began = performance.now()
    for (let left = runs; left > 0; left -= 1) await run()
    return {
      ms: Math.round((performance.now() - began) / runs),
      cpuMs: Math.round((cpuMsOf(pid) - cpuBefore) / runs),
    }
  }
}

/** Processor time of a process, of which the kernel counts hundredths of a second. */
function cpuMsOf(pid: number): number {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return Number.NaN
  const fields = readFileSync(file, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function medianOf(timings: Timing[]): Timing {
  return { ms: median(timings.map(({ ms }) => ms)), cpuMs: median(timings.map(({ cpuMs }) => cpuMs)) }
}

/** Sequential reads by this transaction. */
async function checkInScans(sql: TransactionSql): Promise<number> {
  const [row] = await sql<{ scans: number }[]>`
    select coalesce(sum(seq_scan), 0)::integer as scans from pg_stat_xact_user_tables
    where schemaname = 'checkin' and relname in ('check_ins', 'fusion_results')`
  return row?.scans ?? 0
}
