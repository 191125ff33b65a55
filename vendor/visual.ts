import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type OutDirs, packageDir, writeBundle } from './bundle.ts'

const human = packageDir('@vladmandic/human')
const wasmBackend = packageDir('@tensorflow/tfjs-backend-wasm')
const jpeg = packageDir('@jsquash/jpeg')

const MODELS = ['blazeface', 'facemesh', 'iris', 'emotion']

const WASM_BINARIES: Record<string, string> = {
  'tfjs-simd.wasm': join(wasmBackend, 'dist/tfjs-backend-wasm-simd.wasm'),
  'jpeg.wasm': join(jpeg, 'codec/dec/mozjpeg_dec.wasm'),
}

/** Human's build of TensorFlow.js is the only npm build that contains just the graph executor and the WASM backend. */
const ENTRY = `
export { dispose, enableProdMode, env, getBackend, loadGraphModelSync, memory, ready, setBackend, setWasmPaths,
  tensor } from ${JSON.stringify(join(human, 'dist/tfjs.esm.js'))}
export { default as createJpegDecoder } from ${JSON.stringify(join(jpeg, 'codec/dec/mozjpeg_dec.js'))}
`

/**
 * The globals from which the libraries detect their host, fixed at build time, so that the bundle behaves the same in
 * Deno and in Node and touches no global of the host:
 * - `process` absent and `WorkerGlobalScope` present: TensorFlow.js believes that it runs in a web worker, which is the one
 *   platform whose `fetch` can be replaced (see functions/_shared/visual/face-models.ts);
 * - `globalThis.navigator` absent: no WebGPU backend, to which it would fall back silently and at great cost;
 * - `importScripts` absent: the WASM loaders read no script location;
 * - `globalThis.ImageData` absent under Node: the decoder builds one, so the prelude supplies the plain class.
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
 * four face models with the two WASM binaries in one file, so that a cold start reads the bucket once.
 */
export async function buildVisualBundle({ bundles, assets }: OutDirs): Promise<void> {
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

interface PackEntry {
  name: string
  bytes: Uint8Array
}

const ALIGNMENT = 8

/**
 * Several files in one: a 32-bit little-endian length, an index in JSON of that many bytes,
 * `{name: [offset, length]}`, then the files. Offsets count from the start of the pack and are multiples of 8.
 * `unpackAssets` in functions/_shared/visual/face-models.ts reads it.
 */
export function packAssets(entries: PackEntry[]): Uint8Array {
  const align = (position: number) => Math.ceil(position / ALIGNMENT) * ALIGNMENT
  const layout = (start: number) => {
    let position = start
    return entries.map(({ name, bytes }): [string, [number, number]] => {
      const offset = align(position)
      position = offset + bytes.length
      return [name, [offset, bytes.length]]
    })
  }
  const encode = (start: number) =>
    new TextEncoder().encode(JSON.stringify(Object.fromEntries(layout(start))))

  // The index contains the offsets, which depend on its length: 64 bytes an entry are enough for any.
  const room = 64 * entries.length
  const index = encode(4 + room)
  if (index.length > room) throw new Error('the names in an asset pack are too long for its index')

  const placed = layout(4 + room)
  const end = placed.reduce((last, [, [offset, length]]) => Math.max(last, offset + length), 4 + room)
  const pack = new Uint8Array(end)
  new DataView(pack.buffer).setUint32(0, index.length, true)
  pack.set(index, 4)
  placed.forEach(([, [offset]], position) => {
    const entry = entries[position]
    if (entry) pack.set(entry.bytes, offset)
  })
  return pack
}
