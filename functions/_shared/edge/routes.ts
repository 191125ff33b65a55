import { Hono } from 'hono'
import type { Operation } from '../contract/operation.ts'
import { ServiceError } from '../errors.ts'
import type { Exchange } from './handle.ts'

/** The routes of a function, with their full paths from its name on. */
export type Routes = Hono<{ Bindings: Exchange }>

/**
 * A function's calls, without handlers yet: `serve` adds them. Every error goes the one way, through `handle`; an
 * address that takes another method is told from one where there is nothing.
 */
export function newRoutes(operations: readonly Operation[]): Routes {
  const routes: Routes = new Hono({ strict: false })
  routes.onError((error) => {
    throw error
  })
  routes.notFound(({ req, env }) => {
    const path = req.path.replace(/\/$/, '')
    const taken = operations.filter((operation) => matches(operation.path, path))
    if (taken.length === 0) {
      throw new ServiceError('not_found', 'There is nothing at this address. See /api/docs.')
    }
    env.headers.set('allow', taken.map(({ method }) => method.toUpperCase()).join(', '))
    throw new ServiceError('method_not_allowed', 'This address does not take that method.')
  })
  return routes
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
