import { type CrisisResource, isWellbeingError } from '@student-wellbeing/client'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import * as Aria from 'react-aria-components'
import { Link } from 'wouter'
import { type Id, P, T, useLanguage, useTexts, type Values } from '../language.tsx'
import { useRead } from '../service.tsx'

type Titled = { title: Id; values?: Values; children: ReactNode }

/** One screen: its title, and what is on it. Whoever opens it by keyboard or screen reader begins at its title. */
export function Screen({ title, values, children }: Titled) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = heading.current?.textContent ?? ''
  })
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [])
  return (
    <main>
      <h1 ref={heading} tabIndex={-1}>
        <T {...values} id={title} />
      </h1>
      {children}
    </main>
  )
}

/** A part of a screen under a heading. */
export function Section({ title, children }: Titled) {
  const { t } = useTexts()
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{t(title)}</h2>
      {children}
    </section>
  )
}

/** What a button says, with one of three looks; `plain` unless said otherwise. */
export type Look = { label: Id; values?: Values; kind?: 'primary' | 'plain' | 'danger' }

type ButtonProps = Omit<Aria.ButtonProps, 'className' | 'children'> & Look

/** One that is pending keeps the focus, and does nothing. */
export function Button({ label, values, kind = 'plain', isPending, type, onPress, ...props }: ButtonProps) {
  const now = isPending ? { 'data-pending': true, type: 'button' as const } : { type, onPress }
  return (
    <Aria.Button {...props} {...now} className={`button ${kind}`}>
      <T {...values} id={label} />
    </Aria.Button>
  )
}

/** A link that looks like a button: it leads to another screen. */
export function ButtonLink({ to, label, values, kind = 'plain' }: Look & { to: string }) {
  return (
    <Link href={to} className={`button ${kind}`}>
      <T {...values} id={label} />
    </Link>
  )
}

/** A list of ways to other screens. */
export function Links({ to }: { to: Record<string, Id> }) {
  const { t } = useTexts()
  return (
    <ul className="links">
      {Object.entries(to).map(([path, label]) => (
        <li key={path}>
          <Link href={path}>{t(label)}</Link>
        </li>
      ))}
    </ul>
  )
}

/** What went wrong in words, where help is if the service says so, and a button where another try may help. */
export function Problem({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { t } = useTexts()
  const { language } = useLanguage()
  const known = isWellbeingError(error) ? error : undefined
  // What came from `supabase-js` itself has no words of its own.
  const { data: problem = known, isLoading } = useRead(
    ['problem', String(error), language],
    (client) => client.explain(error),
    { enabled: !known, networkMode: 'always', gcTime: 0 },
  )
  if (isLoading) return null
  const { title, advice } = problem?.words ?? { title: t('problem.title'), advice: t('problem.advice') }
  return (
    <div role="alert" className="notice">
      <strong>{title}</strong>
      {advice && <p>{advice}</p>}
      {problem && 'crisis_resources' in problem.details && <Links to={{ '/crisis': 'crisis.title' }} />}
      {problem?.requestId && <P className="muted" id="problem.request" requestId={problem.requestId} />}
      {onRetry && problem?.retryable !== false && <Button label="problem.retry" onPress={onRetry} />}
    </div>
  )
}

export function Loading({ isOffline = false }) {
  return <P role="status" className="muted" id={isOffline ? 'state.offline' : 'state.loading'} />
}

type LoadedProps<Data> = { query: UseQueryResult<Data>; children: (data: Data) => ReactNode }

/** What a query has, or its loading, offline or failed state. */
export function Loaded<Data>({ query, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <Problem error={query.error} onRetry={() => void query.refetch()} />
  return <Loading isOffline={query.fetchStatus === 'paused'} />
}

/** What is not there without an agreement, and the way to agree. */
export function AgreeFirst({ id, label, ...values }: { id: Id; label: Id } & Values) {
  return (
    <section className="notice">
      <P {...values} id={id} />
      <ButtonLink to="/consents" label={label} />
    </section>
  )
}

/** Whom to turn to, as the service says. */
export function CrisisResources({ resources }: { resources: CrisisResource[] }) {
  return (
    <ul className="list">
      {resources.map(({ name, phone, website }) => (
        <li key={name} className="card">
          <strong>{name}</strong>
          {phone && (
            <a className="button" href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>
              <bdi dir="ltr">{phone}</bdi>
            </a>
          )}
          {website && (
            <a href={website} target="_blank" rel="noreferrer">
              <bdi dir="ltr">{website}</bdi>
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}
