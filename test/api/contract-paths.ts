import type * as z from 'zod'
import type { Operation } from '../../functions/_shared/contract/operation.ts'
import type { ServiceOperation } from '../../functions/_shared/contract/operations.ts'
import type { ErrorCode } from '../../functions/_shared/errors.ts'

/** Every call by path and method, as `openapi-fetch` reads it, made from the schemas that the service validates with. */
export type ContractPaths = CallsBy<'get'> & CallsBy<'post'> & CallsBy<'put'>

type CallsBy<Method extends Operation['method']> = {
  [Call in Extract<ServiceOperation, { method: Method }> as Call['path']]: { [M in Method]: CallObject<Call> }
}

type CallObject<Call extends Operation> = {
  parameters: Parameters<Call>
  responses: {
    200: { content: Answer<Call> }
    default: { content: { 'application/json': Refusal<Call> } }
  }
} & RequestBody<Call>

type Parameters<Call extends Operation> = (Call extends { params: infer Fields extends z.ZodObject }
  ? { path: z.input<Fields> }
  : { path?: never }) &
  (Call extends { query: infer Fields extends z.ZodObject }
    ? Record<string, never> extends z.input<Fields>
      ? { query?: z.input<Fields> }
      : { query: z.input<Fields> }
    : { query?: never })

type RequestBody<Call extends Operation> = Call extends { consumes: infer Type extends string }
  ? { requestBody: { content: { [T in Type]: FormData } } }
  : Call extends { body: infer Body extends z.ZodType }
    ? { requestBody: { content: { 'application/json': z.input<Body> } } }
    : { requestBody?: never }

type Answer<Call extends Operation> = Call extends { produces: infer Type extends string }
  ? { [T in Type]: string }
  : { 'application/json': z.output<Call['response']> }

/** The body of a refusal, with the members that the call's refusals have beside. */
type Refusal<Call extends Operation> = {
  error: string
  code: ErrorCode
  details?: Record<string, unknown>
  timestamp: string
} & (Call extends { refusal: infer Members } ? Members : unknown)
