import { createHash, randomInt } from 'node:crypto'
import type postgres from 'postgres'
import { type Project, withDatabase } from '../stack/project.ts'
import { newStudent, type Student } from './students.ts'

/** A number of the fictional range with two digits too many to be anybody's, so that no two tests share one. */
export const newNumber = () => `+447700900${randomInt(10_000, 100_000)}`

/** A link's token and what is stored of it. */
export function newToken(): { token: string; hash: string } {
  const token = (crypto.randomUUID() + crypto.randomUUID()).replaceAll('-', '')
  return { token, hash: createHash('sha256').update(token).digest('hex') }
}

/** A student who agreed to the support circle, with this first name. */
export async function newSupportedStudent(project: Project, firstName = 'Robin'): Promise<Student> {
  const student = await newStudent(project, ['support_circle'])
  await withDatabase(
    project,
    (sql) => sql`update public.profiles set first_name = ${firstName} where user_id = ${student.id}`,
  )
  return student
}

/** Columns of a contact that a test chooses. */
type ContactFields = {
  name?: string
  phone?: string
  verified?: boolean
  time_zone?: string
  texts_at_night?: boolean
  priority_rank?: number
}

/** A contact of a student, who agreed and may be texted at any hour unless a test says otherwise; returns the id. */
export async function newContact(
  sql: postgres.Sql,
  student: Pick<Student, 'id'>,
  { name = 'Sam', phone = newNumber(), verified = true, ...fields }: ContactFields = {},
): Promise<string> {
  const row = {
    id: crypto.randomUUID(),
    user_id: student.id,
    name,
    phone,
    email: 'sam@example.com',
    verified,
    verified_at: verified ? new Date() : null,
    texts_at_night: true,
    priority_rank: 1,
    ...fields,
  }
  await sql`insert into public.buddy_contacts ${sql(row)}`
  return row.id
}

/** A contact who was sent a verification email; returns its token too. */
export async function newVerification(
  sql: postgres.Sql,
  student: Pick<Student, 'id'>,
  fields: ContactFields = {},
): Promise<{ contact: string; token: string }> {
  const contact = await newContact(sql, student, { ...fields, verified: false })
  const { token, hash } = newToken()
  await sql`
    update public.buddy_contacts
    set verification_token = ${hash}, verification_token_expires_at = now() + interval '7 days'
    where id = ${contact}`
  return { contact, token }
}

/** Asks a contact, as the student or an alert does; returns the request and the token in its text. */
export async function askedContact(
  sql: postgres.Sql,
  contact: string,
  type: 'user_initiated' | 'system_initiated' = 'user_initiated',
): Promise<{ request: string; token: string }> {
  const [row] = await sql`
    select private.ask_contact(${contact}, ${type}, ${type === 'system_initiated' ? 4 : null}, now()) as request`
  const request = String(row?.request)
  const [text] = await sql`select body from private.outbox where request_id = ${request}`
  const token = /\/buddy\/(?:checkin|alert)\/([0-9a-f]{64})/.exec(String(text?.body))?.[1]
  if (token === undefined) throw new Error(`No link in: ${text?.body}`)
  return { request, token }
}
