import type { DescribedCall } from './described-call.ts'
import type { Draft } from './good-request.ts'
import { type Bytes, type Family, type HostileValue, percentEncoded, utf8, type Written } from './values.ts'

/** One change of a request. */
export type Tampering = { family: Family; apply(draft: Draft): void }

/** All that is tried in one place of one call, such as a field of its body. */
export type Lane = {
  /** `POST /checkins/start body.type` */
  name: string
  tamperings: readonly Tampering[]
  /** What is tried in every run, before the rest. */
  first?: Family
}

/** Methods of HTTP and of WebDAV, and none of either. */
const METHODS = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'PURGE',
  'get',
  'FOO',
]

/** What an address can be turned into as a whole. */
const ADDRESSES: ((target: Bytes) => Bytes)[] = [
  (target) => target.replace('/functions/v1/', '/functions/v1//'),
  (target) => target.replace('/functions/v1/', '/functions/v1/../v1/'),
  (target) => target.replace('/functions/v1/', '/functions/v1/%2e%2e/v1/'),
  (target) => target.replace('/functions/v1/', '//functions/v1/'),
  (target) => target.replace('/functions/v1/', '/functions/v1/..%2f'),
  (target) => target.replace('/api/', '/API/'),
  (target) => target.replace('/api/', '/api/%2e/'),
  (target) => target.replace('/api/', '/ap%69/'),
  (target) => target.replace(/\/(\w+)(\?|$)/, '/$1/$2'),
  (target) => target.replace(/\/(\w+)(\?|$)/, '/$1%00$2'),
  (target) => target.replace(/\/(\w+)(\?|$)/, '/$1.json$2'),
  (target) => target.replace(/\/(\w+)(\?|$)/, '/$1;a=b$2'),
  (target) => `${target}?${'a=1&'.repeat(2_000)}`,
  (target) => `${target}#fragment`,
  (target) => `http://127.0.0.1:1${target}`,
  (target) => `http://[::1${target}`,
  (target) => `//[${target}`,
  (target) => target.replaceAll('/', '\\'),
  (target) => `${target}/${'x'.repeat(12_000)}`,
  (target) => `${target}/${'../'.repeat(200)}etc/passwd`,
  () => '*',
  () => '//',
  () => '/functions/v1/',
  () => '/functions/v1/_shared/errors.ts',
  () => '/functions/v1/api/../../../../etc/passwd',
  () => '/functions/v1/constructor',
  () => '/functions/v1/__proto__/api',
]

/** Every value, as a part of an address. */
function asAddress(value: HostileValue): Bytes {
  if ('address' in value) return value.address
  if ('bytes' in value) return percentEncoded(value.bytes)
  return percentEncoded(utf8('text' in value ? value.text : value.json))
}

/** What is tried with each parameter, with the names of parameters, with the address as a whole, and with the method. */
export function addressLanes(call: DescribedCall, values: readonly HostileValue[]): Lane[] {
  const parameters = call.parameters.map(({ name, in: place }): Lane => {
    const tamperings = values.map(
      (value): Tampering => ({
        family: value.family,
        apply: (draft) => {
          if (place === 'path') draft.segments[name] = asAddress(value)
          else draft.query = [...draft.query.filter(([other]) => other !== name), [name, asAddress(value)]]
        },
      }),
    )
    return { name: `${call.name} ${place}.${name}`, tamperings, first: 'identity' }
  })
  const names: Lane = {
    name: `${call.name} names in the query`,
    tamperings: values.flatMap((value): Tampering[] => {
      const name = asAddress(value)
      return name.length > 100
        ? []
        : [{ family: value.family, apply: ({ query }) => query.push([name, '1'], [`${name}[a]`, '2']) }]
    }),
  }
  const twice: Lane = {
    name: `${call.name} query, twice`,
    tamperings: call.parameters
      .filter((parameter) => parameter.in === 'query')
      .flatMap(({ name }): Tampering[] =>
        ['x', '', '1', 'northfield'].map((value) => ({
          family: 'json',
          apply: ({ query }) =>
            query.push([name, value], [`${name}[]`, value], [`${name}[__proto__]`, value]),
        })),
      ),
  }
  const addresses: Lane = {
    name: `${call.name} address`,
    tamperings: ADDRESSES.map((change) => ({
      family: 'path',
      apply: ({ retarget }) => retarget.push(change),
    })),
  }
  const methods: Lane = {
    name: `${call.name} method`,
    tamperings: METHODS.filter((method) => method !== call.method).map((method) => ({
      family: 'method',
      apply: (draft) => {
        draft.method = method
      },
    })),
  }
  return [...parameters, names, twice, addresses, methods].filter(({ tamperings }) => tamperings.length > 0)
}

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
    ]),
  }
  return [named, whole, credentials]
}

function replacing(header: Headers[number]): Tampering['apply'] {
  return (draft) => {
    draft.headers = [...draft.headers.filter(([name]) => name !== header[0]), header]
  }
}
