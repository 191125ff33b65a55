import type {
  JsonSchema,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  ResponseObject,
} from './openapi.ts'
import type { Operation } from './operation.ts'
import { ERROR_SCHEMA, refusalSchema, refusalsOf } from './refusals.ts'
import { Schemas } from './schemas.ts'
import { HEADERS, SECURITY_SCHEMES, TAGS } from './shared-parts.ts'
import { API_VERSION } from './version.ts'

const JSON_TYPE = 'application/json'

const INTRODUCTION = `Every call of the student wellbeing service. Rows of tables, sign-in, files and live channels are also reached with \`supabase-js\` directly.

Every answer carries \`API-Version\` and \`X-Request-Id\`. A refusal is \`{error, code, details?, timestamp}\`. Calls that count against a limit say in \`RateLimit-*\` what is left of it.`

/** Describes the calls as OpenAPI 3.1; `publicUrl` is where apps reach the project. */
export function openApiDocumentOf(operations: readonly Operation[], publicUrl: string): OpenApiDocument {
  const schemas = new Schemas()
  const paths: OpenApiDocument['paths'] = {}
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describe(operation, schemas) }
  }
  const used = new Set(operations.map(({ tag }) => tag))
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

function describe(operation: Operation, schemas: Schemas): OperationObject {
  const parameters = [
    ...parametersOf(operation, 'path', schemas),
    ...parametersOf(operation, 'query', schemas),
  ]
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...descriptionOf(operation),
    security: operation.security === 'none' ? [] : [{ [SCHEME_OF[operation.security]]: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...requestBodyOf(operation, schemas),
    responses: responsesOf(operation, schemas),
  }
}

function descriptionOf({ description, limit }: Operation): { description?: string } {
  const sentences = [description, limit && `Counts against the limit \`${limit}\`.`].filter(Boolean)
  return sentences.length === 0 ? {} : { description: sentences.join(' ') }
}

function parametersOf(operation: Operation, place: 'path' | 'query', schemas: Schemas): ParameterObject[] {
  const fields = place === 'path' ? operation.params : operation.query
  if (!fields) return []
  const examples = (place === 'path' ? operation.example?.params : operation.example?.query) ?? {}
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

function requestBodyOf(operation: Operation, schemas: Schemas): Pick<OperationObject, 'requestBody'> {
  const { body, consumes = JSON_TYPE, example } = operation
  if (!body) return {}
  const media = {
    schema: schemas.write(body, 'input'),
    ...(example?.body !== undefined && { example: example.body }),
  }
  return { requestBody: { required: !body.safeParse({}).success, content: { [consumes]: media } } }
}

function responsesOf(operation: Operation, schemas: Schemas): OperationObject['responses'] {
  const { status = 200, produces = JSON_TYPE, answer, otherwise = {} } = operation
  const counted = operation.limit && operation.security === 'user' ? LIMIT_HEADERS : []
  const responses: OperationObject['responses'] = {
    [status]: {
      description: status === 202 ? 'Taken; the work goes on after the answer.' : 'Done.',
      headers: references([...COMMON_HEADERS, ...counted]),
      content: {
        [produces]: {
          schema: schemas.write(operation.response, 'output'),
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
  for (const [refused, codes] of refusalsOf(operation)) {
    responses[refused] = {
      description: codes.map((code) => `\`${code}\``).join(', '),
      headers: references([...COMMON_HEADERS, ...(refused === 429 ? ['Retry-After', ...counted] : [])]),
      content: { [JSON_TYPE]: { schema: refusalSchema(operation, codes) } },
    }
  }
  return responses
}

const COMMON_HEADERS = ['API-Version', 'X-Request-Id']
const LIMIT_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy']

function references(names: readonly string[]): ResponseObject['headers'] {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
