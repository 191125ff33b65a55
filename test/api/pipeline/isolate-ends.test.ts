import { setTimeout as after } from 'node:timers/promises'
import type { IsolateEnd, RuntimePolicy } from 'local-supabase'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import {
  ended,
  faces,
  scored,
  speech,
  startWith,
  transcriptOf,
} from '../../../harness/factories/check-ins.ts'
import { newStudent, type Student } from '../../../harness/factories/students.ts'
import { type ConfiguredStack, startConfiguredStack } from '../../../harness/stack/own-stack.ts'
import { localOnly, withDatabase } from '../../../harness/stack/project.ts'
import { Streams } from '../../../seed/random.ts'
import { dose, SEED } from '../../depth.ts'

/** In depth, half of 200 kills over 40 check-ins in each mode. */
const MODES: RuntimePolicy[] = dose(['oneshot'], ['oneshot', 'per_worker'])
const KILLS = dose(6, 100)
const CHECK_INS = dose(2, 20)
const AT_ONCE = dose(2, 4)
/** In depth the product's own: a unit must end within it, also on a machine that does much else. */
const LEASE = dose('8 seconds', '20 seconds')
const ENDS_WITHIN_MS = dose(150_000, 600_000)
const WAYS: readonly IsolateEnd[] = ['retire', 'cpu', 'memory', 'SIGKILL']

/** The same choices in every run of one seed. */
const chance = new Streams(`isolate ends ${SEED}`, 1)

describe.each(MODES)(
  `check-ins in the mode %s (seed ${SEED})`,
  localOnly('ends isolates'),
  (runtimePolicy) => {
    /** A stack of its own, because its isolates are ended. */
    let stack: ConfiguredStack
    let undisturbed: number

    beforeAll(async () => {
      stack = await startConfiguredStack({}, { runtimePolicy })
      await withDatabase(stack, async (sql) => {
        // Far more is killed here than anywhere else.
        await sql`
        update private.pipeline_settings
        set lease = ${LEASE}, dispatch_grace = '2 seconds', retry_backoff = '1 second', max_attempts = 20`
        await sql`select cron.schedule('dispatch-due-jobs', '2 seconds', 'select private.dispatch_due_jobs()')`
      })
      const [first] = await started(1)
      if (!first) throw new Error('No check-in was started')
      const transcript = transcriptOf('neutral')
      undisturbed = (await scored(stack, first.student, first.id, { transcript })).score
    }, ENDS_WITHIN_MS + 30_000)

    afterAll(() => stack.stop())

    test(`are scored once and as ever, whatever ends their isolates ${KILLS} times`, {
      timeout: dose(180_000, 3_600_000),
    }, async () => {
      let kills = 0
      for (let checkIns = 0; checkIns < CHECK_INS || kills < KILLS; checkIns += AT_ONCE) {
        const batch = await started(AT_ONCE)
        await Promise.all(batch.map(submit))
        const share = (KILLS * AT_ONCE) / CHECK_INS
        for (let made = 0; made < share && (await anyProcesses(batch)); ) {
          // Not a wait for anything: the moment of the kill.
          await after(chance.between(0, 50, 800))
          if (!endSomeIsolate()) continue
          made++
          kills++
        }
        for (const { student, id } of batch) {
          const { status, result } = await ended(stack, student, id, ENDS_WITHIN_MS)
          expect(status).toBe('complete')
          expect(result?.score).toBe(undisturbed)
          expect(await storedOf(student, id)).toEqual({ jobs: 0, results: 1, counted: 1 })
        }
      }
    })

    type Started = { student: Student; id: string }

    async function started(count: number): Promise<Started[]> {
      const recording = { audio: speech('neutral.m4a'), images: await faces() }
      return Promise.all(
        Array.from({ length: count }, async () => {
          const student = await newStudent(stack)
          const { id } = await startWith(stack, student, recording)
          return { student, id }
        }),
      )
    }

    async function submit({ student, id }: Started): Promise<void> {
      const transcript = transcriptOf('neutral')
      const { status } = await call(stack, student.token, 'POST', `checkins/${id}/complete`, { transcript })
      expect(status).toBe(200)
    }

    async function anyProcesses(batch: Started[]): Promise<boolean> {
      const ids = batch.map(({ id }) => id)
      const rows = await withDatabase(
        stack,
        (sql) => sql`select from checkin.check_ins where id = any (${ids}) and status = 'processing' limit 1`,
      )
      return rows.length > 0
    }

    /** Ends an isolate of the pipeline that is there at the moment, in some way; false where there is none. */
    function endSomeIsolate(): boolean {
      const there = stack.functions.isolates().filter(({ name }) => name.startsWith('pipeline-'))
      if (there.length === 0) return false
      const { name, pid } = chance.pick(0, there)
      return stack.functions.end(name, chance.pick(0, WAYS), pid)
    }

    async function storedOf({ id: student }: Student, id: string): Promise<unknown> {
      const [row] = await withDatabase(
        stack,
        (sql) => sql`
        select
          (select count(*)::int from private.analysis_jobs where check_in_id = ${id}) as jobs,
          (select count(*)::int from checkin.fusion_results where check_in_id = ${id}) as results,
          (select check_ins from checkin.user_baselines where user_id = ${student}) as counted`,
      )
      return row
    }
  },
)
