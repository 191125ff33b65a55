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

/** A baseline JPEG that declares a size and ends after an empty scan. */
export function jpegDeclaring(width: number, height: number, scans = 1): Uint8Array {
  const frame = [0xff, 0xc0, ...u16(11), 8, ...u16(height), ...u16(width), 1, 1, 0x11, 0]
  const scan = [0xff, 0xda, ...u16(8), 1, 1, 0, 0, 63, 0, 0x00]
  return bytesOf([0xff, 0xd8], frame, ...Array.from({ length: scans }, () => scan), [0xff, 0xd9])
}

/** The JPEG with an EXIF segment that states its orientation, as cameras write it. */
export function withExifOrientation(jpeg: Uint8Array, orientation: number): Uint8Array {
  const entry = [0x01, 0x12, 0x00, 0x03, 0, 0, 0, 1, 0, orientation, 0, 0]
  const tiff = [0x4d, 0x4d, 0x00, 0x2a, 0, 0, 0, 8, 0, 1, ...entry, 0, 0, 0, 0]
  const body = bytesOf('Exif', [0, 0], tiff)
  return bytesOf(jpeg.subarray(0, 2), [0xff, 0xe1], u16(body.length + 2), body, jpeg.subarray(2))
}
