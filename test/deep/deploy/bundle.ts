import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build, type Plugin } from 'esbuild'
import { z } from 'zod'
import { ROOT } from '../../../scripts/root.ts'
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

/**
 * One JavaScript file with everything in it: its size, how much of it each package makes up, and the `npm:` packages
 * that the function's own code imports.
 */
export type Bundle = {
  bytes: number
  parts: { name: string; bytes: number }[]
  packages: { name: string; version: string }[]
}

/**
 * Bundles an unpacked upload: its own files from `folder` and nowhere else, its packages by the uploaded import map
 * from the installed ones. Throws when an import is in neither. Not minified, as the server does not minify.
 *
 * esbuild and not `deno bundle`, which downloads a bundler of its own when it first runs.
 */
export async function bundle(upload: Upload, folder: string): Promise<Bundle> {
  const packages = new Map<string, { name: string; version: string }>()
  const importMap = readImportMap(upload)
  const npm: Plugin = {
    name: 'npm',
    setup({ onResolve, resolve }) {
      onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer }) => {
        if (!importer.startsWith(`${folder}/functions/`)) return undefined
        if (path.startsWith('node:') || isBuiltin(path)) return { path, external: true }
        const target = parseNpm(path.startsWith('npm:') ? path : lookUp(importMap, path))
        if (!target) return { errors: [{ text: `${path} is not an npm package of the import map` }] }
        packages.set(target.name, target)
        return resolve(`${target.name}${target.subpath}`, { resolveDir: ROOT, kind })
      })
    },
  }
  const { outputFiles, metafile } = await build({
    entryPoints: [join(folder, upload.metadata.entrypoint_path)],
    outfile: 'bundle.js',
    write: false,
    metafile: true,
    bundle: true,
    format: 'esm',
    platform: 'node',
    conditions: ['deno'],
    target: 'esnext',
    logLevel: 'silent',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    plugins: [npm],
  })
  const parts = new Map<string, number>()
  for (const [path, { bytesInOutput }] of Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs),
  )) {
    const name = /\/?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? path.split('/').at(-1) ?? path
    parts.set(name, (parts.get(name) ?? 0) + bytesInOutput)
  }
  return {
    bytes: outputFiles.reduce((sum, file) => sum + file.contents.byteLength, 0),
    parts: [...parts].map(([name, bytes]) => ({ name, bytes })),
    packages: [...packages.values()].map(({ name, version }) => ({ name, version })),
  }
}

function readImportMap({ metadata, files }: Upload): Record<string, string> {
  const file = files.find(({ path }) => path === metadata.import_map_path)
  return file ? JSON.parse(new TextDecoder().decode(file.bytes)).imports : {}
}

function lookUp(importMap: Record<string, string>, specifier: string): string {
  const exact = importMap[specifier]
  if (exact) return exact
  const prefix = Object.keys(importMap).find((key) => key.endsWith('/') && specifier.startsWith(key))
  return prefix ? `${importMap[prefix]}${specifier.slice(prefix.length)}` : ''
}

/** `npm:@scope/name@1.2.3/sub/path` in its parts. */
function parseNpm(specifier: string): { name: string; version: string; subpath: string } | undefined {
  const match = /^npm:\/?((?:@[^/@]+\/)?[^/@]+)@([^/]+)(\/.*)?$/.exec(specifier)
  return match?.[1] && match[2] ? { name: match[1], version: match[2], subpath: match[3] ?? '' } : undefined
}
