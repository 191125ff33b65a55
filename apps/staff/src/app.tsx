import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Redirect, Route, Router, Switch, useLocation } from 'wouter'
import { useHashLocation } from 'wouter/use-hash-location'
import { Boundary } from '../../ui/boundary.tsx'
import { AuthorContext } from '../../ui/drafts.tsx'
import { Links, Loading, Problem, Screen } from '../../ui/elements.tsx'
import { Action } from '../../ui/form.tsx'
import { LanguageProvider, P, type Speech, useLanguage } from '../../ui/language.tsx'
import { type Service, ServiceContext, useOnline, useService } from '../../ui/service.tsx'
import { ToastProvider } from '../../ui/toast.tsx'
import { CATALOGS } from './catalogs.ts'
import { lock, useLocked } from './idle.ts'
import { Header, Navigation } from './navigation.tsx'
import {
  ForgetContext,
  type Person,
  PersonContext,
  RolesContext,
  useAuthor,
  useRoles,
  useSignedIn,
  useSignOut,
} from './person.tsx'
import { codeOf } from './problems.ts'
import { SCREENS } from './routes.ts'

/** What is there for everybody, signed in or not. */
const EVERYBODY = {
  '/auth/confirm': lazy(() => import('./account/confirm.tsx')),
}

const Forgotten = lazy(() => import('./account/forgotten.tsx'))
const SignIn = lazy(() => import('./account/sign-in.tsx'))
const SecondFactor = lazy(() => import('./account/second-factor.tsx'))
const Lock = lazy(() => import('./account/lock.tsx'))

/** Where the service says that a session has ended, or that it wants a code, the app asks for what is missing. */
function newQueries({ client: { auth } }: Service): QueryClient {
  const onError = (error: unknown) => {
    const code = codeOf(error)
    if (code === 'session_ended') void auth.signOut({ scope: 'local' })
    if (code === 'mfa_required') void auth.refreshSession()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: { queries: { retry: false, staleTime: 30_000 } },
  })
}

export function App({ service, speech }: { service: Service; speech: Speech }) {
  const [queries] = useState(() => newQueries(service))
  return (
    <ServiceContext value={service}>
      <QueryClientProvider client={queries}>
        <LanguageProvider initial={speech} catalogs={CATALOGS}>
          <Router hook={useHashLocation}>
            <Boundary>
              <Suspense fallback={<Loading />}>
                <Switch>
                  {Object.entries(EVERYBODY).map(([path, screen]) => (
                    <Route key={path} path={path} component={screen} />
                  ))}
                  <Route component={Gate} />
                </Switch>
              </Suspense>
            </Boundary>
          </Router>
        </LanguageProvider>
      </QueryClientProvider>
    </ServiceContext>
  )
}

/** What is missing before there is anything to see: an account, a second factor, or whoever was here. */
function Gate() {
  const person = useSignedIn()
  const isOnline = useOnline()
  const [isLocked, unlock] = useLocked(Boolean(person))
  const [author, forget] = useAuthor(person?.id)
  if (person === undefined) return <Loading />
  return (
    <PersonContext value={person}>
      <AuthorContext value={author}>
        <ForgetContext value={forget}>
          {!isOnline && <P role="status" className="banner" id="account.offline" />}
          <Opened person={person} isLocked={isLocked} unlock={unlock} />
        </ForgetContext>
      </AuthorContext>
    </PersonContext>
  )
}

type OpenedProps = { person: Person | null; isLocked: boolean; unlock: () => void }

function Opened({ person, isLocked, unlock }: OpenedProps) {
  if (person && !isLocked && person.due === null)
    return (
      <Memory key={person.id}>
        <Screens person={person} />
      </Memory>
    )
  return (
    <>
      <Header />
      <Suspense fallback={<Loading />}>
        <Closed person={person} isLocked={isLocked} unlock={unlock} />
      </Suspense>
    </>
  )
}

function Closed({ person, isLocked, unlock }: OpenedProps) {
  const [path] = useLocation()
  if (person === null) return path === '/forgotten' ? <Forgotten /> : <SignIn />
  if (isLocked) return <Lock key={person.id} unlock={unlock} />
  return <SecondFactor due={person.due === 'app' ? 'app' : 'code'} />
}

/** What is read is kept for as long as it may be in sight: nothing stays behind for who comes next, in this tab or another. */
function Memory({ children }: { children: ReactNode }) {
  const service = useService()
  const [queries] = useState(() => newQueries(service))
  useEffect(() => () => queries.clear(), [queries])
  return <QueryClientProvider client={queries}>{children}</QueryClientProvider>
}

function Screens({ person }: { person: Person }) {
  const { language } = useLanguage()
  const signOut = useSignOut()
  const { data: roles, error, refetch } = useRoles(person)
  // Once they are known, a call that fails takes nobody's screen away.
  if (roles === undefined)
    return error ? <Problem error={error} onRetry={() => void refetch()} /> : <Loading />
  const screens = Object.entries(SCREENS).filter(([, { roles: wanted }]) =>
    roles.some(({ role }) => (wanted ? wanted.includes(role) : role !== 'student')),
  )
  const ways = screens.flatMap(([path, { label }]) => (label ? [{ path, label }] : []))
  const [home] = ways
  if (home === undefined)
    return (
      <Screen title="account.no-role">
        <P id="account.no-role-explanation" email={person.email} />
        <Action label="account.sign-out" run={signOut} />
      </Screen>
    )
  return (
    <RolesContext value={roles}>
      <ToastProvider key={language}>
        <Header onLock={lock} />
        <div className="desk">
          <Navigation ways={ways} />
          <Boundary>
            <Suspense fallback={<Loading />}>
              <Switch>
                {screens.map(([path, { screen }]) => (
                  <Route key={path} path={path} component={screen} />
                ))}
                <Route path="/">
                  <Redirect to={home.path} replace />
                </Route>
                <Route path="/forgotten">
                  <Redirect to={home.path} replace />
                </Route>
                <Route>
                  <Screen title="missing.title">
                    <Links to={{ '/': 'missing.home' }} />
                  </Screen>
                </Route>
              </Switch>
            </Suspense>
          </Boundary>
        </div>
      </ToastProvider>
    </RolesContext>
  )
}
