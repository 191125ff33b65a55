import { isWellbeingError, type WellbeingError } from '@student-wellbeing/client'
import { onlineManager, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ReactNode, useSyncExternalStore } from 'react'
import { useIntl } from 'react-intl'
import { useLanguage } from '../language.tsx'
import { useService } from '../service.tsx'
import { Button } from './controls.tsx'
import { Links } from './links.tsx'

export function Loading() {
  return <State id="state.loading" />
}

function State({ id }: { id: 'state.loading' | 'state.offline' }) {
  const { $t } = useIntl()
  return (
    <p role="status" className="state">
      {$t({ id })}
    </p>
  )
}

export function Empty({ children }: { children: ReactNode }) {
  return <p className="state">{children}</p>
}

/** Whether the device says that it has a network. */
export function useOnline(): boolean {
  const subscribe = (listener: () => void) => onlineManager.subscribe(listener)
  return useSyncExternalStore(subscribe, () => onlineManager.isOnline())
}

/** What went wrong in words, where help is if the service says so, and a button where another try may help. */
export function Problem({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { $t } = useIntl()
  const { problem, isPending } = useExplained(error)
  if (isPending) return null
  const words = problem?.words ?? { title: $t({ id: 'problem.title' }), advice: $t({ id: 'problem.advice' }) }
  return (
    <div role="alert" className="problem">
      <strong>{words.title}</strong>
      {words.advice && <p>{words.advice}</p>}
      {problem && 'crisis_resources' in problem.details && <Links to={[['/crisis', 'crisis.title']]} />}
      {problem?.requestId && (
        <p className="muted small">{$t({ id: 'problem.request' }, { id: problem.requestId })}</p>
      )}
      {onRetry && problem?.retryable !== false && (
        <Button onPress={onRetry}>{$t({ id: 'problem.retry' })}</Button>
      )}
    </div>
  )
}

/** The error as the client explains it. What came from `supabase-js` itself has no words of its own. */
function useExplained(error: unknown): { problem: WellbeingError | undefined; isPending: boolean } {
  const { client } = useService()
  const { language } = useLanguage()
  const isKnown = isWellbeingError(error)
  const { data, isLoading } = useQuery({
    queryKey: ['problem', String(error), language],
    queryFn: () => client.explain(error),
    enabled: !isKnown,
    networkMode: 'always',
    gcTime: 0,
  })
  return { problem: isKnown ? error : data, isPending: isLoading }
}

type LoadedProps<Data> = { query: UseQueryResult<Data>; children: (data: Data) => ReactNode }

/** What a query has, or its loading, offline or failed state. */
export function Loaded<Data>({ query, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <Problem error={query.error} onRetry={() => void query.refetch()} />
  return <State id={query.fetchStatus === 'paused' ? 'state.offline' : 'state.loading'} />
}
