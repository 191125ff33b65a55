import { ByteReader, type Orientation, OutOfBytes } from './image-bytes.ts'
import { checkJpegIsWhole, readJpegHeader } from './jpeg.ts'
import { ImageError } from './outcome.ts'
import { checkPngIsWhole, readPngHeader } from './png.ts'

type ImageFormat = 'jpeg' | 'png'

/** What a file's header says. `width` and `height` are those of the stored pixels, before orientation. */
export interface ImageInfo {
  format: ImageFormat
  width: number
  height: number
  orientation: Orientation
}

/** Pixels that are decoded at most, 8 binary megapixels: a frame of 4K fits, memory stays far below 256 MB. */
export const MAX_PIXELS = 8 * 1024 * 1024

/** Pixels that each side has at least. */
const MIN_SIDE = 64

/** How much of a file's beginning is enough for `inspectImage`, in bytes: metadata seldom take more. */
export const HEADER_BYTES = 256 * 1024

const ACCEPTED = 'Send a JPEG or PNG of at most 8 megapixels.'

/**
 * Reads format, size and orientation without decoding a pixel, so that a file which declares more than `MAX_PIXELS`
 * is rejected before it can cost memory, and one that declares more than its bytes can hold.
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
    const { leastBytes, ...header } = (format === 'jpeg' ? readJpegHeader : readPngHeader)(reader)
    checkSize(header)
    if (totalSize < leastBytes) {
      throw new ImageError('image_unreadable', `The image declares more pixels than it holds. ${ACCEPTED}`)
    }
    if (isWhole) (format === 'jpeg' ? checkJpegIsWhole : checkPngIsWhole)(reader)
    return { format, ...header }
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
  const other = otherFormat(start)
  if (other)
    throw new ImageError('image_unsupported', `The image is ${other}, which is not supported. ${ACCEPTED}`)
  if ('\x89PNG\r\n\x1a\n'.startsWith(start) || '\xff\xd8\xff'.startsWith(start)) throw new OutOfBytes()
  throw new ImageError('image_unreadable', `The file is not an image that can be read. ${ACCEPTED}`)
}

function otherFormat(start: string): string | null {
  if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') return 'a WebP'
  if (start.slice(4, 8) === 'ftyp') {
    const brand = start.slice(8, 12)
    if (['heic', 'heix', 'heim', 'hevc', 'mif1', 'msf1'].includes(brand)) return 'a HEIC'
    if (['avif', 'avis'].includes(brand)) return 'an AVIF'
  }
  if (start.startsWith('GIF8')) return 'a GIF'
  if (start.startsWith('BM')) return 'a BMP'
  if (start.startsWith('II*\0') || start.startsWith('MM\0*')) return 'a TIFF'
  return null
}

function checkSize({ width, height }: { width: number; height: number }): void {
  if (width * height > MAX_PIXELS) {
    throw new ImageError('image_too_large', `The image has ${width} × ${height} pixels. ${ACCEPTED}`)
  }
  if (Math.min(width, height) < MIN_SIDE) {
    throw new ImageError(
      'image_too_small',
      `The image has ${width} × ${height} pixels. Send one of at least ${MIN_SIDE} × ${MIN_SIDE}.`,
    )
  }
}
