import type { Operation } from '../../../functions/_shared/contract/operation.ts'
import { connect } from '../../../functions/_shared/database.ts'
import { handle } from '../../../functions/_shared/edge/handle.ts'
import { projectClient } from '../../../functions/_shared/edge/project-client.ts'
import { newRoutes, type Routes } from '../../../functions/_shared/edge/routes.ts'

const NOWHERE = 'http://127.0.0.1:9'

/** Services that nothing answers: an open call needs none. */
export const services = {
  database: connect('postgres://nobody@127.0.0.1:9/nothing', 'unit'),
  supabase: projectClient({ supabaseUrl: NOWHERE, secretKey: 'invented-key' }),
  environment: { pagesUrl: undefined },
}

/** A function with these calls, as its process would run it. */
export function functionOf(
  operations: readonly Operation[],
  addHandlers: (routes: Routes) => void,
): (path: string, init?: RequestInit) => Promise<Response> {
  const routes = newRoutes(operations)
  addHandlers(routes)
  const run = handle('unit', async (request, exchange) => routes.fetch(request, exchange))
  return (path, init) => run(new Request(`https://wellbeing.example.edu${path}`, init))
}
