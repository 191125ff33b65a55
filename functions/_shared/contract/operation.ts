import type * as z from 'zod'
import type { ErrorCode } from '../errors.ts'

type Fields = z.ZodObject
type Example = Record<string, unknown>

/** One call of the service: what serves it, documents it and tests it reads the same description. */
export type Operation = {
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
  /** `user`: the access token of a signed-in person. `none`: the call is open. */
  security: 'user' | 'none'
  /** What the calls of one person count against. */
  limit?: string
  params?: Fields
  query?: Fields
  body?: z.ZodType
  /** Content type of the body; JSON where unsaid. */
  consumes?: 'multipart/form-data' | 'application/x-www-form-urlencoded'
  response: z.ZodType
  /** Content type of the answer; JSON where unsaid. */
  produces?: 'text/html'
  /** Codes of refusals beside those that every call of its kind has. */
  errors?: readonly ErrorCode[]
  /** Members that a refusal has beside `{error, code, details?, timestamp}`. */
  refusal?: Record<string, unknown>
  /** A request that is right in form. */
  example?: { params?: Example; query?: Example; body?: unknown }
}

/** What a handler of the call gets, validated. */
export type Input<Call extends Operation> = {
  params: Call['params'] extends Fields ? z.output<Call['params']> : Record<string, never>
  query: Call['query'] extends Fields ? z.output<Call['query']> : Record<string, never>
  body: Call['body'] extends z.ZodType ? z.output<Call['body']> : undefined
}

/** What a handler of the call answers. */
export type Output<Call extends Operation> = z.input<Call['response']>

/** Describes a call and keeps the types of its schemas. */
export function operation<const Call extends Operation>(call: Call): Call {
  return call
}
