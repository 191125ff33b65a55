import type { Database } from '../../types/database.ts'
import { requireDescribed, servedDocument } from './contract-check.ts'
import { type Answer, type Project, serviceClient } from './project.ts'

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

/** An answer with its text as it came. */
export type SignInAnswer = Answer & { text: string }

/** Calls `/api/auth/…`, whose answer has to be as the served description says. */
export async function signInCall(
  project: Project,
  operation: 'signin' | 'signup' | 'refresh',
  body: unknown,
  headers: Record<string, string> = {},
): Promise<SignInAnswer> {
  const path = `/api/auth/${operation}`
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

type NewUniversity = Database['public']['Tables']['universities']['Insert']

/** An invented university. */
export async function newUniversity(
  project: Project,
  fields: Partial<NewUniversity> = {},
): Promise<NewUniversity> {
  const id = `u-${crypto.randomUUID()}`
  const university = { id, name: 'Invented', short_name: 'Invented', domain: `${id}.example.edu`, ...fields }
  const { error } = await serviceClient(project).from('universities').insert(university)
  if (error) throw error
  return university
}

/** The tokens of an answer. */
export function tokensOf({ body }: Answer): {
  access_token: string
  refresh_token: string
  expires_in: number
} {
  return Object(body.tokens)
}
