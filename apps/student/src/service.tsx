import { createWellbeingClient, type WellbeingClient } from '@student-wellbeing/client'
import { browserDevice } from '@student-wellbeing/client/browser'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { createContext, useContext } from 'react'

/** The service, as the app reaches it. */
export type Service = { supabase: SupabaseClient; client: WellbeingClient }

export const ServiceContext = createContext<Service | null>(null)

export function useService(): Service {
  const service = useContext(ServiceContext)
  if (!service) throw new Error('useService outside of the app')
  return service
}

/** Connects to the project that `config.json` beside the app names: `{url, publishableKey}`. */
export async function connect(): Promise<Service> {
  const response = await fetch('./config.json')
  const { url, publishableKey } = await response.json()
  const supabase = createClient(url, publishableKey)
  return { supabase, client: createWellbeingClient(supabase, { device: browserDevice() }) }
}
