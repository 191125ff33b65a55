import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { ROOT } from '../stack/root.ts'
import type { Upload } from './management-api.ts'

const run = promisify(execFile)
const DENO = join(ROOT, 'node_modules', '.bin', 'deno')

const reference = z.object({ specifier: z.string().optional(), error: z.string().optional() })
const graph = z.object({
  modules: z.array(
    z.object({
      specifier: z.string(),
      error: z.string().optional(),
      dependencies: z.array(z.object({ specifier: z.string(), code: reference.optional() })).optional(),
    }),
  ),
})

/** Writes an upload into a folder as the server does, with the installed packages in reach of Deno. */
export async function unpack(upload: Upload, folder: string): Promise<void> {
  for (const file of upload.files) {
    await mkdir(dirname(join(folder, file.path)), { recursive: true })
    await writeFile(join(folder, file.path), file.bytes)
  }
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir')
}

/**
 * Has real Deno follow every import from the entrypoint of an unpacked upload and returns those that lead nowhere.
 * Types are left out: the server does not check them.
 */
export async function missingModules(upload: Upload, folder: string): Promise<string[]> {
  const args = ['info', '--json', '--no-lock', '--no-remote', '--no-config', '--node-modules-dir=manual']
  if (upload.metadata.import_map_path)
    args.push('--import-map', join(folder, upload.metadata.import_map_path))
  const { stdout } = await run(DENO, [...args, join(folder, upload.metadata.entrypoint_path)], {
    cwd: folder,
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' },
  })
  const { modules } = graph.parse(JSON.parse(stdout))
  const broken = new Map(modules.flatMap(({ specifier, error }) => (error ? [[specifier, error]] : [])))
  const own = modules.filter(({ specifier }) => isWithin(specifier, folder))
  return own.flatMap((module) =>
    (module.dependencies ?? []).flatMap(({ specifier, code }) => {
      const problem = code?.error ?? (code?.specifier ? broken.get(code.specifier) : undefined)
      return problem
        ? [`${fileURLToPath(module.specifier).slice(folder.length + 1)} imports ${specifier}: ${problem}`]
        : []
    }),
  )
}

function isWithin(specifier: string, folder: string): boolean {
  return specifier.startsWith('file:') && fileURLToPath(specifier).startsWith(`${folder}/`)
}
