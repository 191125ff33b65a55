import { ByteReader, type ImageHeader, type Orientation, OutOfBytes } from './image-bytes.ts'
import { checkJpegIsWhole, readJpegHeader } from './jpeg.ts'
import { ImageError } from './outcome.ts'
import { checkPngIsWhole, readPngHeader } from './png.ts'
import { checkWebpIsWhole, readWebpHeader } from './webp.ts'

type ImageFormat = 'jpeg' | 'png' | 'webp'

const FORMATS = {
  jpeg: { readHeader: readJpegHeader, checkIsWhole: checkJpegIsWhole },
  png: { readHeader: readPngHeader, checkIsWhole: checkPngIsWhole },
  webp: { readHeader: readWebpHeader, checkIsWhole: checkWebpIsWhole },
} satisfies Record<ImageFormat, unknown>

/** What a file's header says. `width` and `height` are those of the stored pixels, before orientation. */
export interface ImageInfo {
  format: ImageFormat
  width: number
  height: number
  orientation: Orientation
}

/** Pixels that each side has at least. */
const MIN_SIDE = 64

/** How much of a file's beginning is enough for `inspectImage`, in bytes: metadata seldom take more. */
export const HEADER_BYTES = 256 * 1024

const ACCEPTED =
  'Send a JPEG of at most 12 megapixels (8 where it is progressive), a PNG of at most 8, or a lossy WebP of at most 2.'

/**
 * Reads format, size and orientation without decoding a pixel, so that a file which declares more pixels than its format
 * may have is rejected before it can cost memory, and one that declares more than its bytes can hold.
 *
 * @param bytes the file, or its first `HEADER_BYTES`
 * @param totalSize size of the whole file in bytes; when all of it is given, it is also checked to be complete
 * @throws ImageError with any of its codes
 */
export function inspectImage(bytes: Uint8Array, totalSize: number): ImageInfo {
  if (totalSize === 0 || bytes.length === 0)
    throw new ImageError('image_empty', `The image is empty. ${ACCEPTED}`)
  const reader = new ByteReader(bytes)
  const isWhole = bytes.length >= totalSize
  try {
    const format = detectFormat(reader)
    const { readHeader, checkIsWhole } = FORMATS[format]
    const header = readHeader(reader)
    checkSize(header)
    if (totalSize < header.leastBytes) {
      throw new ImageError('image_unreadable', `The image declares more pixels than it holds. ${ACCEPTED}`)
    }
    if (isWhole) checkIsWhole(reader)
    const { width, height, orientation } = header
    return { format, width, height, orientation }
  } catch (error) {
    if (!(error instanceof OutOfBytes)) throw error
    if (isWhole) throw new ImageError('image_truncated', 'The image is cut off. Upload it again.')
    throw new ImageError(
      'image_unreadable',
      `The image's size could not be read from its beginning. ${ACCEPTED}`,
    )
  }
}

function detectFormat(reader: ByteReader): ImageFormat {
  const start = reader.ascii(0, 16)
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') return 'webp'
  const other = otherFormat(start)
  if (other)
    throw new ImageError('image_unsupported', `The image is ${other}, which is not supported. ${ACCEPTED}`)
  if (
    (start.startsWith('RIFF') && start.length < 12) ||
    '\x89PNG\r\n\x1a\n'.startsWith(start) ||
    '\xff\xd8\xff'.startsWith(start)
  )
    throw new OutOfBytes()
  throw new ImageError('image_unreadable', `The file is not an image that can be read. ${ACCEPTED}`)
}

function otherFormat(start: string): string | null {
  if (start.slice(4, 8) === 'ftyp') {
    const brand = start.slice(8, 12)
    if (['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'].includes(brand)) return 'a HEIC'
    if (['avif', 'avis'].includes(brand)) return 'an AVIF'
  }
  if (start.startsWith('GIF8')) return 'a GIF'
  if (start.startsWith('BM')) return 'a BMP'
  if (start.startsWith('II*\0') || start.startsWith('MM\0*')) return 'a TIFF'
  return null
}

function checkSize({ kind, width, height, mostPixels }: ImageHeader): void {
  if (width * height > mostPixels) {
    throw new ImageError(
      'image_too_large',
      `The image is ${kind} of ${width} × ${height} pixels. ${ACCEPTED}`,
    )
  }
  if (Math.min(width, height) < MIN_SIDE) {
    throw new ImageError(
      'image_too_small',
      `The image has ${width} × ${height} pixels. Send one of at least ${MIN_SIDE} × ${MIN_SIDE}.`,
    )
  }
}
