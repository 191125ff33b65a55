import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'smol-toml'
import { z } from 'zod'
import { ROOT } from '../../../scripts/root.ts'
import type { ManagementApi } from './management-api.ts'

const run = promisify(execFile)

export type Operator = (
  args: string[],
  options?: { workdir?: string },
) => Promise<{ stdout: string; stderr: string }>

/**
 * An operator at a shell who is signed in to the stand-in: runs the project's Supabase CLI against it and returns
 * both streams, because the CLI's warnings go to the second one. `home` keeps the CLI's own files out of the user's.
 */
export async function operatorOf(api: ManagementApi, home: string): Promise<Operator> {
  await mkdir(home, { recursive: true })
  const profile = join(home, 'profile.json')
  await writeFile(
    profile,
    JSON.stringify({
      name: 'stand-in',
      api_url: api.url,
      dashboard_url: api.url,
      project_host: 'example.invalid',
    }),
  )
  return (args, { workdir = ROOT } = {}) =>
    run(
      join(ROOT, 'node_modules', '.bin', 'supabase'),
      [...args, `--remote=${api.ref}`, '--yes', '--profile', profile, '--workdir', workdir, '--agent', 'no'],
      {
        maxBuffer: 64 * 1024 * 1024,
        env: {
          PATH: process.env.PATH,
          HOME: home,
          SUPABASE_HOME: home,
          SUPABASE_ACCESS_TOKEN: api.token,
          SUPABASE_TELEMETRY_DISABLED: '1',
          DO_NOT_TRACK: '1',
        },
      },
    )
}

/**
 * Writes a small project into a folder: `sources` are the entrypoints of its functions by name, `undefined` for one
 * that config.toml declares and that is not there.
 */
export async function scratchProject(
  folder: string,
  sources: Record<string, string | undefined>,
  settings = '',
): Promise<string> {
  const files: Record<string, string> = { 'functions/deno.json': '{ "imports": {} }' }
  let configuration = `project_id = "scratch"\n${settings}\n`
  for (const [name, source] of Object.entries(sources)) {
    const entrypoint = `functions/${name}/index.ts`
    configuration += `[functions.${name}]\nverify_jwt = false\nentrypoint = "../${entrypoint}"\nimport_map = "../functions/deno.json"\n`
    if (source !== undefined) files[entrypoint] = source
  }
  files['supabase/config.toml'] = configuration
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return folder
}

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
