import twilio from 'twilio'
import type { Project } from '../stack/project.ts'
import { ACCOUNT, functionUrl } from '../stack/twilio.ts'

/** An invented id of a text at Twilio. */
export const newSid = () => `SM${crypto.randomUUID().replaceAll('-', '')}`

/** Fields of a form of Twilio. */
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
