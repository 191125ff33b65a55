import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { Link, Route, Router, Switch } from 'wouter'
import { useHashLocation } from 'wouter/use-hash-location'
import { Boundary } from '../../ui/boundary.tsx'
import { ButtonLink, Links, Loading, Screen } from '../../ui/elements.tsx'
import { LanguageProvider, P, type Speech, useLanguage, useTexts } from '../../ui/language.tsx'
import { type Service, ServiceContext, useOnline, useRead, useService } from '../../ui/service.tsx'
import { CATALOGS } from './catalogs.ts'
import { CrisisResources } from './components/help.tsx'
import { type Person, PersonContext, useSignedIn, useUniversity } from './person.tsx'

/** What is there for everybody, signed in or not. Each other screen is loaded when it is opened. */
const EVERYBODY = {
  '/crisis': Crisis,
  '/code/:kind': lazy(() => import('./screens/code.tsx')),
  '/sign-up': lazy(() => import('./screens/sign-up.tsx')),
}

/** The screens of who is signed in. */
const SCREENS = {
  '/': lazy(() => import('./screens/home.tsx')),
  '/check-in': lazy(() => import('./screens/check-in.tsx')),
  '/check-ins/:id': lazy(() => import('./screens/result.tsx')),
  '/history': lazy(() => import('./screens/history.tsx')),
  '/sessions/:id': lazy(() => import('./screens/session.tsx')),
  '/circle': lazy(() => import('./screens/circle.tsx')),
  '/circle/:id': lazy(() => import('./screens/contact.tsx')),
  '/reminders': lazy(() => import('./screens/reminders.tsx')),
  '/consents': lazy(() => import('./screens/consents.tsx')),
  '/account': lazy(() => import('./screens/account.tsx')),
  '/account/data': lazy(() => import('./screens/my-data.tsx')),
  '/account/password': lazy(() => import('./screens/new-password.tsx')),
}

/** What everybody else sees instead. */
const SignIn = lazy(() => import('./screens/sign-in.tsx'))

/** Whom to turn to: for everybody, also before signing in, and without a network what was known last. */
function Crisis() {
  const known = { networkMode: 'always' } as const
  const { data, isPending } = useRead(['crisis'], (client) => client.crisisResources(), known)
  return (
    <Screen title="crisis.title">
      <P id="crisis.explanation" />
      {isPending && <Loading />}
      {data && <CrisisResources resources={data} />}
      {!data?.length && <P className="notice" id="crisis.unknown" />}
    </Screen>
  )
}

function Missing() {
  return (
    <Screen title="missing.title">
      <Links to={{ '/': 'missing.home' }} />
    </Screen>
  )
}

// What may be tried again the client has tried already. Nothing is kept on the device: a shared phone shows nobody another's answers.
const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 30_000 } } })

export function App({ service, speech }: { service: Service; speech: Speech }) {
  return (
    <ServiceContext value={service}>
      <QueryClientProvider client={queries}>
        <LanguageProvider initial={speech} catalogs={CATALOGS}>
          <Router hook={useHashLocation}>
            <Screens />
          </Router>
        </LanguageProvider>
      </QueryClientProvider>
    </ServiceContext>
  )
}

function Screens() {
  const { client } = useService()
  const { language } = useLanguage()
  const person = useSignedIn()
  const id = person?.id
  const owner = useRef<string>(null)

  useEffect(() => {
    client.setLanguage(language)
    // Texts of the service are in the language that they were asked for in.
    void queries.invalidateQueries()
    if (id !== undefined) client.account.tellWhere().catch(() => undefined)
  }, [client, language, id])

  useEffect(() => {
    // On the device before anybody needs them.
    client.crisisResources().catch(() => undefined)
    if (id === undefined) return
    // Where a session has ended by itself the same person finds everything as it was, and nobody else anything.
    if (owner.current !== null && owner.current !== id) location.reload()
    owner.current = id
    const goOn = () => void (document.visibilityState === 'visible' && client.queue.resume())
    goOn()
    document.addEventListener('visibilitychange', goOn)
    return () => document.removeEventListener('visibilitychange', goOn)
  }, [client, id])

  useEffect(() => {
    // A check-in that ends here is in the history from then on.
    let known = ''
    return client.queue.subscribe((checkIns) => {
      const complete = checkIns.flatMap(({ id, step }) => (step === 'complete' ? id : [])).join()
      if (complete !== known) void queries.invalidateQueries({ queryKey: ['history'] })
      known = complete
    })
  }, [client])

  // Whoever needs help does not wait for the session, which without a network takes its time.
  const other = person === undefined ? <Loading /> : person ? <Missing /> : <SignIn />
  const screens = Object.entries({ ...EVERYBODY, ...(person ? SCREENS : {}) })
  return (
    <PersonContext value={person ?? null}>
      <Header person={person ?? null} />
      <Boundary>
        <Suspense fallback={<Loading />}>
          <Switch>
            {screens.map(([path, Component]) => (
              <Route key={path} path={path} component={Component} />
            ))}
            <Route>{other}</Route>
          </Switch>
        </Suspense>
      </Boundary>
    </PersonContext>
  )
}

const WAYS = [
  ['/', 'header.home'],
  ['/history', 'header.history'],
  ['/circle', 'header.circle'],
  ['/account', 'header.account'],
] as const

/** Whose service it is, the ways to the screens, and from everywhere the way to help. */
function Header({ person }: { person: Person | null }) {
  const { t } = useTexts()
  const university = useUniversity(person)
  const isOnline = useOnline()
  return (
    <>
      <header>
        <Link href="/">{university?.short_name ?? t('app.name')}</Link>
        <ButtonLink to="/crisis" label="header.help" />
      </header>
      {person && (
        <nav aria-label={t('header.navigation')}>
          {WAYS.map(([path, label]) => (
            <Link key={path} href={path} className={(isHere) => (isHere ? 'here' : '')}>
              {t(label)}
            </Link>
          ))}
        </nav>
      )}
      {!isOnline && <P role="status" className="banner" id="header.offline" />}
    </>
  )
}
