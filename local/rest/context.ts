import { AsyncLocalStorage } from 'node:async_hooks'
import type { RelationNotFoundError } from '@supabase/lite'
import type { Claims } from '../auth/jwt.ts'

/** What the database must know about the request that a REST query runs for. */
export interface RestContext {
  role: string
  claims: Claims
  method: string
  path: string
  headers: Record<string, string>
  schema: string
  /** The table that the request names and that does not exist. */
  missing?: RelationNotFoundError
}

export const restContext = new AsyncLocalStorage<RestContext>()
