import { createWellbeingClient, type WellbeingClient } from '@student-wellbeing/client'
import { browserDevice } from '@student-wellbeing/client/browser'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { type UseQueryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect } from 'react'
import { remember, remembered } from './remembered.ts'

/** The service, as the app reaches it. */
export type Service = { supabase: SupabaseClient; client: WellbeingClient }

export const ServiceContext = createContext<Service | null>(null)

export function useService(): Service {
  const service = useContext(ServiceContext)
  if (!service) throw new Error('useService outside of the app')
  return service
}

/** The address of the app, without that of a screen. */
export const HERE = location.origin + location.pathname

/** Where `supabase-js` keeps the session. */
export const SESSION_KEY = 'wellbeing.session'

/** Connects to the project that `config.json` beside the app names, or named when there was a network: `{url, publishableKey}`. */
export async function connect(language: string): Promise<Service> {
  const { url, publishableKey }: { url: string; publishableKey: string } = JSON.parse(await configuration())
  const supabase = createClient(url, publishableKey, { auth: { storageKey: SESSION_KEY } })
  return { supabase, client: createWellbeingClient(supabase, { device: browserDevice(), language }) }
}

async function configuration(): Promise<string> {
  try {
    const response = await fetch('./config.json', { cache: 'no-cache' })
    if (!response.ok) throw new Error(`config.json beside the app: ${response.status}`)
    const text = await response.text()
    remember('service', text)
    return text
  } catch (error) {
    const known = remembered('service')
    if (known === null) throw error
    return known
  }
}

/** What a call of `supabase-js` returns; its errors are thrown, as those of the client are. */
export async function done<Reply extends { data: unknown; error: unknown }>(
  call: PromiseLike<Reply>,
): Promise<Reply['data']> {
  const { data, error } = await call
  if (error) throw error
  return data
}

/** Something that the client reads: asked for where it is shown. */
export function useRead<Data>(
  queryKey: readonly unknown[],
  read: (client: WellbeingClient) => Promise<Data>,
  options?: Partial<UseQueryOptions<Data>>,
) {
  const { client } = useService()
  return useQuery<Data>({ queryKey, queryFn: () => read(client), ...options })
}

/** Something that a person changes; all that is in sight is asked for again. */
export function useChange<Input, Result>(change: (input: Input) => Promise<Result>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    // Without a network it fails at once, in words, instead of waiting unseen.
    networkMode: 'always',
    onSettled: () => queries.invalidateQueries(),
  })
}

/** Asks again for what has changed, as often as the service says so. */
export function useNews(key: string, { subscribe }: { subscribe(listener: () => void): () => void }) {
  const queries = useQueryClient()
  useEffect(() => {
    return subscribe(() => void queries.invalidateQueries({ queryKey: [key] }))
  }, [key, subscribe, queries])
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
