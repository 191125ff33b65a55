import { supabase } from '../stack/cli.ts'

/** TypeScript types of the exposed schemas, as the CLI generates them. */
export async function generateTypes(databaseUrl: string): Promise<string> {
  return supabase(['gen', 'types', `--remote=${databaseUrl}`, '--schema', 'public,checkin'])
}
