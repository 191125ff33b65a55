import type { ApiResponse } from '../client/call.ts'
import { requireDescribed, servedDocument } from '../client/described-response.ts'
import { type Project, serviceClient } from '../stack/project.ts'

/** A password that Auth takes. */
export const PASSWORD = 'invented-password-1'

/** An address of Northfield that nobody has. */
export const newAddress = () => `person-${crypto.randomUUID()}@northfield.example.edu`

/** What a sign-up needs at least. */
export const newcomer = (email = newAddress()) => ({
  email,
  password: PASSWORD,
  first_name: 'New',
  last_name: 'Comer',
})

/** A response with its text as it came. */
export type SignInResponse = ApiResponse & { text: string }

/** Calls `/api/auth/…`, whose response has to be as the served description says. */
export async function signInCall(
  project: Project,
  action: 'signin' | 'signup' | 'refresh' | 'resend' | 'reset' | 'signout' | `mfa/${string}`,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<SignInResponse> {
  const path = `/api/auth/${action}`
  const response = await fetch(`${project.apiUrl}/functions/v1${path}`, {
    method: 'POST',
    headers: { apikey: project.publishableKey, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  await requireDescribed(await servedDocument(project), { path, method: 'POST' }, response)
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
}

/** An invented account whose address is confirmed. */
export async function newAccount(
  project: Project,
  email = newAddress(),
): Promise<{ id: string; email: string }> {
  const { data, error } = await serviceClient(project).auth.admin.createUser({
    email,
    password: PASSWORD,
    email_confirm: true,
  })
  if (error) throw error
  return { id: data.user.id, email }
}

/** The tokens of a response. */
export function tokensOf({ body }: ApiResponse): {
  access_token: string
  refresh_token: string
  expires_in: number
} {
  return Object(body.tokens)
}
