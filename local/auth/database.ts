import postgres from 'postgres'
import { utcTimestamp } from '../rest/types.ts'

const same = <T>(value: T) => value

/** A connection as the role of the auth service, which triggers on `auth.users` run as. */
export function connectAuth(adminUrl: string) {
  return postgres(adminUrl, {
    max: 6,
    idle_timeout: 60,
    onnotice: () => {},
    connection: {
      application_name: 'auth',
      TimeZone: 'UTC',
      role: 'supabase_auth_admin',
      search_path: 'auth',
    },
    types: {
      timestamp: { to: 1114, from: [1114], serialize: same, parse: utcTimestamp },
      timestamptz: { to: 1184, from: [1184], serialize: same, parse: utcTimestamp },
    },
  })
}

export type Sql = ReturnType<typeof connectAuth>

/** A connection, or a transaction on it. */
export type Queries = Sql extends postgres.Sql<infer Types> ? postgres.ISql<Types> : never
