import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

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
