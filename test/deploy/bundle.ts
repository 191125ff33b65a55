import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { ROOT } from '../stack/root.ts'
import type { Upload } from './management-api.ts'

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
