import { describe, expect, test } from 'vitest'
import {
  HEADER_BYTES,
  inspectImage,
  MAX_HEADER_BYTES,
} from '../../../functions/_shared/visual/inspect-image.ts'
import { ImageError } from '../../../functions/_shared/visual/outcome.ts'
import { webpFrame } from '../../../functions/_shared/visual/webp.ts'
import { encodeJpeg, encodePng, encodeWebp } from './codecs.ts'
import {
  bytesOf,
  exifOf,
  fileTypeBox,
  jpegDeclaring,
  jpegWithMetadata,
  pngDeclaring,
  vp8Declaring,
  webpCanvas,
  webpOf,
  withExifOrientation,
} from './crafted-files.ts'
import { paint } from './pixel-edits.ts'

const gradient = (width: number, height: number) => paint(width, height, (x, y) => [x % 256, y % 256, 128])

function codeOf(bytes: Uint8Array, totalSize = bytes.length): string {
  try {
    inspectImage(bytes, totalSize)
  } catch (error) {
    if (error instanceof ImageError) return error.code
    throw error
  }
  return 'accepted'
}

function detailsOf(bytes: Uint8Array): unknown {
  try {
    inspectImage(bytes, bytes.length)
  } catch (error) {
    if (error instanceof ImageError) return error.details
    throw error
  }
  return 'accepted'
}

describe('the header of an image', () => {
  test('gives format and size of a JPEG', async () => {
    const bytes = await encodeJpeg(gradient(320, 200))
    expect(inspectImage(bytes, bytes.length)).toEqual({
      format: 'jpeg',
      width: 320,
      height: 200,
      orientation: 1,
    })
  })

  test('gives format and size of a PNG', async () => {
    const bytes = await encodePng(gradient(90, 70))
    expect(inspectImage(bytes, bytes.length)).toEqual({
      format: 'png',
      width: 90,
      height: 70,
      orientation: 1,
    })
  })

  test('gives format and size of a WebP', async () => {
    const bytes = await encodeWebp(gradient(150, 70))
    expect(inspectImage(bytes, bytes.length)).toEqual({
      format: 'webp',
      width: 150,
      height: 70,
      orientation: 1,
    })
  })

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('gives EXIF orientation %i', async (orientation) => {
    const jpeg = withExifOrientation(await encodeJpeg(gradient(100, 80)), orientation)
    const frame = webpFrame(await encodeWebp(gradient(101, 80)))
    const webp = webpOf(
      ['VP8X', webpCanvas(101, 80)],
      ['ICCP', new Uint8Array(33)],
      ['VP8 ', frame],
      ['EXIF', exifOf(orientation)],
    )
    for (const bytes of [jpeg, webp]) {
      expect(inspectImage(bytes, bytes.length).orientation).toBe(orientation)
    }
  })

  test('counts as upright when its EXIF orientation makes no sense', async () => {
    const bytes = withExifOrientation(await encodeJpeg(gradient(100, 80)), 77)
    expect(inspectImage(bytes, bytes.length).orientation).toBe(1)
  })

  test('is enough: the rest of the file need not be there', async () => {
    const bytes = await encodeJpeg(gradient(1200, 900))
    expect(inspectImage(bytes.subarray(0, 2000), bytes.length)).toMatchObject({ width: 1200, height: 900 })
  })

  test('may stand behind metadata of more than the first bytes', () => {
    const size = { width: 1024, height: 768 }
    const bytes = jpegWithMetadata(jpegDeclaring(1024, 768, { isProgressive: false, colours: 3 }), 325_000)
    expect(codeOf(bytes.subarray(0, HEADER_BYTES), bytes.length)).toBe('image_unreadable')
    expect(inspectImage(bytes.subarray(0, MAX_HEADER_BYTES), bytes.length)).toMatchObject(size)
    expect(inspectImage(bytes.subarray(0, bytes.length - 100), bytes.length)).toMatchObject(size)
  })
})

describe('a file that is rejected', () => {
  test('is empty', () => expect(codeOf(new Uint8Array())).toBe('image_empty'))

  test('is text under the name of an image', () =>
    expect(codeOf(bytesOf('Dear diary, today'))).toBe('image_unreadable'))

  test.each([
    ['HEIC', bytesOf([0, 0, 0, 24], 'ftypheic', [0, 0, 0, 0])],
    ['AVIF', bytesOf([0, 0, 0, 24], 'ftypavif', [0, 0, 0, 0])],
    ['GIF', bytesOf('GIF89a', [1, 0, 1, 0, 0, 0])],
    ['HEIC', fileTypeBox('hevm')],
    ['HEIC', fileTypeBox('hevs', ['msf1'])],
    ['HEIC', fileTypeBox('mif2', ['mif2', 'heic'])],
    ['HEIC', fileTypeBox('mif1', ['mif1', 'heic'])],
    ['HEIC', fileTypeBox('MiHE', ['mif1', 'heic'])],
    ['AVIF', fileTypeBox('mif1', ['mif1', 'avif', 'miaf'])],
    ['AVIF', fileTypeBox('msf1', ['avis'])],
    ['HEIF', fileTypeBox('mif2', ['miaf'])],
    ['JPEG XL', bytesOf([0xff, 0x0a, 0x7f, 0x00])],
    ['JPEG XL', bytesOf([0, 0, 0, 12], 'JXL ', [0x0d, 0x0a, 0x87, 0x0a], fileTypeBox('jxl ', ['jxl ']))],
    ['JPEG XL', fileTypeBox('jxl ')],
  ])('is a %s, and the message says what to send', (format, start) => {
    const bytes = bytesOf(start, new Uint8Array(100))
    for (const given of [start, bytes]) {
      expect(codeOf(given)).toBe('image_unsupported')
      expect(() => inspectImage(given, bytes.length)).toThrow(new RegExp(`${format}.*Send a JPEG`))
      expect(detailsOf(given)).toEqual({ format })
    }
  })

  test('lists brands beyond its box, or beyond its bytes, and those are not believed', () => {
    const behindBox = bytesOf(fileTypeBox('mif1', ['miaf']), 'avifheic')
    expect(detailsOf(behindBox)).toEqual({ format: 'HEIF' })
    expect(detailsOf(fileTypeBox('mif1', ['avif'], 0xffffffff))).toEqual({ format: 'AVIF' })
    expect(detailsOf(fileTypeBox('mif1', ['miaf'], 3))).toEqual({ format: 'HEIF' })
    const many = Array.from({ length: 100_000 }, () => 'none')
    expect(codeOf(fileTypeBox('none', [...many, 'heic']))).toBe('image_unreadable')
  })

  test('is a JPEG in CMYK, a lossless WebP or an animated one, and is called so', async () => {
    const lossless = await encodeWebp(gradient(80, 80), 100, true)
    const frame = vp8Declaring(80, 80)
    const animated = webpOf(['VP8X', webpCanvas(80, 80, { isAnimated: true })], ['VP8 ', frame])
    for (const [name, bytes] of [
      ['JPEG in CMYK', jpegDeclaring(100, 100, { colours: 4, isProgressive: false })],
      ['lossless WebP', lossless],
      ['animated WebP', animated],
    ] as const) {
      expect(codeOf(bytes)).toBe('image_unsupported')
      expect(() => inspectImage(bytes, bytes.length)).toThrow(name)
      expect(detailsOf(bytes)).toEqual({ format: name })
    }
  })

  test('is a video', () => {
    expect(codeOf(bytesOf([0, 0, 0, 24], 'ftypisom', [0, 0, 2, 0]))).toBe('image_unreadable')
  })

  test.each([1, 63])('has sides of %i pixels', async (side) => {
    expect(codeOf(await encodePng(gradient(side, side)))).toBe('image_too_small')
    expect(codeOf(await encodeJpeg(gradient(side, side)))).toBe('image_too_small')
  })

  test('is a PNG that declares 50,000 × 50,000 pixels', () => {
    expect(codeOf(pngDeclaring(50_000, 50_000))).toBe('image_too_large')
  })

  test('is a JPEG that declares 65,000 × 65,000 pixels', () => {
    expect(codeOf(jpegDeclaring(65_000, 65_000, { share: 0 }))).toBe('image_too_large')
  })

  test('has more pixels than its format may have', () => {
    const baseline = { isProgressive: false, colours: 3 }
    expect(codeOf(jpegDeclaring(4032, 3024, baseline))).toBe('accepted')
    expect(codeOf(jpegDeclaring(4096, 3072, baseline))).toBe('accepted')
    expect(codeOf(jpegDeclaring(4096, 3073, baseline))).toBe('image_too_large')
    expect(codeOf(jpegDeclaring(3000, 3000, { share: 0 }))).toBe('image_too_large')
    expect(codeOf(jpegDeclaring(4096, 2048))).toBe('accepted')
    expect(codeOf(webpOf(['VP8 ', vp8Declaring(2048, 1024)]))).toBe('accepted')
    expect(codeOf(webpOf(['VP8 ', vp8Declaring(2048, 1025)]))).toBe('image_too_large')
  })

  test('has 12 megapixels and a scan for each colour, so that libjpeg would keep all of it', () => {
    const bytes = jpegDeclaring(4032, 3024, { isProgressive: false, colours: 3, inFirstScan: 1 })
    expect(codeOf(bytes)).toBe('image_too_large')
  })

  test.each([0.05, 0.5, 0.9, 0.999])('is cut off after %d of its length', async (share) => {
    const pixels = gradient(200, 200)
    for (const whole of [await encodeJpeg(pixels), await encodePng(pixels), await encodeWebp(pixels, 100)]) {
      expect(codeOf(whole.slice(0, Math.floor(whole.length * share)))).toBe('image_truncated')
    }
  })

  test.each([1, 2, 3, 4, 8, 12])('is a PNG without its last %d bytes', async (missing) => {
    const whole = await encodePng(gradient(200, 200))
    expect(codeOf(whole.slice(0, whole.length - missing))).toBe('image_truncated')
  })

  test('is a JPEG without a frame', () => {
    expect(codeOf(bytesOf([0xff, 0xd8, 0xff, 0xd9]))).toBe('image_unreadable')
  })

  test('repeats its scans without end', () => {
    expect(codeOf(jpegDeclaring(100, 100, { scans: 10 }))).toBe('accepted')
    expect(codeOf(jpegDeclaring(100, 100, { scans: 1000 }))).toBe('image_unreadable')
  })

  test('hides scans in the length of a reserved marker, which libjpeg passes over without its length', () => {
    for (const marker of [0x02, 0xbf, 0xf0]) {
      const between = [0xff, marker, 0x00, 0x0c]
      expect(codeOf(jpegDeclaring(100, 100, { scans: 2, between }))).toBe('image_unreadable')
    }
  })

  test('declares more pixels than its bytes can hold', () => {
    expect(codeOf(jpegDeclaring(4096, 2048, { share: 0.9 }))).toBe('image_unreadable')
    expect(codeOf(jpegDeclaring(4096, 2048))).toBe('accepted')
    expect(codeOf(pngDeclaring(4096, 2048))).toBe('image_unreadable')
    expect(codeOf(webpOf(['VP8 ', vp8Declaring(2048, 1024, 0.9)]))).toBe('image_unreadable')
  })

  test('hides its size behind more metadata than were read', async () => {
    const jpeg = await encodeJpeg(gradient(100, 100))
    const comment = bytesOf([0xff, 0xfe, 0xff, 0xff], new Uint8Array(0xfffd))
    const bytes = bytesOf(jpeg.subarray(0, 2), comment, comment, jpeg.subarray(2))
    expect(codeOf(bytes)).toBe('accepted')
    expect(codeOf(bytes.subarray(0, 70_000), bytes.length)).toBe('image_unreadable')
    expect(() => inspectImage(bytes.subarray(0, 70_000), bytes.length)).toThrow(/metadata.*Save it again/)
  })
})
