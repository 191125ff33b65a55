import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import createApi, { type Client as Api } from 'openapi-fetch'
import { errorOfResponse } from '../../../client/src/explain.ts'
import type { Database } from '../../../types/database.ts'
import { readConfiguration, type Service } from '../../ui/service.tsx'
import type { paths } from './generated/api.ts'
import { explainError } from './problems.ts'

declare module '../../ui/service.tsx' {
  interface Service {
    client: SupabaseClient<Database>
    /** The calls of the functions: `api.GET('/api/analytics', { params })`. */
    api: Api<paths>
  }
}

/** Where `supabase-js` keeps the session. */
export const SESSION_KEY = 'wellbeing.staff-session'

/** Connects to the project of the app's configuration. */
export async function connect(): Promise<Service> {
  const { url, publishableKey } = await readConfiguration()
  const client = createClient<Database>(url, publishableKey, {
    auth: { storageKey: SESSION_KEY, detectSessionInUrl: false },
  })
  const api = createApi<paths>({ baseUrl: `${url}/functions/v1` })
  api.use({
    async onRequest({ request }) {
      const { data } = await client.auth.getSession()
      request.headers.set('apikey', publishableKey)
      if (data.session) request.headers.set('Authorization', `Bearer ${data.session.access_token}`)
      return request
    },
    async onResponse({ response }) {
      // As all errors are: with a code, and what support asks for.
      if (!response.ok) throw await errorOfResponse(response)
    },
  })
  return { client, api, explain: explainError }
}
