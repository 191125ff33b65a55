/** Files that no encoder would write, byte by byte. */

const ascii = (text: string) => new TextEncoder().encode(text)

export function bytesOf(...parts: (Uint8Array | number[] | string)[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...(typeof part === 'string' ? ascii(part) : part)]))
}

const u32 = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]
const u16 = (value: number) => [(value >>> 8) & 255, value & 255]

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

/** A PNG that declares a size and holds a few bytes of pixel data, as a decompression bomb does. */
export function pngDeclaring(width: number, height: number): Uint8Array {
  const chunk = (type: string, body: number[]) => bytesOf(u32(body.length), type, body, [0, 0, 0, 0])
  return bytesOf(
    PNG_SIGNATURE,
    chunk('IHDR', [...u32(width), ...u32(height), 8, 2, 0, 0, 0]),
    chunk('IDAT', [0x78, 0x9c, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01]),
    chunk('IEND', []),
  )
}

const JPEG_TABLES = [
  ...[0xff, 0xdb, ...u16(67), 0, ...new Array<number>(64).fill(1)],
  // A code of one bit for the means, and one for the rest.
  ...[0xff, 0xc4, ...u16(20), 0x00, 1, ...new Array<number>(15).fill(0), 0],
  ...[0xff, 0xc4, ...u16(20), 0x10, 1, ...new Array<number>(15).fill(0), 0],
]

interface Declared {
  isProgressive?: boolean
  colours?: number
  /** Of the first scan. */
  inFirstScan?: number
  scans?: number
  share?: number
  between?: number[]
}

/**
 * A JPEG, grey and progressive unless told, that declares a size, has a share of the fewest bytes that can hold it, and
 * further scans that add nothing.
 */
export function jpegDeclaring(
  width: number,
  height: number,
  {
    isProgressive = true,
    colours = 1,
    inFirstScan = colours,
    scans = 1,
    share = 1,
    between = [],
  }: Declared = {},
): Uint8Array {
  const ids = Array.from({ length: colours }, (_, index) => index + 1)
  const frame = [
    ...[
      0xff,
      isProgressive ? 0xc2 : 0xc0,
      ...u16(8 + 3 * colours),
      8,
      ...u16(height),
      ...u16(width),
      colours,
    ],
    ...ids.flatMap((id) => [id, 0x11, 0]),
  ]
  const scan = (first: number, last: number, of: number[]) => [
    ...[0xff, 0xda, ...u16(6 + 2 * of.length), of.length, ...of.flatMap((id) => [id, 0]), first, last, 0],
  ]
  const blocks = colours * Math.ceil(width / 8) * Math.ceil(height / 8)
  const data = new Uint8Array(Math.ceil((share * blocks * (isProgressive ? 1 : 2)) / 8))
  const first = scan(0, isProgressive ? 0 : 63, ids.slice(0, inFirstScan))
  const rest = Array.from({ length: scans - 1 }, () => [...between, ...scan(1, 63, [1])]).flat()
  return bytesOf([0xff, 0xd8], JPEG_TABLES, frame, first, data, rest, [0xff, 0xd9])
}

const u32le = (value: number) => u32(value).reverse()

/** A WebP of these chunks. */
export function webpOf(...chunks: [type: string, body: Uint8Array | number[]][]): Uint8Array {
  const parts = chunks.map(([type, body]) =>
    bytesOf(type, u32le(body.length), body, body.length % 2 === 1 ? [0] : []),
  )
  const length = parts.reduce((sum, part) => sum + part.length, 4)
  return bytesOf('RIFF', u32le(length), 'WEBP', ...parts)
}

/** Body of the chunk of an extended WebP: its size, and whether it is animated. */
export function webpCanvas(width: number, height: number, { isAnimated = false } = {}): number[] {
  const u24le = (value: number) => u32le(value).slice(0, 3)
  return [isAnimated ? 2 : 0, 0, 0, 0, ...u24le(width - 1), ...u24le(height - 1)]
}

/** A frame of VP8 that declares a size, and holds a share of the fewest bytes that it needs. */
export function vp8Declaring(width: number, height: number, share = 1): Uint8Array {
  const data = new Uint8Array(Math.ceil((share * Math.ceil(width / 16) * Math.ceil(height / 16) * 3) / 8))
  const tag = (data.length << 5) | (1 << 4)
  const size = [width & 255, width >> 8, height & 255, height >> 8]
  return bytesOf([tag & 255, (tag >> 8) & 255, (tag >> 16) & 255, 0x9d, 0x01, 0x2a], size, data)
}

/** EXIF that states an orientation, as its body is in every format. */
export function exifOf(orientation: number): Uint8Array {
  const entry = [0x01, 0x12, 0x00, 0x03, 0, 0, 0, 1, 0, orientation, 0, 0]
  return bytesOf([0x4d, 0x4d, 0x00, 0x2a, 0, 0, 0, 8, 0, 1], entry, [0, 0, 0, 0])
}

/** A grey baseline JPEG of 64 × 64 pixels with a restart marker after every four blocks. */
export function jpegWithRestarts(): Uint8Array {
  const frame = [0xff, 0xc0, ...u16(11), 8, ...u16(64), ...u16(64), 1, 1, 0x11, 0]
  const header = [0xff, 0xdd, ...u16(4), ...u16(4), 0xff, 0xda, ...u16(8), 1, 1, 0, 0, 63, 0]
  const data = Array.from({ length: 16 }, (_, index) => [0x00, 0xff, 0xd0 + (index % 8)]).flat()
  return bytesOf([0xff, 0xd8], JPEG_TABLES, frame, header, data.slice(0, -2), [0xff, 0xd9])
}

/** The JPEG with an EXIF segment that states its orientation, as cameras write it. */
export function withExifOrientation(jpeg: Uint8Array, orientation: number): Uint8Array {
  const body = bytesOf('Exif', [0, 0], exifOf(orientation))
  return bytesOf(jpeg.subarray(0, 2), [0xff, 0xe1], u16(body.length + 2), body, jpeg.subarray(2))
}

/** The JPEG with so many bytes of application segments before everything else, as embedded profiles and previews are. */
export function jpegWithMetadata(jpeg: Uint8Array, metadataBytes: number): Uint8Array {
  const segmentBytes = 65_000
  const segments: Uint8Array[] = []
  for (let left = metadataBytes; left > 0; left -= segmentBytes) {
    const bytes = Math.min(left, segmentBytes)
    segments.push(Uint8Array.from([0xff, 0xe2, ...u16(bytes + 2)]), new Uint8Array(bytes).fill(0x20))
  }
  return Uint8Array.from(Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]))
}

/** The first box of a HEIF file: its major brand, and those that it calls compatible; `declaredBytes` where its size is a lie. */
export function fileTypeBox(major: string, compatible: string[] = [], declaredBytes?: number): Uint8Array {
  const size = declaredBytes ?? 16 + 4 * compatible.length
  return bytesOf(u32(size), 'ftyp', major, [0, 0, 0, 0], ...compatible)
}
