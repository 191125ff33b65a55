import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import * as Aria from 'react-aria-components'
import { Link } from 'wouter'
import { type Id, P, T, useLanguage, useTexts, type Values } from './language.tsx'
import { useService } from './service.tsx'

/** How far each screen was scrolled when it was left, by its address. */
const scrolled = new Map<string, number>()

let isBack = false
addEventListener('popstate', () => {
  isBack = true
})

/** A screen begins at its top, but for whoever comes back to it: in a long list they go on where they were. */
function keepPlace() {
  const { href } = location
  window.scrollTo(0, isBack ? (scrolled.get(href) ?? 0) : 0)
  isBack = false
  const keep = () => {
    if (location.href === href) scrolled.set(href, scrollY)
  }
  addEventListener('scroll', keep, { passive: true })
  return () => removeEventListener('scroll', keep)
}

type Titled = { title: Id; values?: Values; children: ReactNode }

/** One screen: its title, and what is on it. Whoever opens it by keyboard or screen reader begins at its title. */
export function Screen({ title, values, children }: Titled) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = heading.current?.textContent ?? ''
  })
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    return keepPlace()
  }, [])
  useEffect(() => keepFocus(heading.current), [])
  return (
    <main>
      <h1 ref={heading} tabIndex={-1}>
        <T {...values} id={title} />
      </h1>
      {children}
    </main>
  )
}

/** Whoever pressed what is gone afterwards goes on at the heading above it, and not at the beginning of the page. */
function keepFocus(title: HTMLHeadingElement | null) {
  const screen = title?.parentElement
  if (!screen) return
  let pressed: Element | null = null
  let headings: HTMLElement[] = []
  function follow({ target }: FocusEvent) {
    if (!(target instanceof Element)) return
    pressed = target
    headings = []
    for (let part = target.closest('section'); part; part = part.parentElement?.closest('section') ?? null) {
      const first = part.querySelector<HTMLElement>('h2, h3')
      if (first && first !== target) headings.push(first)
    }
    if (title) headings.push(title)
  }
  const observer = new MutationObserver(() => {
    if (!pressed || pressed.isConnected || document.activeElement !== document.body) return
    pressed = null
    const next = headings.find(({ isConnected }) => isConnected)
    if (next) next.tabIndex = -1
    next?.focus({ preventScroll: true })
  })
  screen.addEventListener('focusin', follow)
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    screen.removeEventListener('focusin', follow)
    observer.disconnect()
  }
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

/** What went wrong in words, where to go if the app says so, and a button where another try may help. */
export function Problem({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { explain } = useService()
  const { t, known } = useTexts()
  const { language } = useLanguage()
  const { data: problem, isPending } = useQuery({
    queryKey: ['problem', String(error), error, language],
    queryFn: () => explain(error),
    networkMode: 'always',
    gcTime: 0,
  })
  if (isPending) return null
  const words = problem?.code === undefined ? null : known(`problem.${problem.code}`)
  const spoken = problem?.language
  return (
    <div role="alert" className="notice">
      <strong lang={words ? undefined : spoken}>
        {words ? t(words) : (problem?.title ?? t('problem.title'))}
      </strong>
      {problem?.advice !== '' && <p lang={spoken}>{problem?.advice ?? t('problem.advice')}</p>}
      {problem?.ways && <Links to={problem.ways} />}
      {problem?.requestId && <P className="muted" id="problem.request" requestId={problem.requestId} />}
      {onRetry && problem?.isRetryable !== false && <Button label="problem.retry" onPress={onRetry} />}
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
