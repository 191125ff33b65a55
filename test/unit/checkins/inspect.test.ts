import { expect, test } from 'vitest'
import { inspectMedia, type UploadedObject } from '../../../functions/_shared/checkins/inspect.ts'
import {
  AUDIO_NAME,
  IMAGE_NAMES,
  MAX_AUDIO_BYTES,
  MAX_IMAGE_BYTES,
} from '../../../functions/_shared/checkins/media.ts'
import { MIN_IMAGES } from '../../../functions/_shared/visual/groups.ts'
import { HEADER_BYTES, MAX_HEADER_BYTES } from '../../../functions/_shared/visual/inspect-image.ts'
import { concat, fixture, oggPage } from '../../../harness/media/containers.ts'
import { bytesOf, jpegDeclaring, jpegWithMetadata, pngDeclaring } from '../visual/crafted-files.ts'

const images = IMAGE_NAMES.slice(0, MIN_IMAGES)

/** Inspects media of these sizes, whose content nobody may read. */
const inspect = (names: string[], size: number) =>
  inspectMedia({
    listed: names.map((name) => ({ name, size })),
    use: { audio: true, images: names === images },
    open: async () => ({
      size,
      etag: '"a"',
      read: async () => {
        throw new Error('read')
      },
    }),
  })

test.each([
  [[AUDIO_NAME], MAX_AUDIO_BYTES, 'audio_too_long'],
  [images, MAX_IMAGE_BYTES, 'image_too_large'],
])('%s over its limit is rejected unread, whatever Storage accepted', async (names, limit, code) => {
  await expect(inspect(names, limit + 1)).rejects.toMatchObject({ code, details: { file: names[0] } })
  await expect(inspect(names, limit)).rejects.toThrow('read')
})

/** An object of these bytes, which notes what is read of it. */
function objectOf(bytes: Uint8Array, onRead: (bytes: number) => void = () => {}): UploadedObject {
  const read = async (start: number, end: number) => {
    expect(end).toBeLessThanOrEqual(bytes.length)
    onRead(end - start)
    return bytes.slice(start, end)
  }
  return { size: bytes.length, etag: '"a"', read }
}

const inspectImages = (open: (name: string) => UploadedObject) =>
  inspectMedia({
    listed: images.map((name) => ({ name, size: 1 })),
    use: { audio: false, images: true },
    open: async (name) => open(name),
  })

test('no images are what a refused camera sends, and some, but too few, are told of the two ways out', async () => {
  const listed = (count: number) => IMAGE_NAMES.slice(0, count).map((name) => ({ name, size: 1 }))
  const open = async () => null
  const use = { audio: true, images: true }
  expect(await inspectMedia({ listed: [], use, open })).toEqual([])
  for (const found of [1, MIN_IMAGES - 1]) {
    await expect(inspectMedia({ listed: listed(found), use, open })).rejects.toMatchObject({
      code: 'image_count',
      message: expect.stringMatching(`Upload ${MIN_IMAGES - found} more, or complete it without images`),
      details: { found },
    })
  }
})

const inspectRecording = (bytes: Uint8Array) =>
  inspectMedia({
    listed: [{ name: AUDIO_NAME, size: bytes.length }],
    use: { audio: true, images: false },
    open: async () => objectOf(bytes),
  })

function appleLossless(): Uint8Array {
  const bytes = fixture('short.m4a')
  const at = Buffer.from(bytes.buffer).indexOf('mp4a')
  for (const place of [at, at + 36]) bytes.set(new TextEncoder().encode('alac'), place)
  return bytes
}

test.each([
  ['Apple Lossless (ALAC)', appleLossless()],
  ['CAF (Core Audio)', concat(['caff', [0, 1, 0, 0], 'desc'])],
  ['AMR', concat(['#!AMR\n', [0x3c, 0]])],
  ['FLAC in Ogg', oggPage({ serial: 1, sequence: 0, granule: 0, flags: 2, packets: [concat(['\x7fFLAC'])] })],
])('a recording as %s is rejected with the name of its format and its file', async (format, bytes) => {
  await expect(inspectRecording(bytes)).rejects.toMatchObject({
    code: 'audio_unsupported',
    message: expect.stringContaining('Send m4a'),
    details: { file: AUDIO_NAME, format },
  })
})

test.each([
  ['HEIC', bytesOf([0, 0, 0, 24], 'ftypheic', [0, 0, 0, 0])],
  ['JPEG in CMYK', jpegDeclaring(100, 100, { colours: 4, isProgressive: false })],
])('an image as %s is rejected with the name of its format and its file', async (format, bytes) => {
  await expect(inspectImages(() => objectOf(bytes))).rejects.toMatchObject({
    code: 'image_unsupported',
    details: { file: images[0], format },
  })
})

test('what is wrong with a file never replaces its name', async () => {
  await expect(inspectImages(() => objectOf(pngDeclaring(3000, 3000)))).rejects.toMatchObject({
    code: 'image_too_large',
    details: { file: images[0] },
  })
})

test('an image is read no further than its beginning, and on where metadata take more', async () => {
  const reads = new Map<string, number[]>()
  const plain = jpegDeclaring(4032, 3024, { isProgressive: false, colours: 3 })
  const [first = ''] = images
  const inspected = await inspectImages((name) => {
    const bytes = jpegWithMetadata(plain, name === first ? 325_000 : 0)
    return objectOf(bytes, (length) => reads.set(name, [...(reads.get(name) ?? []), length]))
  })
  for (const { info } of inspected) expect(info).toMatchObject({ width: 4032, height: 3024 })
  for (const name of images.slice(1)) expect(reads.get(name)).toEqual([Math.min(HEADER_BYTES, plain.length)])
  expect(reads.get(first)).toEqual([
    HEADER_BYTES,
    Math.min(MAX_HEADER_BYTES, jpegWithMetadata(plain, 325_000).length),
  ])
})

test('images whose metadata never end are read on one at a time, and not for long', async () => {
  const endless = jpegWithMetadata(jpegDeclaring(100, 100), 3 * 1024 * 1024)
  let running = 0
  let most = 0
  const lengths: number[] = []
  const rejection = await inspectImages(() => ({
    ...objectOf(endless),
    read: async (start, end) => {
      lengths.push(end - start)
      if (end - start <= HEADER_BYTES) return endless.slice(start, end)
      most = Math.max(most, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
      return endless.slice(start, end)
    },
  })).catch((error: unknown) => error)
  expect(rejection).toMatchObject({
    code: 'image_unreadable',
    message: expect.stringMatching(/metadata.*2 MB/),
    details: { file: images[0] },
  })
  expect(most).toBe(1)
  expect(Math.max(...lengths)).toBe(MAX_HEADER_BYTES)
  expect(lengths.length).toBeLessThanOrEqual(2 * images.length)
})
