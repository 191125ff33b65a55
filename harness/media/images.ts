import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib'
import { big, concat, type Part, repeated } from './containers.ts'
import { Random } from './random.ts'
import { webpFile } from './webp.ts'

/**
 * Hostile JPEGs, PNGs and WebPs without end, by structure: what a file declares against what it holds, counts, reserved markers,
 * tables and scans that do not fit, streams that are cut, spliced or inflate to far more; from number `from` on. The same seed gives
 * the same files.
 */
export function* imageFiles(seed: number, from = 0): Generator<{ name: string; bytes: Uint8Array }> {
  for (let number = from; ; number++) {
    const random = new Random(seed * 1_000_003 + number)
    const file = random.pick([jpegFile, jpegFile, pngFile, pngFile, webpFile])(random)
    const bytes = random.chance(0.3) ? damage(file.bytes, random) : file.bytes
    yield { name: `image ${seed}/${number}: ${file.name}`, bytes }
  }
}

const SIZES: [[number, number], ...[number, number][]] = [
  [4096, 3072],
  [4096, 2048],
  [2048, 4096],
  [131072, 64],
  [65500, 128],
  [64, 65535],
  [640, 480],
  [64, 64],
  [3, 3],
  [65535, 65535],
  [0, 100],
]

function damage(bytes: Uint8Array, random: Random): Uint8Array {
  const at = random.int(0, bytes.length - 1)
  const kind = random.int(0, 3)
  if (kind === 0) return bytes.slice(0, at)
  if (kind === 1) return concat([bytes.subarray(0, at), bytes.subarray(random.int(0, bytes.length - 1))])
  if (kind === 2)
    return concat([bytes.subarray(0, at), random.bytes(random.int(0, 1999)), bytes.subarray(at)])
  const changed = bytes.slice()
  for (let changes = 1 + random.int(0, 19); changes > 0; changes--) {
    changed[random.int(0, changed.length - 1)] = random.pick([0, 1, 0x7f, 0xff, random.int(0, 255)])
  }
  return changed
}

const segment = (marker: number, body: Part, length = body.length + 2) =>
  concat([[0xff, marker], big(length, 2), body])

/** Codes of two, two, three and four bits for the given symbols. */
const huffman = (place: number, symbols: [number, number, number, number]) =>
  segment(0xc4, [place, 0, 2, 1, 1, ...new Array<number>(12).fill(0), ...symbols])

const TABLES = concat([
  segment(0xdb, [0, ...new Array<number>(64).fill(1)]),
  huffman(0x00, [0, 1, 4, 11]),
  huffman(0x10, [0, 0x11, 0xe0, 0xf0]),
])

type Scan = { components: number[]; first: number; last: number; approximation: number }

const scanHeader = ({ components, first, last, approximation }: Scan) =>
  segment(0xda, [components.length, ...components.flatMap((id) => [id, 0]), first, last, approximation])

function jpegFile(random: Random): { name: string; bytes: Uint8Array } {
  const progressive = random.chance(0.6)
  const marker = random.chance(0.85)
    ? progressive
      ? 0xc2
      : 0xc0
    : random.pick([0xc1, 0xc3, 0xc5, 0xc9, 0xca, 0xcb, 0xcf])
  const [width, height] = random.pick(SIZES)
  const count = random.chance(0.85) ? random.pick([1, 3]) : random.pick([0, 2, 4, 5, 85, 255])
  const sampling = random.chance(0.85) ? random.pick([0x11, 0x22, 0x21]) : random.int(0, 255)
  const frame = segment(marker, [
    random.chance(0.95) ? 8 : random.pick([0, 12, 16]),
    ...big(height, 2),
    ...big(width, 2),
    count,
    ...Array.from({ length: count }, (_, index) => [index + 1, index === 0 ? sampling : 0x11, 0]).flat(),
  ])
  const scans = random.pick([1, 3, 10, 19, 20, 21, 300, 3000])
  const trick = random.pick([
    'plain',
    'plain',
    'scans behind a reserved marker',
    'reserved marker',
    'broken length',
    'restart at every unit',
    'fill bytes',
    'empty segments',
    'large segments',
    'picture in a picture',
    'two frames',
    'broken Huffman table',
    'no tables',
    'scan of unknown parts',
    'no end',
    'tail',
    'number of lines',
    'markers at random',
  ])
  const all = Array.from({ length: Math.min(count, 4) }, (_, index) => index + 1)
  const first: Scan = progressive
    ? { components: all, first: 0, last: 0, approximation: 0x01 }
    : { components: all, first: 0, last: 63, approximation: 0 }
  const later = (index: number): Scan =>
    progressive
      ? random.chance(0.3)
        ? { components: all, first: 0, last: 0, approximation: 0x10 }
        : { components: [1 + (index % Math.max(1, all.length))], first: 1, last: 63, approximation: 0 }
      : { components: [1 + (index % Math.max(1, all.length))], first: 0, last: 63, approximation: 0 }
  // Enough for a byte of each block, sometimes; 0xFF is left out, since it would begin a marker.
  const data = (length: number) => new Uint8Array(length).map((_, at) => (at * 37 + length) % 255)
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8) * Math.max(1, count)
  const enough = Math.min(random.pick([10, blocks / 8, blocks / 4, blocks]), 2_000_000)
  const parts: Part[] = [[0xff, 0xd8]]
  if (trick === 'picture in a picture')
    parts.push(segment(0xe1, concat([[0xff, 0xd8], TABLES, frame, [0xff, 0xd9]])))
  if (trick === 'empty segments') parts.push(repeated(segment(0xfe, []), random.pick([900, 40_000])))
  if (trick === 'large segments') parts.push(repeated(segment(0xe2, new Uint8Array(65533)), 30))
  if (trick === 'broken length') parts.push(segment(0xe1, [1, 2, 3], random.pick([0, 1, 65535])))
  if (trick === 'reserved marker')
    parts.push(segment(random.pick([0x02, 0x4f, 0xbf, 0xf0, 0xde, 0xcc]), [0, 0]))
  if (trick !== 'no tables') parts.push(TABLES)
  if (trick === 'broken Huffman table')
    parts.push(segment(0xc4, [random.pick([0, 0x10, 0x44]), ...random.bytes(random.pick([16, 60, 272]))]))
  if (trick === 'restart at every unit' || random.chance(0.3))
    parts.push(segment(0xdd, big(random.pick([1, 1, 7]), 2)))
  parts.push(frame)
  if (trick === 'two frames') parts.push(frame)
  parts.push(scanHeader(first), data(enough))
  const rest = Array.from({ length: scans - 1 }, (_, index) => {
    const scan = later(index)
    if (trick === 'scan of unknown parts' && index === 0) scan.components = [random.int(0, 255), 1, 1]
    const filled = random.chance(0.1) ? data(random.pick([0, 5, 5000])) : []
    return concat([scanHeader(scan), filled])
  })
  if (trick === 'scans behind a reserved marker') {
    const hidden = concat(rest)
    parts.push(
      [0xff, random.pick([0x02, 0x03, 0x80, 0xbf]), ...big(Math.min(65535, hidden.length + 2), 2)],
      hidden,
    )
  } else parts.push(...rest)
  if (trick === 'markers at random') {
    for (let n = random.int(0, 199); n > 0; n--)
      parts.push([0xff, random.int(0, 255)], random.bytes(random.int(0, 7)))
  }
  if (trick === 'fill bytes') parts.push(new Uint8Array(random.pick([1000, 5_000_000])).fill(0xff))
  if (trick === 'number of lines') parts.push(segment(0xdc, big(65535, 2)))
  if (trick !== 'no end') parts.push([0xff, 0xd9])
  if (trick === 'tail') parts.push(...rest)
  const kind = `${trick}, frame ${marker.toString(16)}, ${width} × ${height} × ${count}, ${scans} scans`
  return { name: `JPEG, ${kind}`, bytes: concat(parts) }
}

/** What takes most of a decoder: 8 megapixels, progressive, no colour at half the size. */
export function largestJpeg(): Uint8Array {
  const components = [1, 2, 3]
  const frame = segment(0xc2, [8, ...big(2048, 2), ...big(4096, 2), 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0])
  const means = scanHeader({ components, first: 0, last: 0, approximation: 0 })
  return concat([[0xff, 0xd8], TABLES, frame, means, new Uint8Array(200_000), [0xff, 0xd9]])
}

/** A chunk with its checksum; `length` is what it declares, where that is a lie. */
export const pngChunk = (type: string, body: Part, length = body.length) => {
  const named = concat([type, body])
  return concat([big(length), named, big(crc32(named))])
}

/** A PNG of these chunks. */
export const pngFileOf = (chunks: readonly Uint8Array[]) =>
  concat([[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], ...chunks])

const BLOCK = 4_000_000

/** What 5 MB inflate to. */
const BOMB = 5_000_000_000

/** 4 MB of zeros, deflated, at whose end another block can follow. */
const ZERO_BLOCK = deflateRawSync(new Uint8Array(BLOCK), { finishFlush: constants.Z_FULL_FLUSH })

/** A zlib stream of so many zeros, put together without inflating them. */
function zeros(length: number): Uint8Array {
  const blocks = Array.from({ length: Math.floor(length / BLOCK) }, () => ZERO_BLOCK)
  // Adler-32 of zeros (RFC 1950): the first sum stays 1, the second counts them.
  const adler = big(((length % 65521) * 65536 + 1) % 2 ** 32)
  return concat([[0x78, 0x9c], ...blocks, deflateRawSync(new Uint8Array(length % BLOCK)), adler])
}

function pngFile(random: Random): { name: string; bytes: Uint8Array } {
  const [width, height] = random.pick(SIZES)
  const colours = random.pick([0, 2, 2, 3, 4, 6])
  const depth = random.chance(0.9) ? random.pick([8, 8, colours === 3 ? 4 : 16]) : random.pick([0, 1, 3, 32])
  const interlace = random.chance(0.8) ? random.pick([0, 1]) : random.pick([2, 255])
  const samples = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[colours] ?? 1
  const rowBytes = 1 + Math.ceil((width * samples * depth) / 8)
  const raw = Math.min(height * rowBytes, 70_000_000)
  const trick = random.pick([
    'plain',
    'too few pixels',
    'one byte short',
    'too many pixels',
    'bomb behind the pixels',
    'broken filter',
    'random stream',
    'cut stream',
    'bomb in a profile',
    'bomb in a text',
    'many chunks',
    'many empty pixel chunks',
    'large length',
    'animation',
    'two headers',
    'broken colours',
    'broken checksum',
    'no end',
    'data after the end',
  ])
  const header = pngChunk(
    'IHDR',
    concat([big(width), big(height), [depth, colours, random.chance(0.98) ? 0 : 1, 0, interlace]]),
  )
  const broken = () => {
    const rows = new Uint8Array(Math.min(raw, 4_000_000))
    rows[Math.max(0, rows.length - rowBytes)] = 5
    return new Uint8Array(deflateSync(rows))
  }
  const pixels = {
    'too few pixels': () => zeros(10),
    'one byte short': () => zeros(Math.max(0, raw - 1)),
    'too many pixels': () => zeros(raw + rowBytes),
    'bomb behind the pixels': () => zeros(BOMB),
    'broken filter': broken,
    'random stream': () => concat([[0x78, 0x9c], random.bytes(random.pick([10, 40_000]))]),
    'cut stream': () => zeros(raw).subarray(0, -random.pick([1, 4, 6, 40])),
  }[trick]
  const data = pixels?.() ?? zeros(raw)
  const parts: Uint8Array[] = [header]
  if (trick === 'two headers') parts.push(header)
  if (colours === 3 && random.chance(0.8))
    parts.push(pngChunk('PLTE', random.bytes(random.pick([3, 12, 768]))))
  if (trick === 'broken colours') parts.push(pngChunk('PLTE', random.bytes(random.pick([0, 1, 769, 30_000]))))
  if (random.chance(0.2)) parts.push(pngChunk('tRNS', random.bytes(random.pick([0, 1, 2, 6, 256, 300]))))
  const text = Buffer.from('name\0\0')
  if (trick === 'bomb in a profile') parts.push(pngChunk('iCCP', concat([text, zeros(BOMB)])))
  if (trick === 'bomb in a text') parts.push(pngChunk('zTXt', concat([text, zeros(BOMB)])))
  if (trick === 'animation') {
    parts.push(pngChunk('acTL', concat([big(2 ** 31 - 1), big(0)])))
    parts.push(pngChunk('fcTL', concat([big(0), big(width), big(height), new Uint8Array(14)])))
  }
  if (trick === 'many chunks') {
    parts.push(repeated(pngChunk('tEXt', []), random.pick([9000, 60_000])))
  }
  if (trick === 'large length')
    parts.push(pngChunk('tEXt', random.bytes(10), random.pick([2 ** 31 - 1, 2 ** 32 - 1])))
  if (trick === 'many empty pixel chunks') {
    parts.push(repeated(pngChunk('IDAT', []), random.pick([9000, 60_000])))
  }
  parts.push(pngChunk('IDAT', data))
  const last = parts.at(-1)
  if (trick === 'broken checksum' && last) last[last.length - 1] = (last[last.length - 1] ?? 0) ^ 1
  if (trick !== 'no end') parts.push(pngChunk('IEND', new Uint8Array(0)))
  if (trick === 'data after the end') parts.push(random.bytes(3000))
  const kind = `${trick}, ${width} × ${height}, colours ${colours}, ${depth} bits, interlace ${interlace}`
  return { name: `PNG, ${kind}`, bytes: pngFileOf(parts) }
}
