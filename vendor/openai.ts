import { join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'
import { type OutDirs, packageDir, writeBundle } from './bundle.ts'

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

/** The resources that are called; `index.mjs` hands on what others define. */
const CALLED = /^resources\/(?:index|shared|chat\/.*|audio\/(?:audio|index|transcriptions))\.mjs$/
/** What reads a completion while it comes, and what reads schemas of zod 3. */
const UNCALLED = /^lib\/ChatCompletion\w*\.mjs$|^_vendor\/zod-to-json-schema\/zodToJsonSchema\.mjs$/

/**
 * The client's constructor makes one object of each of the API's resources. Of what is never called only the names are
 * kept, each on an empty class.
 */
const completionsAndTranscriptionsOnly: Plugin = {
  name: 'completions and transcriptions only',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]openai[\\/].*\.mjs$/ }, async ({ path }) => {
      const file = relative(openai, path).split(sep).join('/')
      const isCalled = file.startsWith('resources/') ? CALLED.test(file) : !UNCALLED.test(file)
      if (isCalled) return undefined
      const names = Object.keys(await import(pathToFileURL(path).href))
      return { contents: names.map((name) => `export class ${name} {}`).join('\n') }
    })
  },
}

/** Builds the client of OpenAI's API, of which the npm package is 24 MB: `openai.js`. */
export async function buildOpenAiClient({ bundles }: OutDirs): Promise<void> {
  await writeBundle(bundles, {
    name: 'openai',
    entry: ENTRY,
    options: { plugins: [oneZod, completionsAndTranscriptionsOnly] },
  })
}
