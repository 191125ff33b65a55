import type { JsonSchema, OpenApiDocument } from '../../functions/_shared/openapi/openapi.ts'
import { resolved } from './described-call.ts'
import { type Json, validValue } from './valid-value.ts'

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
