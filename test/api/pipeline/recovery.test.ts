import { setTimeout as after } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import {
  ended,
  faces,
  scored,
  speech,
  startWith,
  transcriptOf,
} from '../../../harness/factories/check-ins.ts'
import { newStudent } from '../../../harness/factories/students.ts'
import { type OwnStack, type Processes, startOwnStack } from '../../../harness/stack/own-stack.ts'
import { localOnly, withDatabase } from '../../../harness/stack/project.ts'
import { Streams } from '../../../seed/random.ts'
import { amount, SEED } from '../../depth.ts'

/** A stack of its own, because its processes are killed. */
let stack: OwnStack
let undisturbed: number

/** The same moments in every run of one seed. */
const moments = new Streams(`kills ${SEED}`, 1)

/** One of each kind in `npm test`. */
const KILLS = amount('TEST_KILLS', 3, 20)

beforeAll(async () => {
  stack = await startOwnStack()
  await withDatabase(stack, async (sql) => {
    await sql`
      update private.pipeline_settings
      set lease = '10 seconds', dispatch_grace = '2 seconds', retry_backoff = '1 second', max_attempts = 12`
    await sql`select cron.schedule('dispatch-due-jobs', '2 seconds', 'select private.dispatch_due_jobs()')`
  })
  const student = await newStudent(stack)
  const { id } = await startWith(stack, student, { audio: speech('neutral.m4a'), images: await faces() })
  undisturbed = (await scored(stack, student, id, { transcript: transcriptOf('neutral') })).score
})

afterAll(() => stack.stop())

const victims = {
  'the audio worker': ({ functions }: Processes) => [functions.get('pipeline-audio')],
  'all workers': ({ functions }: Processes) => [...functions.values()],
  Postgres: ({ postgres }: Processes) => postgres,
}

describe(`a check-in that is processing (seed ${SEED})`, localOnly('kills processes'), () => {
  const rounds = Array.from({ length: KILLS }, (_, round) => {
    const names = Object.keys(victims) as (keyof typeof victims)[]
    return [round + 1, names[round % names.length] ?? 'Postgres'] as const
  })

  test.each(rounds)('survives SIGKILL number %i, of %s', async (_round, victim) => {
    const { student, id } = await struck(victims[victim])
    const { status, result } = await eventually(() => ended(stack, student, id))
    expect(status).toBe('complete')
    expect(result?.score).toBe(undisturbed)
    const [left] = await withDatabase(
      stack,
      (sql) => sql`
      select
        (select count(*)::int from private.analysis_jobs where check_in_id = ${id}) as jobs,
        (select count(*)::int from checkin.fusion_results where check_in_id = ${id}) as results,
        (select check_ins from checkin.user_baselines where user_id = ${student.id}) as counted`,
    )
    expect(left).toEqual({ jobs: 0, results: 1, counted: 1 })
  })
})

/** A check-in during whose processing the victims were killed, for certain; one that was too quick is done again. */
async function struck(choose: (running: Processes) => (number | undefined)[]) {
  for (let longest = 1600; ; longest /= 2) {
    // As a phone does that meets what the round before left behind.
    const student = await eventually(() => newStudent(stack))
    const recording = { audio: speech('neutral.m4a'), images: await faces() }
    const { id } = await eventually(() => startWith(stack, student, recording))
    const transcript = transcriptOf('neutral')
    const completed = await call(stack, student.token, 'POST', `checkins/${id}/complete`, { transcript })
    expect(completed.status).toBe(200)
    // Not a wait for anything: the moment of the kill.
    await after(moments.share(0) * longest)
    const pids = choose(await stack.processes()).filter((pid) => pid !== undefined)
    const { body } = await call(stack, student.token, 'GET', `checkins/${id}`)
    for (const pid of pids) killNow(pid)
    if (body.status === 'processing' && pids.length > 0) return { student, id }
  }
}

function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

/** Asks again while the database is coming back. */
function eventually<Result>(ask: () => Promise<Result>): Promise<Result> {
  return vi.waitFor(ask, { timeout: 90_000, interval: 100 })
}
