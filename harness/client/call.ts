import type { Project } from '../stack/project.ts'
import { describedPath, requireDescribed, servedDocument } from './described-response.ts'

export type ApiResponse = { status: number; headers: Headers; body: Record<string, unknown> }

/** Calls a function with plain `fetch`. */
export function send(
  project: Project,
  token: string | null,
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> {
  return fetch(`${project.apiUrl}/functions/v1/${path}`, {
    method,
    headers: {
      apikey: project.publishableKey,
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
  })
}

/** Calls a function and reads its JSON, which has to be as the served description says. */
export async function call(
  project: Project,
  token: string | null,
  method: string,
  path: string,
  body?: unknown,
): Promise<ApiResponse> {
  const response = await send(project, token, method, path, body)
  const document = await servedDocument(project)
  const described = describedPath(document, { path: `/${path}`, method })
  if (described) await requireDescribed(document, { path: described, method }, response)
  return { status: response.status, headers: response.headers, body: await response.json() }
}
