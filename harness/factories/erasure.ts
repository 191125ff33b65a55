import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { type LocalProject, type Project, withDatabase } from '../stack/project.ts'
import { start } from './check-ins.ts'
import { newSession } from './sessions.ts'
import { HOME, newStudent, type Student } from './students.ts'
import { nameContact } from './support-contacts.ts'

/** A student of whom something is stored in every place that has anything of students. */
export type KnownStudent = Student & {
  phone: string
  /** What the student said, wrote and named things; nobody else does. */
  marker: string
  /** A text for each thing that may be left: id, address, phone, marker. In lower case. */
  needles: string[]
}

/** Makes a student and stores something of them in every place that has anything of students. */
export async function newKnownStudent(project: Project): Promise<KnownStudent> {
  const student = await newStudent(project, ['audio', 'camera', 'text', 'support_circle', 'counselor_access'])
  const marker = `marker-${crypto.randomUUID()}`
  const phone = `1202555${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`
  const { id, client } = student
  const checkIn = await start(project, student)
  const audio = checkIn.uploads.audio
  if (!audio) throw new Error('There is no upload address')
  const uploads = await Promise.all([
    client.storage
      .from(audio.bucket)
      .uploadToSignedUrl(audio.path, audio.token, new Blob([marker], { type: 'audio/wav' })),
    client.storage
      .from('university-files')
      .upload(`${HOME}/students/${id}/${marker}.txt`, new Blob([marker], { type: 'text/plain' })),
  ])
  for (const { error } of uploads) if (error) throw error
  await client.from('profiles').update({ first_name: marker }).eq('user_id', id)
  const session = await newSession(client)
  await client.from('assessment_sessions').update({ session_data: { marker } }).eq('id', session.id)
  const contact = await nameContact(student, { name: marker })
  await withDatabase(project, (sql) =>
    sql.begin((transaction) => [
      transaction`update auth.users set phone = ${phone} where id = ${id}`,
      transaction`insert into private.check_in_inputs (check_in_id, transcript) values (${checkIn.id}, ${marker})`,
      transaction`
          insert into private.transcript_results (user_id, transcript_sha256, check_in_id, provider, risk_level, result)
          values (${id}, sha256(${marker}), ${checkIn.id}, 'built-in', 'none', ${transaction.json({ marker })})`,
      transaction`
          insert into private.analysis_jobs (check_in_id, kind, input, next_dispatch_at)
          values (${checkIn.id}, 'text', ${transaction.json({ marker })}, now() + interval '1 day')`,
      transaction`select private.open_clinical_review(${id}, 'check_in', ${checkIn.id})`,
      transaction`select private.broadcast_check_in(${checkIn.id}, 'result', ${transaction.json({ marker })})`,
      transaction`select realtime.send(${transaction.json({ marker })}, 'support_alert', ${`support:${id}`}, true)`,
      transaction`
          insert into private.outbox (channel, purpose, user_id, contact_id, recipient, body, send_at)
          values ('sms', 'buddy_check_in', ${id}, ${contact}, '+12025550100', ${marker}, now() + interval '1 day')`,
    ]),
  )
  return {
    ...student,
    phone,
    marker,
    needles: [id, student.email, phone, marker].map((text) => text.toLowerCase()),
  }
}

/** Lets the time pass in which an erasure can be cancelled. */
export async function makeFinal(project: Project, id: string): Promise<void> {
  await withDatabase(
    project,
    (sql) =>
      sql`update private.erasures set final_at = requested_at, next_attempt_at = now() where user_id = ${id}`,
  )
}

/** Takes the next steps as the cron job does; whether the erasure of an account has ended. */
export function hasEnded(project: Project, id: string): Promise<boolean> {
  return withDatabase(project, async (sql) => {
    await sql`update private.erasures set next_attempt_at = now() where user_id = ${id} and final_at <= now()`
    await sql`select private.advance_erasures(50)`
    const rows = await sql`select from private.erasures where user_id = ${id}`
    return rows.length === 0
  })
}

/** The tables, of every schema, in which a row has one of these texts, also as bytes. */
export async function tablesWith(
  { local }: Pick<LocalProject, 'local'>,
  needles: string[],
): Promise<string[]> {
  const sql = postgres(local.adminUrl, { max: 1, onnotice: () => {} })
  try {
    const tables = await sql<{ name: string }[]>`
      select format('%I.%I', n.nspname, c.relname) as name
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'm') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
      order by 1`
    const found: string[] = []
    for (const { name } of tables) {
      const rows = await sql.unsafe(
        `select from ${name} t
        where exists (
          select from unnest($1::text[]) n
          where strpos(lower(t::text), n) > 0 or strpos(t::text, encode(convert_to(n, 'UTF8'), 'hex')) > 0
        )
        limit 1`,
        [needles],
      )
      if (rows.length > 0) found.push(name)
    }
    return found
  } finally {
    await sql.end()
  }
}

/** The files of a folder, at any depth, that have one of these texts in their name or content. */
export function filesWith(folder: string, needles: string[], skipped: string[] = []): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    if (skipped.some((start) => name.startsWith(start))) return false
    const content = `${name}\n${contentOf(join(folder, name))}`.toLowerCase()
    return needles.some((needle) => content.includes(needle))
  })
}

/** What a file holds; nothing of a folder, or of what was moved or deleted meanwhile. */
function contentOf(path: string): string {
  try {
    return statSync(path).isFile() ? readFileSync(path, 'latin1') : ''
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}
