import { setTimeout as after } from 'node:timers/promises'
import type { BuiltDatabase } from 'local-supabase'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { giveConsents } from '../../../harness/factories/consents.ts'
import { hasEnded, makeFinal as makeErasureFinal } from '../../../harness/factories/erasure.ts'
import { exportIs, readExport, requestExport } from '../../../harness/factories/exports.ts'
import { HOME, newStudent } from '../../../harness/factories/students.ts'
import { localOnly, migratedDatabase, serviceClient, withDatabase } from '../../../harness/stack/project.ts'
import { type Connection, connect, Racer } from '../../../harness/stack/racer.ts'
import { Streams } from '../../../seed/random.ts'
import { dose, SEED } from '../../depth.ts'

/** A person with an export, which has two volumes. */
type Subject = { person: string; export: string }

/** One step of somebody; each is a transaction of its own. */
type Step = (tx: Sql, subject: Subject) => Promise<unknown>

/** What the worker, Storage, the cron job and the person do to an export. */
const OF_EXPORTS: Record<string, Step> = {
  claim: (tx) => tx`select * from private.claim_export_volume()`,
  upload: (tx, subject) => tx`
    insert into storage.objects (bucket_id, name)
    select 'exports', object_name from private.export_volumes where export_id = ${subject.export} and status = 'running'
    on conflict (bucket_id, name) do update set metadata = '{}'`,
  finish: (tx, subject) => tx`
    select private.finish_export_volume(export_id, ordinal, attempts, 1, 0)
    from private.export_volumes where export_id = ${subject.export} and status = 'running'`,
  fail: (tx, subject) => tx`
    select private.fail_export_volume(export_id, ordinal, attempts, 'worker_error')
    from private.export_volumes where export_id = ${subject.export} and status = 'running'`,
  release: (tx, subject) => tx`
    select private.release_export_volume(export_id, ordinal, attempts)
    from private.export_volumes where export_id = ${subject.export} and status = 'running'`,
  'cron job': (tx) => tx`select private.dispatch_due_exports(now() + interval '8 days')`,
  cancel: (tx, subject) => tx`select private.cancel_export(${subject.person}, ${subject.export})`,
  withdraw: async (tx, subject) => {
    await tx`select from auth.users where id = ${subject.person} for key share`
    await tx`update public.consents set withdrawn_at = now() where user_id = ${subject.person}`
  },
  'ask again': (tx, subject) => tx`
    select private.request_export(${subject.person}, false, now(), null, null, null)`,
}

/** What ends the person's account, or keeps it. */
const OF_ERASURES: Record<string, Step> = {
  erase: (tx) => tx`select private.advance_erasures(50)`,
  'delete the account': (tx, subject) => tx`delete from auth.users where id = ${subject.person}`,
  'cancel the erasure': (tx, subject) => tx`select private.cancel_erasure(${subject.person})`,
  hold: async (tx, subject) => {
    await tx`select from auth.users where id = ${subject.person} for key share`
    await tx`insert into private.legal_holds (user_id, reason, confidential) values (${subject.person}, 'x', true)`
  },
}

/** Rows that somebody else has locked while two begin, so that both are under way at once. */
const PINS: Record<string, Step> = {
  account: (tx, subject) => tx`select from auth.users where id = ${subject.person} for update`,
  export: (tx, subject) => tx`select from private.exports where id = ${subject.export} for update`,
  volumes: (tx, subject) => tx`
    select from private.export_volumes where export_id = ${subject.export} for update`,
}

const STEPS = { ...OF_EXPORTS, ...OF_ERASURES }
const OF_A_WORKER = ['upload', 'finish', 'fail', 'release']
const ENDING = ['erase', 'cancel the erasure']
const chance = new Streams(`exports and erasures ${SEED}`, 1)

type Race = { first: string; second: string; pin: string }

/** Every two of them, in both orders, whoever else has which row. */
const RACES: Race[] = Object.keys(STEPS).flatMap((first) =>
  Object.keys(STEPS)
    .filter((second) => second !== first)
    .flatMap((second) => Object.keys(PINS).map((pin) => ({ first, second, pin }))),
)

let built: BuiltDatabase
let sql: Sql
let connections: [Connection, Connection, Connection]

beforeAll(async () => {
  built = await migratedDatabase('exports_erasures')
  connections = [await connect(built.adminUrl), await connect(built.adminUrl), await connect(built.adminUrl)]
  sql = (await connect(built.adminUrl)).sql
  await sql`insert into storage.buckets (id, name) values ('exports', 'exports'), ('check-in-media', 'check-in-media')`
  await sql`update private.export_settings set rows_per_volume = 1, max_attempts = 2`
})

afterAll(async () => {
  await Promise.all([sql, ...connections.map((connection) => connection.sql)].map((each) => each.end()))
  await built.drop()
})

describe('two who do something to an export or its account at once', localOnly('builds databases'), () => {
  test(`never wait for each other forever, and leave what is whole (seed ${SEED})`, async () => {
    const chosen = dose(
      [
        // Those that did.
        { first: 'cancel', second: 'claim', pin: 'export' },
        { first: 'finish', second: 'erase', pin: 'export' },
        ...Array.from({ length: 30 }, () => chance.pick(0, RACES)),
      ],
      RACES,
    )
    const problems: string[] = []
    for (const race of chosen) {
      for (const problem of await problemsOf(race)) {
        problems.push(`${race.first}, then ${race.second}, while the ${race.pin} is locked: ${problem}`)
      }
    }
    expect(problems).toEqual([])
  })
})

/** Runs a race and everything that follows it; what is wrong then. */
async function problemsOf({ first, second, pin }: Race): Promise<string[]> {
  const subject = await newSubject([first, second])
  const problems: string[] = []
  const [locking, ...racing] = connections
  const racers = [first, second].map((name, index) => {
    const connection = racing[index] ?? locking
    return new Racer(sql, connection, name, () => STEPS[name]?.(connection.sql, subject))
  })
  await locking.sql`begin`
  await PINS[pin]?.(locking.sql, subject)
  // Whoever cancels an erasure at the last moment has begun before it.
  for (const racer of racers) if (racer.name === 'cancel the erasure') await racer.open()
  if ([first, second].some((name) => ENDING.includes(name))) await makeFinal(subject)
  for (const racer of racers) {
    await racer.open()
    racer.go()
    await racer.isBlockedOrDone()
  }
  await locking.sql`commit`
  for (const racer of racers) {
    const code = await racer.ended
    if (code === '40P01') problems.push(`a deadlock ended ${racer.name}`)
  }
  const [erasure] = await sql`select error_code from private.erasures where user_id = ${subject.person}`
  if (erasure?.error_code === '40P01') problems.push('a deadlock ended a step of the erasure')
  return [...problems, ...(await faultsAfter(subject))]
}

/** Makes a person whose export is where both steps have something to do. */
async function newSubject(steps: string[]): Promise<Subject> {
  const person = crypto.randomUUID()
  const checkIn = crypto.randomUUID()
  await sql.begin(async (tx) => {
    await tx`
      insert into auth.users (id, email, aud, role, email_confirmed_at)
      values (${person}, ${`${person}@example.edu`}, 'authenticated', 'authenticated', now())`
    await giveConsents(tx, [person], ['audio'])
    await tx`
      insert into checkin.check_ins (id, user_id, type, status, created_at)
      values (${checkIn}, ${person}, 'daily', 'expired', now() - interval '1 day')`
    await tx`insert into storage.objects (bucket_id, name) values ('check-in-media', ${`${person}/${checkIn}/audio`})`
    await tx`select private.request_erasure(${person}) where ${steps.some((name) => ENDING.includes(name))}`
  })
  const [row] = await sql`
    select (private.request_export(${person}, false, now(), null, null, null) ->> 'id')::uuid as id`
  const subject = { person, export: String(row?.id) }
  const isOfWorker = steps.some((name) => OF_A_WORKER.includes(name))
  // A claim is of the first volume.
  while ((isOfWorker || !steps.includes('claim')) && (await claimAndUpload(subject))) {
    const left = await sql`
      select from private.export_volumes where export_id = ${subject.export} and status = 'queued' limit 1`
    if (left.length === 0 && isOfWorker) break
    await OF_EXPORTS.finish?.(sql, subject)
  }
  // The last attempt, whose worker may be lost.
  if (isOfWorker) {
    await sql`
      update private.export_volumes set attempts = 2, due_at = now()
      where export_id = ${subject.export} and status = 'running'`
  }
  return subject
}

/** A worker's attempt at the next volume up to its upload; false when there is none. */
async function claimAndUpload(subject: Subject): Promise<boolean> {
  const claimed = await sql`select from private.claim_export_volume() where export_id = ${subject.export}`
  if (claimed.length > 0) await OF_EXPORTS.upload?.(sql, subject)
  return claimed.length > 0
}

async function makeFinal({ person }: Subject): Promise<void> {
  await sql`
    update private.erasures set final_at = clock_timestamp(), next_attempt_at = clock_timestamp()
    where user_id = ${person} and erased_at is null`
}

/** Lets everything go on undisturbed that waits, and says what is left that should not be, or has not ended. */
async function faultsAfter(subject: Subject): Promise<string[]> {
  const { person } = subject
  for (let round = 0; round < 6; round += 1) {
    await sql`update private.erasures set next_attempt_at = now() where final_at <= now()`
    await sql`select private.advance_erasures(50)`
    await sql`update private.export_volumes set due_at = '-infinity' where status in ('queued', 'running')`
    await sql`select private.dispatch_due_exports()`
    if (await claimAndUpload(subject)) await OF_EXPORTS.finish?.(sql, subject)
    await sql.begin((tx) => [
      tx`set local storage.allow_delete_query = 'true'`,
      tx`
        delete from storage.objects o using private.object_removals r where r.bucket = o.bucket_id and r.name = o.name
        and not exists (select from private.legal_holds h where h.user_id = ${person})`,
      tx`
        delete from private.object_removals r
        where not exists (select from storage.objects o where r.bucket = o.bucket_id and r.name = o.name)`,
    ])
  }
  const faults = await sql<{ fault: string }[]>`
    select 'a volume is left of an export that is over: ' || o.name as fault
    from storage.objects o
    left join private.export_volumes v on v.object_name = o.name and v.status = 'done'
    left join private.exports e on e.id = v.export_id and e.status in ('building', 'ready')
    where o.bucket_id = 'exports' and e.id is null
      and not exists (select from private.legal_holds h where h.user_id = ${person})
    union all
    select 'an export does not go on: ' || e.status || ', with volumes ' || string_agg(v.status::text, ', ')
    from private.exports e
    join private.export_volumes v on v.export_id = e.id
    where e.user_id = ${person} and e.status in ('queued', 'building')
    group by e.id
    union all
    select 'an export is ready without its volume'
    from private.exports e
    join private.export_volumes v on v.export_id = e.id
    where e.user_id = ${person} and e.status = 'ready'
      and not exists (select from storage.objects o where o.bucket_id = 'exports' and o.name = v.object_name)
    union all
    select 'a link outlives the account'
    from private.outbox o
    where o.body like '%/download?token=%' and o.recipient = ${`${person}@example.edu`}
      and not exists (select from auth.users u where u.id = ${person})
    union all
    select 'the erasure does not end: ' || coalesce(e.error_code, '')
    from private.erasures e
    where e.user_id = ${person} and e.final_at <= now()
      and not exists (select from private.legal_holds h where h.user_id = ${person})`
  await sql`delete from private.legal_holds where user_id = ${person}`
  await sql`delete from auth.users where id = ${person}`
  return faults.map(({ fault }) => fault)
}

const project = inject('project')

/** What becomes of the account while its export is built, and whether it is still there afterwards. */
const ENDS: Record<string, { stays: boolean; end: (id: string) => Promise<unknown> }> = {
  'is erased': {
    stays: false,
    end: async (id) => {
      await withDatabase(project, (tx) => tx`select private.request_erasure(${id})`)
      await makeErasureFinal(project, id)
    },
  },
  'is deleted by an operator': {
    stays: false,
    end: (id) => serviceClient(project).auth.admin.deleteUser(id),
  },
  'was to be erased, which is cancelled': {
    stays: true,
    end: (id) =>
      withDatabase(project, async (tx) => {
        await tx`select private.request_erasure(${id})`
        await tx`select private.cancel_erasure(${id})`
      }),
  },
  'was to be erased, and is held': {
    stays: true,
    end: async (id) => {
      await withDatabase(project, async (tx) => {
        await tx`insert into private.legal_holds (user_id, reason, confidential) values (${id}, 'x', true)`
        await tx`select private.request_erasure(${id})`
      })
      await makeErasureFinal(project, id)
    },
  },
}

describe('an export whose account', () => {
  test.each(Object.entries(ENDS))(
    '%s while it is built leaves a copy to nobody but the account',
    async (_, { stays, end }) => {
      const moments = Array.from({ length: dose(1, 12) }, () => chance.between(0, 0, 2000))
      await Promise.all(moments.map((moment) => oneExport(moment, stays, end)))
    },
  )

  async function oneExport(moment: number, stays: boolean, end: (id: string) => Promise<unknown>) {
    const student = await newStudent(project, [])
    const note = new Blob(['Mine.'], { type: 'text/plain' })
    await student.client.storage
      .from('university-files')
      .upload(`${HOME}/students/${student.id}/note.txt`, note)
    const id = await requestExport(project, student)
    // Not a wait for anything: the moment of the end.
    await after(moment)
    const { volumes } = await readExport(project, student, id)
    await end(student.id)
    if (stays) {
      await exportIs(project, id, 'ready')
      const ready = await readExport(project, student, id)
      for (const { url } of ready.volumes) expect((await fetch(url ?? '')).ok).toBe(true)
      await withDatabase(project, (tx) => tx`delete from private.legal_holds where user_id = ${student.id}`)
      return
    }
    await expect.poll(() => hasEnded(project, student.id), { timeout: 120_000 }).toBe(true)
    for (const { url } of volumes) if (url) expect((await fetch(url)).ok).toBe(false)
    const left = await withDatabase(
      project,
      (tx) => tx`
        select name from storage.objects where name like ${`%${student.id}%`}
        union all
        select object_name from private.export_volumes where starts_with(object_name, ${student.id})
        union all
        select body from private.outbox where recipient = ${student.email} and body like '%/download?token=%'`,
    )
    expect([...left]).toEqual([])
  }
})
