import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'
import { kernelsEntry } from './assemblyscript.ts'
import { type OutDirs, packageDir, writeBundle } from './bundle.ts'
import { pack } from './wink-model.ts'

const winkModel = join(packageDir('wink-eng-lite-web-model'), 'dist')

const modelPart = (name: string) => JSON.stringify(join(winkModel, `${name}.js`))

/**
 * wink-nlp with the parts of its English model that find words, sentences and parts of speech. Its own index also
 * loads names, sentiment, negation and lemmas, which the text analysis does not use: they are replaced with state
 * machines that recognise nothing, because wink-nlp imports one of each when it starts.
 */
const ENTRY = `
import core from ${modelPart('load-core-model')}
import featureFn from ${modelPart('feature')}
import pos from ${modelPart('load-pos-model')}
import sbd from ${modelPart('load-sbd-model')}
export { default as winkNLP } from ${JSON.stringify(packageDir('wink-nlp'))}
const nothing = () => ({ machines: ['[100,0,{"0":{}},{},{},{}]'], transformers: [] })
export const model = { core, featureFn, pos, sbd, ner: nothing, negation: nothing, sa: nothing, metaCER: nothing, addons: {} }
`

/** Stores the 3 MB vocabulary compressed, and decompresses it where wink-nlp reads it. */
const packedModel: Plugin = {
  name: 'packed model',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]read-core-model\.js$/ }, async () => {
      const stored = join(winkModel, 'languages', 'cur', 'models', 'eng-core-web-model.json')
      const packed = pack(JSON.parse(await readFile(stored, 'utf8')))
      return {
        contents: `
          import { unpack } from ${JSON.stringify(join(import.meta.dirname, 'wink-model.ts'))}
          module.exports = () => unpack(${JSON.stringify(packed)})`,
      }
    })
  },
}

/** The inner loops of the sentence encoder. */
const ENCODER_KERNELS = join(import.meta.dirname, 'encoder-kernels')

/** Builds what the text analysis runs on: `wink.js`, its model included, and `encoder-kernels.js`. */
export async function buildTextBundle({ bundles }: OutDirs): Promise<void> {
  await writeBundle(bundles, {
    name: 'wink',
    entry: ENTRY,
    options: { mainFields: ['main'], plugins: [packedModel], external: ['node:*'] },
  })
  await writeBundle(bundles, {
    name: 'encoder-kernels',
    entry: await kernelsEntry(ENCODER_KERNELS, { importMemory: true }),
  })
}
