import type * as visual from '../../_vendor/visual.js'
import { ReusableInstance } from '../reusable-instance.ts'
import type { Pixels } from './pixels.ts'

/** The one file, in the bucket `analysis-assets`, that holds the models and WASM binaries. */
export const VISUAL_ASSET = 'visual.pack'

/** A face model and the side of its square input in pixels. */
export const MODEL_INPUTS = { blazeface: 256, facemesh: 192, iris: 64, emotion: 64 } as const
type ModelName = keyof typeof MODEL_INPUTS

/** The JPEG decoder and the face models, ready to run. Stateless: each result depends on the arguments alone. */
export interface FaceModels {
  decodeJpeg(bytes: Uint8Array): Promise<Pixels>
  /**
   * Runs a model on one or several squares of values laid end to end.
   *
   * @returns its outputs, in an order that is the model's own; tell them apart by their lengths
   */
  run(model: ModelName, input: Float32Array): Float32Array[]
}

type Libraries = typeof visual

type LoadAsset = (name: string) => Promise<Uint8Array>

let loading: Promise<FaceModels> | null = null

/**
 * Loads the models, single-threaded on the CPU through WASM with SIMD: about 0.2 s of CPU. TensorFlow.js keeps its
 * backend in module state, so that they are loaded once an isolate; later calls return the first result, unless it
 * failed.
 *
 * @param loadAsset reads `VISUAL_ASSET` as built by vendor/visual.ts
 * @throws when the asset is missing or damaged, or when the WASM backend does not start
 */
export function loadFaceModels(loadAsset: LoadAsset): Promise<FaceModels> {
  loading ??= startModels(loadAsset).catch((error: unknown) => {
    loading = null
    throw error
  })
  return loading
}

async function startModels(loadAsset: LoadAsset): Promise<FaceModels> {
  // Imported here, because 1.3 MB of code are nothing that a merge or a rejected call should wait for.
  const libraries = await import('../../_vendor/visual.js')
  const asset = unpackAssets(await loadAsset(VISUAL_ASSET))
  await startBackend(libraries, asset('tfjs-simd.wasm'))
  const jpegModule = await WebAssembly.compile(copyOf(asset('jpeg.wasm')))

  const models = {
    blazeface: readModel(libraries, asset, 'blazeface'),
    facemesh: readModel(libraries, asset, 'facemesh'),
    iris: readModel(libraries, asset, 'iris'),
    emotion: readModel(libraries, asset, 'emotion'),
  }
  return {
    decodeJpeg: decoderOf(() => jpegDecoder(libraries, jpegModule)),
    run: (name, input) => runModel(libraries, models[name], name, input),
  }
}

/** What an instance may keep for the next image; progressive JPEGs of 8 megapixels grow it to 100 MB. */
const KEPT_BYTES = 64 * 1024 * 1024

type Decoder = { decoder: visual.JpegDecoder; memory: WebAssembly.Memory }

/**
 * Decodes with an instance that is reused until an image fails, because what it does not free in a failure it never
 * frees, or makes it grow too much, because WebAssembly memory never shrinks.
 */
function decoderOf(make: () => Promise<Decoder>): (bytes: Uint8Array) => Promise<Pixels> {
  const instances = new ReusableInstance(make)
  return async (bytes) => {
    const instance = await instances.acquire()
    const pixels = instance.decoder.decode(bytes, false)
    if (pixels === null) throw new Error('The image could not be decoded')
    if (instance.memory.buffer.byteLength <= KEPT_BYTES) instances.release(instance)
    return pixels
  }
}

async function jpegDecoder(libraries: Libraries, module: WebAssembly.Module): Promise<Decoder> {
  let memory: WebAssembly.Memory | undefined
  const decoder = await libraries.createJpegDecoder({
    noInitialRun: true,
    instantiateWasm(imports, started) {
      const instance = new WebAssembly.Instance(module, imports)
      memory = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory)
      started(instance)
      return instance.exports
    },
    // Its remarks on damaged files belong to no log: what it cannot decode, it throws.
    printErr: () => {},
  })
  if (!memory) throw new Error('The JPEG decoder exports no memory')
  return { decoder, memory }
}

async function startBackend(libraries: Libraries, binary: Uint8Array): Promise<void> {
  libraries.enableProdMode()
  const environment = libraries.env()
  environment.set('WASM_HAS_MULTITHREAD_SUPPORT', false)
  // TensorFlow.js fetches its binary through its own platform object: served from memory, for this path only.
  environment.platform.fetch = async (path) =>
    path.endsWith('.wasm') ? new Response(copyOf(binary)) : await rejectFetch(path)
  libraries.setWasmPaths('memory:/', true)
  await libraries.setBackend('wasm')
  await libraries.ready()
  environment.platform.fetch = rejectFetch
  const backend = libraries.getBackend()
  if (backend !== 'wasm') throw new Error(`TensorFlow.js runs on ${backend} instead of wasm`)
}

/** Takes the place of the one that holds the pack. */
async function rejectFetch(path: string): Promise<Response> {
  throw new Error(`TensorFlow.js tried to fetch ${path}`)
}

function readModel(
  libraries: Libraries,
  asset: (name: string) => Uint8Array,
  name: ModelName,
): visual.GraphModel {
  const json: visual.ModelJson = JSON.parse(new TextDecoder().decode(asset(`${name}.json`)))
  const weights = copyOf(asset(`${name}.bin`)).buffer
  const model = libraries.loadGraphModelSync([json, weights])
  // The backend has copied them into its own memory; the model would keep them for saving itself.
  weights.transfer(0)
  return model
}

function runModel(
  libraries: Libraries,
  model: visual.GraphModel,
  name: ModelName,
  input: Float32Array,
): Float32Array[] {
  const side = MODEL_INPUTS[name]
  const channels = name === 'emotion' ? 1 : 3
  const batch = input.length / (side * side * channels)
  const tensor = libraries.tensor(input, [batch, side, side, channels])
  const result = model.execute(tensor)
  const outputs = Array.isArray(result) ? result : [result]
  const values = outputs.map((output) => output.dataSync().slice())
  libraries.dispose([tensor, ...outputs])
  return values
}

/** WASM and weights must be in a buffer of their own, not as a view into the pack. */
function copyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes)
}

/**
 * Reads the pack that vendor/visual.ts writes: a 32-bit little-endian length, an index in JSON of that many
 * bytes, `{name: [offset, length]}`, then the files.
 *
 * @returns a function that gives a file's bytes, as a view into the pack, and throws when there is none of that name
 */
export function unpackAssets(pack: Uint8Array): (name: string) => Uint8Array {
  const length = new DataView(pack.buffer, pack.byteOffset, pack.byteLength).getUint32(0, true)
  const index: unknown = JSON.parse(new TextDecoder().decode(pack.subarray(4, 4 + length)))
  if (typeof index !== 'object' || index === null) throw new Error('the asset pack has no index')
  const places = new Map<string, unknown>(Object.entries(index))
  return (name) => {
    const place = places.get(name)
    if (!Array.isArray(place)) throw new Error(`the asset pack holds no ${name}`)
    const [offset, size] = place.map(Number)
    if (offset === undefined || size === undefined || offset + size > pack.length) {
      throw new Error(`the asset pack ends before ${name} does`)
    }
    return pack.subarray(offset, offset + size)
  }
}
