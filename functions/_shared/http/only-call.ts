import { ServiceError } from '../errors.ts'
import type { RequestContext } from './handle.ts'

/** Refuses what is not the one call of a function, `POST /<name>`. Throws `not_found` and `method_not_allowed`. */
export function checkOnlyCall(request: Request, name: string, { headers }: RequestContext): void {
  if (!new URL(request.url).pathname.replace(/\/$/, '').endsWith(`/${name}`)) {
    throw new ServiceError('not_found', 'There is nothing at this address. See /api/docs.')
  }
  if (request.method !== 'POST') {
    headers.set('allow', 'POST')
    throw new ServiceError('method_not_allowed', 'This address does not take that method.')
  }
}
