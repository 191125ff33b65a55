import { createWellbeingClient, isWellbeingError, type WellbeingClient } from '@student-wellbeing/client'
import { browserDevice } from '@student-wellbeing/client/browser'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { readConfiguration, type Service, useRead } from '../../ui/service.tsx'

declare module '../../ui/service.tsx' {
  interface Service {
    supabase: SupabaseClient
    client: WellbeingClient
  }
}

/** Where `supabase-js` keeps the session. */
export const SESSION_KEY = 'wellbeing.session'

/** Connects to the project of the app's configuration. */
export async function connect(language: string): Promise<Service> {
  const { url, publishableKey } = await readConfiguration()
  const supabase = createClient(url, publishableKey, { auth: { storageKey: SESSION_KEY } })
  const client = createWellbeingClient(supabase, { device: browserDevice(), language })
  return {
    supabase,
    client,
    async explain(error) {
      // What came from `supabase-js` itself has no words of its own.
      const { words, retryable, requestId, details } = isWellbeingError(error)
        ? error
        : await client.explain(error)
      const isCrisis = 'crisis_resources' in details
      return {
        ...words,
        isRetryable: retryable,
        requestId,
        ways: isCrisis ? { '/crisis': 'crisis.title' } : undefined,
      }
    },
  }
}

/** Of every kind whether the student agrees to it, and to which version. */
export const useConsents = () => useRead(['consents'], ({ consents }) => consents.status())

async function readCircle({ buddies }: WellbeingClient) {
  const read = [buddies.list(), buddies.requests(), buddies.alerts(), buddies.preferences()] as const
  const [contacts, requests, alerts, { alerts_paused_until }] = await Promise.all(read)
  return { contacts, requests, alert: alerts[0], pausedUntil: alerts_paused_until }
}

/** The support circle with the newest alert: it changes together. */
export type Circle = Awaited<ReturnType<typeof readCircle>>

export const useCircle = () => useRead(['circle'], readCircle)
