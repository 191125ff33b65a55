import { type Bytes, percentEncoded, utf8 } from './bytes.ts'
import type { DescribedCall } from './described-call.ts'
import type { Lane, Tampering } from './lane.ts'
import type { HostileValue } from './values/value.ts'

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
