import type {
  JsonSchema,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
} from '../../../functions/_shared/openapi/openapi.ts'

/** A call as the document describes it. */
export type DescribedCall = {
  /** `POST /checkins/{id}/complete` */
  name: string
  method: string
  path: string
  described: OperationObject
  parameters: readonly ParameterObject[]
  body: { type: string; schema: JsonSchema; example: unknown } | null
  security: 'none' | 'accessToken' | 'databaseSecret'
}

/** Every call of a document. */
export function callsOf({ paths }: OpenApiDocument): DescribedCall[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const [content] = Object.entries(described.requestBody?.content ?? {})
      return {
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        described,
        parameters: described.parameters ?? [],
        body: content ? { type: content[0], schema: content[1].schema, example: content[1].example } : null,
        security: securityOf(described),
      }
    }),
  )
}

function securityOf({ security: [scheme = {}] }: OperationObject): DescribedCall['security'] {
  if ('databaseSecret' in scheme) return 'databaseSecret'
  return 'accessToken' in scheme ? 'accessToken' : 'none'
}

/** The described call that a path, from the function's name on, belongs to. */
export function callAt(calls: readonly DescribedCall[], method: string, path: string): DescribedCall | null {
  const parts = path.replace(/\/$/, '').split('/')
  const fits = ({ path: template }: DescribedCall) => {
    const places = template.split('/')
    return (
      places.length === parts.length &&
      places.every((place, index) => place === parts[index] || (place.startsWith('{') && parts[index] !== ''))
    )
  }
  const wanted = method === 'HEAD' ? 'GET' : method
  return calls.find((call) => call.method === wanted && fits(call)) ?? null
}

/** The schema that a reference points to, or the schema itself. */
export function resolved({ components }: OpenApiDocument, schema: JsonSchema): JsonSchema {
  const name = /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? '')?.[1]
  if (name === undefined) return schema
  const found = components.schemas[name]
  if (!found) throw new Error(`There is no schema ${name}`)
  return resolved({ components } as OpenApiDocument, found)
}

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
