import { isWellbeingError, type WellbeingError } from '@student-wellbeing/client'
import { onlineManager, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ReactNode, useSyncExternalStore } from 'react'
import { FormattedMessage } from 'react-intl'
import { Link } from 'wouter'
import { useLanguage } from '../language.tsx'
import { useService } from '../service.tsx'
import { Button } from './controls.tsx'

export function Loading() {
  return (
    <p role="status" className="state">
      <FormattedMessage id="state.loading" />
    </p>
  )
}

export function Empty({ children }: { children: ReactNode }) {
  return <p className="state">{children}</p>
}

/** Whether the device says that it has a network. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  )
}

export function Offline() {
  return (
    <p role="status" className="state">
      <FormattedMessage id="state.offline" />
    </p>
  )
}

/** What went wrong in words, where help is if the service says so, and a button where another try may help. */
export function Problem({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const problem = useExplained(error)
  return (
    <div role="alert" className="problem">
      <strong>{problem ? problem.words.title : <FormattedMessage id="problem.title" />}</strong>
      {problem?.words.advice !== '' && (
        <p>{problem ? problem.words.advice : <FormattedMessage id="problem.advice" />}</p>
      )}
      {problem && 'crisis_resources' in problem.details && (
        <Link href="/crisis">
          <FormattedMessage id="crisis.title" />
        </Link>
      )}
      {problem?.requestId && (
        <p className="muted small">
          <FormattedMessage id="problem.request" values={{ id: problem.requestId }} />
        </p>
      )}
      {onRetry && problem?.retryable !== false && (
        <Button onPress={onRetry}>
          <FormattedMessage id="problem.retry" />
        </Button>
      )}
    </div>
  )
}

/** The error as the client explains it; undefined until it has. What came from `supabase-js` itself has no words of its own. */
function useExplained(error: unknown): WellbeingError | undefined {
  const { client } = useService()
  const { language } = useLanguage()
  const known = isWellbeingError(error)
  const { data } = useQuery({
    queryKey: ['problem', String(error), language],
    queryFn: () => client.explain(error),
    enabled: !known,
    networkMode: 'always',
    gcTime: 0,
  })
  return known ? error : data
}

/** What a query has, or its loading, offline or failed state. */
export function Loaded<Data>({
  query,
  children,
}: {
  query: UseQueryResult<Data>
  children: (data: Data) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <Problem error={query.error} onRetry={() => void query.refetch()} />
  return query.fetchStatus === 'paused' ? <Offline /> : <Loading />
}
