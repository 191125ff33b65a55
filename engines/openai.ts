import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import type { EngineOutDirs } from './visual.ts'

const openai = join(import.meta.dirname, '..', 'node_modules', 'openai')

const ENTRY = `
export { APIError, OpenAI as default, toFile } from ${JSON.stringify(join(openai, 'index.mjs'))}
export { zodResponseFormat } from ${JSON.stringify(join(openai, 'helpers', 'zod.mjs'))}
`

/** The functions' own zod, which has all that the helper takes from `zod/v4`; schemas of zod 3 do not occur. */
const oneZod: Plugin = {
  name: 'one zod',
  setup({ onResolve }) {
    onResolve({ filter: /^zod(\/v[34])?$/ }, () => ({ path: 'zod', external: true }))
  },
}

/** Builds the client of OpenAI's API, of which the npm package is 24 MB: `openai.js`. */
export async function buildOpenAiClient({ bundles }: EngineOutDirs): Promise<void> {
  await mkdir(bundles, { recursive: true })
  await build({
    stdin: { contents: ENTRY, resolveDir: import.meta.dirname, loader: 'js' },
    outfile: join(bundles, 'openai.js'),
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    legalComments: 'eof',
    logLevel: 'error',
    plugins: [oneZod],
    banner: { js: '// @ts-self-types="./openai.d.ts"' },
  })
}
