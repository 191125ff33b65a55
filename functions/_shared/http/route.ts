import * as z from 'zod'
import type { Database } from '../../../types/database.ts'
import type { ErrorCode } from '../errors.ts'
import type { Deprecation } from './deprecation.ts'
import type { RateLimitScope } from './rate-limit.ts'

type Fields = z.ZodObject

/** A role of staff: `security_admin` is held everywhere, the others at a university. */
export type StaffRole = Exclude<Database['public']['Enums']['app_role'], 'student'>
type Example = Record<string, unknown>

/** The description of one call: the same object serves it, documents it and types the tests of it. */
export type Route = {
  /** Name of the call in the typed client and in OpenAPI (`operationId`), in camelCase. */
  id: string
  method: 'get' | 'post' | 'put' | 'delete'
  /** From the function's name on, parameters in braces: `/api/students/{id}`. */
  path: string
  /** Heading that the call is listed under. */
  tag: string
  /** One line: what the call does. */
  summary: string
  /** What else a caller should know, in Markdown. */
  description?: string
  /**
   * `user`: the access token of a signed-in person. `database`: the secret of its webhooks. `metrics`: the token of who collects
   * them, which the handler checks. `none`: open to everyone.
   */
  security: 'user' | 'database' | 'metrics' | 'none'
  /**
   * What keeps nobody from it: a block of their address, a quarantine of the function, a security policy that blocks; `always`
   * nothing.
   */
  reachable?: 'always' | readonly ('in_block' | 'in_quarantine' | 'past_policies')[]
  /**
   * For staff alone: the roles of which the caller needs one. Others get `forbidden` before anything that they sent is looked at, so
   * that they learn only this. Without it the call is for everybody who has a role.
   */
  staff?: readonly StaffRole[]
  /** The parameter, of the path or the query, with the university where the caller needs that role; anywhere where it is left out. */
  staffAt?: string
  /** The rate limit that a person's calls count against. The handler of an open call counts for itself. */
  limit?: RateLimitScope
  params?: Fields
  query?: Fields
  body?: z.ZodType
  /** Largest body, bytes; 1 MB of JSON by default. */
  maxBytes?: number
  /**
   * Whether a body that is not declared to be JSON is refused, before anything is counted: of calls that take credentials while
   * nobody is signed in. Any page may have a browser send a text or a form, and JSON only after a preflight request.
   */
  jsonOnly?: true
  /** Content type of the body; JSON by default. */
  consumes?: 'multipart/form-data' | 'application/x-www-form-urlencoded'
  response: z.ZodType
  /** Status of the response; 200 by default. */
  status?: 202
  /** Content type of the response; JSON by default. */
  produces?: 'text/html' | 'text/plain'
  /** Other responses by status, and when they come. For a page, those from 400 on are pages; the rest have no body. */
  otherwise?: Readonly<Record<number, string>>
  /** Error codes beyond those that every call of its kind has. */
  errors?: readonly ErrorCode[]
  /** Members that an error body has in addition to `{error, code, details?, timestamp}`. */
  errorMembers?: Readonly<Record<string, string | number | boolean | null>>
  /** That the call will go away. Its responses say so, whatever their status. */
  deprecation?: Deprecation
  /** A valid request. */
  example?: { params?: Example; query?: Example; body?: Example }
  /** The response to it. */
  exampleResponse?: unknown
}

/** What the handler of a route receives, validated. */
export type Input<R extends Route> = {
  params: R['params'] extends Fields ? z.output<R['params']> : Record<string, never>
  query: R['query'] extends Fields ? z.output<R['query']> : Record<string, never>
  body: R['body'] extends z.ZodType ? z.output<R['body']> : undefined
}

/** What the handler of a route returns. */
export type Output<R extends Route> = R['response']['_zod']['input']

/** What the calls of the database to its workers have in common. */
export const webhook = {
  method: 'post',
  tag: 'Workers',
  security: 'database',
  // Whoever has the secret is the database, wherever it calls from.
  reachable: ['in_block'],
  response: z.strictObject({}),
  status: 202,
  exampleResponse: {},
} as const

/** Describes a call and keeps the types of its schemas. */
export function route<const R extends Route>(description: R): R {
  return description
}
