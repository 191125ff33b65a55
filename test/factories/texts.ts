import twilio from 'twilio'
import { type Project, withDatabase } from '../stack/project.ts'
import { ACCOUNT, functionUrl } from '../stack/twilio.ts'
import { newStudent } from './students.ts'

export const newNumber = () => `+1202555${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`
export const newSid = () => `SM${crypto.randomUUID().replaceAll('-', '')}`

export type Fields = Record<string, string>

/** A text that Twilio received, as it reports it. */
export function incoming(from: string, body: string, more: Fields = {}): Fields {
  const sid = newSid()
  return {
    ...{ MessageSid: sid, SmsSid: sid, SmsMessageSid: sid, AccountSid: ACCOUNT.sid },
    ...{
      From: from,
      To: '+15005550001',
      Body: body,
      NumMedia: '0',
      NumSegments: '1',
      ApiVersion: '2010-04-01',
    },
    ...more,
  }
}

/** What became of a text, as Twilio reports it. */
export function statusOf(to: string, sid: string, status: string, code?: string): Fields {
  return {
    ...{ MessageSid: sid, SmsSid: sid, AccountSid: ACCOUNT.sid, From: '+15005550001', To: to },
    ...{
      MessageStatus: status,
      SmsStatus: status,
      ApiVersion: '2010-04-01',
      ...(code && { ErrorCode: code }),
    },
  }
}

/** A signature of the real library. */
export const signatureOf = (url: string, fields: Fields, token = ACCOUNT.token): string =>
  twilio.getExpectedTwilioSignature(token, url, fields)

/** A request as Twilio makes it. The test may change anything between its signing and its arrival. */
export type TwilioRequest = { path: string; method: string; headers: Record<string, string>; body: string }

export function signed(path: string, fields: Fields, url = functionUrl(path), token?: string): TwilioRequest {
  return {
    path,
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
      'x-twilio-signature': signatureOf(url, fields, token),
    },
    body: new URLSearchParams(fields).toString(),
  }
}

/** A signed text that says stop. */
export const stopFrom = (from: string) => signed('/buddy/texts', incoming(from, 'please stop'))

/** A signed status callback for a message of the outbox. */
export const callback = (message: string, fields: Fields) =>
  signed(`/buddy/text-status?message=${message}`, fields)

/** The request with other fields than were signed. */
export function withFields(request: TwilioRequest, change: (form: URLSearchParams) => void): TwilioRequest {
  const form = new URLSearchParams(request.body)
  change(form)
  return { ...request, body: form.toString() }
}

export function withHeader(request: TwilioRequest, name: string, value: string): TwilioRequest {
  return { ...request, headers: { ...request.headers, [name]: value } }
}

/** Sends it to where the project really is, as a proxy in front does. */
export async function arrive(project: Project, { path, ...init }: TwilioRequest) {
  const response = await fetch(`${project.apiUrl}/functions/v1${path}`, init)
  return { status: response.status, text: await response.text() }
}

/** Texts the service; returns what it answers, null for nothing. */
export async function text(
  project: Project,
  from: string,
  body: string,
  more: Fields = {},
): Promise<string | null> {
  const response = await arrive(project, signed('/buddy/texts', incoming(from, body, more)))
  if (response.status !== 200)
    throw new Error(`The text was answered with ${response.status}: ${response.text}`)
  return /<Message>(.*)<\/Message>/s.exec(response.text)?.[1] ?? null
}

/** A student who agreed to the support circle, and a contact who did. */
export async function newSupported(project: Project, phone = newNumber()) {
  const student = await newStudent(project, ['support_circle'])
  const contact = await newContact(project, student.id, phone)
  return { student, contact, phone }
}

/** A contact who agreed; returns their id. */
export function newContact(project: Project, student: string, phone: string, rank = 1): Promise<string> {
  return withDatabase(project, async (sql) => {
    const [row] = await sql<{ id: string }[]>`
      insert into public.buddy_contacts (user_id, name, phone, email, priority_rank, verified, verified_at)
      values (
        ${student}, 'Marigold Fennimore', ${phone}, ${`${crypto.randomUUID()}@example.com`},
        ${rank}, true, now()
      )
      returning id`
    if (!row) throw new Error('The contact was not stored')
    return row.id
  })
}

export type Request = { id: string; message: string }

/** Asks a contact by text to check on the student, which is due at once or in an hour. */
export function ask(project: Project, contact: string, due: 'now' | 'later' = 'now'): Promise<Request> {
  return withDatabase(project, (sql) =>
    sql.begin(async (transaction) => {
      await transaction`update public.buddy_contacts set texts_at_night = true where id = ${contact}`
      const [row] = await transaction<{ id: string | null }[]>`
        select private.ask_contact(${contact}, 'user_initiated', null, now() + ${due === 'now' ? '0' : '1 hour'}::interval) as id`
      const [message] = await transaction<
        { id: string }[]
      >`select id from private.outbox where request_id = ${row?.id ?? null}`
      if (!row?.id || !message) throw new Error('The contact cannot be asked')
      return { id: row.id, message: message.id }
    }),
  )
}

export type Delivery = {
  delivery_status: string
  sent: boolean
  status: string
  provider_status: string | null
  code: string | null
}

/** A request's delivery beside its text's. */
export function deliveryOf(project: Project, { id, message }: Request): Promise<Delivery> {
  return withDatabase(project, async (sql) => {
    const [row] = await sql<Delivery[]>`
      select r.delivery_status, r.sent_at is not null as sent, o.status, o.provider_status, o.error_code as code
      from public.buddy_check_in_requests r, private.outbox o
      where r.id = ${id} and o.id = ${message}`
    if (!row) throw new Error('There is no such request')
    return row
  })
}

export function hasOptedOut(project: Project, number: string): Promise<boolean> {
  return withDatabase(project, async (sql) => {
    const [row] = await sql<{ out: boolean }[]>`select private.has_opted_out(${number}) as out`
    return row?.out ?? false
  })
}
