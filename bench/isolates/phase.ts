import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { IsolateEvent } from 'local-supabase'
import postgres from 'postgres'
import type { Stack } from '../../demo/stack.ts'
import { round } from '../../functions/_shared/numbers.ts'
import { call } from '../../test/client/call.ts'
import { type Medium, startWith } from '../../test/factories/check-ins.ts'
import { newStudent, type Student } from '../../test/factories/students.ts'
import type { Project } from '../../test/stack/project.ts'
import { median } from '../measuring.ts'

/** What every check-in of the benchmark consists of. */
export type Media = { audio: Medium; images: Medium[]; transcript: string }

/** A started check-in whose media are uploaded. */
type Ready = { student: Student; id: string }

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
  /** Connections that functions hold to the database. */
  'connections, peak': number
  'CPU per check-in, s': number
}

/** Starts check-ins and uploads their media, for a student each or all for one. */
export async function prepare({ project, media }: Subject, count: number, forOne = false): Promise<Ready[]> {
  const ready: Ready[] = []
  let student = await newStudent(project)
  while (ready.length < count) {
    const { id } = await startWith(project, student, media)
    ready.push({ student, id })
    if (!forOne) student = await newStudent(project)
  }
  return ready
}

/**
 * Submits check-ins, all at once or one after the other, and waits for their results.
 *
 * @returns the figures, and the time of each check-in
 */
export async function measure(
  subject: Subject,
  checkIns: Ready[],
  { oneByOne = false, withinS = 300 } = {},
): Promise<{ figures: Figures; times: number[] }> {
  const { stack, events } = subject
  const before = { events: events.length, cpuMs: cpuMs(subject) }
  const watch = watchDatabase(stack.databaseUrl)
  const times = oneByOne
    ? await inTurn(checkIns, (checkIn) => timeToResult(subject, watch, checkIn, withinS))
    : await Promise.all(checkIns.map((checkIn) => timeToResult(subject, watch, checkIn, withinS)))
  const { lost, connections } = await watch.stop()
  const complete = await analysedInFull(stack.databaseUrl, checkIns)
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
      'connections, peak': connections,
      'CPU per check-in, s': round((cpuMs(subject) - before.cpuMs) / 1000 / checkIns.length, 1),
    },
  }
}

/** Seconds from the submission of a check-in to its result; infinite when there is none in time. */
async function timeToResult(
  { project, media }: Subject,
  watch: { statusOf(id: string): string | undefined },
  { student, id }: Ready,
  withinS: number,
): Promise<number> {
  const began = performance.now()
  const { status, body } = await call(project, student.token, 'POST', `checkins/${id}/complete`, {
    transcript: media.transcript,
  })
  if (status !== 200) throw new Error(`complete responded ${status} ${body.code}`)
  const elapsed = () => (performance.now() - began) / 1000
  while (watch.statusOf(id) !== 'complete') {
    if (elapsed() > withinS || watch.statusOf(id) === 'failed') return Number.POSITIVE_INFINITY
    await pause(20)
  }
  return elapsed()
}

/** Looks at the database ten times a second: the states of check-ins, connections, jobs whose worker was lost. */
function watchDatabase(url: string) {
  const sql = postgres(url, { max: 1, connection: { application_name: 'bench' } })
  const statuses = new Map<string, string>()
  const lost = new Map<string, number>()
  let connections = 0
  let stopped = false
  const looking = (async () => {
    while (!stopped) {
      for (const { id, status } of await sql`select id, status from checkin.check_ins`)
        statuses.set(id, status)
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
    statusOf: (id: string) => statuses.get(id),
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

async function inTurn<One, Result>(all: One[], act: (one: One) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (const one of all) results.push(await act(one))
  return results
}

export function mediumFrom(path: string, type: string): Medium {
  return { bytes: new Uint8Array(readFileSync(path)), type }
}
