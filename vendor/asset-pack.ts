export interface PackEntry {
  name: string
  bytes: Uint8Array
}

const ALIGNMENT = 8

/**
 * Several files in one: a 32-bit little-endian length, an index in JSON of that many bytes,
 * `{name: [offset, length]}`, then the files. Offsets count from the start of the pack and are multiples of 8.
 * `unpackAssets` in functions/_shared/asset-pack.ts reads it.
 */
export function packAssets(entries: PackEntry[]): Uint8Array {
  const align = (position: number) => Math.ceil(position / ALIGNMENT) * ALIGNMENT
  const layout = (start: number) => {
    let position = start
    return entries.map(({ name, bytes }): [string, [number, number]] => {
      const offset = align(position)
      position = offset + bytes.length
      return [name, [offset, bytes.length]]
    })
  }
  const encode = (start: number) =>
    new TextEncoder().encode(JSON.stringify(Object.fromEntries(layout(start))))

  // The index contains the offsets, which depend on its length: 64 bytes an entry are enough for any.
  const room = 64 * entries.length
  const index = encode(4 + room)
  if (index.length > room) throw new Error('the names in an asset pack are too long for its index')

  const placed = layout(4 + room)
  const end = placed.reduce((last, [, [offset, length]]) => Math.max(last, offset + length), 4 + room)
  const pack = new Uint8Array(end)
  new DataView(pack.buffer).setUint32(0, index.length, true)
  pack.set(index, 4)
  placed.forEach(([, [offset]], position) => {
    const entry = entries[position]
    if (entry) pack.set(entry.bytes, offset)
  })
  return pack
}
