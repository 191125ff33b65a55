import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { IsolateEvent } from 'local-supabase'
import postgres from 'postgres'
import type { Stack } from '../../demo/stack.ts'
import { round } from '../../functions/_shared/numbers.ts'
import { send } from '../../harness/client/call.ts'
import { type Medium, startWith } from '../../harness/factories/check-ins.ts'
import { newStudent, type Student } from '../../harness/factories/students.ts'
import { load, median } from '../../harness/measuring/figures.ts'
import type { Project } from '../../harness/stack/project.ts'
import { longestWaitOfFusion } from './queue-order.ts'

/** How long a check-in may take before it counts as incomplete, seconds. */
const WITHIN_S = 300

/** What every check-in of the benchmark consists of. */
export type Media = { audio: Medium; images: Medium[]; transcript: string }

/** A started check-in whose media are uploaded. */
type Ready = { student: Student; id: string }

/** A submitted check-in. `began` is on the clock of `performance.now()`, ms. */
type Submitted = { id: string; began: number; repeats: number }

/** A stack under measurement. */
export type Subject = { stack: Stack; project: Project; media: Media; events: IsolateEvent[] }

/** What a phase showed. Times from submission to result, seconds. */
export type Figures = {
  'check-ins': number
  /** With a score from all three modalities. */
  complete: number
  'median, s': number
  'last, s': number
  'isolates booted': number
  'killed for CPU': number
  'killed for memory': number
  /** Jobs of one check-in whose worker was lost, the most of any check-in. */
  'lost jobs of one': number
  /** Submissions that were repeated because the platform had no isolate free in 10 s. */
  'submissions repeated': number
  /** Connections that functions hold to the database. */
  'connections, peak': number
  'CPU per check-in, s': number
  /** The longest of a fusion in the queue. */
  'fusion waited, s': number
  /** Of the whole machine, over the last minute of the phase. */
  'load average': number
}

/** Starts check-ins and uploads their media, for a student each or all for one. */
export async function prepare(
  { stack, project, media }: Subject,
  count: number,
  forOne = false,
): Promise<Ready[]> {
  const ready: Ready[] = []
  let student = await newStudent(project)
  while (ready.length < count) {
    const { id } = await startWith(project, student, media)
    ready.push({ student, id })
    if (!forOne) student = await newStudent(project)
    // A student has one open check-in of a type; those that failed can be submitted at once all the same.
    else await fail(stack.databaseUrl, id)
  }
  return ready
}

async function fail(databaseUrl: string, id: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1 })
  await sql`
    update checkin.check_ins set status = 'failed', error_code = 'analysis_failed', completed_at = now() where id = ${id}`
  await sql.end()
}

/** Waves of one check-in each. */
export function inTurn(checkIns: Ready[]): Ready[][] {
  return checkIns.map((checkIn) => [checkIn])
}

/**
 * Submits check-ins and waits for their results.
 *
 * @param waves each is submitted at once, after the submission, or the results, of the one before
 * @returns the figures, and the time of each check-in
 */
export async function measure(
  subject: Subject,
  waves: Ready[][],
  after: 'submission' | 'results' = 'submission',
): Promise<{ figures: Figures; times: number[] }> {
  const { stack, events } = subject
  const checkIns = waves.flat()
  const before = { events: events.length, cpuMs: cpuMs(subject) }
  const watch = watchDatabase(stack.databaseUrl)
  const pending: Promise<number>[] = []
  let repeats = 0
  for (const wave of waves) {
    const submitted = await Promise.all(wave.map((checkIn) => submit(subject, checkIn)))
    repeats += submitted.reduce((sum, one) => sum + one.repeats, 0)
    const results = submitted.map((one) => timeToResult(watch, one))
    if (after === 'results') await Promise.all(results)
    pending.push(...results)
  }
  const times = await Promise.all(pending)
  const { lost, connections } = await watch.stop()
  const complete = await analysedInFull(stack.databaseUrl, checkIns)
  const ids = checkIns.map(({ id }) => id)
  const during = events.slice(before.events)
  const killed = (reason: string) =>
    during.filter((event) => event.type === 'ended' && event.reason === reason).length
  return {
    times,
    figures: {
      'check-ins': checkIns.length,
      complete,
      'median, s': round(median(times), 1),
      'last, s': round(Math.max(...times), 1),
      'isolates booted': during.filter(({ type }) => type === 'booted').length,
      'killed for CPU': killed('CPUTime'),
      'killed for memory': killed('Memory'),
      'lost jobs of one': Math.max(0, ...lost.values()),
      'submissions repeated': repeats,
      'connections, peak': connections,
      'CPU per check-in, s': round((cpuMs(subject) - before.cpuMs) / 1000 / checkIns.length, 1),
      'fusion waited, s': await longestWaitOfFusion(stack.databaseUrl, ids),
      'load average': round(load(), 1),
    },
  }
}

/** Responses of the platform itself: no isolate was free, or the isolate ended before it had responded. */
const OF_THE_PLATFORM = [503, 546]

/** Submits a check-in; as an app does, again when the platform itself responds. Throws what else comes. */
async function submit({ project, media }: Subject, { student, id }: Ready): Promise<Submitted> {
  const began = performance.now()
  for (let repeats = 0; ; repeats++) {
    const body = { transcript: media.transcript }
    const response = await send(project, student.token, 'POST', `checkins/${id}/complete`, body)
    const text = await response.text()
    if (response.status === 200) return { id, began, repeats }
    const late = performance.now() - began > WITHIN_S * 1000
    if (!OF_THE_PLATFORM.includes(response.status) || late)
      throw new Error(`complete responded ${response.status} ${text}`)
    await pause(1000)
  }
}

/** Seconds from the submission of a check-in to its result; infinite when there is none in time. */
async function timeToResult(
  watch: { endOf(id: string): End | undefined },
  { id, began }: Submitted,
): Promise<number> {
  while ((performance.now() - began) / 1000 < WITHIN_S) {
    const end = watch.endOf(id)
    if (end) return end.status === 'complete' ? (end.at - began) / 1000 : Number.POSITIVE_INFINITY
    await pause(20)
  }
  return Number.POSITIVE_INFINITY
}

/** When a check-in was first seen to have ended, on the clock of `performance.now()`, ms. */
type End = { status: string; at: number }

/** Looks at the database ten times a second: the ends of check-ins, connections, jobs whose worker was lost. */
function watchDatabase(url: string) {
  const sql = postgres(url, { max: 1, connection: { application_name: 'bench' } })
  const ends = new Map<string, End>()
  const lost = new Map<string, number>()
  let connections = 0
  let stopped = false
  const looking = (async () => {
    while (!stopped) {
      const ended = await sql`select id, status from checkin.check_ins where status in ('complete', 'failed')`
      for (const { id, status } of ended) if (!ends.has(id)) ends.set(id, { status, at: performance.now() })
      const losses = await sql`
        select check_in_id as id, sum(attempts - case when status = 'running' then 1 else 0 end)::int as jobs
        from private.analysis_jobs
        where attempts > 1 and error_code is null
        group by 1`
      for (const { id, jobs } of losses) lost.set(id, Math.max(jobs, lost.get(id) ?? 0))
      const [row] = await sql`
        select count(*)::int as held from pg_stat_activity
        where application_name like 'pipeline-%' or application_name in ('checkins', 'api', 'deliver-messages')`
      connections = Math.max(connections, row?.held ?? 0)
      await pause(100)
    }
  })()
  return {
    endOf: (id: string) => ends.get(id),
    async stop() {
      stopped = true
      await looking
      await sql.end()
      return { lost, connections }
    },
  }
}

async function analysedInFull(url: string, checkIns: Ready[]): Promise<number> {
  const sql = postgres(url, { max: 1 })
  const [row] = await sql`
    select count(*)::int as complete
    from checkin.fusion_results
    join checkin.audio_analysis using (check_in_id)
    join checkin.visual_analysis using (check_in_id)
    join checkin.text_analysis using (check_in_id)
    where check_in_id = any (${checkIns.map(({ id }) => id)})`
  await sql.end()
  return row?.complete ?? 0
}

/** CPU of all isolates of one of the pipeline's functions, or of all, since the start, ms. */
export function cpuMs({ stack, events }: Subject, worker = ''): number {
  const inPipeline = ({ name }: { name: string }) => name.startsWith(`pipeline-${worker}`)
  const ended = events.filter((event) => event.type === 'ended' && inPipeline(event))
  return [...ended, ...stack.functions.isolates().filter(inPipeline)].reduce((sum, one) => sum + one.cpuMs, 0)
}

export function mediumFrom(path: string, type: string): Medium {
  return { bytes: new Uint8Array(readFileSync(path)), type }
}
