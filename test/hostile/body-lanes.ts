import type { OpenApiDocument } from '../../functions/_shared/openapi/openapi.ts'
import { type BodyField, bodyFields, withValue } from './body-fields.ts'
import { type Bytes, utf8 } from './bytes.ts'
import type { DescribedCall } from './described-call.ts'
import type { Lane, Tampering } from './lane.ts'
import type { Json } from './valid-value.ts'
import { MEMBER_NAMES } from './values/json.ts'
import type { Written } from './values/written.ts'

/** The name of the first member, with its quotes. */
const FIRST_NAME = /^\{("(?:[^"\\]|\\.)*"):/

/** What a body can be turned into as a whole. */
const WHOLE: ((body: Bytes) => Bytes)[] = [
  () => '',
  () => ' \n\t',
  () => 'null',
  () => '[]',
  () => '"text"',
  () => '1',
  () => '{',
  () => '}{',
  () => 'a=1&b=2',
  () => '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
  () => '\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03',
  () => '\x00'.repeat(1_000),
  () => '\xff\xfe\x00\x00',
  (body) => body.slice(0, -1),
  (body) => body.slice(0, body.length / 2),
  (body) => `${body}}`,
  (body) => `${body} trailing`,
  (body) => `${body}\x00`,
  (body) => `${body}${body}`,
  (body) => `[${body}]`,
  (body) => `[${body},${body}]`,
  (body) => `{"body":${body}}`,
  (body) => `\xef\xbb\xbf${body}`,
  (body) => `/* comment */${body}`,
  (body) => `${' '.repeat(500_000)}${body}`,
  (body) => `${body}${' '.repeat(1_500_000)}`,
  (body) => `)]}',\n${body}`,
  (body) => body.replaceAll('"', "'"),
  (body) => body.replaceAll('"', '\xc0\xa2'),
  (body) => body.replaceAll(':', '\\u003a'),
  (body) => Buffer.from(body, 'latin1').toString('utf16le'),
  (body) => [...body].map((byte) => `${byte}\x00`).join(''),
  (body) => body.replace(FIRST_NAME, '{$1:null,$1:'),
  (body) => body.replace(FIRST_NAME, '{$1:{"$1":1},$1:'),
  (body) => body.replace(FIRST_NAME, '{"__proto__":{"polluted":true},$1:'),
  (body) => body.replace(FIRST_NAME, '{"constructor":{"prototype":{"polluted":true}},$1:'),
  (body) => body.replace(/\}$/, `,"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
  (body) => body.replace(/\}$/, `,${'"a":{'.repeat(65)}${'}'.repeat(65)}}`),
  (body) => body.replace(/\}$/, `,"a":${'9'.repeat(5_000)}}`),
]

/** What is tried with each member of a JSON body, with the names of members, and with the body as a whole. */
export function jsonLanes(
  document: OpenApiDocument,
  call: DescribedCall,
  values: readonly Written[],
): Lane[] {
  if (call.body?.type !== 'application/json') return []
  const fields = bodyFields(document, call.body.schema, call.body.example)
  const placed = fields.filter(({ trail }) => trail.length > 0)
  return [
    ...placed.map((field): Lane => {
      const tamperings = values.map(
        ({ family, bytes }): Tampering => ({ family, apply: putting(field, bytes) }),
      )
      return { name: `${call.name} body.${field.trail.join('.')}`, tamperings, first: 'identity' }
    }),
    ...fields.filter(holdsMembers(fields)).map((field): Lane => {
      const tamperings = MEMBER_NAMES.map(
        (name): Tampering => ({ family: 'prototype', apply: naming(field, name) }),
      )
      return {
        name: `${call.name} names in body${field.trail.map((step) => `.${step}`).join('')}`,
        tamperings,
      }
    }),
    { name: `${call.name} body`, tamperings: wholeBodies() },
  ]
}

/** What is tried with a body as a whole, whatever its type. */
export function wholeBodies(): Tampering[] {
  return WHOLE.map((change): Tampering => ({ family: 'json', apply: ({ rewrite }) => rewrite.push(change) }))
}

function putting(field: BodyField, value: Bytes): Tampering['apply'] {
  return (draft) => {
    draft.json = withValue(draft.json ?? {}, field, `@@${draft.holes.push(value) - 1}@@`)
  }
}

/** Adds a member beside those that are there. */
function naming(field: BodyField, name: string): Tampering['apply'] {
  return (draft) => {
    const hole = `@@${draft.holes.push(utf8(JSON.stringify(name))) - 1}@@`
    const member: BodyField = { trail: [...field.trail, hole], around: [...field.around, {}] }
    draft.json = withValue(draft.json ?? {}, member, 'northfield' satisfies Json)
  }
}

function holdsMembers(fields: readonly BodyField[]): (field: BodyField) => boolean {
  return ({ trail }) =>
    fields.some((inner) => inner.trail.length === trail.length + 1 && isPlainMember(inner, trail))
}

function isPlainMember(inner: BodyField, trail: BodyField['trail']): boolean {
  return typeof inner.trail.at(-1) === 'string' && trail.every((step, index) => step === inner.trail[index])
}
