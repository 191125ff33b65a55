import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OwnStack, startOwnStack } from '../stack/own-stack.ts'
import { faces, speech, startWith, words } from './media.ts'
import { ended, scored } from './outcome.ts'
import { call, newStudent, withDatabase } from './project.ts'

/** A stack of its own, because its processes are killed. */
let stack: OwnStack
let undisturbed: number

/** The same moments in every run of one seed, different ones in every test run that gives none. */
const seed = Number(process.env.RECOVERY_SEED ?? Math.floor(Math.random() * 2 ** 31))
const random = generator(seed)

beforeAll(async () => {
  stack = await startOwnStack()
  await withDatabase(stack, async (sql) => {
    await sql`
      update private.pipeline_settings
      set lease = '6 seconds', dispatch_grace = '2 seconds', retry_backoff = '1 second', max_attempts = 6`
    await sql`select cron.schedule('dispatch-due-jobs', '2 seconds', 'select private.dispatch_due_jobs()')`
  })
  const student = await newStudent(stack)
  const { id } = await startWith(stack, student, { audio: speech('neutral.m4a'), images: await faces() })
  undisturbed = (await scored(stack, student, id, { transcript: words('neutral') })).score
}, 120_000)

afterAll(() => stack.stop())

type Processes = Awaited<ReturnType<OwnStack['processes']>>

const victims = {
  'the audio worker': ({ functions }: Processes) => [functions.get('pipeline-audio')],
  'all workers': ({ functions }: Processes) => [...functions.values()],
  Postgres: ({ postgres }: Processes) => postgres,
}

describe(`a check-in that is processing (RECOVERY_SEED=${seed})`, () => {
  const rounds = Array.from({ length: 20 }, (_, round) => {
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
    const student = await newStudent(stack)
    const recording = { audio: speech('neutral.m4a'), images: await faces() }
    // As a phone does that meets what the round before left behind.
    const { id } = await eventually(() => startWith(stack, student, recording))
    const transcript = words('neutral')
    const completed = await call(stack, student.token, 'POST', `checkins/${id}/complete`, { transcript })
    expect(completed.status).toBe(200)
    await pause(random() * longest)
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
async function eventually<Result>(ask: () => Promise<Result>): Promise<Result> {
  const deadline = Date.now() + 90_000
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (Date.now() > deadline) throw error
      await pause(250)
    }
  }
}

/** A small generator of numbers in [0, 1) (mulberry32), so that a run can be repeated. */
function generator(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
