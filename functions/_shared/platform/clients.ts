import { createHmac } from 'node:crypto'
import type { SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '../../../types/database.ts'
import { createClient } from '../../_vendor/supabase.js'
import { clientAddress } from './client-address.ts'

/** A dependency that takes longer becomes an error that the app can act on. */
const TIMEOUT_MS = 30_000

/** Header by which the functions tell the database whose request they serve; `private.request_ip` reads it. */
const CLIENT_ADDRESS = 'x-client-address'

/** The request on whose behalf the project is called. */
export type Origin = { request: Request; context: { requestId: string } }

export type ProjectClient = SupabaseClient<Database>

/** The project's Auth and Storage, with the secret key. */
export function projectClient(project: { supabaseUrl: string; secretKey: string }): ProjectClient {
  return clientWith(project.supabaseUrl, project.secretKey, {})
}

/** The project as the caller reaches it: every rule of the database and of Storage applies. */
export function callerClient({
  environment: { supabaseUrl, publishableKey, pipelineSecret },
  caller,
  ...origin
}: Origin & {
  environment: { supabaseUrl: string; publishableKey: string; pipelineSecret?: string | undefined }
  caller: { token: string }
}): ProjectClient {
  const address = clientAddress(origin.request)
  const headers = {
    ...originHeaders(origin),
    ...(address !== null && pipelineSecret && { [CLIENT_ADDRESS]: attested(address, pipelineSecret) }),
    authorization: `Bearer ${caller.token}`,
  }
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
  return clientWith(supabaseUrl, secretKey, forwardedHeaders(origin))
}

function forwardedHeaders(origin: Origin): Record<string, string> {
  const address = clientAddress(origin.request)
  return { ...originHeaders(origin), ...(address !== null && { 'sb-forwarded-for': address }) }
}

/** The address with proof that a function says so: the Data API sees the function's own address, and takes any header. */
function attested(address: string, secret: string): string {
  const proof = createHmac('sha256', secret).update(`${CLIENT_ADDRESS} ${address}`).digest('hex')
  return `${address} ${proof}`
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
  const userAgent = request.headers.get('user-agent')
  return { ...(userAgent !== null && { 'user-agent': userAgent }), 'x-request-id': context.requestId }
}
