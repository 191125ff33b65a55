import * as libraries from '../../_vendor/visual.js'
import { unpackAssets } from './pack.ts'
import type { Pixels } from './pixels.ts'

/** The one file, in the bucket of analysis assets, that holds the models and WASM binaries. */
export const VISUAL_ASSET = 'visual.pack'

/** A face model and the side of its square input in pixels. */
export const MODEL_INPUTS = { blazeface: 256, facemesh: 192, iris: 64, emotion: 64 } as const
export type ModelName = keyof typeof MODEL_INPUTS

/** The decoders and models, ready to run. Stateless: each answer depends on its arguments alone. */
export interface VisualEngine {
  decode: Record<'jpeg' | 'png', (bytes: Uint8Array) => Promise<Pixels>>
  /**
   * Runs a model on one or several squares of values laid end to end.
   *
   * @returns its outputs, in an order that is the model's own; tell them apart by their lengths
   */
  run(model: ModelName, input: Float32Array): Float32Array[]
}

export interface EngineSource {
  loadAsset: (name: string) => Promise<Uint8Array>
}

let loading: Promise<VisualEngine> | null = null

/**
 * Starts the engine, single-threaded on the CPU through WASM with SIMD: about 0.2 s of CPU. TensorFlow.js keeps its
 * backend in module state, so that there is one engine an isolate; later calls answer with the first, unless it
 * failed.
 *
 * @param source reads `VISUAL_ASSET` as built by engines/visual.ts
 * @throws when the asset is missing or damaged, or when the WASM backend does not start
 */
export function loadVisualEngine(source: EngineSource): Promise<VisualEngine> {
  loading ??= startEngine(source).catch((error: unknown) => {
    loading = null
    throw error
  })
  return loading
}

async function startEngine({ loadAsset }: EngineSource): Promise<VisualEngine> {
  const asset = unpackAssets(await loadAsset(VISUAL_ASSET))
  await startBackend(asset('tfjs-simd.wasm'))
  // The decoder's remarks on damaged files belong to no log: what it cannot decode, it throws.
  await libraries.initJpeg(await WebAssembly.compile(copyOf(asset('jpeg.wasm'))), { printErr: () => {} })
  await libraries.initPng(await WebAssembly.compile(copyOf(asset('png.wasm'))))

  const models = {
    blazeface: readModel(asset, 'blazeface'),
    facemesh: readModel(asset, 'facemesh'),
    iris: readModel(asset, 'iris'),
    emotion: readModel(asset, 'emotion'),
  }
  return {
    decode: { jpeg: libraries.decodeJpeg, png: libraries.decodePng },
    run: (name, input) => runModel(models[name], name, input),
  }
}

async function startBackend(binary: Uint8Array): Promise<void> {
  libraries.enableProdMode()
  const environment = libraries.env()
  environment.set('WASM_HAS_MULTITHREAD_SUPPORT', false)
  // TensorFlow.js fetches its binary through its own platform object: answered from memory, for this path only.
  environment.platform.fetch = async (path) =>
    path.endsWith('.wasm') ? new Response(copyOf(binary)) : await refuseToFetch(path)
  libraries.setWasmPaths('memory:/', true)
  await libraries.setBackend('wasm')
  await libraries.ready()
  environment.platform.fetch = refuseToFetch
  const backend = libraries.getBackend()
  if (backend !== 'wasm') throw new Error(`the visual engine runs on ${backend} instead of wasm`)
}

/** Takes the place of the one that holds the pack. */
async function refuseToFetch(path: string): Promise<Response> {
  throw new Error(`the visual engine tried to fetch ${path}`)
}

function readModel(asset: (name: string) => Uint8Array, name: ModelName): libraries.GraphModel {
  const json: libraries.ModelJson = JSON.parse(new TextDecoder().decode(asset(`${name}.json`)))
  const weights = copyOf(asset(`${name}.bin`)).buffer
  const model = libraries.loadGraphModelSync([json, weights])
  // The backend has copied them into its own memory; the model would keep them for saving itself.
  weights.transfer(0)
  return model
}

function runModel(model: libraries.GraphModel, name: ModelName, input: Float32Array): Float32Array[] {
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

/** WASM and weights are wanted in a buffer of their own, not as a view into the pack. */
function copyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes)
}
