import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type EngineOutDirs, packageDir, writeBundle } from './bundle.ts'
import { type PackEntry, packAssets } from './visual-pack.ts'

const human = packageDir('@vladmandic/human')
const wasmBackend = packageDir('@tensorflow/tfjs-backend-wasm')
const jpeg = packageDir('@jsquash/jpeg')
const png = packageDir('@jsquash/png')

const MODELS = ['blazeface', 'facemesh', 'iris', 'emotion']

const WASM_BINARIES: Record<string, string> = {
  'tfjs-simd.wasm': join(wasmBackend, 'dist/tfjs-backend-wasm-simd.wasm'),
  'jpeg.wasm': join(jpeg, 'codec/dec/mozjpeg_dec.wasm'),
  'png.wasm': join(png, 'codec/pkg/squoosh_png_bg.wasm'),
}

/** Human's build of TensorFlow.js is the one npm build that holds the graph executor and the WASM backend alone. */
const ENTRY = `
export { dispose, enableProdMode, env, getBackend, loadGraphModelSync, memory, ready, setBackend, setWasmPaths,
  tensor } from ${JSON.stringify(join(human, 'dist/tfjs.esm.js'))}
export { default as decodeJpeg, init as initJpeg } from ${JSON.stringify(join(jpeg, 'decode.js'))}
export { decode as decodePng, init as initPng } from ${JSON.stringify(join(png, 'decode.js'))}
`

/**
 * What the libraries look for to guess where they run, decided here, once, so that the bundle behaves the same in
 * Deno and in Node and no global of the host is touched:
 * - `process` absent and `WorkerGlobalScope` present: TensorFlow.js takes itself for a web worker, which is the one
 *   platform whose `fetch` can be replaced (see functions/_shared/visual/engine.ts);
 * - `globalThis.navigator` absent: no WebGPU backend, to which it would fall back silently and at great cost;
 * - `importScripts` absent: the WASM loaders read no script location;
 * - `globalThis.ImageData` absent under Node: both decoders build one, so the prelude supplies the plain class.
 */
const HOST = {
  define: {
    process: 'undefined',
    WorkerGlobalScope: 'Object',
    importScripts: 'undefined',
    indexedDB: 'undefined',
    'globalThis.navigator': 'undefined',
  },
  prelude:
    'globalThis.ImageData ??= class ImageData { constructor(data, width, height) { Object.assign(this, { data, width, height }) } };',
}

/**
 * Builds what the visual analysis runs on: `visual.js`, the minified libraries, and `visual.pack`, the weights of
 * four face models with the three WASM binaries in one file, so that a cold start reads the bucket once.
 */
export async function buildVisualEngines({ bundles, assets }: EngineOutDirs): Promise<void> {
  await mkdir(assets, { recursive: true })
  await Promise.all([
    writeBundle(bundles, {
      name: 'visual',
      entry: ENTRY,
      prelude: HOST.prelude,
      options: { define: HOST.define },
    }),
    writePack(join(assets, 'visual.pack')),
  ])
}

async function writePack(outfile: string): Promise<void> {
  const sources: [string, string][] = [
    ...MODELS.flatMap((model): [string, string][] => [
      [`${model}.json`, join(human, 'models', `${model}.json`)],
      [`${model}.bin`, join(human, 'models', `${model}.bin`)],
    ]),
    ...Object.entries(WASM_BINARIES),
  ]
  const entries = await Promise.all(
    sources.map(async ([name, path]): Promise<PackEntry> => ({ name, bytes: await readFile(path) })),
  )
  await writeFile(outfile, packAssets(entries))
}
