import type * as z from 'zod'
import type { ErrorCode } from '../errors.ts'

type Fields = z.ZodObject
type Example = Record<string, unknown>

/** One call of the service: what serves it, documents it and tests it reads the same description. */
export type Route = {
  /** Name of the call in the typed client, in camelCase. */
  id: string
  method: 'get' | 'post' | 'put'
  /** From the function's name on, parameters in braces: `/api/students/{id}`. */
  path: string
  /** Heading that the call stands under. */
  tag: string
  /** One line: what the call does. */
  summary: string
  /** What a caller should know beyond it, in Markdown. */
  description?: string
  /** `user`: the access token of a signed-in person. `database`: the secret that it rings with. `none`: the call is open. */
  security: 'user' | 'database' | 'none'
  /** What the calls of one person count against; where the call is open, its handler counts. */
  limit?: string
  params?: Fields
  query?: Fields
  body?: z.ZodType
  /** Largest body, bytes; 1 MB of JSON where unsaid. */
  maxBytes?: number
  /** Content type of the body; JSON where unsaid. */
  consumes?: 'multipart/form-data' | 'application/x-www-form-urlencoded'
  response: z.ZodType
  /** Status of the answer; 200 where unsaid. */
  status?: 202
  /** Content type of the answer; JSON where unsaid. */
  produces?: 'text/html'
  /** Other answers: when, by status. Those of a page from 400 on are pages, the rest have no body. */
  otherwise?: Readonly<Record<number, string>>
  /** Codes of refusals beside those that every call of its kind has. */
  errors?: readonly ErrorCode[]
  /** Members that a refusal has beside `{error, code, details?, timestamp}`. */
  refusal?: Record<string, unknown>
  /** A request that is right in form. */
  example?: { params?: Example; query?: Example; body?: Example }
  /** An answer to it. */
  answer?: unknown
}

/** What a handler of the call gets, validated. */
export type Input<Call extends Route> = {
  params: Call['params'] extends Fields ? z.output<Call['params']> : Record<string, never>
  query: Call['query'] extends Fields ? z.output<Call['query']> : Record<string, never>
  body: Call['body'] extends z.ZodType ? z.output<Call['body']> : undefined
}

/** What a handler of the call answers. */
export type Output<Call extends Route> = Call['response']['_zod']['input']

/** Describes a call and keeps the types of its schemas. */
export function route<const Call extends Route>(call: Call): Call {
  return call
}
