import { type ByteReader, damaged } from './image-bytes.ts'
import { ImageError } from './outcome.ts'
import type { Pixels } from './pixels.ts'
import { INDEXED, type Layout, type Pass, type PixelData, readPixelData } from './png.ts'

/** Bytes of pixel data that are inflated at a time: a runtime may hold all that comes out, a thousandfold. */
const INFLATED_AT_ONCE = 8192

const RED_AND_MORE = 3

/**
 * Decodes a PNG row by row as it is inflated, so that of a file there is never more in memory than its pixels in 8 bits.
 * Transparency is left out: every pixel is opaque.
 *
 * @throws ImageError `image_unreadable` unless the pixel data inflate to exactly the declared rows
 */
export async function decodePng(reader: ByteReader): Promise<Pixels> {
  const pixelData = readPixelData(reader)
  const { width, height } = pixelData.layout
  const rows = new Rows(pixelData)
  const inflated = slices(pixelData.parts).pipeThrough(new DecompressionStream('deflate')).getReader()
  try {
    for (let next = await inflated.read(); next.value !== undefined; next = await inflated.read()) {
      rows.add(next.value)
    }
    return { width, height, data: rows.finished() }
  } catch (error) {
    await inflated.cancel().catch(() => {})
    // At once, so that the pixels of many damaged images do not pile up until the garbage collector runs.
    rows.release()
    throw error instanceof ImageError ? error : damaged('PNG', 'is damaged')
  }
}

function slices(parts: readonly Uint8Array[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  let part = 0
  let at = 0
  return new ReadableStream({
    pull(controller) {
      while (part < parts.length && at >= (parts[part]?.length ?? 0)) {
        part += 1
        at = 0
      }
      const bytes = parts[part]?.slice(at, at + INFLATED_AT_ONCE)
      if (bytes === undefined) return controller.close()
      at += bytes.length
      controller.enqueue(bytes)
    },
  })
}

/** Puts inflated bytes together to rows, and the rows' pixels where they belong. */
class Rows {
  readonly #layout: Layout
  readonly #write: WriteRow
  readonly #pixels: Uint32Array<ArrayBuffer>
  /** Bytes from one pixel to the next one, at least one. */
  readonly #step: number
  #pass = 0
  /** In the pass. */
  #row = 0
  #current = new Uint8Array(0)
  #above = new Uint8Array(0)
  /** Bytes of the current row that are there. */
  #filled = 0

  constructor({ layout, colourTable }: PixelData) {
    this.#layout = layout
    this.#write = rowWriter(layout, colourTable)
    this.#pixels = new Uint32Array(layout.width * layout.height)
    this.#step = Math.max(1, (layout.samples * layout.depth) / 8)
    this.#startPass()
  }

  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const pass = this.#layout.passes[this.#pass]
      if (pass === undefined) throw damaged('PNG', 'holds more pixels than it declares')
      const taken = Math.min(bytes.length - at, pass.rowBytes - this.#filled)
      this.#current.set(bytes.subarray(at, at + taken), this.#filled)
      this.#filled += taken
      at += taken
      if (this.#filled === pass.rowBytes) this.#finishRow(pass)
    }
  }

  finished(): Uint8ClampedArray {
    if (this.#layout.passes[this.#pass] !== undefined)
      throw damaged('PNG', 'holds fewer pixels than it declares')
    return new Uint8ClampedArray(this.#pixels.buffer)
  }

  release(): void {
    this.#pixels.buffer.transfer(0)
  }

  #startPass(): void {
    const rowBytes = this.#layout.passes[this.#pass]?.rowBytes ?? 0
    this.#current = new Uint8Array(rowBytes)
    this.#above = new Uint8Array(rowBytes)
    this.#row = 0
  }

  #finishRow(pass: Pass): void {
    unfilter(this.#current, this.#above, this.#step)
    const [column, row, across, down] = pass.place
    const first = (row + this.#row * down) * this.#layout.width + column
    this.#write(this.#current, this.#pixels, first, across, pass.columns)
    ;[this.#current, this.#above] = [this.#above, this.#current]
    this.#filled = 0
    this.#row += 1
    if (this.#row < pass.rows) return
    this.#pass += 1
    this.#startPass()
  }
}

/** Undoes a row's filter in place (W3C PNG, third edition, section 9.2); its first byte is the filter's number. */
function unfilter(row: Uint8Array, above: Uint8Array, step: number): void {
  const filter = row[0] ?? 0
  const { length } = row
  const first = 1 + step
  if (filter === 1) {
    for (let at = first; at < length; at++) row[at] = (row[at] ?? 0) + (row[at - step] ?? 0)
  } else if (filter === 2) {
    for (let at = 1; at < length; at++) row[at] = (row[at] ?? 0) + (above[at] ?? 0)
  } else if (filter === 3) {
    for (let at = 1; at < length; at++) {
      const left = at < first ? 0 : (row[at - step] ?? 0)
      row[at] = (row[at] ?? 0) + ((left + (above[at] ?? 0)) >> 1)
    }
  } else if (filter === 4) {
    for (let at = 1; at < Math.min(first, length); at++) row[at] = (row[at] ?? 0) + (above[at] ?? 0)
    for (let at = first; at < length; at++) {
      row[at] = (row[at] ?? 0) + paeth(row[at - step] ?? 0, above[at] ?? 0, above[at - step] ?? 0)
    }
  } else if (filter !== 0) throw damaged('PNG', 'has rows that no encoder writes')
}

/** Of left, above and above left, the one nearest to what they predict (section 9.4). */
function paeth(left: number, above: number, corner: number): number {
  const toLeft = Math.abs(above - corner)
  const toAbove = Math.abs(left - corner)
  const toCorner = Math.abs(left + above - 2 * corner)
  return toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner
}

/** Writes a row's pixels from `first` on, each `across` behind the one before it. */
type WriteRow = (row: Uint8Array, pixels: Uint32Array, first: number, across: number, columns: number) => void

/** A pixel as it lies in memory, red first, on the little-endian machines that everything runs on. */
const opaque = (red: number, green: number, blue: number) =>
  (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0

function rowWriter({ colourType, depth, samples }: Layout, colourTable: Uint8Array): WriteRow {
  if (samples >= RED_AND_MORE) {
    // Of 16 bits, the high eight come first.
    const bytes = depth / 8
    return (row, pixels, first, across, columns) => {
      for (let x = 0, at = 1, to = first; x < columns; x++, at += samples * bytes, to += across) {
        pixels[to] = opaque(row[at] ?? 0, row[at + bytes] ?? 0, row[at + 2 * bytes] ?? 0)
      }
    }
  }
  const lookup = colourType === INDEXED ? coloursOf(colourTable) : greysOf(Math.min(8, depth))
  if (depth >= 8) {
    const step = (samples * depth) / 8
    return (row, pixels, first, across, columns) => {
      for (let x = 0, at = 1, to = first; x < columns; x++, at += step, to += across) {
        pixels[to] = lookup[row[at] ?? 0] ?? 0
      }
    }
  }
  const mask = 2 ** depth - 1
  return (row, pixels, first, across, columns) => {
    for (let x = 0, to = first; x < columns; x++, to += across) {
      const bit = x * depth
      const byte = row[1 + (bit >> 3)] ?? 0
      pixels[to] = lookup[(byte >> (8 - depth - (bit & 7))) & mask] ?? 0
    }
  }
}

/** The pixel of each value of an indexed image; black where the file names no colour. */
function coloursOf(colourTable: Uint8Array): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, index) => {
    const at = 3 * index
    return opaque(colourTable[at] ?? 0, colourTable[at + 1] ?? 0, colourTable[at + 2] ?? 0)
  })
}

/** The pixel of each value of a grey image. */
function greysOf(depth: number): Uint32Array {
  const most = 2 ** depth - 1
  return Uint32Array.from({ length: most + 1 }, (_, value) => {
    const grey = Math.round((value * 255) / most)
    return opaque(grey, grey, grey)
  })
}
