import { connect } from '../../../functions/_shared/database.ts'
import { type App, newApp } from '../../../functions/_shared/http/app.ts'
import { handle } from '../../../functions/_shared/http/handle.ts'
import { projectClient } from '../../../functions/_shared/http/project-client.ts'
import type { Route } from '../../../functions/_shared/http/route.ts'

const NOWHERE = 'http://127.0.0.1:9'

/** Services that nothing answers: an open call needs none. */
export const services = {
  database: connect('postgres://nobody@127.0.0.1:9/nothing', 'unit'),
  supabase: projectClient({ supabaseUrl: NOWHERE, secretKey: 'invented-key' }),
  environment: { pagesUrl: undefined },
}

/** A function with these calls, as its process would run it. */
export function functionOf(
  routes: readonly Route[],
  addHandlers: (app: App) => void,
): (path: string, init?: RequestInit) => Promise<Response> {
  const app = newApp(routes)
  addHandlers(app)
  const run = handle('unit', async (request, context) => app.fetch(request, context))
  return (path, init) => run(new Request(`https://wellbeing.example.edu${path}`, init))
}
