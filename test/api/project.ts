import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import postgres from 'postgres'
import { type ConsentKind, grantConsents } from '../../demo/mobile-client.ts'
import type { Database } from '../../types/database.ts'
import { describedPath, requireDescribed, servedDocument } from './contract-check.ts'

export type Client = SupabaseClient<Database>

/** A stack as a test reaches it. */
export type Project = {
  apiUrl: string
  adminUrl: string
  publishableKey: string
  secretKey: string
  jwtSecret: string
}

/** A student with a signed-in client of their own. */
export type Student = { id: string; email: string; client: Client; token: string }

const PASSWORD = 'invented-password-1'

/** A client with the secret key. */
export function serviceClient(project: Project): Client {
  return createClient<Database>(project.apiUrl, project.secretKey, { auth: { persistSession: false } })
}

/** Makes an invented student who has agreed to what is asked. */
export async function newStudent(
  project: Project,
  consents: ConsentKind[] = ['audio', 'camera', 'text'],
): Promise<Student> {
  const email = `student-${crypto.randomUUID()}@northfield.example.edu`
  const created = await serviceClient(project).auth.admin.createUser({
    email,
    password: PASSWORD,
    email_confirm: true,
  })
  if (created.error) throw created.error
  const client = createClient<Database>(project.apiUrl, project.publishableKey, {
    auth: { persistSession: false },
  })
  const signedIn = await client.auth.signInWithPassword({ email, password: PASSWORD })
  if (signedIn.error) throw signedIn.error
  if (consents.length > 0) await grantConsents(client, consents)
  return { id: created.data.user.id, email, client, token: signedIn.data.session.access_token }
}

/** Another device of the same student. */
export async function secondDevice(project: Project, student: Student): Promise<Client> {
  const client = createClient<Database>(project.apiUrl, project.publishableKey, {
    auth: { persistSession: false },
  })
  const { error } = await client.auth.signInWithPassword({ email: student.email, password: PASSWORD })
  if (error) throw error
  return client
}

/** Resolves when a channel is joined, and rejects with why it is not. */
export function subscribed(channel: ReturnType<Client['channel']>): Promise<void> {
  return new Promise((resolve, reject) => {
    channel.subscribe((status, error) =>
      status === 'SUBSCRIBED' ? resolve() : reject(error ?? new Error(`The channel: ${status}`)),
    )
  })
}

export type Answer = { status: number; headers: Headers; body: Record<string, unknown> }

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
): Promise<Answer> {
  const response = await send(project, token, method, path, body)
  const document = await servedDocument(project)
  const described = describedPath(document, { path: `/${path}`, method })
  if (described) await requireDescribed(document, { path: described, method }, response)
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** Runs statements as the database's superuser, for what no API lets a test see or set. */
export async function withDatabase<Result>(
  project: Project,
  use: (sql: postgres.Sql) => Promise<Result>,
): Promise<Result> {
  const sql = postgres(project.adminUrl, { max: 1, onnotice: () => {} })
  try {
    return await use(sql)
  } finally {
    await sql.end()
  }
}
