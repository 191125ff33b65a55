/**
 * Bytes as text, one character of U+0000 to U+00FF a byte: requests are put together of it, because a hostile one need
 * not be text in any encoding.
 */
export type Bytes = string

/** The bytes of a text in UTF-8. */
export function utf8(text: string): Bytes {
  return Buffer.from(text, 'utf8').toString('latin1')
}

/** As a part of an address: every byte but letters, digits and `-._~` as `%xx`. */
export function percentEncoded(bytes: Bytes): Bytes {
  return bytes.replace(
    /[^A-Za-z0-9._~-]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  )
}

/** What an attack tries. */
export type Family =
  | 'sql'
  | 'filter'
  | 'header'
  | 'path'
  | 'json'
  | 'unicode'
  | 'number'
  | 'date'
  | 'identity'
  | 'markup'
  | 'size'
  | 'prototype'
  | 'token'
  | 'form'
  | 'method'
  | 'type'

/**
 * A value that is put in the place of a good one: a text, what stands in JSON (which may not be JSON), bytes that may be
 * no text, or what stands in an address as it is. Where a place takes only text, the JSON stands there as text.
 */
export type HostileValue = { family: Family } & (
  | { text: string }
  | { json: string }
  | { bytes: Bytes }
  | { address: Bytes }
)

/** Texts of one family. */
export function texts(family: Family, values: readonly string[]): HostileValue[] {
  return values.map((text) => ({ family, text }))
}

/** What stands in JSON, of one family. */
export function jsons(family: Family, values: readonly string[]): HostileValue[] {
  return values.map((json) => ({ family, json }))
}

/** A value as the bytes that stand in a request. */
export type Written = { family: Family; bytes: Bytes }

/** Where text stands: in headers, forms and files. */
export function asText(values: readonly HostileValue[]): Written[] {
  return values.flatMap((value) => {
    const bytes = bytesOf(value)
    return bytes === null ? [] : [{ family: value.family, bytes }]
  })
}

/** Where JSON stands: texts in their quotes, the rest as it is. */
export function asJson(values: readonly HostileValue[]): Written[] {
  return values.flatMap((value) => {
    const bytes = bytesOf(value)
    if (bytes === null) return []
    if ('text' in value) return [{ family: value.family, bytes: utf8(JSON.stringify(value.text)) }]
    return [{ family: value.family, bytes: 'bytes' in value ? `"${bytes}"` : bytes }]
  })
}

function bytesOf(value: HostileValue): Bytes | null {
  if ('bytes' in value) return value.bytes
  if ('text' in value) return utf8(value.text)
  return 'json' in value ? utf8(value.json) : null
}

const WRONG_TYPES = ['null', 'true', 'false', '{}', '[]', '[[]]', '[null]', '{"a":1}', '["a","b"]', '""', '0']

const NUMBERS = [
  '-1',
  '-0',
  '0.1',
  '1.5',
  '1e308',
  '1e309',
  '-1e999',
  '1e-400',
  '9007199254740993',
  '2147483648',
  '-2147483649',
  '9223372036854775808',
  `1${'0'.repeat(400)}`,
  `0.${'3'.repeat(2_000)}`,
]

/** Not JSON. */
const BROKEN = [
  'NaN',
  'Infinity',
  '01',
  '.5',
  '1.',
  '+1',
  '0x10',
  `'a'`,
  'undefined',
  '"\\x"',
  '"a',
  '[1,]',
  '{"a":}',
  '"\u0001"',
  '',
]

const TEXTS = ['"\\ud800"', '"\\udc00x"', '"\\u0000"', '"\\u202e\\u2066"']

const PROTOTYPES = [
  '{"__proto__":{"polluted":true}}',
  '{"__proto__":null}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"prototype":{}}',
  '{"toString":1,"valueOf":1,"hasOwnProperty":1,"then":1}',
  '{"length":1000000000}',
  '{"toJSON":"x"}',
  '[{"__proto__":{"id":1}}]',
]

/** Filters of the data API, as operators that it does and does not have. */
const OPERATORS = [
  '{"eq":1}',
  '{"neq":null}',
  '{"gt":"","lt":""}',
  '{"in":[]}',
  '{"in":["a,b",")"]}',
  '{"not.is":null}',
  '{"or":"(id.gt.0)"}',
  '{"like":"%"}',
  '{"ilike":"*"}',
  '{"contains":[]}',
  '{"contains":{}}',
  '{"is":"unknown"}',
  '{"or":[{"a":1}]}',
  '{"gte":{"gte":{"gte":1}}}',
  '{"$ne":null}',
  '{"column":"id","ascending":false}',
  '{"column":"id,user_id.desc","ascending":true}',
]

const nested = (open: string, core: string, close: string, depth: number) =>
  open.repeat(depth) + core + close.repeat(depth)

const DEEP = [
  nested('[', '', ']', 60),
  nested('[', '', ']', 2_000),
  nested('{"a":', '1', '}', 60),
  nested('{"a":', '1', '}', 5_000),
  nested('[', '', ']', 100_000),
  nested('[{"a":', '1', '}]', 20_000),
]

/** What stands in JSON in the place of a good value. */
export const JSON_VALUES: HostileValue[] = [
  ...jsons('type', WRONG_TYPES),
  ...jsons('number', NUMBERS),
  ...jsons('json', BROKEN),
  ...jsons('unicode', TEXTS),
  ...jsons('prototype', PROTOTYPES),
  ...jsons('filter', OPERATORS),
  ...jsons('json', DEEP),
]

/** Much of it. */
export const LARGE_VALUES: HostileValue[] = [
  { family: 'size', text: 'x'.repeat(5_000) },
  { family: 'size', text: `${'é🙂'.repeat(2_000)}` },
  { family: 'size', text: 'x'.repeat(1_000_000) },
  { family: 'size', json: `[${'1,'.repeat(20_000)}1]` },
  { family: 'size', json: `{${Array.from({ length: 5_000 }, (_, index) => `"k${index}":1`).join()}}` },
]

/** Names of members that are no field. */
export const MEMBER_NAMES: readonly string[] = [
  '',
  '__proto__',
  'constructor',
  'prototype',
  'user_id',
  'id',
  'role',
  'or',
  'and',
  'select',
  'id,user_id',
  'id->a',
  'profiles.first_name',
  'a"b',
  `a'b`,
  'a\u0000b',
  '\ud800',
  'x'.repeat(10_000),
]
