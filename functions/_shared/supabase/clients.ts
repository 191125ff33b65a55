import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import * as z from 'zod'
import type { Database } from '../../../types/database.ts'

/** A dependency that takes longer becomes an error that the app can act on. */
const TIMEOUT_MS = 30_000

/** Headers that say where a request comes from, for the audit log. */
const ORIGIN_HEADERS = ['x-forwarded-for', 'user-agent']

const address = z.union([z.ipv4(), z.ipv6()])

/** The request on whose behalf the project is called. */
type Origin = { request: Request; context: { requestId: string } }

export type ProjectClient = SupabaseClient<Database>

/** The project's Auth and Storage, with the secret key. */
export function projectClient(project: { supabaseUrl: string; secretKey: string }): ProjectClient {
  return clientWith(project.supabaseUrl, project.secretKey, {})
}

/** The project as the caller reaches it: every rule of the database and of Storage applies. */
export function callerClient({
  environment: { supabaseUrl, publishableKey },
  caller,
  ...origin
}: Origin & {
  environment: { supabaseUrl: string; publishableKey: string }
  caller: { token: string }
}): ProjectClient {
  const headers = { ...originHeaders(origin), authorization: `Bearer ${caller.token}` }
  return clientWith(supabaseUrl, publishableKey, headers)
}

/**
 * The project's Auth while nobody is signed in. Auth limits and records the person by their own address, which it accepts
 * from somebody else (`Sb-Forwarded-For`) only with the secret key.
 */
export function signInClient({
  environment: { supabaseUrl, secretKey },
  ...origin
}: Origin & { environment: { supabaseUrl: string; secretKey: string } }): ProjectClient {
  const address = clientAddress(origin.request)
  const headers = { ...originHeaders(origin), ...(address !== null && { 'sb-forwarded-for': address }) }
  return clientWith(supabaseUrl, secretKey, headers)
}

/**
 * The address that a request says it comes from; null if it names none.
 *
 * `CF-Connecting-IP` is set by the hosted platform's own gateway, whatever the client sent. Elsewhere the first entry of
 * `X-Forwarded-For` is as trustworthy as the proxy in front.
 */
export function clientAddress({ headers }: Request): string | null {
  const value = headers.get('cf-connecting-ip') ?? headers.get('x-forwarded-for')?.split(',')[0]
  return address.safeParse(value?.trim()).data ?? null
}

function clientWith(url: string, key: string, headers: Record<string, string>): ProjectClient {
  return createClient<Database>(url, key, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: {
      headers,
      fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }),
    },
  })
}

function originHeaders({ request, context }: Origin): Record<string, string> {
  const present = ORIGIN_HEADERS.flatMap((name) => {
    const value = request.headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  return { ...Object.fromEntries(present), 'x-request-id': context.requestId }
}
