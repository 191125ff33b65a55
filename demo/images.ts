import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import decode, { init as initDecoder } from '@jsquash/jpeg/decode.js'
import encode, { init as initEncoder } from '@jsquash/jpeg/encode.js'

const require = createRequire(import.meta.url)
/** Head and shoulders of one person, in a photograph that the package `@vladmandic/face-api` ships. */
const PHOTOGRAPH = 'sample6.jpg'
const FRAME = { left: 1400, top: 110, side: 500 }
/** How each image differs from the first: shift in pixels and brightness, as of a hand that holds a phone. */
const VARIANTS = [
  [0, 0, 1],
  [12, 4, 1.05],
  [-8, 10, 0.95],
  [6, -12, 1.1],
  [-14, -6, 0.9],
  [18, 8, 1],
  [4, 16, 1.08],
  [-4, -16, 0.97],
] as const

/** Makes the eight images of the demonstration check-in in a folder, once, and returns the folder. */
export async function demonstrationImages(folder: string): Promise<string> {
  if (existsSync(join(folder, `image-${VARIANTS.length}.jpg`))) return folder
  const codec = dirname(require.resolve('@jsquash/jpeg/decode.js'))
  await initDecoder(await WebAssembly.compile(readFileSync(join(codec, 'codec/dec/mozjpeg_dec.wasm'))))
  await initEncoder(await WebAssembly.compile(readFileSync(join(codec, 'codec/enc/mozjpeg_enc.wasm'))))
  const photographs = join(dirname(require.resolve('@vladmandic/face-api/package.json')), 'demo')
  const photograph = await decode(new Uint8Array(readFileSync(join(photographs, PHOTOGRAPH))).buffer)

  mkdirSync(folder, { recursive: true })
  for (const [index, [right, down, brightness]] of VARIANTS.entries()) {
    const frame = { ...FRAME, left: FRAME.left + right, top: FRAME.top + down }
    const jpeg = await encode(crop(photograph, frame, brightness), { quality: 85 })
    writeFileSync(join(folder, `image-${index + 1}.jpg`), new Uint8Array(jpeg))
  }
  return folder
}

function crop(
  image: ImageData,
  frame: { left: number; top: number; side: number },
  brightness: number,
): ImageData {
  const { left, top, side } = frame
  const data = new Uint8ClampedArray(side * side * 4)
  for (let y = 0; y < side; y++) {
    const row = ((top + y) * image.width + left) * 4
    for (let x = 0; x < side * 4; x++) {
      const value = image.data[row + x] ?? 0
      data[y * side * 4 + x] = x % 4 === 3 ? value : value * brightness
    }
  }
  return { data, width: side, height: side, colorSpace: 'srgb' } as ImageData
}
