import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Suspense } from 'react'
import { IntlProvider } from 'react-intl'
import { Route, Router, Switch } from 'wouter'
import { useHashLocation } from 'wouter/use-hash-location'
import en from './catalogs/en.json'
import { SCREENS } from './routes.ts'
import { type Service, ServiceContext } from './service.tsx'

const queries = new QueryClient()

export function App({ service }: { service: Service }) {
  return (
    <ServiceContext value={service}>
      <QueryClientProvider client={queries}>
        <IntlProvider locale="en" messages={en}>
          <Router hook={useHashLocation}>
            <Suspense>
              <Switch>
                {Object.entries(SCREENS).map(([path, Component]) => (
                  <Route key={path} path={path} component={Component} />
                ))}
              </Switch>
            </Suspense>
          </Router>
        </IntlProvider>
      </QueryClientProvider>
    </ServiceContext>
  )
}
