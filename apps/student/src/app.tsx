import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useEffect, useRef } from 'react'
import { Route, Router, Switch } from 'wouter'
import { useHashLocation } from 'wouter/use-hash-location'
import { Boundary } from './components/boundary.tsx'
import { Header } from './components/header.tsx'
import { Loading } from './components/states.tsx'
import { LanguageProvider, type Speech, useLanguage } from './language.tsx'
import { PersonContext, useSignedIn } from './person.tsx'
import { ENTRANCE, EVERYBODY, SCREENS } from './routes.ts'
import Missing from './screens/missing.tsx'
import { type Service, ServiceContext, useService } from './service.tsx'

// What may be tried again the client has tried already. Nothing is kept on the device: a shared phone shows nobody another's answers.
const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 30_000 } } })

export function App({ service, speech }: { service: Service; speech: Speech }) {
  return (
    <ServiceContext value={service}>
      <QueryClientProvider client={queries}>
        <LanguageProvider initial={speech}>
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
  const other = person === undefined ? Loading : person ? Missing : ENTRANCE
  const screens = Object.entries({ ...EVERYBODY, ...(person ? SCREENS : {}) })
  return (
    <PersonContext value={person ?? null}>
      <Header />
      <Boundary>
        <Suspense fallback={<Loading />}>
          <Switch>
            {screens.map(([path, Component]) => (
              <Route key={path} path={path} component={Component} />
            ))}
            <Route component={other} />
          </Switch>
        </Suspense>
      </Boundary>
    </PersonContext>
  )
}
