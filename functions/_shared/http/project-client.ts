import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '../../../types/database.ts'
import type { Caller } from './authenticate.ts'
import { clientAddress } from './client-address.ts'
import type { Environment } from './environment.ts'
import type { RequestContext } from './handle.ts'

/** A dependency that takes longer becomes an error that the app can act on. */
const TIMEOUT_MS = 30_000

/** Headers that say where a request comes from, for the audit log. */
const ORIGIN_HEADERS = ['x-forwarded-for', 'user-agent']

type Asked = { request: Request; context: RequestContext }

export type ProjectClient = SupabaseClient<Database>

/** The project's Auth and Storage, with the secret key. */
export function projectClient({
  supabaseUrl,
  secretKey,
}: Pick<Environment, 'supabaseUrl' | 'secretKey'>): ProjectClient {
  return clientWith(supabaseUrl, secretKey, {})
}

/** The project as the caller reaches it: every rule of the database and of Storage applies. */
export function callerClient(
  { supabaseUrl, publishableKey }: Pick<Environment, 'supabaseUrl' | 'publishableKey'>,
  { caller, ...asked }: Asked & { caller: Caller },
): ProjectClient {
  return clientWith(supabaseUrl, publishableKey, {
    ...originOf(asked),
    authorization: `Bearer ${caller.token}`,
  })
}

/**
 * The project's Auth for somebody who is not signed in, who is limited there and noted in its sessions by their own
 * address. Auth believes an address that is told for somebody else (`Sb-Forwarded-For`) only with the secret key.
 */
export function signInClient(
  { supabaseUrl, secretKey }: Pick<Environment, 'supabaseUrl' | 'secretKey'>,
  asked: Asked,
): ProjectClient {
  const address = clientAddress(asked.request)
  return clientWith(supabaseUrl, secretKey, {
    ...originOf(asked),
    ...(address !== null && { 'sb-forwarded-for': address }),
  })
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

function originOf({ request, context }: Asked): Record<string, string> {
  const told = ORIGIN_HEADERS.flatMap((name) => {
    const value = request.headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  return { ...Object.fromEntries(told), 'x-request-id': context.requestId }
}
