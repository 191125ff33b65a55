import { newNumber } from '../../../harness/factories/support-contacts.ts'
import {
  callback,
  incoming,
  newSid,
  signatureOf,
  signed,
  statusOf,
  stopFrom,
  type TwilioRequest,
  withFields,
  withHeader,
} from '../../../harness/factories/twilio-requests.ts'
import { functionUrl } from '../../../harness/stack/twilio.ts'

const OTHER_ACCOUNT = `AC${'9'.repeat(32)}`

/** Requests that Twilio did not make, each of which says stop for a number if it is believed, and what is wrong with it. */
export function forgedTexts(apiUrl: () => string): [string, (from: string) => TwilioRequest][] {
  return [
    [
      'has no signature',
      (from) => ({ ...stopFrom(from), headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    ],
    ['has an empty signature', (from) => withHeader(stopFrom(from), 'x-twilio-signature', '')],
    [
      'has an invented signature',
      (from) => withHeader(stopFrom(from), 'x-twilio-signature', btoa('x'.repeat(20))),
    ],
    [
      'has a shortened signature',
      (from) =>
        withHeader(
          stopFrom(from),
          'x-twilio-signature',
          signatureOf(functionUrl('/buddy/texts'), incoming(from, 'stop')).slice(0, -1),
        ),
    ],
    [
      'has its signature in the query',
      (from) => ({
        ...stopFrom(from),
        path: `/buddy/texts?signature=${encodeURIComponent(String(stopFrom(from).headers['x-twilio-signature']))}`,
      }),
    ],
    [
      'was signed with another token',
      (from) => signed('/buddy/texts', incoming(from, 'stop'), undefined, 'another-token'),
    ],
    [
      'was signed with an empty token',
      (from) => signed('/buddy/texts', incoming(from, 'stop'), undefined, ''),
    ],
    [
      'was signed for another host',
      (from) =>
        signed('/buddy/texts', incoming(from, 'stop'), 'https://evil.example.com/functions/v1/buddy/texts'),
    ],
    [
      'was signed for the host that a proxy header names',
      (from) =>
        withHeader(
          signed('/buddy/texts', incoming(from, 'stop'), 'https://evil.example.com/functions/v1/buddy/texts'),
          'x-forwarded-host',
          'evil.example.com',
        ),
    ],
    [
      'was signed for where the function really is',
      (from) => signed('/buddy/texts', incoming(from, 'stop'), `${apiUrl()}/functions/v1/buddy/texts`),
    ],
    [
      'was signed without encryption in the address',
      (from) =>
        signed('/buddy/texts', incoming(from, 'stop'), functionUrl('/buddy/texts').replace('https', 'http')),
    ],
    [
      'was signed for the other address',
      (from) => signed('/buddy/texts', incoming(from, 'stop'), functionUrl('/buddy/text-status')),
    ],
    [
      'was signed for a query that it lacks',
      (from) => signed('/buddy/texts', incoming(from, 'stop'), `${functionUrl('/buddy/texts')}?a=1`),
    ],
    [
      'was signed with a query',
      (from) => ({
        ...signed('/buddy/texts', incoming(from, 'stop'), `${functionUrl('/buddy/texts')}?a=1`),
        path: '/buddy/texts?a=1',
      }),
    ],
    [
      'says other words than were signed',
      (from) =>
        withFields(signed('/buddy/texts', incoming(from, 'hello')), (form) => form.set('Body', 'stop')),
    ],
    [
      'names another number than was signed',
      (from) => withFields(stopFrom(newNumber()), (form) => form.set('From', from)),
    ],
    [
      'has one field more than was signed',
      (from) =>
        withFields(signed('/buddy/texts', incoming(from, 'hello')), (form) => form.set('OptOutType', 'STOP')),
    ],
    [
      'lacks a field that was signed',
      (from) => withFields(stopFrom(from), (form) => form.delete('NumMedia')),
    ],
    ['repeats a field', (from) => withFields(stopFrom(from), (form) => form.append('From', from))],
    [
      'moves the border between two fields',
      (from) =>
        withFields(stopFrom(from), (form) => {
          form.delete('Body')
          form.set('Bod', 'yplease stop')
        }),
    ],
    [
      'comes from another account',
      (from) => signed('/buddy/texts', incoming(from, 'stop', { AccountSid: OTHER_ACCOUNT })),
    ],
    ['is encoded twice', (from) => ({ ...stopFrom(from), body: encodeURIComponent(stopFrom(from).body) })],
    [
      'is sent as JSON',
      (from) => {
        const fields = incoming(from, 'stop')
        return {
          ...signed('/buddy/texts', fields),
          headers: { ...signed('/buddy/texts', fields).headers, 'content-type': 'application/json' },
          body: JSON.stringify(fields),
        }
      },
    ],
    [
      'is encoded in another character set',
      (from) =>
        withHeader(stopFrom(from), 'content-type', 'application/x-www-form-urlencoded; charset=utf-16'),
    ],
  ]
}

/** Status callbacks that Twilio did not make, each of which says that a message was delivered. */
export const FORGED_STATUSES: [string, (message: string, phone: string) => TwilioRequest][] = [
  [
    'unsigned',
    (message, phone) => ({
      ...callback(message, statusOf(phone, newSid(), 'delivered')),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
  ],
  [
    'of another message',
    (message, phone) => ({
      ...callback(crypto.randomUUID(), statusOf(phone, newSid(), 'delivered')),
      path: `/buddy/text-status?message=${message}`,
    }),
  ],
  [
    'with an encoded id',
    (message, phone) => ({
      ...callback(message, statusOf(phone, newSid(), 'delivered')),
      path: `/buddy/text-status?message=${message.replaceAll('-', '%2D')}`,
    }),
  ],
  [
    'with two ids',
    (message, phone) => ({
      ...callback(message, statusOf(phone, newSid(), 'delivered')),
      path: `/buddy/text-status?message=${message}&message=${message}`,
    }),
  ],
  [
    'with another status than was signed',
    (message, phone) =>
      withFields(callback(message, statusOf(phone, newSid(), 'queued')), (form) =>
        form.set('MessageStatus', 'delivered'),
      ),
  ],
  [
    'of another account',
    (message, phone) =>
      callback(message, { ...statusOf(phone, newSid(), 'delivered'), AccountSid: OTHER_ACCOUNT }),
  ],
]
