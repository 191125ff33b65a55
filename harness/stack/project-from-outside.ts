import postgres from 'postgres'
import type { Project } from './project.ts'

/** What names a project from outside, all four or none. */
const SETTINGS = ['SUPABASE_URL', 'SUPABASE_PUBLISHABLE_KEY', 'SUPABASE_SECRET_KEY', 'DATABASE_URL'] as const

/** The project that the environment names, or null where it names none. Throws where settings are missing or malformed. */
export function projectFromOutside(env: NodeJS.ProcessEnv): Project | null {
  const missing = SETTINGS.filter((name) => !env[name])
  if (missing.length === SETTINGS.length) return null
  if (missing.length > 0) {
    const set = SETTINGS.filter((name) => env[name])
    throw new Error(
      `${missing.join(', ')} must be set too, as ${set.join(', ')} ${set.length > 1 ? 'are' : 'is'}: ` +
        `to test a project from outside set all of ${SETTINGS.join(', ')}; to test a local stack set none`,
    )
  }
  return {
    apiUrl: addressIn('SUPABASE_URL', env.SUPABASE_URL, ['http:', 'https:']).origin,
    databaseUrl: addressIn('DATABASE_URL', env.DATABASE_URL, ['postgres:', 'postgresql:']).href,
    publishableKey: env.SUPABASE_PUBLISHABLE_KEY ?? '',
    secretKey: env.SUPABASE_SECRET_KEY ?? '',
    local: null,
  }
}

function addressIn(name: string, text = '', protocols: readonly string[]): URL {
  const url = URL.parse(text)
  if (url && protocols.includes(url.protocol)) return url
  throw new Error(
    `${name} must be an address that begins with ${protocols.map((one) => `${one}//`).join(' or ')}`,
  )
}

/**
 * Throws where a project has accounts that no test made: the tests write to every table, and the policies' stories empty
 * them for as long as they run.
 */
export async function requireInventedPeople({ apiUrl, databaseUrl }: Project): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  try {
    const [row] = await sql<{ accounts: number }[]>`
      select count(*)::int as accounts from auth.users where email !~ '@(.+\.)?example\.(edu|com|org)$'`
    if (row?.accounts !== 0) {
      throw new Error(
        `${apiUrl} has ${row?.accounts} accounts of addresses that are not invented (example.edu): ` +
          'it is not a project for tests',
      )
    }
  } finally {
    await sql.end()
  }
}
