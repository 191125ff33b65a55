import { Hono } from 'hono'
import { ServiceError } from '../errors.ts'
import type { RequestContext } from './handle.ts'
import type { Route } from './route.ts'

/** The Hono app of a function, its routes with their full paths from its name on. */
export type App = Hono<{ Bindings: RequestContext }>

/**
 * A function's calls, without handlers yet: `serve` adds them. Every error goes the one way, through `handle`; an
 * address that takes another method is told from one where there is nothing.
 */
export function newApp(routes: readonly Route[]): App {
  const app: App = new Hono({ strict: false })
  app.onError((error) => {
    throw error
  })
  app.notFound(({ req, env }) => {
    const path = req.path.replace(/\/$/, '')
    const taken = routes.filter((route) => matches(route.path, path))
    if (taken.length === 0) {
      throw new ServiceError('not_found', 'There is nothing at this address. See /api/docs.')
    }
    env.headers.set('allow', taken.map(({ method }) => method.toUpperCase()).join(', '))
    throw new ServiceError('method_not_allowed', 'This address does not take that method.')
  })
  return app
}

/** Whether a path is one of a template with parameters in braces. */
function matches(template: string, path: string): boolean {
  const parts = template.split('/')
  const given = path.split('/')
  return (
    parts.length === given.length &&
    parts.every((part, index) => part.startsWith('{') || part === given[index])
  )
}
