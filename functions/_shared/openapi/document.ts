import { ERROR_CODES, type ErrorCode, statusOf } from '../errors.ts'
import { API_VERSION } from '../http/response.ts'
import type { Route } from '../http/route.ts'
import { jsonObject } from '../json.ts'
import type {
  Channel,
  ChannelObject,
  HeaderObject,
  JsonSchema,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  ResponseObject,
} from './openapi.ts'
import { Schemas } from './schemas.ts'

const JSON_TYPE = 'application/json'

const INTRODUCTION = `Every call of the student wellbeing service. Rows of tables, sign-in, files and live channels are also reached with \`supabase-js\` directly.

Every response carries \`API-Version\`, \`X-Request-Id\` and \`Traceparent\`. An error is \`{error, code, details?, timestamp}\`. Calls that count against a limit say in \`RateLimit-*\` what is left of it.\n\nThe private channels of Realtime are in \`x-channels\`: by topic, the events that the service broadcasts, whose payloads are schemas, and those that the student’s devices may send.`

/** Describes the calls and the channels as OpenAPI 3.1; `publicUrl` is where apps reach the project. */
export function openApiDocumentOf(
  routes: readonly Route[],
  publicUrl: string,
  channels: readonly Channel[] = [],
): OpenApiDocument {
  const schemas = new Schemas()
  const paths: OpenApiDocument['paths'] = {}
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: describe(route, schemas) }
  }
  schemas.write(jsonObject, 'output') // of `details`
  const events: Record<string, JsonSchema> = {}
  const described = channels.map((channel) => [channel.topic, describeChannel(channel, schemas, events)])
  const used = new Set(routes.map(({ tag }) => tag))
  return {
    openapi: '3.1.1',
    info: { title: 'Student wellbeing', version: API_VERSION, description: INTRODUCTION },
    servers: [{ url: `${publicUrl.replace(/\/$/, '')}/functions/v1`, description: 'This project' }],
    tags: [...used].map((name) => ({ name, description: TAGS[name] ?? '' })),
    paths,
    'x-channels': Object.fromEntries(described),
    components: {
      schemas: { Error: ERROR_SCHEMA, ...schemas.named, ...events },
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

/** The channel; the payloads of its events go into `events`, as schemas with a name. */
function describeChannel(
  { description, receive, send }: Channel,
  schemas: Schemas,
  events: Record<string, JsonSchema>,
): ChannelObject {
  const told = Object.entries(receive).map(([event, { name, description, payload }]) => {
    events[name] = { ...schemas.write(payload, 'output'), description }
    return [event, { description, payload: { $ref: `#/components/schemas/${name}` } }]
  })
  return { description, receive: Object.fromEntries(told), ...(send && { send }) }
}

const SCHEME_OF = { user: 'accessToken', database: 'databaseSecret', metrics: 'metricsToken' } as const

function describe(route: Route, schemas: Schemas): OperationObject {
  const parameters = [...parametersOf(route, 'path', schemas), ...parametersOf(route, 'query', schemas)]
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    ...(route.deprecation && { deprecated: true }),
    ...descriptionOf(route),
    security: route.security === 'none' ? [] : [{ [SCHEME_OF[route.security]]: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...requestBodyOf(route, schemas),
    responses: responsesOf(route, schemas),
  }
}

function descriptionOf({ deprecation, description, limit }: Route): { description?: string } {
  const ending = deprecation && `Ends on ${deprecation.sunset}; what to call instead: ${deprecation.guide}.`
  const sentences = [ending, description, limit && `Counts against the limit \`${limit}\`.`].filter(Boolean)
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
  const { status = 200, produces = JSON_TYPE, exampleResponse, otherwise = {} } = route
  const counted = route.limit && route.security === 'user' ? LIMIT_HEADERS : []
  const common = route.deprecation ? [...COMMON_HEADERS, ...DEPRECATION_HEADERS] : COMMON_HEADERS
  const responses: OperationObject['responses'] = {
    [status]: {
      description: status === 202 ? 'Accepted; the work goes on after the response.' : 'Done.',
      headers: references([...common, ...counted]),
      content: {
        [produces]: {
          schema: schemas.write(route.response, 'output'),
          ...(exampleResponse !== undefined && { example: exampleResponse }),
        },
      },
    },
  }
  const elsewhere = produces === 'text/html' ? { 302: 'The page is served elsewhere, at `Location`.' } : {}
  for (const [other, description] of Object.entries({ ...elsewhere, ...otherwise })) {
    const isPage = produces === 'text/html' && Number(other) >= 400
    responses[other] = {
      description,
      headers: references(common),
      ...(isPage && { content: { [produces]: { schema: { type: 'string' } } } }),
    }
  }
  for (const [status, codes] of errorsOf(route)) {
    const page = responses[status]
    const errors = codes.map((code) => `\`${code}\``).join(', ')
    responses[status] = {
      description: page ? `${page.description} As JSON: ${errors}.` : errors,
      headers: {
        ...references([...common, ...(status === 429 ? counted : [])]),
        ...((status === 429 || status === 503) && { 'Retry-After': retryAfter(codes) }),
      },
      content: { ...page?.content, [JSON_TYPE]: { schema: errorSchemaOf(route, codes) } },
    }
  }
  return responses
}

const COMMON_HEADERS = ['API-Version', 'X-Request-Id', 'Traceparent']
const DEPRECATION_HEADERS = ['Deprecation', 'Sunset', 'Link']
const LIMIT_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy']

function references(names: readonly string[]): ResponseObject['headers'] {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** Of errors that all end with time, or of some that do not. */
function retryAfter(codes: readonly ErrorCode[]): { $ref: string } {
  const name = codes.includes('verification_attempts_exhausted') ? 'Retry-After-Or-Never' : 'Retry-After'
  return { $ref: `#/components/headers/${name}` }
}

/** The error body of every call. */
const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  description:
    'Every error. When one is returned, nothing has changed, but that crisis language in what a signed-in person sent opens its review; then `details.crisis_resources` says where help is.',
  properties: {
    error: { type: 'string', description: 'What to do, in a sentence' },
    code: { type: 'string', enum: [...ERROR_CODES], description: 'What happened; docs/errors.md lists them' },
    details: {
      $ref: '#/components/schemas/JsonObject',
      description: 'What the code’s entry in docs/errors.md says',
    },
    timestamp: { type: 'string', format: 'date-time', description: 'When' },
  },
  required: ['error', 'code', 'timestamp'],
}

/** Whether a call is reachable in a block, in a quarantine, or whatever a security policy blocks. */
function passes({ reachable = [] }: Route, barrier: 'in_block' | 'in_quarantine' | 'past_policies'): boolean {
  return reachable === 'always' || reachable.includes(barrier)
}

/** The error codes that a call can return, by status. */
function errorsOf(route: Route): Map<number, ErrorCode[]> {
  const codes = new Set<ErrorCode>([
    ...(route.body || route.params || route.query ? ['invalid_parameters' as const] : []),
    ...(route.body ? ['body_too_large' as const, 'request_timeout' as const] : []),
    ...(route.body || route.security === 'user' ? ['busy' as const] : []),
    ...(route.body && !route.consumes ? ['invalid_json' as const] : []),
    ...(route.jsonOnly ? ['content_type_not_supported' as const] : []),
    ...(route.security === 'user' || route.security === 'database' ? ['unauthorized' as const] : []),
    // Of security policies.
    ...(route.security === 'database' || passes(route, 'past_policies') ? [] : ['access_blocked' as const]),
    ...(route.security === 'database' || route.reachable === 'always' ? [] : ['rate_limited' as const]),
    ...(route.security === 'user' ? ['mfa_required' as const] : []),
    // Of an account without a role.
    ...(route.limit && route.security === 'user' ? ['forbidden' as const] : []),
    ...(route.errors ?? []),
    ...(passes(route, 'in_block') ? [] : ['address_blocked' as const]),
    ...(passes(route, 'in_quarantine') ? [] : ['quarantined' as const]),
    ...(route.security === 'user' ? ['account_disabled' as const] : []),
    'internal_error',
  ])
  const ordered = ERROR_CODES.filter((code) => codes.has(code))
  return Map.groupBy(ordered, statusOf)
}

/** The body of a call's error with one of the codes; it has no other members. */
function errorSchemaOf({ errorMembers = {} }: Route, codes: readonly ErrorCode[]): JsonSchema {
  const members = Object.entries(errorMembers).map(([name, value]): [string, JsonSchema] => [
    name,
    value === null ? { type: 'null' } : { const: value },
  ])
  return {
    allOf: [{ $ref: '#/components/schemas/Error' }],
    properties: { code: { type: 'string', enum: [...codes] }, ...Object.fromEntries(members) },
    required: ['code', ...Object.keys(errorMembers)],
    unevaluatedProperties: false,
  }
}

/** What is listed under each heading. */
const TAGS: Readonly<Record<string, string>> = {
  'Check-ins': 'From the start of a check-in to its result.',
  'Assessment sessions': 'Analyses of one conversation in the app, and their score.',
  'Text model': 'Analysis of a transcript by a language model.',
  Data: 'Rows of tables, as far as the caller may see and change them.',
  'Sign-in': 'Accounts and their tokens.',
  Storage: 'Files of a university and of its members.',
  Universities: 'What a university has set up.',
  Consent: 'What students are asked to agree to.',
  Privacy: 'What is stored of the caller, and who saw it.',
  Students: 'Students, for themselves and for the counselors to whom they gave access.',
  Analytics: 'Figures about ten students or more.',
  Security:
    'What is detected and what is done about it, the policies, and where help is whatever else is blocked.',
  Training: 'What staff learn, how it is assessed, and until when it is due.',
  'Security tests': 'Probes that attack the project itself, and the vulnerabilities that they find.',
  Compliance: 'How the controls of HIPAA, GDPR and SOC 2 stand, with evidence.',
  'Support circle': 'People whom a student names, and the pages that they open.',
  Operation: 'For whoever runs the service.',
  Description: 'This description.',
  Workers: 'Called by the database alone.',
}

const SECURITY_SCHEMES: OpenApiDocument['components']['securitySchemes'] = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The access token of a signed-in person: from Supabase Auth, or from `POST /api/auth/signin`.',
  },
  databaseSecret: {
    type: 'http',
    scheme: 'bearer',
    description: 'The secret that the database and the workers share.',
  },
  metricsToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token that the operator has set as `METRICS_TOKEN`.',
  },
}

/** Headers of responses. */
const HEADERS: Record<string, HeaderObject> = {
  'API-Version': {
    description: 'Version of the interface',
    required: true,
    schema: { type: 'string', pattern: '^\\d+\\.\\d+$' },
  },
  'X-Request-Id': {
    description: 'Finds the request in the log; the caller’s own if it sent one',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{8,64}$' },
  },
  Traceparent: {
    description:
      'The trace that the log lines of the request name (W3C Trace Context): the caller’s, or that of the check-in',
    required: true,
    schema: { type: 'string', pattern: '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$' },
  },
  Deprecation: {
    description: 'Since when the call should not be used any more, seconds since 1970 (RFC 9745)',
    required: true,
    schema: { type: 'string', pattern: '^@\\d+$' },
  },
  Sunset: {
    description: 'When the call ends (RFC 8594)',
    required: true,
    schema: { type: 'string' },
  },
  Link: {
    description: 'Where its successor is described, `rel="deprecation"`',
    required: true,
    schema: { type: 'string' },
  },
  'RateLimit-Limit': count('Calls that the limit allows in its period'),
  'RateLimit-Remaining': count('Calls that are left'),
  'RateLimit-Reset': count('Seconds until there are more'),
  'RateLimit-Policy': {
    description: 'The limit and its period, seconds',
    required: true,
    schema: { type: 'string', pattern: '^\\d+;w=\\d+$' },
  },
  'Retry-After': count('Seconds to wait'),
  'Retry-After-Or-Never': {
    ...count('Seconds to wait; absent where waiting does not help'),
    required: false,
  },
}

function count(description: string): HeaderObject {
  return { description, required: true, schema: { type: 'string', pattern: '^\\d+$' } }
}
