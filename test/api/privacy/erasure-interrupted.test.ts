import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BuiltDatabase } from 'local-supabase'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tablesWith } from '../../../harness/factories/erasure.ts'
import { localOnly, localStack, migratedDatabase } from '../../../harness/stack/project.ts'
import { ROOT } from '../../../scripts/root.ts'
import { amount, SEED } from '../../depth.ts'

const NAME = 'erasures'

let built: BuiltDatabase
let sql: postgres.Sql

beforeAll(async () => {
  built = await migratedDatabase(NAME)
  sql = postgres(built.adminUrl, { max: 1, onnotice: () => {} })
  await sql`insert into storage.buckets (id, name) values ('check-in-media', 'check-in-media')`
  // As a platform has them whose Storage speaks S3.
  await sql.unsafe(`
    create table storage.s3_multipart_uploads (id text primary key, bucket_id text, key text, owner_id text);
    create table storage.s3_multipart_uploads_parts (
      id uuid primary key default gen_random_uuid(), upload_id text references storage.s3_multipart_uploads (id) on delete cascade,
      bucket_id text, key text, owner_id text
    );
    grant all on storage.s3_multipart_uploads, storage.s3_multipart_uploads_parts to postgres`)
})

afterAll(async () => {
  await sql.end()
  await built.drop()
})

/** Makes a person in the database, with rows that foreign keys reach, rows that none reaches, and files. */
async function newPerson(): Promise<{ id: string; email: string }> {
  const id = crypto.randomUUID()
  const email = `${id}@example.edu`
  const checkIn = crypto.randomUUID()
  await sql.begin((transaction) => [
    transaction`
      insert into auth.users (id, email, aud, role, email_confirmed_at)
      values (${id}, ${email}, 'authenticated', 'authenticated', now())`,
    transaction`insert into checkin.check_ins (id, user_id, type) values (${checkIn}, ${id}, 'daily')`,
    transaction`insert into private.check_in_inputs (check_in_id, transcript) values (${checkIn}, ${email})`,
    transaction`select realtime.send('{}', 'result', ${`check-in:${checkIn}`}, true)`,
    transaction`
      insert into private.rate_limit_uses (subject, scope, used_at) values (${id}, 'data-api', array[now()])`,
    transaction`
      insert into storage.objects (bucket_id, name)
      select 'check-in-media', ${`${id}/${checkIn}/`} || n from generate_series(1, 3) n`,
    // With the project's key, so that only its name says whose it is.
    transaction`
      insert into storage.s3_multipart_uploads (id, bucket_id, key) values (${id}, 'check-in-media', ${`${id}/${checkIn}/4`})`,
    transaction`
      insert into storage.s3_multipart_uploads_parts (upload_id, bucket_id, key)
      values (${id}, 'check-in-media', ${`${id}/${checkIn}/4`})`,
  ])
  return { id, email }
}

async function askForErasure({ id }: { id: string }): Promise<void> {
  await sql`select private.request_erasure(${id})`
  await sql`update private.erasures set final_at = requested_at where user_id = ${id}`
}

/** What Storage does when it is asked to remove objects: the rows go, and the files with them. */
async function removeObjects(bucket: string, names: string[]): Promise<void> {
  await sql.begin((transaction) => [
    transaction`set local storage.allow_delete_query = 'true'`,
    transaction`delete from storage.objects where bucket_id = ${bucket} and name = any (${names})`,
  ])
}

/** Everything that waits for its time is due. */
const makeDue = () =>
  sql.begin((transaction) => [
    transaction`update private.erasures set next_attempt_at = now() where final_at <= now()`,
    transaction`update private.object_removals set next_attempt_at = now()`,
  ])

const unfinished = async () => (await sql`select from private.erasures where final_at <= now()`).length

/** The worker's next batch, which ends as the test says: before anything, halfway, or well. */
async function removeBatch(end: 'at once' | 'halfway' | 'well'): Promise<boolean> {
  const [batch] = await sql<{ claim: string; bucket: string; names: string[] }[]>`
    select * from private.claim_object_removals(2)`
  if (!batch) return false
  if (end !== 'at once')
    await removeObjects(batch.bucket, end === 'halfway' ? batch.names.slice(1) : batch.names)
  if (end === 'well') await sql`select * from private.finish_object_removals(${batch.claim})`
  return true
}

/** Takes steps as the cron job does and ends its connection after so many ms; whether that was in the middle of them. */
async function killStep(afterMs: number): Promise<boolean> {
  const victim = postgres(built.url, {
    max: 1,
    onnotice: () => {},
    connection: { application_name: 'victim' },
  })
  const [{ pid }] = await victim<[{ pid: number }]>`select pg_backend_pid() as pid`
  const step = victim`select private.advance_erasures(3)`.then(
    () => false,
    () => true,
  )
  await new Promise((resolve) => setTimeout(resolve, afterMs))
  await sql`select pg_terminate_backend(${pid})`
  const killed = await step
  await victim.end({ timeout: 1 })
  return killed
}

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** As the cron job and the worker do it, undisturbed, until every erasure has ended. */
async function finishAll(): Promise<void> {
  for (let round = 0; (await unfinished()) > 0; round += 1) {
    if (round > 100) {
      const left = await sql`
        select e.error_code, t.* from private.erasures e left join private.traces_of(e.user_id, e.email, e.phone) t on true`
      throw new Error(`The erasures do not end: ${JSON.stringify(left)}`)
    }
    await makeDue()
    await sql`select private.advance_erasures(50)`
    while (await removeBatch('well'));
  }
}

describe('an erasure', localOnly('builds databases'), () => {
  const kills = amount('TEST_KILLS', 12, 200)

  test(`that is killed at ${kills} random points ends, verified, with one receipt for each`, async () => {
    const random = randomFrom(Number.parseInt(SEED, 36) || 1)
    const people: { id: string; email: string }[] = []
    let done = 0
    // A step takes milliseconds; the longest wait is the time of the last one that no kill met.
    let longestMs = 30
    while (done < kills) {
      if ((await unfinished()) < 2) {
        const person = await newPerson()
        people.push(person)
        // Every third is deleted as in Studio, which may be killed too.
        if (people.length % 3 === 0) await sql`delete from auth.users where id = ${person.id}`
        else await askForErasure(person)
      }
      await makeDue()
      const choice = random()
      if (choice < 0.5) {
        const began = performance.now()
        const killed = await killStep(random() * longestMs)
        if (killed) done += 1
        else longestMs = Math.max(5, Math.min(longestMs, performance.now() - began))
      } else if (await removeBatch(choice < 0.65 ? 'at once' : choice < 0.9 ? 'halfway' : 'well')) {
        if (choice < 0.9) done += 1
      }
    }
    await finishAll()
    const receipts = await sql`
      select count(r.id)::int as receipts
      from unnest(${people.map(({ id }) => id)}::uuid[]) person
      left join private.erasure_receipts r on r.tombstone = private.tombstone_of(person)
      group by person`
    expect(receipts.map((row) => row.receipts)).toEqual(people.map(() => 1))
    // As the sender does once the mails with the receipts have gone out.
    await sql`update private.outbox set status = 'sent', ended_at = now() where purpose = 'erasure_receipt'`
    const needles = people.flatMap(({ id, email }) => [id, email])
    expect(await tablesWith({ local: { ...localStack(), adminUrl: built.adminUrl } }, needles)).toEqual([])
    const [chain] = await sql`select intact, problem from public.verify_audit_chain(1)`
    expect(chain).toEqual({ intact: true, problem: null })
  })

  test('is repeated by one command in a backup of before, which by itself erases nobody', async () => {
    const [gone, stays, cancels, waits, asksLater] = await Promise.all(Array.from({ length: 5 }, newPerson))
    if (!gone || !stays || !cancels || !waits || !asksLater) throw new Error('Somebody is missing')
    for (const { id } of [cancels, waits]) await sql`select private.request_erasure(${id})`
    const folder = mkdtempSync(join(tmpdir(), 'erasures-'))
    const file = join(folder, 'erasures.json')
    await sql.end()
    const admin = postgres(localStack().adminUrl, { max: 1, onnotice: () => {} })
    await admin.unsafe(`drop database if exists ${NAME}_restored with (force)`)
    await admin.unsafe(`create database ${NAME}_restored template ${NAME}`)
    sql = postgres(built.adminUrl, { max: 1, onnotice: () => {} })
    const of = (url: string) => url.replace(new RegExp(`/${NAME}\\b`), `/${NAME}_restored`)
    const restored = postgres(of(built.adminUrl), { max: 1, onnotice: () => {} })
    const accounts = async () => {
      const rows = await restored<{ id: string }[]>`select id from auth.users`
      const left = new Set(rows.map(({ id }) => id))
      return [gone, stays, cancels, waits, asksLater].map(({ id }) => left.has(id))
    }
    try {
      await askForErasure(gone)
      await finishAll()
      await sql`select private.cancel_erasure(${cancels.id})`
      await sql`select private.request_erasure(${asksLater.id})`
      writeFileSync(file, await erasures('export', built.url))

      // Four days later the backup is restored.
      await restored`
        update private.erasures
        set requested_at = requested_at - interval '4 days', final_at = final_at - interval '4 days', next_attempt_at = now()`
      await restored`
        insert into private.erasure_progress (last_run_at) values (now() - interval '4 days')
        on conflict (only_row) do update set last_run_at = excluded.last_run_at`
      await restored`select private.advance_erasures(50)`
      expect(await accounts()).toEqual([true, true, true, true, true])

      const printed = await erasures('replay', of(built.url), file)
      expect(printed).toMatch(/^1 accounts .*\n1 erasures were cancelled .*\n2 erasures are pending/)
      expect(await accounts()).toEqual([false, true, true, true, true])
      await restored`select private.advance_erasures(50)`
      const pending = await restored`
        select user_id as id, final_at > now() + interval '71 hours' as "canBeCancelled"
        from private.erasures where erased_at is null order by user_id = ${asksLater.id}`
      expect([...pending]).toEqual([
        { id: waits.id, canBeCancelled: true },
        { id: asksLater.id, canBeCancelled: true },
      ])
      const told = await restored`
        select recipient from private.outbox where purpose = 'erasure_requested' order by recipient = ${asksLater.email}`
      expect(told.map(({ recipient }) => recipient)).toEqual([waits.email, asksLater.email])
      // Once more, as after a command that was interrupted.
      expect(await erasures('replay', of(built.url), file)).toMatch(/^0 accounts .*\n0 erasures were/)

      await sql.end()
      sql = restored
      await finishAll()
      expect(
        await tablesWith({ local: { ...localStack(), adminUrl: of(built.adminUrl) } }, [gone.id]),
      ).toEqual([])
      const [found] = await restored`
        select count(*)::int as objects from storage.objects where starts_with(name, ${stays.id})`
      expect(found).toEqual({ objects: 3 })
    } finally {
      await restored.end()
      sql = postgres(built.adminUrl, { max: 1, onnotice: () => {} })
      await admin.unsafe(`drop database if exists ${NAME}_restored with (force)`)
      await admin.end()
      rmSync(folder, { recursive: true })
    }
  })

  test('waits while the database stood still, until an operator says that it is no backup', async () => {
    const person = await newPerson()
    await askForErasure(person)
    await sql`
      insert into private.erasure_progress (last_run_at) values (now() - interval '2 hours')
      on conflict (only_row) do update set last_run_at = excluded.last_run_at`
    await makeDue()
    await sql`select private.advance_erasures(50)`
    const waits = async () => (await sql`select from auth.users where id = ${person.id}`).length === 1
    expect(await waits()).toBe(true)
    await erasures('resume', built.url)
    await sql`select private.advance_erasures(50)`
    expect(await waits()).toBe(false)
    await finishAll()
  })
})

/** What `npm run erasures` prints. */
async function erasures(
  action: 'export' | 'replay' | 'resume',
  databaseUrl: string,
  ...files: string[]
): Promise<string> {
  const script = join(ROOT, 'scripts', 'erasures.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [
    script,
    action,
    ...files,
    ...['--database-url', databaseUrl],
  ])
  return stdout
}
