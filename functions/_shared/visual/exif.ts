import { ByteReader, OutOfBytes } from './byte-reader.ts'

/** How the stored pixels are turned to stand upright, as EXIF numbers it: 1 not at all, 6 a quarter clockwise… */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

const ORIENTATION_TAG = 0x0112

/**
 * Reads the orientation from a TIFF structure, the body of a JPEG's EXIF segment or of a PNG's `eXIf` chunk.
 * Damaged or missing metadata count as upright: they never stop an analysis.
 */
export function exifOrientation(tiff: Uint8Array): Orientation {
  try {
    const byteOrder = new ByteReader(tiff).ascii(0, 2)
    if (byteOrder !== 'II' && byteOrder !== 'MM') return 1
    const reader = new ByteReader(tiff, byteOrder === 'II')
    const directory = reader.u32(4)
    const entries = reader.u16(directory)
    for (let entry = 0; entry < entries; entry++) {
      const offset = directory + 2 + 12 * entry
      if (reader.u16(offset) === ORIENTATION_TAG) return orientationOf(reader.u16(offset + 8))
    }
    return 1
  } catch (error) {
    if (error instanceof OutOfBytes) return 1
    throw error
  }
}

function orientationOf(value: number): Orientation {
  const orientations: Orientation[] = [1, 2, 3, 4, 5, 6, 7, 8]
  return orientations.find((orientation) => orientation === value) ?? 1
}
