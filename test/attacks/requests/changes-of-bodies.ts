import type { JsonSchema, OpenApiDocument } from '../../../functions/_shared/openapi/openapi.ts'
import type { Lane, Tampering } from './changes-of-requests.ts'
import { type DescribedCall, type Json, resolved, validValue } from './described-call.ts'
import { type Bytes, MEMBER_NAMES, utf8, type Written } from './values.ts'

/** Where a value stands in a JSON body: names of members and places in arrays. */
export type Trail = readonly (string | number)[]

/** A field of a JSON body, with what is good enough to stand on the way to it. */
export type BodyField = { trail: Trail; around: readonly Json[] }

/** Column that filters and rows without members in the example get. */
const COLUMN = 'id'

/** Every field of a body, at any depth: those of its schema and those of its example. The first is the body itself. */
export function bodyFields(document: OpenApiDocument, schema: JsonSchema, example: unknown): BodyField[] {
  const found = new Map<string, BodyField>()

  // A schema that holds itself, such as that of any JSON, is entered once.
  function visit(
    node: JsonSchema,
    trail: Trail,
    around: readonly Json[],
    shown: unknown,
    entered: readonly JsonSchema[],
  ): void {
    const key = JSON.stringify(trail)
    if (!found.has(key)) found.set(key, { trail, around })
    const options = optionsOf(document, node)
    if (options.some((option) => entered.includes(option))) return
    const within = [...entered, ...options]
    for (const option of options) {
      const inner = [...around, validValue(document, option)]
      for (const [name, property] of Object.entries(option.properties ?? {})) {
        if (typeof property !== 'boolean')
          visit(property, [...trail, name], inner, memberOf(shown, name), within)
      }
      const others = option.additionalProperties
      if (option.type === 'object' && others !== undefined && others !== false) {
        const names = isObject(shown) ? Object.keys(shown) : []
        for (const name of names.length > 0 ? names : [COLUMN]) {
          visit(others === true ? {} : others, [...trail, name], inner, memberOf(shown, name), within)
        }
      }
      if (isSchema(option.items)) visit(option.items, [...trail, 0], inner, memberOf(shown, 0), within)
    }
    if (typeof node.type !== 'string' && !node.properties && isObject(shown)) {
      for (const [name, value] of Object.entries(shown))
        visit({}, [...trail, name], [...around, {}], value, [])
    }
  }

  visit(schema, [], [], example, [])
  return [...found.values()]
}

/** The schema, and each of those that it gives to choose from. */
function optionsOf(document: OpenApiDocument, schema: JsonSchema): JsonSchema[] {
  const node = resolved(document, schema)
  const parts = [...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? [])]
  return [node, ...parts.filter(isSchema).flatMap((part) => optionsOf(document, part))]
}

/** Puts a value in the place of another; what is missing on the way is made. */
export function withValue(body: Json, { trail, around }: BodyField, value: Json): Json {
  const [step, ...rest] = trail
  if (step === undefined) return value
  const [self = {}, ...inner] = around
  const field = { trail: rest, around: inner }
  if (typeof step === 'number') {
    const items = Array.isArray(body) ? body : Array.isArray(self) ? self : []
    return Object.assign([...items], { [step]: withValue(items[step] ?? null, field, value) })
  }
  const members = isObject(body) ? body : isObject(self) ? self : {}
  return { ...members, [step]: withValue(members[step] ?? null, field, value) }
}

function memberOf(value: unknown, key: string | number): unknown {
  if (Array.isArray(value)) return value[Number(key)]
  return isObject(value) ? value[key] : undefined
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isObject<Value>(value: Value): value is Value & { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

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
