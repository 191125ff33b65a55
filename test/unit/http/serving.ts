import { connect } from '../../../functions/_shared/database.ts'
import { readEnvironment } from '../../../functions/_shared/http/environment.ts'
import { type Endpoint, type Services, serve } from '../../../functions/_shared/http/serve.ts'
import { projectClient } from '../../../functions/_shared/platform/clients.ts'

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
  endpoints: readonly Endpoint[],
  reached: Services = services,
): (path: string, init?: RequestInit) => Promise<Response> {
  const run = serve('unit', reached, endpoints)
  return (path, init) => run(new Request(`https://wellbeing.example.edu${path}`, init))
}
