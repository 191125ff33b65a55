import { crc32, deflateSync } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import { analyzeImage } from '../../../functions/_shared/visual/analyze-image.ts'
import type { FaceModels } from '../../../functions/_shared/visual/face-models.ts'
import { ImageError } from '../../../functions/_shared/visual/outcome.ts'
import type { Pixels } from '../../../functions/_shared/visual/pixels.ts'
import { webpFrame } from '../../../functions/_shared/visual/webp.ts'
import { residentMemoryMb } from '../../unit/resident-memory.ts'
import { encodeJpeg, encodePng, encodeWebp, faceModels } from '../../unit/visual/codecs.ts'
import {
  bytesOf,
  exifOf,
  jpegDeclaring,
  jpegWithRestarts,
  vp8Declaring,
  webpCanvas,
  webpOf,
  withExifOrientation,
} from '../../unit/visual/crafted-files.ts'
import { portrait } from '../../unit/visual/photographs.ts'

const MB = 1024 * 1024

/** Decodes as ever, then stops: what a face model does with the pixels is not asked here. */
const decodesOnly: FaceModels = {
  decodeJpeg: faceModels.decodeJpeg,
  decodeWebp: faceModels.decodeWebp,
  run: () => {
    throw new Error('decoded')
  },
}

type Fate = 'decoded' | { rejected: string; byDecoder: boolean }

async function fateOf(bytes: Uint8Array): Promise<Fate> {
  try {
    await analyzeImage(bytes, decodesOnly)
  } catch (error) {
    if (error instanceof ImageError) return { rejected: error.code, byDecoder: error.cause !== undefined }
    if (error instanceof Error && error.message === 'decoded') return 'decoded'
    throw error
  }
  throw new Error('no model was run')
}

describe('hostile images', () => {
  test('that hide thousands of scans are rejected before they are decoded', async () => {
    for (const between of [[], [0xff, 0x02, 0x00, 0x0c]]) {
      const bytes = jpegDeclaring(4096, 2048, { scans: 8000, between })
      expect(await fateOf(bytes)).toEqual({ rejected: 'image_unreadable', byDecoder: false })
    }
  })

  test('that inflate to more than their pixels are rejected', async () => {
    const bytes = png({ width: 64, height: 64, depth: 8, rows: Buffer.alloc(20 * MB) })
    expect(await fateOf(bytes)).toMatchObject({ rejected: 'image_unreadable' })
  })

  test('leave no memory behind', async () => {
    const rows = Buffer.alloc(2048 * (1 + 4096 * 3))
    rows[2047 * (1 + 4096 * 3)] = 9
    const broken = [
      jpegDeclaring(4096, 2048, { scans: 2, between: [0xff, 0xc4, 0x00, 0x03, 0x00] }),
      png({ width: 4096, height: 2048, depth: 8, rows }),
      png({ width: 4096, height: 2048, depth: 8, rows: rows.subarray(0, -1) }),
      webpOf(['VP8 ', vp8Declaring(2048, 1024)]),
    ]
    const failing = async (failures: number) => {
      for (let failure = 0; failure < failures; failure++) {
        expect(await fateOf(broken[failure % broken.length] ?? new Uint8Array())).toMatchObject({
          byDecoder: false,
        })
      }
      return residentMemoryMb()
    }
    const before = await failing(20)
    await failing(50)
    // What is freed is given back in the background. The pixels of one of these images are 32 MB.
    await vi.waitFor(() => expect(residentMemoryMb()).toBeLessThan(before + 25), { timeout: 30_000 })
  })
})

test('a decoder that failed is replaced: the next image is decoded by a new one', async () => {
  const jpeg = await encodeJpeg(await portrait('calm'))
  const { data } = await faceModels.decodeJpeg(jpeg)
  await expect(faceModels.decodeJpeg(jpeg.subarray(0, 200))).rejects.toBeDefined()
  expect((await faceModels.decodeJpeg(jpeg)).data).toEqual(data)
})

describe('a photograph as cameras and phones write it is taken', () => {
  const profile = (marker: number, head: string) => {
    const body = bytesOf(
      head,
      [0],
      new Uint8Array(60_000).map((_, at) => at % 256),
    )
    return bytesOf([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255], body)
  }

  test('JPEG: progressive, with EXIF, colour profile, pictures after its end', async () => {
    const pixels = await portrait('smiling')
    const jpeg = await encodeJpeg(pixels)
    expect(jpeg.some((byte, at) => byte === 0xff && jpeg[at + 1] === 0xc2)).toBe(true)
    const segments = [
      profile(0xe1, 'http://ns.adobe.com/xap/1.0/'),
      profile(0xe2, 'ICC_PROFILE'),
      profile(0xe2, 'MPF'),
    ]
    const rich = withExifOrientation(
      bytesOf(jpeg.subarray(0, 2), ...segments, jpeg.subarray(2), jpeg, [0xff, 0xd8, 0xff, 0xda]),
      1,
    )
    expect(await analyzeImage(rich, faceModels)).toEqual(await analyzeImage(jpeg, faceModels))
  })

  test('WebP: extended, with profile, transparency and EXIF', async () => {
    const pixels = await portrait('smiling')
    const webp = await encodeWebp(pixels)
    const rich = webpOf(
      ['VP8X', webpCanvas(pixels.width, pixels.height)],
      ['ICCP', new Uint8Array(501)],
      ['ALPH', new Uint8Array(77)],
      ['VP8 ', webpFrame(webp)],
      ['EXIF', bytesOf('Exif', [0, 0], exifOf(1))],
    )
    expect(await analyzeImage(rich, faceModels)).toEqual(await analyzeImage(webp, faceModels))
  })

  test('JPEG: with restart markers', async () => expect(await fateOf(jpegWithRestarts())).toBe('decoded'))

  test('PNG: 16 bits, with profile and text, its pixels in many chunks', async () => {
    const pixels = await portrait('smiling')
    const expected = await analyzeImage(await encodePng(pixels), faceModels)
    const sixteen = png({ ...pixels, depth: 16, rows: rowsOf(pixels, 2), partBytes: 8192 })
    expect(await analyzeImage(sixteen, faceModels)).toEqual(expected)
    const eight = png({ ...pixels, depth: 8, rows: rowsOf(pixels, 1), partBytes: 100 })
    expect(await analyzeImage(eight, faceModels)).toEqual(expected)
  })
})

/** The rows of an image in three colours, unfiltered, as PNG stores them. */
function rowsOf({ width, height, data }: Pixels, bytesPerSample: 1 | 2): Uint8Array {
  const rows: number[] = []
  for (let y = 0; y < height; y++) {
    rows.push(0)
    for (let x = 0; x < width; x++) {
      for (let colour = 0; colour < 3; colour++) {
        const value = data[(y * width + x) * 4 + colour] ?? 0
        rows.push(...(bytesPerSample === 2 ? [value, value] : [value]))
      }
    }
  }
  return Uint8Array.from(rows)
}

/** A PNG in three colours with a profile and a text, whose pixel data inflate to `rows`. */
function png(given: {
  width: number
  height: number
  depth: 8 | 16
  rows: Uint8Array
  partBytes?: number
}): Uint8Array {
  const u32 = (value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return bytes
  }
  const chunk = (type: string, body: Uint8Array) => {
    const named = Buffer.concat([Buffer.from(type), body])
    return Buffer.concat([u32(body.length), named, u32(crc32(named))])
  }
  const pixels = deflateSync(given.rows)
  const partBytes = given.partBytes ?? pixels.length
  const parts = Array.from({ length: Math.ceil(pixels.length / partBytes) }, (_, part) =>
    chunk('IDAT', pixels.subarray(part * partBytes, (part + 1) * partBytes)),
  )
  return new Uint8Array(
    Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk(
        'IHDR',
        Buffer.concat([u32(given.width), u32(given.height), Buffer.from([given.depth, 2, 0, 0, 0])]),
      ),
      chunk('iCCP', Buffer.concat([Buffer.from('profile\0\0'), deflateSync(Buffer.alloc(3000))])),
      chunk('tEXt', Buffer.from('Comment\0a photograph')),
      ...parts,
      chunk('IEND', Buffer.alloc(0)),
    ]),
  )
}
