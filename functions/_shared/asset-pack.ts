/**
 * Reads a pack of files that vendor/asset-pack.ts makes: a 32-bit little-endian length, an index in JSON of that many
 * bytes, `{name: [offset, length]}`, then the files.
 *
 * @returns a function that gives a file's bytes, as a view into the pack, and throws when there is none of that name
 * @throws when the pack has no index
 */
export function unpackAssets(pack: Uint8Array): (name: string) => Uint8Array {
  const length =
    pack.length < 4 ? 0 : new DataView(pack.buffer, pack.byteOffset, pack.byteLength).getUint32(0, true)
  const places = new Map<string, unknown>(Object.entries(readIndex(pack.subarray(4, 4 + length))))
  return (name) => {
    const place = places.get(name)
    if (!Array.isArray(place)) throw new Error(`the asset pack holds no ${name}`)
    const [offset, size]: unknown[] = place
    if (!isCount(offset) || !isCount(size) || offset + size > pack.length) {
      throw new Error(`the asset pack ends before ${name} does`)
    }
    return pack.subarray(offset, offset + size)
  }
}

function readIndex(bytes: Uint8Array): object {
  try {
    const index: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (typeof index === 'object' && index !== null) return index
  } catch {}
  throw new Error('the asset pack has no index')
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}
