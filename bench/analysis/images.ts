import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import decode from '@jsquash/jpeg/decode.js'
import encode from '@jsquash/jpeg/encode.js'
import { demonstrationImages } from '../../demo/images.ts'

const [WIDTH, HEIGHT] = [4032, 3024]

export interface ImageSet {
  name: string
  /** Names in the folder. */
  paths: string[]
  /** Of the largest. */
  pixels: number
}

/**
 * Puts three sets of pictures into a folder: images of 500 by 500 pixels, photographs 1920 pixels wide, more than the client is
 * asked to send, and one of 12 megapixels, as a phone's camera takes it.
 */
export async function makeImages(folder: string): Promise<ImageSet[]> {
  await demonstrationImages(folder)
  const small = readdirSync(folder).filter((name) => name.endsWith('.jpg'))
  const require = createRequire(import.meta.url)
  const photographs = join(dirname(require.resolve('@vladmandic/face-api/package.json')), 'demo')
  const names = readdirSync(photographs).filter((name) => /^sample\d\.jpg$/.test(name))
  for (const name of names) copyFileSync(join(photographs, name), join(folder, name))
  return [
    { name: '500 px', paths: small, pixels: 500 * 500 },
    { name: '1920 px', paths: names, pixels: 1920 * 1280 },
    { name: '12 megapixels', paths: [await enlarge(folder, small[0] ?? '')], pixels: WIDTH * HEIGHT },
  ]
}

/** Enlarges a picture until it fills 12 megapixels, with the grain of a sensor: without detail it would cost too little. */
async function enlarge(folder: string, name: string): Promise<string> {
  // The codecs are loaded where the demonstration's images are made.
  const { data, width, height } = await decode(new Uint8Array(readFileSync(join(folder, name))).buffer)
  const enlarged = new Uint8ClampedArray(WIDTH * HEIGHT * 4).fill(255)
  for (let y = 0; y < HEIGHT; y++) {
    const row = Math.floor((y * height) / HEIGHT) * width
    for (let x = 0; x < WIDTH; x++) {
      const from = (row + Math.floor((x * width) / WIDTH)) * 4
      const grain = ((x * 7919 + y * 104_729) % 17) - 8
      const to = (y * WIDTH + x) * 4
      for (let channel = 0; channel < 3; channel++)
        enlarged[to + channel] = (data[from + channel] ?? 0) + grain
    }
  }
  const image = { data: enlarged, width: WIDTH, height: HEIGHT, colorSpace: 'srgb' } as ImageData
  const path = '12-megapixels.jpg'
  writeFileSync(join(folder, path), new Uint8Array(await encode(image, { quality: 85, progressive: false })))
  return path
}

/** The first `count` pictures of a set, from the start again when it has fewer. */
export function take(set: ImageSet, count: number): string[] {
  return Array.from({ length: count }, (_, i) => set.paths[i % set.paths.length] ?? '')
}
