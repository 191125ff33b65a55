import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { Environment } from './environment.ts'

/** A dependency that takes longer becomes an error that the app can act on. */
const TIMEOUT_MS = 30_000

/** The project's Auth and Storage, with the secret key. */
export function projectClient({
  supabaseUrl,
  secretKey,
}: Pick<Environment, 'supabaseUrl' | 'secretKey'>): SupabaseClient {
  return createClient(supabaseUrl, secretKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: {
      fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }),
    },
  })
}
