import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { z } from 'zod'
import { ROOT } from '../stack/root.ts'

const configuration = z.object({
  functions: z.record(
    z.string(),
    z.object({ verify_jwt: z.boolean(), entrypoint: z.string(), import_map: z.string() }),
  ),
})

/** A function as supabase/config.toml declares it, its paths seen from the project's folder. */
export type DeclaredFunction = { slug: string; verifyJwt: boolean; entrypoint: string; importMap: string }

export async function declaredFunctions(): Promise<DeclaredFunction[]> {
  const text = await readFile(join(ROOT, 'supabase', 'config.toml'), 'utf8')
  const { functions } = configuration.parse(parse(text))
  return Object.entries(functions).map(([slug, { verify_jwt, entrypoint, import_map }]) => ({
    slug,
    verifyJwt: verify_jwt,
    entrypoint: join('supabase', entrypoint),
    importMap: join('supabase', import_map),
  }))
}
