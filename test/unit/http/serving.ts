import { connect } from '../../../functions/_shared/database.ts'
import { readEnvironment } from '../../../functions/_shared/http/environment.ts'
import { handle } from '../../../functions/_shared/http/handle.ts'
import type { Route } from '../../../functions/_shared/http/route.ts'
import { type App, newApp } from '../../../functions/_shared/http/serve.ts'
import { projectClient } from '../../../functions/_shared/supabase/clients.ts'

const NOWHERE = 'http://127.0.0.1:9'

const environment = readEnvironment({
  SUPABASE_URL: NOWHERE,
  SUPABASE_DB_URL: 'postgres://nobody@127.0.0.1:9/nothing',
  SUPABASE_SECRET_KEYS: '{"default":"invented-secret-key"}',
  SUPABASE_PUBLISHABLE_KEYS: '{"default":"invented-publishable-key"}',
})

/** Services that nothing responds for: an open call needs none. */
export const services = {
  database: connect(environment.database, 'unit'),
  supabase: projectClient(environment),
  environment,
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
