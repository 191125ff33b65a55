import { readFile } from 'node:fs/promises'
import encodeJpegPixels, { init as initJpegEncoder } from '@jsquash/jpeg/encode.js'
import encodePngPixels, { init as initPngEncoder } from '@jsquash/png/encode.js'
import encodeWebpPixels, { init as initWebpEncoder } from '@jsquash/webp/encode.js'
import { analyzeImage } from '../../../functions/_shared/visual/analyze-image.ts'
import { loadFaceModels } from '../../../functions/_shared/visual/face-models.ts'
import type { ImageOutcome } from '../../../functions/_shared/visual/outcome.ts'
import type { Pixels } from '../../../functions/_shared/visual/pixels.ts'

const root = new URL('../../../', import.meta.url)
const compile = async (path: string) =>
  WebAssembly.compile(await readFile(new URL(`node_modules/@jsquash/${path}`, root)))

/** The face models as a function loads them, from the built assets. */
export const faceModels = await loadFaceModels(
  async (name) => new Uint8Array(await readFile(new URL(`vendor/assets/${name}`, root))),
)

await initJpegEncoder(await compile('jpeg/codec/enc/mozjpeg_enc.wasm'))
await initPngEncoder(await compile('png/codec/pkg/squoosh_png_bg.wasm'))
await initWebpEncoder(await compile('webp/codec/enc/webp_enc_simd.wasm'))

const imageData = ({ data, width, height }: Pixels) =>
  new ImageData(new Uint8ClampedArray(data), width, height)

export async function encodeJpeg(pixels: Pixels, quality = 90): Promise<Uint8Array> {
  return new Uint8Array(await encodeJpegPixels(imageData(pixels), { quality }))
}

export async function encodePng(pixels: Pixels): Promise<Uint8Array> {
  return new Uint8Array(await encodePngPixels(imageData(pixels)))
}

/** A simple WebP, lossy unless told; quality 0 to 100. */
export async function encodeWebp(pixels: Pixels, quality = 90, isLossless = false): Promise<Uint8Array> {
  return new Uint8Array(await encodeWebpPixels(imageData(pixels), { quality, lossless: isLossless ? 1 : 0 }))
}

const outcomes = new WeakMap<Pixels, Promise<ImageOutcome>>()

/** The analysis of an image as a JPEG. The same pixels, which are not to be changed, are analysed once in a worker. */
export function analyze(pixels: Pixels): Promise<ImageOutcome> {
  const outcome = outcomes.get(pixels) ?? analyzeAnew(pixels)
  outcomes.set(pixels, outcome)
  return outcome
}

/** As `analyze`, whatever was analysed before. */
export async function analyzeAnew(pixels: Pixels): Promise<ImageOutcome> {
  return analyzeImage(await encodeJpeg(pixels), faceModels)
}
