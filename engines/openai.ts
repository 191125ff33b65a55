import { join } from 'node:path'
import type { Plugin } from 'esbuild'
import { type EngineOutDirs, packageDir, writeBundle } from './bundle.ts'

const openai = packageDir('openai')

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
  await writeBundle(bundles, { name: 'openai', entry: ENTRY, options: { plugins: [oneZod] } })
}
