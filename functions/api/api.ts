import { OPERATIONS } from '../_shared/contract/operations.ts'
import { newRoutes, type Routes } from '../_shared/edge/routes.ts'

/** The routes of the function `api`, with their full paths. */
export type Api = Routes

/** An API whose routes have no handlers yet. */
export function newApi(): Api {
  return newRoutes(OPERATIONS)
}
