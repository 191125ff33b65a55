import { unpackAssets } from '../asset-pack.ts'
import { jpegDecoder } from './jpeg-decoder.ts'
import type { Pixels } from './pixels.ts'
import { webpDecoder } from './webp-decoder.ts'

/** The one file, in the bucket `analysis-assets`, that holds the models and WASM binaries. */
export const VISUAL_ASSET = 'visual.pack'

/** A face model and the side of its square input in pixels. */
export const MODEL_INPUTS = { blazeface: 256, facemesh: 192, iris: 64, emotion: 64 } as const
export type ModelName = keyof typeof MODEL_INPUTS

/** The decoders and the face models, ready to run. Stateless: each result depends on the arguments alone. */
export interface FaceModels {
  /**
   * Decodes to the size of the image halved so many times, 3 at most, rounded up.
   *
   * @throws when it cannot be decoded
   */
  decodeJpeg(bytes: Uint8Array, halvings?: number): Promise<Pixels>
  /**
   * Decodes a frame of VP8, as `webpFrame` finds it.
   *
   * @throws ImageError `image_unreadable` when it is damaged
   */
  decodeWebp(frame: Uint8Array): Promise<Pixels>
  /**
   * Runs a model on a square of values, the iris model on two laid end to end.
   *
   * @returns its outputs, in an order that is the model's own; tell them apart by their lengths
   */
  run(model: ModelName, input: Float32Array): Float32Array[]
}

/** The calls of TensorFlow.js's kernels that a model is, recorded by vendor/face-models.ts. Tensors are numbered from 1. */
export interface ModelPlan {
  input: number
  outputs: number[]
  calls: [kernel: string, ...values: (number | number[])[]][]
}

export interface FaceModelPlan {
  /** Room that all tensors take. */
  floats: number
  /** Each tensor's place in that room; the weights come first. */
  tensors: [elements: number, offset: number][]
  models: Record<ModelName, ModelPlan>
}

type LoadAsset = (name: string) => Promise<Uint8Array>

let loading: Promise<FaceModels> | null = null

/**
 * Loads the models, single-threaded on the CPU through WASM with SIMD. They are loaded once an isolate; later calls return the
 * first result, unless it failed.
 *
 * @param loadAsset reads `VISUAL_ASSET` as built by vendor/visual.ts
 * @throws when the asset is missing or damaged
 */
export function loadFaceModels(loadAsset: LoadAsset): Promise<FaceModels> {
  loading ??= startModels(loadAsset).catch((error: unknown) => {
    loading = null
    throw error
  })
  return loading
}

async function startModels(loadAsset: LoadAsset): Promise<FaceModels> {
  const asset = unpackAssets(await loadAsset(VISUAL_ASSET))
  const plan: FaceModelPlan = JSON.parse(new TextDecoder().decode(asset('models.json')))
  const kernels = new Kernels(
    await WebAssembly.compile(copyOf(asset('kernels.wasm'))),
    plan,
    asset('weights.bin'),
  )
  const models = {
    blazeface: kernels.prepare(plan.models.blazeface),
    facemesh: kernels.prepare(plan.models.facemesh),
    iris: kernels.prepare(plan.models.iris),
    emotion: kernels.prepare(plan.models.emotion),
  }
  // Compiled when the first WebP comes, which is seldom.
  const webp = copyOf(asset('webp.wasm'))
  let decodeWebp: ReturnType<typeof webpDecoder> | null = null
  return {
    decodeJpeg: jpegDecoder(await WebAssembly.compile(copyOf(asset('jpeg.wasm')))),
    decodeWebp: async (frame) => {
      decodeWebp ??= webpDecoder(await WebAssembly.compile(webp))
      return decodeWebp(frame)
    },
    run: (name, input) => models[name](input),
  }
}

type Kernel = (...values: number[]) => number

/** The kernels of tfjs-backend-wasm with the tensors of a plan. */
class Kernels {
  readonly #exports: WebAssembly.Exports
  readonly #memory: WebAssembly.Memory
  readonly #plan: FaceModelPlan
  /** Address of the tensors. */
  readonly #room: number

  constructor(module: WebAssembly.Module, plan: FaceModelPlan, weights: Uint8Array) {
    let memory: WebAssembly.Memory | null = null
    const { exports } = new WebAssembly.Instance(
      module,
      importsOf(module, () => memory),
    )
    if (!(exports.memory instanceof WebAssembly.Memory)) throw new Error('The kernels export no memory')
    memory = exports.memory
    this.#exports = exports
    this.#memory = memory
    this.#plan = plan
    this.#kernel('__wasm_call_ctors')()
    this.#kernel('init')()
    this.#room = this.#allocate(4 * plan.floats)
    new Uint8Array(memory.buffer, this.#room, weights.length).set(weights)
    const register = this.#kernel('register_tensor')
    plan.tensors.forEach(([elements, offset], index) => {
      register(index + 1, elements, this.#room + 4 * offset)
    })
  }

  /** A model as a function of its input. */
  prepare({ input, outputs, calls }: ModelPlan): (values: Float32Array) => Float32Array[] {
    const prepared = calls.map(([name, ...values]) => ({
      kernel: this.#kernel(name),
      values: values.map((value) => (typeof value === 'number' ? value : this.#placeIntegers(value))),
    }))
    return (values) => {
      if (values.length !== this.#tensor(input).length) throw new RangeError('The model takes another input')
      this.#tensor(input).set(values)
      for (const { kernel, values } of prepared) kernel(...values)
      return outputs.map((output) => this.#tensor(output).slice())
    }
  }

  #tensor(number: number): Float32Array {
    const [elements, offset] = this.#plan.tensors[number - 1] ?? [0, 0]
    return new Float32Array(this.#memory.buffer, this.#room + 4 * offset, elements)
  }

  #placeIntegers(values: number[]): number {
    const address = this.#allocate(4 * values.length)
    new Int32Array(this.#memory.buffer, address, values.length).set(values)
    return address
  }

  #allocate(bytes: number): number {
    const address = this.#kernel('malloc')(bytes)
    if (address === 0) throw new Error('The kernels have no memory left')
    return address
  }

  #kernel(name: string): Kernel {
    const kernel = this.#exports[name]
    if (typeof kernel !== 'function') throw new Error(`There is no kernel ${name}`)
    return (...values) => Number(kernel(...values))
  }
}

const PAGE_BYTES = 65536

/** What the kernels need of their host: memory, and for the rest nothing that ever happens. */
function importsOf(module: WebAssembly.Module, memory: () => WebAssembly.Memory | null): WebAssembly.Imports {
  const bytes = () => memory()?.buffer ?? new ArrayBuffer(0)
  const given: Record<string, Kernel> = {
    emscripten_memcpy_big: (to = 0, from = 0, count = 0) => {
      new Uint8Array(bytes()).copyWithin(to, from, from + count)
      return to
    },
    emscripten_get_heap_max: () => 2 ** 31,
    emscripten_resize_heap: (size = 0) => {
      memory()?.grow(Math.ceil((size - bytes().byteLength) / PAGE_BYTES))
      return 1
    },
  }
  const imports: Record<string, Record<string, Kernel>> = {}
  for (const { module: source, name } of WebAssembly.Module.imports(module)) {
    const missing = () => {
      throw new Error(`The kernels called ${name}`)
    }
    imports[source] = { ...imports[source], [name]: given[name] ?? missing }
  }
  return imports
}

/** WASM must be in a buffer of its own, not a view into the pack. */
function copyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes)
}
