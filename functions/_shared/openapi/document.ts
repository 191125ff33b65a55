import type { Route } from '../http/route.ts'
import { API_VERSION } from '../http/version.ts'
import type {
  JsonSchema,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  ResponseObject,
} from './openapi.ts'
import { ERROR_SCHEMA, refusalSchema, refusalsOf } from './refusals.ts'
import { Schemas } from './schemas.ts'
import { HEADERS, SECURITY_SCHEMES, TAGS } from './shared-parts.ts'

const JSON_TYPE = 'application/json'

const INTRODUCTION = `Every call of the student wellbeing service. Rows of tables, sign-in, files and live channels are also reached with \`supabase-js\` directly.

Every answer carries \`API-Version\` and \`X-Request-Id\`. A refusal is \`{error, code, details?, timestamp}\`. Calls that count against a limit say in \`RateLimit-*\` what is left of it.`

/** Describes the calls as OpenAPI 3.1; `publicUrl` is where apps reach the project. */
export function openApiDocumentOf(routes: readonly Route[], publicUrl: string): OpenApiDocument {
  const schemas = new Schemas()
  const paths: OpenApiDocument['paths'] = {}
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: describe(route, schemas) }
  }
  const used = new Set(routes.map(({ tag }) => tag))
  return {
    openapi: '3.1.1',
    info: { title: 'Student wellbeing', version: API_VERSION, description: INTRODUCTION },
    servers: [{ url: `${publicUrl.replace(/\/$/, '')}/functions/v1`, description: 'This project' }],
    tags: [...used].map((name) => ({ name, description: TAGS[name] ?? '' })),
    paths,
    components: {
      schemas: { Error: ERROR_SCHEMA, ...schemas.named },
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

const SCHEME_OF = { user: 'accessToken', database: 'databaseSecret' } as const

function describe(route: Route, schemas: Schemas): OperationObject {
  const parameters = [...parametersOf(route, 'path', schemas), ...parametersOf(route, 'query', schemas)]
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    ...descriptionOf(route),
    security: route.security === 'none' ? [] : [{ [SCHEME_OF[route.security]]: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...requestBodyOf(route, schemas),
    responses: responsesOf(route, schemas),
  }
}

function descriptionOf({ description, limit }: Route): { description?: string } {
  const sentences = [description, limit && `Counts against the limit \`${limit}\`.`].filter(Boolean)
  return sentences.length === 0 ? {} : { description: sentences.join(' ') }
}

function parametersOf(route: Route, place: 'path' | 'query', schemas: Schemas): ParameterObject[] {
  const fields = place === 'path' ? route.params : route.query
  if (!fields) return []
  const examples = (place === 'path' ? route.example?.params : route.example?.query) ?? {}
  const { properties = {}, required = [] } = schemas.write(fields, 'input')
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema }: JsonSchema = typeof property === 'boolean' ? {} : property
    return {
      name,
      in: place,
      required: required.includes(name),
      ...(description !== undefined && { description }),
      schema,
      ...(mayBeObject(schema) && { style: 'deepObject', explode: true }),
      ...(name in examples && { example: examples[name] }),
    }
  })
}

function mayBeObject({ type, anyOf = [] }: JsonSchema): boolean {
  return type === 'object' || anyOf.some((choice) => typeof choice === 'object' && mayBeObject(choice))
}

function requestBodyOf(route: Route, schemas: Schemas): Pick<OperationObject, 'requestBody'> {
  const { body, consumes = JSON_TYPE, example } = route
  if (!body) return {}
  const media = {
    schema: schemas.write(body, 'input'),
    ...(example?.body !== undefined && { example: example.body }),
  }
  return { requestBody: { required: !body.safeParse({}).success, content: { [consumes]: media } } }
}

function responsesOf(route: Route, schemas: Schemas): OperationObject['responses'] {
  const { status = 200, produces = JSON_TYPE, answer, otherwise = {} } = route
  const counted = route.limit && route.security === 'user' ? LIMIT_HEADERS : []
  const responses: OperationObject['responses'] = {
    [status]: {
      description: status === 202 ? 'Taken; the work goes on after the answer.' : 'Done.',
      headers: references([...COMMON_HEADERS, ...counted]),
      content: {
        [produces]: {
          schema: schemas.write(route.response, 'output'),
          ...(answer !== undefined && { example: answer }),
        },
      },
    },
  }
  const elsewhere = produces === 'text/html' ? { 302: 'The page is seen elsewhere, at `Location`.' } : {}
  for (const [other, description] of Object.entries({ ...elsewhere, ...otherwise })) {
    const isPage = produces === 'text/html' && Number(other) >= 400
    responses[other] = {
      description,
      headers: references(COMMON_HEADERS),
      ...(isPage && { content: { [produces]: { schema: { type: 'string' } } } }),
    }
  }
  for (const [refused, codes] of refusalsOf(route)) {
    responses[refused] = {
      description: codes.map((code) => `\`${code}\``).join(', '),
      headers: references([...COMMON_HEADERS, ...(refused === 429 ? ['Retry-After', ...counted] : [])]),
      content: { [JSON_TYPE]: { schema: refusalSchema(route, codes) } },
    }
  }
  return responses
}

const COMMON_HEADERS = ['API-Version', 'X-Request-Id']
const LIMIT_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy']

function references(names: readonly string[]): ResponseObject['headers'] {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
