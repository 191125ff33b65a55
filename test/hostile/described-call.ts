import type {
  JsonSchema,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
} from '../../functions/_shared/openapi/openapi.ts'

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
