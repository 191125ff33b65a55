import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type OutputFile } from 'esbuild'
import { expect, test } from 'vitest'
import { generatedFiles } from '../../../client/generate.ts'
import { SERVICE_ERROR_CODES } from '../../../client/src/generated/error-codes.ts'
import type { ServedLanguage } from '../../../client/src/wording.ts'
import { servedLanguage } from '../../../client/src/wording.ts'
import { ERROR_CODES } from '../../../functions/_shared/errors.ts'
import { LANGUAGES, type Language } from '../../../functions/_shared/languages.ts'
import { ROOT } from '../../../scripts/root.ts'

/** Most bytes of the package in an app, gzipped, without supabase-js and what is loaded when it is needed, as tus-js-client is. */
const MOST_BYTES = 15_000

type Size = { entry: number; later: Record<string, number> }

/** What an app gets of a program: the files that begin it, and those that it loads later, in bytes, gzipped. */
async function bundled(program: string): Promise<{ size: Size; text: string }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, resolveDir: join(ROOT, 'client', 'src'), loader: 'ts' },
    ...{ bundle: true, minify: true, splitting: true, format: 'esm', metafile: true, write: false },
    ...{ outdir: '/', platform: 'browser', external: ['@supabase/supabase-js', 'tus-js-client'] },
  })
  const file = (name: string) => outputFiles.find(({ path }) => path.endsWith(name.replace(/^.*\//, '/')))
  const bytes = (output: OutputFile | undefined) => (output ? gzipSync(output.contents).length : 0)
  const [entry = ''] = Object.keys(metafile.outputs).filter(
    (name) => metafile.outputs[name]?.entryPoint === '<stdin>',
  )
  const first = new Set([entry])
  for (const name of first) {
    for (const { path, kind } of metafile.outputs[name]?.imports ?? [])
      if (kind === 'import-statement') first.add(path)
  }
  const later = Object.keys(metafile.outputs).filter((name) => !first.has(name))
  return {
    size: {
      entry: [...first].reduce((sum, name) => sum + bytes(file(name)), 0),
      later: Object.fromEntries(later.map((name) => [name, bytes(file(name))])),
    },
    text: [...first].map((name) => file(name)?.text ?? '').join('\n'),
  }
}

test('what is generated is what the service serves now', async () => {
  for (const [name, text] of Object.entries(await generatedFiles())) {
    const built = readFileSync(join(ROOT, 'client', 'src', 'generated', name), 'utf8')
    expect(built === text, `src/generated/${name}: run npm run build:apps`).toBe(true)
  }
  expect(SERVICE_ERROR_CODES).toEqual(ERROR_CODES)
})

test('the client speaks the languages of the service', () => {
  const served: readonly ServedLanguage[] = LANGUAGES
  const spoken: readonly Language[] = served
  expect(spoken.map(servedLanguage)).toEqual(LANGUAGES)
})

test(`the whole client has at most ${MOST_BYTES} bytes, gzipped; words and resumable uploads are loaded when they are needed`, async () => {
  const { size, text } = await bundled(
    "import { createWellbeingClient } from './index.ts'\nglobalThis.test = createWellbeingClient",
  )
  expect(size.entry).toBeLessThanOrEqual(MOST_BYTES)
  expect(Object.keys(size.later).join()).toMatch(/resumable/)
  // It also runs where there is no page.
  expect(text.match(/\b(?:window|document|localStorage|indexedDB|navigator)\b(?!:)/g)).toBeNull()
})

test('what an app does not use is not in it', async () => {
  const { size } = await bundled(
    "import { isWellbeingError } from './index.ts'\nglobalThis.test = isWellbeingError",
  )
  expect(size.entry).toBeLessThan(2000)
})
