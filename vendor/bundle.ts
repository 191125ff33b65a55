import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'

/** Output folders: `bundles` is deployed with the functions, `assets` seeds the private bucket. */
export interface OutDirs {
  bundles: string
  assets: string
}

export interface Bundle {
  /** Name of the file without its extension; its types are beside it, in `<name>.d.ts`. */
  name: string
  /** Source of the entry module; all its imports are bundled with it. */
  entry: string
  /** Code that runs before the bundle's own. */
  prelude?: string
  /** Build options that only this bundle needs. */
  options?: Pick<BuildOptions, 'define' | 'external' | 'keepNames' | 'mainFields' | 'platform' | 'plugins'>
}

/** The folder of an installed package. */
export const packageDir = (name: string) => join(import.meta.dirname, '..', 'node_modules', name)

/** Where the names of the packages that each bundle holds are written, for `npm run notice`. */
export const BUNDLED = join(import.meta.dirname, 'bundled')

/** Writes one minified module with the licences of what it holds at its end, and the names of the packages in it. */
export async function writeBundle(outDir: string, { name, entry, prelude, options }: Bundle): Promise<void> {
  const types = `// @ts-self-types="./${name}.d.ts"`
  const { metafile } = await build({
    stdin: { contents: entry, resolveDir: import.meta.dirname, sourcefile: `${name}.entry.js` },
    outfile: join(outDir, `${name}.js`),
    bundle: true,
    metafile: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    legalComments: 'eof',
    logLevel: 'error',
    banner: { js: prelude === undefined ? types : `${types}\n${prelude}` },
    ...options,
  })
  const packages = Object.values(metafile.outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => /node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [])
  await mkdir(BUNDLED, { recursive: true })
  await writeFile(join(BUNDLED, `${name}.json`), JSON.stringify([...new Set(packages)].sort()))
}
