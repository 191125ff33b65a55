import createClient, { type Client } from 'openapi-fetch'
import { answersTested } from './contract-check.ts'
import type { ContractPaths } from './contract-paths.ts'
import type { Project } from './project.ts'

export type ApiClient = Client<ContractPaths>

/**
 * A client of every call, typed by the service's own schemas. Each answer that it sees, refusals too, is compared with
 * the OpenAPI document that the service serves: status, content type, headers and body. An answer that is not described
 * so is an error of the test.
 *
 * A call that the types rightly refuse is made with `call` of `project.ts`.
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
  client.use(answersTested(project))
  return client
}
