/** The part of TensorFlow.js and of jSquash's JPEG decoder that the visual analysis calls; see vendor/visual.ts. */

export interface Tensor {
  readonly shape: number[]
  dataSync(): Float32Array
}

export interface GraphModel {
  execute(input: Tensor, outputs?: string | string[]): Tensor | Tensor[]
}

export interface ModelJson {
  modelTopology: object
  weightsManifest: { paths: string[]; weights: object[] }[]
}

export interface Environment {
  set(flag: string, value: boolean | number): void
  platform: { fetch(path: string, init?: RequestInit): Promise<Response> }
}

export interface DecodedImage {
  data: Uint8ClampedArray
  width: number
  height: number
}

export function enableProdMode(): void
export function env(): Environment
export function setWasmPaths(prefix: string, usePlatformFetch?: boolean): void
export function setBackend(name: string): Promise<boolean>
export function ready(): Promise<void>
export function getBackend(): string
export function loadGraphModelSync(source: [ModelJson, ArrayBuffer]): GraphModel
export function tensor(values: Float32Array, shape: number[]): Tensor
export function dispose(tensors: Tensor | Tensor[]): void
export function memory(): { numTensors: number }

export interface JpegDecoder {
  /** Gives null for what it cannot decode, or throws. */
  decode(bytes: Uint8Array, preserveOrientation: boolean): DecodedImage | null
}

export function createJpegDecoder(options: {
  noInitialRun: boolean
  instantiateWasm(
    imports: WebAssembly.Imports,
    started: (instance: WebAssembly.Instance) => void,
  ): WebAssembly.Exports
  printErr(message: string): void
}): Promise<JpegDecoder>
