import { isWellbeingError, type Words } from '@student-wellbeing/client'
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
  const words = useWordsOf(error)
  const ours = isWellbeingError(error)
  return (
    <div role="alert" className="problem">
      <strong>{words ? words.title : <FormattedMessage id="problem.title" />}</strong>
      <p>{words ? words.advice : <FormattedMessage id="problem.advice" />}</p>
      {ours && 'crisis_resources' in error.details && (
        <p>
          <Link href="/crisis">
            <FormattedMessage id="problem.help" />
          </Link>
        </p>
      )}
      {ours && error.requestId && (
        <p className="muted small">
          <FormattedMessage id="problem.request" values={{ id: error.requestId }} />
        </p>
      )}
      {onRetry && (!ours || error.retryable) && (
        <Button onPress={onRetry}>
          <FormattedMessage id="problem.retry" />
        </Button>
      )}
    </div>
  )
}

/** The words of an error; of Auth's own, which has a code alone, those that the service has for it. */
function useWordsOf(error: unknown): Words | undefined {
  const { client } = useService()
  const { language } = useLanguage()
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
  const known = isWellbeingError(error)
  const { data } = useQuery({
    queryKey: ['words', code, language],
    queryFn: () => client.words(code ?? ''),
    enabled: !known && code !== null,
  })
  return known ? error.words : data
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
