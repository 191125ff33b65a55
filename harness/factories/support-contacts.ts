import { createHash, randomInt } from 'node:crypto'
import { type ApiResponse, call } from '../client/call.ts'
import { localStack, type Project, withDatabase } from '../stack/project.ts'
import { newStudent, type Student } from './students.ts'

/** A number that is too long to be anybody's, so that no two tests share one; the service takes it for none of a mobile phone. */
export const newNumber = () => `+1202555${randomInt(1_000_000, 10_000_000)}`

/** North American areas; in each, the numbers 555 0100 to 555 0199 belong to nobody. */
const AREAS = [202, 206, 212, 303, 305, 312, 404, 415, 503, 512, 602, 617, 702, 713, 801, 901]

/** An invented number of a mobile phone, E.164, of 1,600 that there are: only where the service has to believe it. */
export const newMobileNumber = () =>
  `+1${AREAS[randomInt(AREAS.length)]}55501${String(randomInt(100)).padStart(2, '0')}`

/** An address that nobody else has. */
export const newAddress = () => `friend-${crypto.randomUUID()}@example.com`

/** A link's token and what is stored of it. */
export function newToken(): { token: string; hash: string } {
  const token = (crypto.randomUUID() + crypto.randomUUID()).replaceAll('-', '')
  return { token, hash: createHash('sha256').update(token).digest('hex') }
}

/** A student who agreed to the support circle. */
export async function newStudentWithCircle(project: Project, firstName = 'Robin'): Promise<Student> {
  const student = await newStudent(project, ['support_circle'])
  await withDatabase(
    project,
    (sql) => sql`update public.profiles set first_name = ${firstName} where user_id = ${student.id}`,
  )
  return student
}

/** Names a contact as the app does; returns its id. */
export async function nameContact(
  { client }: Student,
  fields: { name?: string; phone?: string; email?: string | null } = {},
): Promise<string> {
  const row = { name: 'Ottoline', phone: newMobileNumber(), email: newAddress(), ...fields }
  const { data, error } = await client.from('buddy_contacts').insert(row).select('id').single()
  if (error) throw error
  return data.id
}

/** Columns of a contact that a test chooses. */
type ContactFields = {
  name?: string
  phone?: string
  email?: string
  relationship?: string
  verified?: boolean
  /** Whether the number agreed too: as whoever agreed, unless a test says otherwise. */
  confirmed?: boolean
  time_zone?: string
  texts_at_night?: boolean
  priority_rank?: number
}

/** A contact of a student, who agreed with mailbox and number and may be texted at any hour unless a test says otherwise; returns the id. */
export function newContact(
  project: Project,
  student: Pick<Student, 'id'>,
  { name = 'Sam', phone = newNumber(), verified = true, confirmed = verified, ...fields }: ContactFields = {},
): Promise<string> {
  const row = {
    id: crypto.randomUUID(),
    user_id: student.id,
    name,
    phone,
    email: newAddress(),
    verified,
    verified_at: verified ? new Date() : null,
    phone_confirmed_at: confirmed ? new Date() : null,
    phone_confirmed_by: confirmed ? 'code' : null,
    texts_at_night: true,
    priority_rank: 1,
    ...fields,
  }
  return withDatabase(project, (sql) =>
    sql.begin(async (tx) => {
      await tx`select private.hear_answer()`
      await tx`insert into public.buddy_contacts ${tx(row)}`
      return row.id
    }),
  )
}

/** A student who agreed to the support circle, and a contact who did. */
export async function newPair(
  project: Project,
  fields: ContactFields = {},
): Promise<{ student: Student; contact: string; phone: string }> {
  const student = await newStudentWithCircle(project)
  const phone = fields.phone ?? newNumber()
  return { student, contact: await newContact(project, student, { ...fields, phone }), phone }
}

/** A contact who was sent a verification email, with its link's token. */
export async function newInvitedContact(
  project: Project,
  student: Pick<Student, 'id'>,
  fields: ContactFields = {},
): Promise<{ contact: string; token: string }> {
  const contact = await newContact(project, student, { ...fields, verified: false })
  const { token, hash } = newToken()
  await withDatabase(
    project,
    (sql) => sql`
      update public.buddy_contacts
      set verification_token = ${hash}, verification_token_expires_at = now() + interval '7 days'
      where id = ${contact}`,
  )
  return { contact, token }
}

/** Asks a contact by email whether they agree, as the app does. */
export function askForVerification(
  project: Project,
  student: Student,
  buddyContactId: string,
  userId = student.id,
): Promise<ApiResponse> {
  return call(project, student.token, 'POST', 'api/buddy/send-verification', { buddyContactId, userId })
}

/** The token of the newest verification email to a contact. Throws when there is none. */
export async function verificationToken(project: Project, contact: string): Promise<string> {
  const [row] = await withDatabase(
    project,
    (sql) => sql<{ token: string | null }[]>`
      select substring(body from '[?]token=([0-9a-f]{64})') as token
      from private.outbox
      where contact_id = ${contact} and purpose = 'buddy_verification'
      order by created_at desc
      limit 1`,
  )
  if (!row?.token) throw new Error('No verification was sent')
  return row.token
}

/** Agrees on the page of a verification, to texts at any hour; returns the page's status. */
export async function agreeByMail(project: Project, token: string): Promise<number> {
  const { status } = await fetch(`${project.apiUrl}/functions/v1/api/buddy/verify?token=${token}`, {
    method: 'POST',
    body: new URLSearchParams({
      decision: 'accept',
      time_zone: 'America/New_York',
      texts_at_night: 'yes',
      agreed: 'yes',
    }),
  })
  return status
}

/** Every text to a number that is stored, oldest first. */
export function textsOf(
  project: Project,
  phone: string,
): Promise<{ purpose: string; status: string; body: string }[]> {
  return withDatabase(
    project,
    (sql) => sql<{ purpose: string; status: string; body: string }[]>`
      select purpose, status, body from private.outbox
      where channel = 'sms' and recipient = ${phone} order by created_at`,
  )
}

/** Replies from a phone of the inbox, as Twilio passes it on; returns the answers. */
export async function replyFrom(phone: string, text: string): Promise<string[]> {
  const response = await fetch(`${localStack().inboxUrl}/api/phones/${encodeURIComponent(phone)}/replies`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  })
  const { answers }: { answers: { text: string }[] } = await response.json()
  return answers.map((answer) => answer.text)
}

/** A request, the text that asks, and the token of its link. */
export type Asked = { request: string; message: string; token: string }

/** Asks a contact by text to check on the student, as the student or an alert does; the text is due at once or in an hour. */
export function askContact(
  project: Project,
  contact: string,
  { type = 'user_initiated', due = 'now' }: { type?: string; due?: 'now' | 'later' } = {},
): Promise<Asked> {
  return withDatabase(project, async (sql) => {
    const [asked] = await sql`
      select private.ask_contact(
        ${contact}, ${type}, ${type === 'system_initiated' ? 4 : null},
        now() + ${due === 'now' ? '0' : '1 hour'}::interval
      ) as request`
    const request: string | null = asked?.request ?? null
    const [text] = await sql<{ id: string; body: string }[]>`
      select id, body from private.outbox where request_id = ${request}`
    if (request === null || !text) throw new Error('The contact cannot be asked')
    const token = /\/buddy\/(?:checkin|alert)\/([A-Za-z0-9_-]{22})/.exec(text.body)?.[1]
    if (token === undefined) throw new Error(`No link in: ${text.body}`)
    return { request, message: text.id, token }
  })
}

/** A request's delivery beside its text's. */
export type Delivery = {
  delivery_status: string
  sent: boolean
  status: string
  provider_status: string | null
  code: string | null
}

/** Reads how a request's text fares. */
export function deliveryOf(project: Project, { request, message }: Asked): Promise<Delivery> {
  return withDatabase(project, async (sql) => {
    const [row] = await sql<Delivery[]>`
      select r.delivery_status, r.sent_at is not null as sent, o.status, o.provider_status, o.error_code as code
      from public.buddy_check_in_requests r, private.outbox o
      where r.id = ${request} and o.id = ${message}`
    if (!row) throw new Error('There is no such request')
    return row
  })
}

/** Whether a number is not to be texted. */
export function hasOptedOut(project: Project, number: string): Promise<boolean> {
  return withDatabase(project, async (sql) => {
    const [row] = await sql<{ out: boolean }[]>`select private.has_opted_out(${number}) as out`
    return row?.out ?? false
  })
}

/** The code of the first text to a number, which is taken for sent, as by day at once: nobody has the code of a text that waits. */
export async function codeOfFirstText(project: Project, phone: string): Promise<string> {
  await withDatabase(
    project,
    (sql) => sql`
      update private.outbox set status = 'sent', ended_at = now()
      where recipient = ${phone} and purpose = 'buddy_first_text' and status = 'queued'`,
  )
  const [text] = await textsOf(project, phone)
  return /\d{6}/.exec(text?.body ?? '')?.[0] ?? ''
}
