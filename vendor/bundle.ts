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
  options?: Pick<BuildOptions, 'define' | 'external' | 'mainFields' | 'platform' | 'plugins'>
}

/** The folder of an installed package. */
export const packageDir = (name: string) => join(import.meta.dirname, '..', 'node_modules', name)

/** Writes one minified module with the licences of what it holds at its end. */
export async function writeBundle(outDir: string, { name, entry, prelude, options }: Bundle): Promise<void> {
  const types = `// @ts-self-types="./${name}.d.ts"`
  await build({
    stdin: { contents: entry, resolveDir: import.meta.dirname, sourcefile: `${name}.entry.js` },
    outfile: join(outDir, `${name}.js`),
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    legalComments: 'eof',
    logLevel: 'error',
    banner: { js: prelude === undefined ? types : `${types}\n${prelude}` },
    ...options,
  })
}
