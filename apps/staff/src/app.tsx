import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link, Redirect, Route, Router, Switch } from 'wouter'
import { useHashLocation } from 'wouter/use-hash-location'
import { Links, Loading, Problem, Screen } from '../../ui/elements.tsx'
import { LanguageProvider, type Speech, useTexts } from '../../ui/language.tsx'
import { type Service, ServiceContext } from '../../ui/service.tsx'
import { ToastProvider } from '../../ui/toast.tsx'
import { CATALOGS } from './catalogs.ts'
import { PersonContext, RolesContext, useRoles, useSignedIn } from './person.tsx'
import { SCREENS } from './routes.ts'

const SignIn = lazy(() => import('./account/sign-in.tsx'))

const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 30_000 } } })

export function App({ service, speech }: { service: Service; speech: Speech }) {
  return (
    <ServiceContext value={service}>
      <QueryClientProvider client={queries}>
        <LanguageProvider initial={speech} catalogs={CATALOGS}>
          <Router hook={useHashLocation}>
            <ToastProvider>
              <Screens />
            </ToastProvider>
          </Router>
        </LanguageProvider>
      </QueryClientProvider>
    </ServiceContext>
  )
}

function Screens() {
  const { t } = useTexts()
  const person = useSignedIn()
  const { data: roles = [], error, isPending, refetch } = useRoles(person ?? null)
  if (person === undefined) return <Loading />
  if (person === null)
    return (
      <Suspense fallback={<Loading />}>
        <SignIn />
      </Suspense>
    )
  if (error) return <Problem error={error} onRetry={() => void refetch()} />
  if (isPending) return <Loading />
  const screens = Object.entries(SCREENS).filter(([, { roles: wanted }]) =>
    roles.some(({ role }) => (wanted ? wanted.includes(role) : role !== 'student')),
  )
  const ways = screens.flatMap(([path, { label }]) => (label ? [{ path, label }] : []))
  return (
    <PersonContext value={person}>
      <RolesContext value={roles}>
        <header>
          <Link href="/">{t('account.app')}</Link>
        </header>
        <nav aria-label={t('account.navigation')}>
          {ways.map(({ path, label }) => (
            <Link key={path} href={path} className={(isHere) => (isHere ? 'here' : '')}>
              {t(label)}
            </Link>
          ))}
        </nav>
        <Suspense fallback={<Loading />}>
          <Switch>
            {screens.map(([path, { screen }]) => (
              <Route key={path} path={path} component={screen} />
            ))}
            {ways[0] && (
              <Route path="/">
                <Redirect to={ways[0].path} />
              </Route>
            )}
            <Route>
              <Screen title="missing.title">
                <Links to={{ '/': 'missing.home' }} />
              </Screen>
            </Route>
          </Switch>
        </Suspense>
      </RolesContext>
    </PersonContext>
  )
}
