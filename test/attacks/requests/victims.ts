import { expect, vi } from 'vitest'
import { grantConsents } from '../../../demo/mobile-client.ts'
import { call } from '../../../harness/client/call.ts'
import { scored, startWith } from '../../../harness/factories/check-ins.ts'
import { analyzed, newSessionId } from '../../../harness/factories/sessions.ts'
import { newStudent, type Student } from '../../../harness/factories/students.ts'
import { type Project, serviceClient, withDatabase } from '../../../harness/stack/project.ts'
import { newCircleOf } from './support-circles.ts'

/** What a response may show beside the attacker's own: a university's settings and shared files. */
export type Sight = 'university'

/** Who may see a canary: the victim alone, or whoever belongs to the victim's university. */
export type Kept = 'private' | Sight

let made = 0

/** A text that stands nowhere else; a response that holds it shows what the victim stored. */
export function canary(kept: Kept): string {
  made += 1
  return `canary-${kept}-${made}-${crypto.randomUUID().slice(0, 8)}`
}

/** The canaries in a response that somebody who sees this may not see. */
export function canariesIn(response: string, sees: readonly Sight[]): string[] {
  const found = response.match(/canary-(?:private|university)-\d+-[0-9a-f]{8}/gi) ?? []
  return found.filter((text) => !sees.some((sight) => text.toLowerCase().startsWith(`canary-${sight}`)))
}

/** People whose every stored text is a canary, and what else is known of them. */
export type Victims = {
  university: string
  /** Their accounts. */
  ids: readonly string[]
  /** Keys of their files, by who may read them. */
  files: Record<Kept, readonly string[]>
  /** Ids and keys of theirs, which a hostile client may have come to know. */
  known: readonly string[]
  /** Tokens and numbers of theirs, which nobody else may be shown. */
  secrets: readonly string[]
}

/** Makes a university, and two students of it with a check-in, a session, a transcript, a review, a support circle and files. */
export async function makeVictims(project: Project): Promise<Victims> {
  const university = `victims-${crypto.randomUUID().slice(0, 8)}`
  await withDatabase(project, async (sql) => {
    await sql`
      insert into public.universities (
        id, name, short_name, domain, support_email, crisis_phone, resources, privacy_settings
      )
      values (
        ${university}, ${canary('university')}, ${canary('university')}, ${`${university}.example.edu`},
        ${`${canary('university')}@example.edu`}, '+1-202-555-0199',
        ${sql.json([{ name: canary('university'), phone: '+1-202-555-0198', website: null }])},
        ${sql.json({ choice: canary('university') })}
      )`
  })
  const students = [await victim(project, university), await victim(project, university)]
  await messagesEnded(project, students)
  const shared = `${university}/shared/${crypto.randomUUID()}-guide.txt`
  await keepFile(project, 'university-files', shared, canary('university'))
  return {
    university,
    ids: students.map(({ id }) => id),
    files: { university: [shared], private: students.flatMap(({ files }) => files) },
    known: [university, shared, ...students.flatMap(({ id, known }) => [id, ...known])],
    secrets: students.flatMap(({ secrets }) => secrets),
  }
}

async function victim(
  project: Project,
  university: string,
): Promise<{ id: string; files: string[]; known: string[]; secrets: string[] }> {
  const student = await newStudent(project, ['text', 'audio'])
  await withDatabase(project, async (sql) => {
    await sql`
      update public.profiles
      set university_id = ${university}, first_name = ${canary('private')}, last_name = ${canary('private')}
      where user_id = ${student.id}`
    await sql`
      update public.students set faculty = ${canary('private')}, residence = ${canary('private')}
      where user_id = ${student.id}`
  })
  await grantConsents(student.client, ['counselor_access'])
  const { id: checkIn } = await startWith(project, student, {})
  const transcript = `I want to kill myself tonight. I said it to nobody but ${canary('private')}, and I sleep badly.`
  await scored(project, student, checkIn, { transcript })
  const session = await spokenSession(project, student)
  const response = await call(project, student.token, 'POST', 'api/textmodel/analyze-text', { transcript })
  expect(response.status).toBe(200)
  await withDatabase(project, async (sql) => {
    await sql`
      update checkin.fusion_results
      set summary = ${canary('private')}, themes = ${[canary('private')]}, drivers_negative = ${[canary('private')]}
      where user_id = ${student.id}`
    await sql`
      update public.session_analyses set analysis = analysis || ${sql.json({ marked: canary('private') })}
      where user_id = ${student.id}`
    await sql`
      update public.session_scores set fusion_score = fusion_score || ${sql.json({ marked: canary('private') })}
      where user_id = ${student.id}`
  })
  const files = [
    `${university}/students/${student.id}/${crypto.randomUUID()}-letter.txt`,
    `${student.id}/${checkIn}/audio`,
  ]
  await keepFile(project, 'university-files', files[0] ?? '', canary('private'))
  await keepFile(project, 'check-in-media', files[1] ?? '', canary('private'), 'audio/mp4')
  const circle = await newCircleOf(project, student, () => canary('private'))
  return {
    id: student.id,
    files,
    known: [checkIn, session, ...files, ...circle.known],
    secrets: circle.secrets,
  }
}

/** Waits for the messages about them, whose rows change while they are sent and until it is known that they arrived. */
async function messagesEnded(project: Project, students: readonly { id: string }[]): Promise<void> {
  const ids = students.map(({ id }) => id)
  await withDatabase(project, (sql) =>
    vi.waitFor(
      async () => {
        const waiting = await sql`
          select from private.outbox
          where user_id = any(${ids}::uuid[])
            and (ended_at is null or (channel = 'sms' and provider_status is distinct from 'delivered'))`
        expect(waiting).toHaveLength(0)
      },
      { timeout: 60_000, interval: 200 },
    ),
  )
}

async function spokenSession(project: Project, student: Student): Promise<string> {
  const session = await newSessionId(student)
  const { error } = await student.client
    .from('assessment_sessions')
    .update({ session_data: { platform: canary('private') } })
    .eq('id', session)
  if (error) throw error
  for (const name of ['analyze-text', 'analyze-audio', 'calculate-wellbeing-score'] as const) {
    await analyzed(project, student, name, session)
  }
  return session
}

async function keepFile(project: Project, bucket: string, key: string, text: string, type = 'text/plain') {
  const { error } = await serviceClient(project)
    .storage.from(bucket)
    .upload(key, new Blob([text], { type }), { contentType: type })
  if (error) throw error
}

import type postgres from 'postgres'

/** What the database holds of the victims: a digest of each row that names them, and how many there are that are theirs. */
export type VictimsRows = { rows: Record<string, string>; counts: Record<string, number> }

type Table = { name: string; key: string[]; uuids: string[] }

/** What counts and forgets requests, whoever makes them. */
const PASSING = ['private.rate_limit_uses', 'private.audit_head']

/** Reads what the database holds of the victims; with what it held before, those rows again. */
export async function readVictimsRows(
  project: Project,
  victims: Victims,
  before?: VictimsRows,
): Promise<VictimsRows> {
  return withDatabase(project, async (sql) => {
    const rows: VictimsRows['rows'] = {}
    const counts: VictimsRows['counts'] = {}
    for (const table of await tables(sql)) {
      const found = before
        ? await rowsByKey(
            sql,
            table,
            Object.keys(before.rows).filter((key) => key.startsWith(`${table.name} `)),
          )
        : await rowsNaming(sql, table, [...victims.ids, victims.university])
      Object.assign(rows, found)
      for (const column of table.uuids) {
        const [{ count = 0 } = {}] = await sql<{ count: number }[]>`
          select count(*)::int as count from ${sql(table.name)} where ${sql(column)} = any(${[...victims.ids]}::uuid[])`
        counts[`${table.name}.${column}`] = count
      }
    }
    return { rows, counts }
  })
}

async function tables(sql: postgres.Sql): Promise<Table[]> {
  return sql<Table[]>`
    select
      format('%s.%s', n.nspname, c.relname) as name,
      array(
        select a.attname from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
        where i.indrelid = c.oid and i.indisprimary order by a.attnum
      )::text[] as key,
      array(
        select a.attname from pg_attribute a
        where a.attrelid = c.oid and a.atttypid = 'uuid'::regtype and a.attnum > 0 and not a.attisdropped
      )::text[] as uuids
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r'
      and n.nspname in ('public', 'checkin', 'private', 'auth', 'storage')
      and exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)
      and format('%s.%s', n.nspname, c.relname) <> all(${PASSING}::text[])
    order by name`
}

type Digest = { key: string; digest: string }

/** `schema.table ["key"]`, which stays when the row is changed. */
function keyOf(sql: postgres.Sql, { name, key }: Table) {
  const columns = key.map((column) => sql`${sql(column)}`)
  const listed = columns.reduce((all, column) => sql`${all}, ${column}`)
  return sql`${`${name} `}::text || jsonb_build_array(${listed})::text`
}

async function rowsNaming(sql: postgres.Sql, table: Table, names: string[]): Promise<Record<string, string>> {
  const found = await sql<Digest[]>`
    select ${keyOf(sql, table)} as key, md5(t::text) as digest from ${sql(table.name)} as t
    where exists (select from unnest(${names}::text[]) as name where t::text like '%' || name || '%')`
  return digests(found)
}

async function rowsByKey(sql: postgres.Sql, table: Table, keys: string[]): Promise<Record<string, string>> {
  if (keys.length === 0) return {}
  const found = await sql<Digest[]>`
    select ${keyOf(sql, table)} as key, md5(t::text) as digest from ${sql(table.name)} as t
    where ${keyOf(sql, table)} = any(${keys}::text[])`
  return digests(found)
}

function digests(found: readonly Digest[]): Record<string, string> {
  return Object.fromEntries(found.map(({ key, digest }) => [key, digest]))
}
