import type * as z from 'zod'
import type { ErrorCode } from '../../functions/_shared/errors.ts'
import type { Route } from '../../functions/_shared/http/route.ts'
import type { ServiceRoute } from '../../functions/api/routes.ts'

/** Every call by path and method, as `openapi-fetch` reads it, made from the schemas that the service validates with. */
export type ContractPaths = CallsBy<'get'> & CallsBy<'post'> & CallsBy<'put'>

type CallsBy<Method extends Route['method']> = {
  [Call in Extract<ServiceRoute, { method: Method }> as Call['path']]: { [M in Method]: CallObject<Call> }
}

type CallObject<Call extends Route> = {
  parameters: Parameters<Call>
  responses: {
    200: { content: ResponseBody<Call> }
    default: { content: { 'application/json': ErrorBody<Call> } }
  }
} & RequestBody<Call>

type Parameters<Call extends Route> = (Call extends { params: infer Fields extends z.ZodObject }
  ? { path: z.input<Fields> }
  : { path?: never }) &
  (Call extends { query: infer Fields extends z.ZodObject }
    ? Record<string, never> extends z.input<Fields>
      ? { query?: z.input<Fields> }
      : { query: z.input<Fields> }
    : { query?: never })

type RequestBody<Call extends Route> = Call extends { consumes: infer Type extends string }
  ? { requestBody: { content: { [T in Type]: FormData } } }
  : Call extends { body: infer Body extends z.ZodType }
    ? { requestBody: { content: { 'application/json': z.input<Body> } } }
    : { requestBody?: never }

type ResponseBody<Call extends Route> = Call extends { produces: infer Type extends string }
  ? { [T in Type]: string }
  : { 'application/json': z.output<Call['response']> }

/** The body of an error, with the members that the route adds. */
type ErrorBody<Call extends Route> = {
  error: string
  code: ErrorCode
  details?: Record<string, unknown>
  timestamp: string
} & (Call extends { errorMembers: infer Members } ? Members : unknown)
