import type { Database } from '../_shared/database.ts'
import type { Environment } from '../_shared/http/environment.ts'
import type { ProjectClient } from '../_shared/http/project-client.ts'

/** What the routes reach, opened once when the function starts. */
export type Services = { environment: Environment; database: Database; supabase: ProjectClient }
