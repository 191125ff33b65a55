import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { constants, cpus, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePorts, type IsolateEvent, type Stack } from 'local-supabase'
import postgres from 'postgres'
import { audioFile } from '../../demo/media.ts'
import { startStack } from '../../demo/stack.ts'
import { transcriptOf } from '../../harness/factories/check-ins.ts'
import { percentile } from '../../harness/measuring/figures.ts'
import { makeImages, take } from '../analysis/images.ts'
import { makeRecordings } from '../analysis/recordings.ts'
import { type Cpu, cpuBetween, cpuOf } from './cpu.ts'
import type { Errand, Order, Reviewed, Seen } from './phones.ts'

/** One phase: check-ins one after another, or at a rate, of which a share discloses. */
export type Phase = { name: string } & Order

/** What a phase showed. */
export type Figures = {
  checkIns: number
  complete: number
  /** What became of those without a result, each once. */
  failures: string[]
  /** From submission to result, s. */
  p50S: number
  p95S: number
  slowestS: number
  /** Results a minute, from the first submission to the last result. */
  perMinute: number
  /** From the last submission until nothing was left to do, s. */
  drainedS: number
  /** Submissions or starts that were repeated because the platform had no isolate free. */
  repeats: number
  cpuS: Cpu
  cpuPerCheckInS: number
  /** Cores that were busy with the server on average. */
  coresBusy: number
  /** Statements that run at the same time, on average; connections and unfinished check-ins, at their peak; transactions a second. */
  database: { active: number; connections: number; transactions: number; backlog: number }
  otherCallsP95Ms: Record<string, number>
  otherCallsFailed: number
  /** Of the check-ins that disclosed: how many, and the reviews that they have. */
  disclosing: number
  reviews: Reviewed[]
}

/** Check-ins that a student can start in a day. */
const A_DAY_FOR_ONE = 10

/**
 * Measures phases one after another on a stack of its own, whose functions have the hosted limits.
 *
 * @param disclosing sentences of somebody in danger, which stand in the middle of the transcripts that disclose
 */
export async function measureLoad(
  phases: readonly Phase[],
  progress: (line: string) => void,
  disclosing: readonly string[] = [],
): Promise<Map<string, Figures>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-'))
  const events: IsolateEvent[] = []
  const [port = 0, dbPort = 0, inboxPort = 0] = await freePorts(3)
  const stack = await startStack(
    { ...{ port, dbPort, inboxPort, dataDir, reset: false, watch: false } },
    { progress: () => {}, log: () => {}, isolate: (event) => events.push(event) },
  )
  let phones: ChildProcess | undefined
  try {
    const folder = join(dataDir, 'images')
    const [small] = await makeImages(folder)
    const [speech] = await makeRecordings(dataDir, [187], ['m4a'])
    if (!small || !speech) throw new Error('No media were made')
    const total = 1 + phases.reduce((sum, { count }) => sum + count, 0)
    progress('Accounts')
    phones = await startPhones({
      project: {
        apiUrl: stack.apiUrl,
        databaseUrl: stack.databaseUrl,
        publishableKey: stack.keys.publishable,
        secretKey: stack.keys.secret,
        local: null,
      },
      recording: {
        audio: audioFile(speech.path),
        images: filesOf(folder, take(small, 12)),
        transcript: transcriptOf('neutral'),
        moodScore: null,
      },
      disclosing: disclosing.map(
        (sentence) => `${transcriptOf('neutral')} ${sentence} ${transcriptOf('neutral')}`,
      ),
      students: Math.ceil((1.2 * total) / A_DAY_FOR_ONE) + 1,
    })
    // Storage has the models from here on, and Deno has compiled what it keeps.
    await tell(phones, { count: 1, perMinute: null, share: 0 })
    const figures = new Map<string, Figures>()
    for (const phase of phases) {
      progress(phase.name)
      const found = await measurePhase(stack, events, phones, phase)
      progress(JSON.stringify(found))
      figures.set(phase.name, found)
    }
    return figures
  } finally {
    phones?.kill()
    await stack.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function measurePhase(
  stack: Stack,
  events: readonly IsolateEvent[],
  phones: ChildProcess,
  { count, perMinute, share }: Phase,
): Promise<Figures> {
  const watch = watchDatabase(stack.databaseUrl)
  const before = cpuOf(stack, events)
  const began = performance.now()
  const seen = await tell(phones, { count, perMinute, share })
  const tookS = (performance.now() - began) / 1000
  const cpuS = cpuBetween(before, cpuOf(stack, events))
  const database = await watch.stop(tookS)
  const times = seen.ended.flatMap(({ seconds }) => (seconds === null ? [] : [seconds]))
  const cpu = Object.values(cpuS).reduce((sum, seconds) => sum + seconds, 0)
  const submittedForS = perMinute === null ? tookS : (count * 60) / perMinute
  return {
    checkIns: seen.ended.length,
    complete: times.length,
    failures: [...new Set(seen.ended.filter(({ seconds }) => seconds === null).map(({ status }) => status))],
    p50S: percentile(times, 0.5),
    p95S: percentile(times, 0.95),
    slowestS: Math.max(...times),
    perMinute: (times.length * 60) / tookS,
    drainedS: Math.max(0, tookS - submittedForS),
    repeats: seen.ended.reduce((sum, { repeats }) => sum + repeats, 0),
    cpuS,
    cpuPerCheckInS: cpu / times.length,
    coresBusy: cpu / tookS,
    database,
    otherCallsP95Ms: Object.fromEntries(
      Object.entries(seen.otherCallsMs).map(([name, each]) => [name, percentile(each, 0.95)]),
    ),
    otherCallsFailed: seen.otherCallsFailed,
    disclosing: seen.ended.filter(({ review }) => review !== undefined).length,
    reviews: seen.ended.flatMap(({ review }) => review ?? []),
  }
}

/** The rate at which this machine's cores are all busy, check-ins a minute. */
export function rateOfAllCores({ cpuPerCheckInS }: Figures): number {
  return (cpus().length * 60) / cpuPerCheckInS
}

function filesOf(folder: string, names: string[]) {
  return names.map((name) => ({ path: join(folder, name), contentType: 'image/jpeg' }))
}

async function startPhones(errand: Errand): Promise<ChildProcess> {
  const phones = fork(join(import.meta.dirname, 'phones.ts'), [JSON.stringify(errand)])
  if (phones.pid === undefined) throw new Error('The phones have no process')
  setPriority(phones.pid, constants.priority.PRIORITY_LOW)
  await reportOf(phones)
  return phones
}

async function tell(phones: ChildProcess, order: Order): Promise<Seen> {
  phones.send(order)
  return (await reportOf(phones)) as Seen
}

async function reportOf(phones: ChildProcess): Promise<unknown> {
  const ended = new AbortController()
  const crash = once(phones, 'exit', { signal: ended.signal }).then(([code]) => {
    throw new Error(`The phones ended with ${code}`)
  })
  try {
    const [report] = await Promise.race([once(phones, 'message'), crash])
    return report
  } finally {
    ended.abort()
    crash.catch(() => {})
  }
}

/** Looks at the database twice a second. */
function watchDatabase(url: string) {
  const sql = postgres(url, { max: 1, connection: { application_name: 'bench' }, onnotice: () => {} })
  const looks: { active: number; connections: number; backlog: number }[] = []
  const transactions = async (): Promise<number> => {
    const [row] = await sql<[{ count: number }]>`
      select (xact_commit + xact_rollback)::int as count from pg_stat_database where datname = current_database()`
    return row.count
  }
  const before = transactions()
  let stopped = false
  const looking = (async () => {
    while (!stopped) {
      const [look] = await sql<[{ active: number; connections: number; backlog: number }]>`
        select count(*) filter (where state = 'active')::int as active, count(*)::int as connections,
          (select count(*)::int from checkin.check_ins where status = 'processing') as backlog
        from pg_stat_activity
        where datname = current_database() and application_name <> 'bench'`
      looks.push(look)
      await pause(500)
    }
  })()
  return {
    async stop(seconds: number): Promise<Figures['database']> {
      stopped = true
      await looking
      const made = (await transactions()) - (await before)
      await sql.end()
      const most = (figure: 'connections' | 'backlog') => Math.max(...looks.map((look) => look[figure]))
      return {
        active: looks.reduce((sum, { active }) => sum + active, 0) / looks.length,
        connections: most('connections'),
        transactions: made / seconds,
        backlog: most('backlog'),
      }
    },
  }
}
