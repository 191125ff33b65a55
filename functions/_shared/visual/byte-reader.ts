/** Thrown when a read passes the end of the bytes at hand; callers turn it into an `ImageError`. */
export class OutOfBytes extends Error {}

/** Checked big- or little-endian reads from a part of a file. */
export class ByteReader {
  readonly bytes: Uint8Array
  readonly littleEndian: boolean

  constructor(bytes: Uint8Array, littleEndian = false) {
    this.bytes = bytes
    this.littleEndian = littleEndian
  }

  get length(): number {
    return this.bytes.length
  }

  u8(offset: number): number {
    const value = this.bytes[offset]
    if (value === undefined) throw new OutOfBytes()
    return value
  }

  u16(offset: number): number {
    const [first, second] = [this.u8(offset), this.u8(offset + 1)]
    return this.littleEndian ? first | (second << 8) : (first << 8) | second
  }

  u32(offset: number): number {
    const [first, second] = [this.u16(offset), this.u16(offset + 2)]
    return this.littleEndian ? first + second * 0x10000 : first * 0x10000 + second
  }

  ascii(offset: number, length: number): string {
    return String.fromCharCode(...this.bytes.subarray(offset, offset + length))
  }
}
