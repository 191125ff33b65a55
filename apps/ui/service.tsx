import {
  onlineManager,
  type UseQueryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { createContext, useContext, useEffect, useSyncExternalStore } from 'react'
import type { Id } from './language.tsx'
import { remember, remembered } from './remembered.ts'

/** What went wrong, in the person's language. */
export type Explained = {
  title: string
  advice: string
  /** The language of both, where it is not the person's. */
  language?: string
  /** Words for the code in the app's catalogs stand before them: `problem.<code>`. */
  code?: string
  isRetryable: boolean
  /** For support. */
  requestId?: string | null
  /** Where to go, by the address of the screen. */
  ways?: Record<string, Id>
}

/** The service, as an app reaches it: each app declares its own `client` and what else it needs. */
export interface Service {
  explain(error: unknown): Promise<Explained>
}

/** What calls of an app go through. */
export type Client = Service['client']

export const ServiceContext = createContext<Service | null>(null)

export function useService(): Service {
  const service = useContext(ServiceContext)
  if (!service) throw new Error('useService outside of the app')
  return service
}

/** The address of the app, without that of a screen. */
export const HERE = location.origin + location.pathname

/** Where the project is that `config.json` beside the app names, or named when there was a network. */
export type Configuration = { url: string; publishableKey: string }

export async function readConfiguration(): Promise<Configuration> {
  return JSON.parse(await configuration())
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

/** A reply of `supabase-js` or `openapi-fetch`: data, or an error. */
type Reply = { data?: unknown; error?: unknown }

/** What is in a reply without an error. */
type DataOf<R extends Reply> = R extends { error?: null } ? R['data'] : never

/** The data of a reply; its error is thrown. */
export function done<R extends Reply>(call: PromiseLike<R>): Promise<DataOf<R>>
export async function done(call: PromiseLike<Reply>): Promise<unknown> {
  const { data, error } = await call
  if (error) throw error
  return data
}

/** Something that the client reads: asked for where it is shown. */
export function useRead<Data>(
  queryKey: readonly unknown[],
  read: (client: Client) => Promise<Data>,
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

const followNetwork = (listener: () => void) => onlineManager.subscribe(listener)

/** Whether the device takes itself for online. */
export const useOnline = (): boolean => useSyncExternalStore(followNetwork, () => onlineManager.isOnline())
