import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type BuiltDatabase, buildPlatformDatabase } from 'local-supabase'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../../scripts/root.ts'
import { applyDeclaredSchema } from '../../scripts/schema.ts'
import { amount, SEED } from '../depth.ts'
import { tablesWith } from '../factories/erasure.ts'
import { localOnly, localStack } from '../stack/project.ts'

const NAME = 'erasures'

let built: BuiltDatabase
let sql: postgres.Sql

beforeAll(async () => {
  built = await buildPlatformDatabase(localStack().adminUrl, NAME)
  await applyDeclaredSchema(built)
  sql = postgres(built.adminUrl, { max: 1, onnotice: () => {} })
  await sql`insert into storage.buckets (id, name) values ('check-in-media', 'check-in-media')`
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
    if (round > 500) throw new Error('The erasures do not end')
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

  test('is repeated by one command in a backup of before, and nobody else is touched', async () => {
    const gone = await newPerson()
    const stays = await newPerson()
    const folder = mkdtempSync(join(tmpdir(), 'erasures-'))
    const file = join(folder, 'erasures.json')
    await sql.end()
    const admin = postgres(localStack().adminUrl, { max: 1, onnotice: () => {} })
    await admin.unsafe(`drop database if exists ${NAME}_restored with (force)`)
    await admin.unsafe(`create database ${NAME}_restored template ${NAME}`)
    sql = postgres(built.adminUrl, { max: 1, onnotice: () => {} })
    const of = (url: string) => url.replace(new RegExp(`/${NAME}\\b`), `/${NAME}_restored`)
    const restored = postgres(of(built.adminUrl), { max: 1, onnotice: () => {} })
    try {
      await askForErasure(gone)
      await finishAll()
      writeFileSync(file, await erasures('export', built.url))
      const accounts = () => restored`
        select id from auth.users where id in (${gone.id}, ${stays.id}) order by id = ${stays.id}`
      expect(await accounts()).toEqual([{ id: gone.id }, { id: stays.id }])
      expect(await erasures('replay', of(built.url), file)).toMatch(/^1 accounts /)
      expect(await accounts()).toEqual([{ id: stays.id }])
      // Once more, as after a command that was interrupted.
      expect(await erasures('replay', of(built.url), file)).toMatch(/^0 accounts /)
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
})

/** What `npm run erasures` prints. */
async function erasures(
  action: 'export' | 'replay',
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
