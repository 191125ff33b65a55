import { Hono } from 'hono'
import { OPERATIONS } from '../_shared/contract/operations.ts'
import type { Exchange } from '../_shared/edge/handle.ts'
import { ServiceError } from '../_shared/errors.ts'

/** The routes of the function `api`, with their full paths. */
export type Api = Hono<{ Bindings: Exchange }>

/** An API without routes, in which every error goes the one way, through `handle`. */
export function newApi(): Api {
  const api: Api = new Hono()
  api.onError((error) => {
    throw error
  })
  api.notFound(({ req }) => {
    const path = req.path.replace(/\/$/, '')
    const known = OPERATIONS.some((operation) => matches(operation.path, path))
    if (known) throw new ServiceError('method_not_allowed', 'This address does not take that method.')
    throw new ServiceError('not_found', 'There is nothing at this address. See /api/docs.')
  })
  return api
}

function matches(template: string, path: string): boolean {
  const parts = template.split('/')
  const given = path.split('/')
  return (
    parts.length === given.length &&
    parts.every((part, index) => part.startsWith('{') || part === given[index])
  )
}
