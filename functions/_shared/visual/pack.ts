/**
 * Reads the pack that engines/visual-pack.ts writes: a 32-bit little-endian length, an index in JSON of that many
 * bytes, `{name: [offset, length]}`, then the files.
 *
 * @returns a function that gives a file's bytes, as a view into the pack, and throws when there is none of that name
 */
export function unpackAssets(pack: Uint8Array): (name: string) => Uint8Array {
  const length = new DataView(pack.buffer, pack.byteOffset, pack.byteLength).getUint32(0, true)
  const index: unknown = JSON.parse(new TextDecoder().decode(pack.subarray(4, 4 + length)))
  if (typeof index !== 'object' || index === null) throw new Error('the asset pack has no index')
  const places = new Map<string, unknown>(Object.entries(index))
  return (name) => {
    const place = places.get(name)
    if (!Array.isArray(place)) throw new Error(`the asset pack holds no ${name}`)
    const [offset, size] = place.map(Number)
    if (offset === undefined || size === undefined || offset + size > pack.length) {
      throw new Error(`the asset pack ends before ${name} does`)
    }
    return pack.subarray(offset, offset + size)
  }
}
