import createClient, { type Client } from 'openapi-fetch'
import type * as z from 'zod'
import type { ErrorCode } from '../../functions/_shared/errors.ts'
import type { Route } from '../../functions/_shared/http/route.ts'
import type { ServiceRoute } from '../../functions/api/routes.ts'
import type { Project } from '../stack/project.ts'
import { responsesChecked } from './described-response.ts'

export type ApiClient = Client<ContractPaths>

/**
 * A client of every call, typed by the service's own schemas. Each response, errors too, is compared with the
 * OpenAPI document that the service serves: status, content type, headers and body. A response that is not as described
 * is an error of the test.
 *
 * A call that the types rightly reject is made with `call` of `call.ts`.
 *
 * @example
 * const api = apiClient(project, student.token)
 * const { data } = await api.POST('/checkins/start', { body: { type: 'daily' } })
 * const { error, response } = await api.GET('/api/students/{id}', { params: { path: { id } } })
 * expect([response.status, error?.code]).toEqual([404, 'student_not_found'])
 */
export function apiClient(project: Project, token: string | null): ApiClient {
  const client = createClient<ContractPaths>({
    baseUrl: `${project.apiUrl}/functions/v1`,
    headers: { apikey: project.publishableKey, ...(token !== null && { authorization: `Bearer ${token}` }) },
  })
  client.use(responsesChecked(project))
  return client
}

/** Every call by path and method, as `openapi-fetch` reads it, made from the schemas that the service validates with. */
export type ContractPaths = CallsBy<'get'> & CallsBy<'post'> & CallsBy<'put'> & CallsBy<'delete'>

type CallsBy<Method extends Route['method']> = {
  [Call in Extract<ServiceRoute, { method: Method }> as Call['path']]: { [M in Method]: CallObject<Call> }
}

type CallObject<Call extends Route> = {
  parameters: Parameters<Call>
  responses: {
    200: { content: Success<Call> }
    default: { content: { 'application/json': Failure<Call> } }
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

type Success<Call extends Route> = Call extends { produces: infer Type extends string }
  ? { [T in Type]: string }
  : { 'application/json': z.output<Call['response']> }

/** The body of an error, with the members that the call's errors have beside. */
type Failure<Call extends Route> = {
  error: string
  code: ErrorCode
  details?: Record<string, unknown>
  timestamp: string
} & (Call extends { errorMembers: infer Members } ? Members : unknown)
