import { setTimeout as after } from 'node:timers/promises'
import type { IsolateEnd } from 'local-supabase'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { downloaded, exportIs, readExport, requestExport } from '../../../harness/factories/exports.ts'
import { HOME, newStudent, type Student } from '../../../harness/factories/students.ts'
import { type ConfiguredStack, startConfiguredStack } from '../../../harness/stack/own-stack.ts'
import { localOnly, serviceClient, withDatabase } from '../../../harness/stack/project.ts'
import { Streams } from '../../../seed/random.ts'
import { dose, SEED } from '../../depth.ts'

const KILLS = dose(4, 60)
const ENDS_WITHIN_MS = dose(150_000, 600_000)
const WAYS: readonly IsolateEnd[] = ['retire', 'cpu', 'memory', 'SIGKILL']
/** Ends while two exports are built, or the objects of one folder are removed. */
const ENDS_AT_ONCE = 4
const BUCKET = 'university-files'
const FILES = dose(40, 120)

/** The same choices in every run of one seed. */
const chance = new Streams(`isolate ends of data rights ${SEED}`, 1)

describe(`a worker whose isolates end (seed ${SEED})`, localOnly('ends isolates'), () => {
  /** A stack of its own, because its isolates are ended. */
  let stack: ConfiguredStack

  beforeAll(async () => {
    stack = await startConfiguredStack({}, { runtimePolicy: 'oneshot' })
    await withDatabase(stack, async (sql) => {
      // Far more is killed here than anywhere else, and a person asks more often.
      await sql`
        update private.export_settings
        set lease = '8 seconds', retry_backoff = '1 second', max_attempts = 30, rows_per_volume = 1`
      await sql`select cron.schedule('dispatch-due-exports', '2 seconds', 'select private.dispatch_due_exports()')`
      await sql`
        select cron.schedule('dispatch-due-object-removals', '2 seconds', 'select private.dispatch_due_object_removals()')`
    })
  }, ENDS_WITHIN_MS)

  afterAll(() => stack.stop())

  test(`builds every volume of an export once, and announces it once, through ${KILLS} ends`, {
    timeout: dose(300_000, 3_600_000),
  }, async () => {
    for (let kills = 0; kills < KILLS; ) {
      const students = await Promise.all([newPerson(), newPerson()])
      const exports = await Promise.all(students.map((student) => requestExport(stack, student)))
      // Then they are let alone, as a volume takes longer than the time between two ends.
      const enough = kills + ENDS_AT_ONCE
      while (kills < enough && (await isAnyBuilt(exports))) kills += await endSoon('export-data')
      for (const [index, student] of students.entries()) {
        const id = exports[index] ?? ''
        await exportIs(stack, id, 'ready', ENDS_WITHIN_MS)
        const exported = await readExport(stack, student, id)
        expect(exported.volumes.map(({ left_out }) => left_out)).toEqual([0, 0, 0, 0])
        const sizes = (await downloaded(exported)).map(({ length }) => length)
        expect(sizes).toEqual(exported.volumes.map(({ bytes }) => bytes))
        expect(await announced(student)).toEqual({ mails: 1, objects: 4 })
      }
    }
  })

  test(`removes everything that is to be removed, and nothing else, through ${KILLS} ends`, {
    timeout: dose(300_000, 3_600_000),
  }, async () => {
    for (let kills = 0; kills < KILLS; ) {
      const folder = `${HOME}/shared/${crypto.randomUUID()}`
      const names = await Promise.all(
        Array.from({ length: FILES }, (_, index) => stored(`${folder}/${index}`)),
      )
      const kept = await stored(`${folder}-kept/0`)
      await withDatabase(
        stack,
        (sql) => sql`
          select private.queue_object_removal(${BUCKET}, name, 'test') from unnest(${names}::text[]) name`,
      )
      const enough = kills + ENDS_AT_ONCE
      while ((await waiting(folder)) > 0) {
        if (kills < enough) kills += await endSoon('remove-objects')
        // The lease of a worker that was killed, which may still be at it.
        await withDatabase(
          stack,
          (sql) => sql`update private.object_removals set next_attempt_at = now() where claim is not null`,
        )
      }
      const { data } = await serviceClient(stack).storage.from(BUCKET).list(folder)
      expect(data).toEqual([])
      expect((await serviceClient(stack).storage.from(BUCKET).exists(kept)).data).toBe(true)
    }
  })

  /** Ends an isolate of a function after a moment, in some way; how many: none where there is none. */
  async function endSoon(name: string): Promise<number> {
    // Not a wait for anything: the moment of the kill.
    await after(chance.between(0, 20, 500))
    const there = stack.functions.isolates().filter((isolate) => isolate.name === name)
    if (there.length === 0) return 0
    return stack.functions.end(name, chance.pick(0, WAYS), chance.pick(0, there).pid) ? 1 : 0
  }

  /** A student whose export has four volumes. */
  async function newPerson(): Promise<Student> {
    const student = await newStudent(stack, [])
    await withDatabase(
      stack,
      (sql) => sql`
        insert into checkin.check_ins (user_id, type, status, created_at)
        select ${student.id}, 'daily', 'expired', now() - n * interval '1 hour' from generate_series(1, 2) as n`,
    )
    await stored(`${HOME}/students/${student.id}/note.txt`)
    return student
  }

  async function stored(name: string): Promise<string> {
    const file = new Blob(['Invented.'], { type: 'text/plain' })
    const { error } = await serviceClient(stack).storage.from(BUCKET).upload(name, file)
    if (error) throw error
    return name
  }

  async function isAnyBuilt(exports: string[]): Promise<boolean> {
    const rows = await withDatabase(
      stack,
      (sql) => sql`
        select from private.exports where id = any (${exports}) and status in ('queued', 'building') limit 1`,
    )
    return rows.length > 0
  }

  async function waiting(folder: string): Promise<number> {
    const [row] = await withDatabase(
      stack,
      (sql) => sql<[{ waiting: number }]>`
        select count(*)::int as waiting from private.object_removals where starts_with(name, ${`${folder}/`})`,
    )
    return row.waiting
  }

  async function announced({ id }: Student): Promise<unknown> {
    const [row] = await withDatabase(
      stack,
      (sql) => sql`
        select
          (select count(*)::int from private.outbox where user_id = ${id} and purpose = 'export') as mails,
          (select count(*)::int from storage.objects where bucket_id = 'exports' and starts_with(name, ${id})) as objects`,
    )
    return row
  }
})
