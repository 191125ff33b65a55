import { join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'
import { type OutDirs, packageDir, writeBundle } from './bundle.ts'

const openai = packageDir('openai')

const ENTRY = `
export { APIError, OpenAI as default, toFile } from ${JSON.stringify(join(openai, 'index.mjs'))}
export { zodResponseFormat } from ${JSON.stringify(join(openai, 'helpers', 'zod.mjs'))}
`

/** The functions' own zod, which exports all that the helper uses of `zod/v4`; zod 3 schemas are not used. */
const oneZod: Plugin = {
  name: 'one zod',
  setup({ onResolve }) {
    onResolve({ filter: /^zod(\/v[34])?$/ }, () => ({ path: 'zod', external: true }))
  },
}

/** The resources that are called; `index.mjs` re-exports the rest. */
const CALLED = /^resources\/(?:index|shared|chat\/.*|audio\/(?:audio|index|transcriptions))\.mjs$/
/** Streaming of completions, and support for zod 3 schemas. */
const UNCALLED = /^lib\/ChatCompletion\w*\.mjs$|^_vendor\/zod-to-json-schema\/zodToJsonSchema\.mjs$/

/**
 * The client's constructor creates an object for each resource of the API. Resources that are never called are replaced
 * with empty classes of the same name.
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
