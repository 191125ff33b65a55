import type { DescribedCall } from './described-call.ts'
import type { Draft } from './draft.ts'
import type { Lane, Tampering } from './lane.ts'
import type { Written } from './values/written.ts'

type Headers = Draft['headers']

/** Headers that something on the way may read. */
const NAMES = [
  'x-request-id',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-pages-host',
  'host',
  'origin',
  'user-agent',
  'accept',
  'accept-language',
  'cookie',
  'if-none-match',
  'prefer',
  'sec-fetch-site',
  'x-client-info',
]

/** Whole headers that change what another part of the request is. */
const WHOLE: Headers = [
  ['accept-profile', 'private'],
  ['content-profile', 'auth'],
  ['prefer', 'tx=commit, return=representation, count=exact, missing=default, max-affected=0'],
  ['range', '0-99999999999'],
  ['range-unit', 'items'],
  ['x-http-method-override', 'DELETE'],
  ['content-encoding', 'gzip'],
  ['content-encoding', 'br, deflate'],
  ['expect', '100-continue'],
  ['expect', 'nonsense'],
  ['upgrade', 'websocket'],
  ['connection', 'upgrade'],
  ['te', 'trailers'],
  ['content-type', 'text/plain'],
  ['content-type', 'application/xml'],
  ['content-type', 'application/json; charset=utf-16'],
  ['content-type', 'application/json;'.repeat(400)],
  ['content-type', 'multipart/form-data'],
  ['content-type', 'multipart/form-data; boundary='],
  ['content-type', `multipart/form-data; boundary="${'b'.repeat(300)}"`],
  ['content-type', 'application/x-www-form-urlencoded'],
  ['content-type', ''],
  ['content-type', '__proto__/constructor'],
  ['sb-forwarded-for', '127.0.0.1'],
  ['cf-connecting-ip', `'; select 1`],
  ['x-injected', 'a\r\nX-Injected: yes'],
  ['x-long', 'x'.repeat(12_000)],
  ['x-longer', 'x'.repeat(40_000)],
  ['apikey', 'sb_secret_invented'],
  ['authorization', ''],
  ['authorization', 'Bearer'],
  ['authorization', 'Basic YWRhOmFkYQ=='],
  ['authorization', `Bearer ${'x'.repeat(10_000)}`],
  ['authorization', 'Bearer a.b.c'],
  ['authorization', 'Bearer ..'],
  ['authorization', 'Bearer \xff.\xfe.\xfd'],
  ['authorization', `Bearer '.or.1=1`],
]

/** Where a body is, and its length is told. Elsewhere they would say that one is still to come. */
const ENCODINGS: Headers = [
  ['transfer-encoding', 'chunked'],
  ['transfer-encoding', 'identity, chunked'],
  ['transfer-encoding', '\x0bchunked'],
]

/** What is tried with headers: every value in each, whole ones, one twice, none at all; and tokens that are not theirs. */
export function headerLanes(
  call: DescribedCall,
  values: readonly Written[],
  tokens: readonly string[],
): Lane[] {
  const wholes = call.body ? [...WHOLE, ...ENCODINGS] : WHOLE
  const named: Lane = {
    name: `${call.name} headers`,
    tamperings: NAMES.flatMap((name) =>
      values.map(({ family, bytes }): Tampering => ({ family, apply: replacing([name, bytes]) })),
    ),
  }
  const whole: Lane = {
    name: `${call.name} whole headers`,
    tamperings: [
      ...wholes.map((header): Tampering => ({ family: 'header', apply: replacing(header) })),
      ...WHOLE.map(
        (header): Tampering => ({ family: 'header', apply: ({ headers }) => headers.push(header) }),
      ),
      { family: 'header', apply: ({ headers }) => headers.splice(0) },
      {
        family: 'header',
        apply: ({ headers }) => {
          for (let count = 0; count < 500; count++) headers.push([`x-many-${count}`, `${count}`])
        },
      },
    ],
  }
  const credentials: Lane = {
    name: `${call.name} token`,
    tamperings: tokens.flatMap((token): Tampering[] => [
      { family: 'token', apply: replacing(['authorization', `Bearer ${token}`]) },
      { family: 'token', apply: replacing(['cookie', `wellbeing_session=${token}`]) },
    ]),
  }
  return [named, whole, credentials]
}

function replacing(header: Headers[number]): Tampering['apply'] {
  return (draft) => {
    draft.headers = [...draft.headers.filter(([name]) => name !== header[0]), header]
  }
}
