import type { JsonSchema, OpenApiDocument } from '../../functions/_shared/openapi/openapi.ts'
import { resolved } from './described-call.ts'

/** What JSON can say. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** Texts that patterns and formats of the service are met by. */
const TEXTS = [
  'an invented text',
  'northfield',
  'profiles',
  'id',
  '#1f4e79',
  'https://northfield.example.edu/logo.png',
  '+1-202-555-0110',
  'ada@northfield.example.edu',
  '2026-09-01T00:00:00Z',
  'x',
]

const OF_FORMAT: Record<string, string> = {
  uuid: '5b0f2d0e-0d0c-4c0e-9d6e-0f6d1d7a1c11',
  'date-time': '2026-09-01T00:00:00Z',
  date: '2026-09-01',
  email: 'ada@northfield.example.edu',
  uri: 'https://northfield.example.edu/',
}

/** A small value that a schema allows: what is required, and no more. */
export function validValue(document: OpenApiDocument, schema: JsonSchema): Json {
  const node = resolved(document, schema)
  if (node.default !== undefined) return node.default as Json
  if (node.const !== undefined) return node.const as Json
  if (node.enum?.[0] !== undefined) return node.enum[0] as Json
  const [option] = [...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? [])]
  if (typeof option === 'object') return validValue(document, option)
  switch (Array.isArray(node.type) ? node.type[0] : node.type) {
    case 'string':
      return textFor(node)
    case 'integer':
    case 'number':
      return node.minimum ?? 1
    case 'boolean':
      return true
    case 'array':
      return (node.minItems ?? 0) > 0 && isSchema(node.items) ? [validValue(document, node.items)] : []
    case 'object':
      return Object.fromEntries(
        (node.required ?? []).map((name) => {
          const property = node.properties?.[name]
          return [name, typeof property === 'object' ? validValue(document, property) : null]
        }),
      )
    default:
      return null
  }
}

function textFor({ format, pattern, maxLength = Number.POSITIVE_INFINITY }: JsonSchema): string {
  const known = OF_FORMAT[format ?? '']
  if (known) return known
  const rule = new RegExp(pattern ?? '', 'u')
  return TEXTS.find((text) => rule.test(text) && text.length <= maxLength) ?? ''
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
