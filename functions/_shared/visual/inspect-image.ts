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

/** How much of a file's beginning is usually enough for `inspectImage`, in bytes: metadata seldom take more. */
export const HEADER_BYTES = 256 * 1024

/** How far metadata may reach before the picture's size, in bytes: profiles, previews and depth maps of phones. */
export const MAX_HEADER_BYTES = 2 * 1024 * 1024

const ACCEPTED =
  'Send a JPEG of at most 12 megapixels (8 where it is progressive), a PNG of at most 8, or a lossy WebP of at most 2.'

/**
 * Reads format, size and orientation without decoding a pixel, so that a file which declares more pixels than its format
 * may have is rejected before it can cost memory, and one that declares more than its bytes can hold.
 *
 * @param bytes the file, or its first `HEADER_BYTES`, or where that gives `HeaderNotReached` its first `MAX_HEADER_BYTES`
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
    throw new HeaderNotReached()
  }
}

/** The picture's size does not stand in the bytes at hand, and the file has more. */
export class HeaderNotReached extends ImageError {
  constructor() {
    super(
      'image_unreadable',
      'The image has too much metadata before its picture, such as large profiles, previews or depth maps: at most ' +
        `${MAX_HEADER_BYTES / 1024 / 1024} MB are read. Save it again without them and send it.`,
    )
  }
}

function detectFormat(reader: ByteReader): ImageFormat {
  const start = reader.ascii(0, 16)
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') return 'webp'
  const format = otherFormat(reader, start)
  if (format) {
    const article = format === 'AVIF' ? 'an' : 'a'
    throw new ImageError(
      'image_unsupported',
      `The image is ${article} ${format}, which is not supported. ${ACCEPTED}`,
      { details: { format } },
    )
  }
  if (
    (start.startsWith('RIFF') && start.length < 12) ||
    '\x89PNG\r\n\x1a\n'.startsWith(start) ||
    '\xff\xd8\xff'.startsWith(start)
  )
    throw new OutOfBytes()
  throw new ImageError('image_unreadable', `The file is not an image that can be read. ${ACCEPTED}`)
}

/** How files begin of formats that are known but not read. JPEG XL comes as it is, or in boxes (ISO/IEC 18181-2). */
const STARTS: readonly (readonly [start: string, format: string])[] = [
  ['GIF8', 'GIF'],
  ['BM', 'BMP'],
  ['II*\0', 'TIFF'],
  ['MM\0*', 'TIFF'],
  ['\xff\x0a', 'JPEG XL'],
  ['\0\0\0\x0cJXL \r\n\x87\n', 'JPEG XL'],
]

/** What the brands of a file say that it holds (ISO/IEC 23008-12, annexes B and E; AV1 Image File Format, section 6). */
const BRANDS: readonly (readonly [format: string, brands: readonly string[]])[] = [
  ['HEIC', ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs']],
  ['AVIF', ['avif', 'avis']],
  ['JPEG XL', ['jxl ']],
]

/** Brands of the structure alone, whatever the picture in it is coded with. */
const HEIF_BRANDS = ['mif1', 'mif2', 'msf1', 'miaf']

/** Compatible brands that are looked at; files list about five. */
const MAX_BRANDS = 32

function otherFormat(reader: ByteReader, start: string): string | null {
  if (start.slice(4, 8) === 'ftyp') return heifFormat(brandsOf(reader))
  return STARTS.find(([bytes]) => start.startsWith(bytes))?.[1] ?? null
}

/** The first brand that says how the picture is coded decides: the major one, then those that the file lists as compatible. */
function heifFormat(brands: string[]): string | null {
  for (const brand of brands) {
    const known = BRANDS.find(([, of]) => of.includes(brand))
    if (known) return known[0]
  }
  return brands.some((brand) => HEIF_BRANDS.includes(brand)) ? 'HEIF' : null
}

/** The major brand and the compatible ones, which stand behind a version, as far as the box and the bytes reach. */
function brandsOf(reader: ByteReader): string[] {
  const end = Math.min(reader.u32(0), reader.bytes.length, 16 + 4 * MAX_BRANDS)
  const brands = [reader.ascii(8, 4)]
  for (let at = 16; at + 4 <= end; at += 4) brands.push(reader.ascii(at, 4))
  return brands
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
