import { type OutDirs, packageDir, writeBundle } from './bundle.ts'

const ENTRY = `export { createClient, isAuthWeakPasswordError } from ${JSON.stringify(packageDir('@supabase/supabase-js'))}`

/**
 * Builds the project's client: `supabase.js`. Parts of the npm package are CommonJS modules, for which Deno starts its
 * emulation of Node, which costs more than the client itself.
 */
export async function buildSupabaseClient({ bundles }: OutDirs): Promise<void> {
  await writeBundle(bundles, { name: 'supabase', entry: ENTRY, options: { mainFields: ['module', 'main'] } })
}
