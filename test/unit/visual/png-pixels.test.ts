import { readFile } from 'node:fs/promises'
import { deflateSync } from 'node:zlib'
import decodeByLibrary, { init } from '@jsquash/png/decode.js'
import { describe, expect, test } from 'vitest'
import { ByteReader } from '../../../functions/_shared/visual/image-bytes.ts'
import { readPngHeader } from '../../../functions/_shared/visual/png.ts'
import { decodePng } from '../../../functions/_shared/visual/png-pixels.ts'
import { big } from '../../../harness/media/containers.ts'
import { pngChunk, pngFileOf } from '../../../harness/media/images.ts'
import { Random } from '../../../harness/media/random.ts'

const wasm = new URL('../../../node_modules/@jsquash/png/codec/pkg/squoosh_png_bg.wasm', import.meta.url)
await init(await WebAssembly.compile(await readFile(wasm)))

type Kind = readonly [colourType: number, name: string, depth: number, samples: number]

/** What the standard allows. */
const KINDS: readonly Kind[] = [
  [0, 'grey', 1, 1],
  [0, 'grey', 2, 1],
  [0, 'grey', 4, 1],
  [0, 'grey', 8, 1],
  [0, 'grey', 16, 1],
  [2, 'colours', 8, 3],
  [2, 'colours', 16, 3],
  [3, 'indexed colours', 1, 1],
  [3, 'indexed colours', 2, 1],
  [3, 'indexed colours', 4, 1],
  [3, 'indexed colours', 8, 1],
  [4, 'grey and transparency', 8, 2],
  [4, 'grey and transparency', 16, 2],
  [6, 'colours and transparency', 8, 4],
  [6, 'colours and transparency', 16, 4],
]

const PASSES = [
  [[0, 0, 1, 1]],
  [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ],
] as const

/** A picture of noise: any bytes are pixels, behind each row's filter. */
function noise(given: { width: number; height: number; kind: Kind; interlace: 0 | 1 }): Uint8Array {
  const { width, height, interlace } = given
  const [colours, , depth, samples] = given.kind
  const random = new Random(width + height + depth + colours + interlace)
  const rows: Uint8Array[] = []
  for (const [column, row, across, down] of PASSES[interlace]) {
    const bytes = Math.ceil((Math.ceil((width - column) / across) * samples * depth) / 8)
    for (let y = row; y < height && column < width; y += down) {
      rows.push(Uint8Array.of(rows.length % 5), random.bytes(bytes))
    }
  }
  return pngFileOf([
    pngChunk('IHDR', [...big(width), ...big(height), depth, colours, 0, 0, interlace]),
    ...(colours === 3 ? [pngChunk('PLTE', random.bytes(3 * 2 ** depth))] : []),
    pngChunk('IDAT', new Uint8Array(deflateSync(Buffer.concat(rows)))),
    pngChunk('IEND', []),
  ])
}

const opaque = (data: Uint8ClampedArray) => data.map((value, at) => (at % 4 === 3 ? 255 : value))

describe.each([
  [0, 'row by row'],
  [1, 'interlaced'],
] as const)(
  'a PNG gives the pixels that the reference decoder gives, transparency aside',
  (interlace, order) => {
    test.each(KINDS)(`colour type %d, %s, ${order}, %d bits`, async (...kind) => {
      for (const [width, height] of [
        [37, 23],
        [64, 9],
        [1, 5],
        [3, 1],
      ] as const) {
        const file = noise({ width, height, kind, interlace })
        const { data } = await decodeByLibrary(file.slice().buffer)
        const decoded = await decodePng(new ByteReader(file))
        expect([decoded.width, decoded.height]).toEqual([width, height])
        expect(decoded.data).toEqual(opaque(data))
      }
    })
  },
)

test('pixels that a file of its size cannot hold are refused before anything is inflated or allocated', async () => {
  const header = pngChunk('IHDR', [...big(4096), ...big(2048), 8, 2, 0, 0, 0])
  const text = pngChunk('tEXt', new Uint8Array(100_000))
  const data = pngChunk('IDAT', new Uint8Array(deflateSync(new Uint8Array(10))))
  const file = pngFileOf([header, text, data, pngChunk('IEND', [])])
  expect(readPngHeader(new ByteReader(file)).leastBytes).toBeLessThan(file.length)
  await expect(decodePng(new ByteReader(file))).rejects.toThrow('holds fewer pixels')
})
