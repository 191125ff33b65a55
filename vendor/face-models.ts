import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { FaceModelPlan, ModelName, ModelPlan } from '../functions/_shared/visual/face-models.ts'
import { packageDir } from './bundle.ts'

const human = packageDir('@vladmandic/human')
const KERNELS = join(packageDir('@tensorflow/tfjs-backend-wasm'), 'dist/tfjs-backend-wasm-simd.wasm')

/** The shape of what each model is given: the iris model both eyes at once. */
const INPUT_SHAPES: Record<ModelName, number[]> = {
  blazeface: [1, 256, 256, 3],
  facemesh: [1, 192, 192, 3],
  iris: [2, 64, 64, 3],
  emotion: [1, 64, 64, 1],
}

/**
 * The arguments of the kernels that the models call, in tfjs-backend-wasm 4.22: which are tensors that are read, which is the
 * tensor that is written, and which point to integers, with the argument that says how many.
 */
const ARGUMENTS: Record<string, { reads: number[]; writes: number; integers?: Record<number, number> }> = {
  FusedConv2D: { reads: [0, 4, 7, 20], writes: 22 },
  DepthwiseConv2dNative: { reads: [0, 4], writes: 18 },
  MaxPool: { reads: [0], writes: 16 },
  Add: { reads: [0, 3], writes: 7, integers: { 1: 2, 4: 5 } },
  PadV2: { reads: [0], writes: 7, integers: { 1: 2, 4: 2, 5: 2 } },
  Transpose: { reads: [0], writes: 4, integers: { 1: 2, 5: 6 } },
  Relu: { reads: [0], writes: 2 },
  Prelu: { reads: [0, 1], writes: 2 },
  Sigmoid: { reads: [0], writes: 1 },
  Mean: { reads: [0], writes: 2 },
  Softmax: { reads: [0], writes: 1 },
}

/** The part of TensorFlow.js that is used here, as Human builds it. */
export interface TensorFlow {
  enableProdMode(): void
  env(): {
    set(flag: string, value: boolean): void
    platform: { fetch(path: string): Promise<Response> }
  }
  setWasmPaths(prefix: string, usePlatformFetch: boolean): void
  setBackend(name: string): Promise<boolean>
  engine(): { backend: { dataIdMap: { get(dataId: object): { id: number } } } }
  loadGraphModelSync(source: [object, ArrayBuffer]): {
    execute(input: Tensor, outputs?: string[]): Tensor | Tensor[]
  }
  tensor(values: Float32Array, shape: number[]): Tensor
}

interface Tensor {
  dataId: object
  dataSync(): Float32Array
}

type Kernel = (...values: number[]) => number

type Call = [kernel: string, ...values: (number | number[])[]]

/** What TensorFlow.js tells its kernels: where each tensor is, and what to compute. */
class Recorder {
  readonly tensors = new Map<number, { elements: number; address: number }>()
  calls: Call[] = []
  #memory: WebAssembly.Memory | null = null

  /** Takes the place of the exports of the kernels' instance. */
  wrap(exports: WebAssembly.Exports): WebAssembly.Exports {
    const wrapped: Record<string, WebAssembly.ExportValue> = { ...exports }
    if (exports.memory instanceof WebAssembly.Memory) this.#memory = exports.memory
    for (const [name, value] of Object.entries(exports)) {
      if (typeof value !== 'function') continue
      const original = value as Kernel
      if (name === 'register_tensor') {
        wrapped[name] = (id: number, elements: number, address: number) => {
          this.tensors.set(id, { elements, address })
          return original(id, elements, address)
        }
      } else if (/^_?[A-Z]/.test(name)) {
        wrapped[name] = (...values: number[]) => {
          this.calls.push(this.#call(name, values))
          return original(...values)
        }
      }
    }
    return wrapped
  }

  /** The values of a tensor that is in memory still. */
  valuesOf(id: number): Float32Array {
    const { elements, address } = this.tensors.get(id) ?? fail(`There is no tensor ${id}`)
    return new Float32Array(this.#memory?.buffer ?? new ArrayBuffer(0), address, elements).slice()
  }

  #call(name: string, values: number[]): Call {
    const { integers = {} } = ARGUMENTS[name] ?? fail(`The models call ${name}, which is not described here`)
    const integersAt = (position: number, count: number) =>
      Array.from(
        new Int32Array(this.#memory?.buffer ?? new ArrayBuffer(0), values[position], values[count]).slice(),
      )
    return [
      name,
      ...values.map((value, position) => {
        const count = integers[position]
        return count === undefined ? value : integersAt(position, count)
      }),
    ]
  }
}

/**
 * Runs each face model once in TensorFlow.js and keeps the calls of its kernels: the shapes are always the same, and so are the
 * calls. Making them needs neither the graph nor the 1.3 MB of TensorFlow.js, which takes half as long as the kernels.
 */
export async function recordFaceModels(): Promise<{
  plan: FaceModelPlan
  weights: Float32Array<ArrayBuffer>
  kernels: Uint8Array
}> {
  const recorder = new Recorder()
  const tensorFlow = await startTensorFlow((exports) => recorder.wrap(exports))
  const layout = new Layout()
  const models: [string, ModelPlan][] = []
  for (const name of Object.keys(INPUT_SHAPES) as ModelName[]) {
    const model = await openModel(tensorFlow, name)
    recorder.calls = []
    const { input, outputs } = model(new Float32Array(INPUT_SHAPES[name].reduce((size, side) => size * side)))
    const idOf = ({ dataId }: Tensor) => tensorFlow.engine().backend.dataIdMap.get(dataId).id
    models.push([name, layout.add(recorder, idOf(input), outputs.map(idOf))])
  }
  return { ...layout.finish(models), kernels: await readFile(KERNELS) }
}

/**
 * A model as TensorFlow.js runs it. Its outputs are taken before they are copied or joined at the end, which TensorFlow.js does
 * without a kernel.
 */
export async function openModel(
  tensorFlow: TensorFlow,
  name: ModelName,
): Promise<(values: Float32Array) => { input: Tensor; outputs: Tensor[] }> {
  const json = JSON.parse(await readFile(join(human, 'models', `${name}.json`), 'utf8'))
  const weights = new Uint8Array(await readFile(join(human, 'models', `${name}.bin`))).buffer
  const model = tensorFlow.loadGraphModelSync([json, weights])
  const nodes: { name: string; op: string; input?: string[] }[] = json.modelTopology.node
  const inputsOf = (wanted: string) => nodes.find(({ name }) => name === wanted)?.input ?? []
  const parts = nodes
    .filter(({ op }) => op === 'Identity')
    .flatMap(({ input = [] }) => input)
    .flatMap((end) =>
      nodes.some(({ name, op }) => name === end && op === 'ConcatV2') ? inputsOf(end).slice(0, -1) : end,
    )
  return (values) => {
    const input = tensorFlow.tensor(values, INPUT_SHAPES[name])
    const outputs = model.execute(input, parts)
    return { input, outputs: Array.isArray(outputs) ? outputs : [outputs] }
  }
}

/**
 * The globals from which TensorFlow.js detects its host, fixed: it believes that it runs in a web worker, which is the one platform
 * whose `fetch` can be replaced, and without WebGPU.
 */
const HOST = {
  process: 'undefined',
  WorkerGlobalScope: 'Object',
  importScripts: 'undefined',
  indexedDB: 'undefined',
  'globalThis.navigator': 'undefined',
}

/** TensorFlow.js with its kernels in WebAssembly, single-threaded, whose exports `wrap` may replace. */
export async function startTensorFlow(
  wrap: (exports: WebAssembly.Exports) => WebAssembly.Exports = (exports) => exports,
): Promise<TensorFlow> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from ${JSON.stringify(join(human, 'dist/tfjs.esm.js'))}`,
      resolveDir: human,
    },
    ...{ bundle: true, write: false, format: 'esm', platform: 'neutral', logLevel: 'error', define: HOST },
  })
  const [bundle] = outputFiles
  const address = `data:text/javascript;base64,${Buffer.from(bundle?.contents ?? '').toString('base64')}`
  const tensorFlow: TensorFlow = await import(address)
  tensorFlow.enableProdMode()
  tensorFlow.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false)
  const kernels = await readFile(KERNELS)
  tensorFlow.env().platform.fetch = async () => new Response(new Uint8Array(kernels))
  tensorFlow.setWasmPaths('memory:/', true)
  const { instantiate } = WebAssembly
  WebAssembly.instantiate = (async (source: BufferSource, imports: WebAssembly.Imports) => {
    const { module, instance } = await instantiate(source, imports)
    return { module, instance: { exports: wrap(instance.exports) } }
  }) as typeof instantiate
  try {
    if (!(await tensorFlow.setBackend('wasm'))) fail('TensorFlow.js has no backend in WebAssembly')
  } finally {
    WebAssembly.instantiate = instantiate
  }
  return tensorFlow
}

/** Floats between which tensors begin: 64 bytes. */
const ALIGNMENT = 16

/** Room after each tensor: XNNPACK reads up to 16 bytes beyond its inputs. */
const BEYOND = 16

const roomOf = (elements: number) => Math.ceil((elements + BEYOND) / ALIGNMENT) * ALIGNMENT

/** Numbers the tensors of all models and places them: weights one after another, what is computed in a space that all share. */
class Layout {
  readonly #tensors: [elements: number, offset: number, isWeight: boolean][] = []
  readonly #weights: { values: Float32Array; offset: number }[] = []
  #weightFloats = 0
  #sharedFloats = 0

  /** Adds what was recorded of a model. */
  add(recorder: Recorder, input: number, outputs: number[]): ModelPlan {
    const { calls } = recorder
    const lives = livesOf(calls, input, outputs)
    const numbers = new Map<number, number>([[0, 0]])
    const number = (id: number): number => {
      const known = numbers.get(id)
      if (known !== undefined) return known
      const life = lives.get(id)
      const { elements } = recorder.tensors.get(id) ?? fail(`There is no tensor ${id}`)
      this.#tensors.push(
        life
          ? [elements, life.place(elements), false]
          : [elements, this.#addWeight(recorder.valuesOf(id)), true],
      )
      numbers.set(id, this.#tensors.length)
      return this.#tensors.length
    }
    const inputNumber = number(input)
    const numbered = calls.map(([kernel, ...values]): Call => {
      const { reads, writes } = ARGUMENTS[kernel] ?? fail(`${kernel} is not described here`)
      const tensors = new Set([...reads, writes])
      return [
        kernel,
        ...values.map((value, position) =>
          tensors.has(position) && typeof value === 'number' ? number(value) : value,
        ),
      ]
    })
    for (const life of lives.values()) this.#sharedFloats = Math.max(this.#sharedFloats, life.end())
    return { input: inputNumber, outputs: outputs.map(number), calls: numbered }
  }

  finish(models: [string, ModelPlan][]): { plan: FaceModelPlan; weights: Float32Array<ArrayBuffer> } {
    const weights = new Float32Array(this.#weightFloats)
    for (const { values, offset } of this.#weights) weights.set(values, offset)
    const tensors = this.#tensors.map(([elements, offset, isWeight]): [number, number] => [
      elements,
      isWeight ? offset : this.#weightFloats + offset,
    ])
    const floats = this.#weightFloats + this.#sharedFloats
    return {
      plan: { floats, tensors, models: Object.fromEntries(models) as FaceModelPlan['models'] },
      weights,
    }
  }

  #addWeight(values: Float32Array): number {
    const offset = this.#weightFloats
    this.#weights.push({ values, offset })
    this.#weightFloats += roomOf(values.length)
    return offset
  }
}

/** From which call to which a tensor is needed, and where it is meanwhile. */
class Life {
  readonly from: number
  until: number
  readonly #others: Life[]
  #offset = 0
  #room = 0

  constructor(from: number, others: Life[]) {
    this.from = from
    this.until = from
    this.#others = others
  }

  /** The lowest place where no tensor is that is needed at the same time. */
  place(elements: number): number {
    const meanwhile = this.#others
      .filter((other) => other.#room > 0 && other.from <= this.until && other.until >= this.from)
      .sort((first, second) => first.#offset - second.#offset)
    this.#room = roomOf(elements)
    for (const other of meanwhile) {
      if (this.#offset + this.#room <= other.#offset) break
      this.#offset = Math.max(this.#offset, other.end())
    }
    return this.#offset
  }

  end(): number {
    return this.#offset + this.#room
  }
}

/** The lives of the tensors that a model computes, and of its input; all others are weights. */
function livesOf(calls: Call[], input: number, outputs: number[]): Map<number, Life> {
  const all: Life[] = []
  const lives = new Map<number, Life>()
  const begin = (id: number, at: number) => {
    const life = new Life(at, all)
    all.push(life)
    lives.set(id, life)
  }
  begin(input, 0)
  calls.forEach(([kernel, ...values], at) => {
    const { reads, writes } = ARGUMENTS[kernel] ?? fail(`${kernel} is not described here`)
    for (const position of reads) {
      const life = lives.get(Number(values[position]))
      if (life) life.until = at
    }
    begin(Number(values[writes]), at)
  })
  for (const id of outputs) {
    const life = lives.get(id) ?? fail('An output is not computed')
    life.until = calls.length
  }
  return lives
}

function fail(message: string): never {
  throw new Error(message)
}
