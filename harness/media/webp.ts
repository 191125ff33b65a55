import { concat, little, type Part, repeated } from './containers.ts'
import type { Random } from './random.ts'

const SIZES: [[number, number], ...[number, number][]] = [
  [2048, 1024],
  [1024, 2048],
  [16383, 128],
  [64, 16383],
  [640, 480],
  [64, 64],
  [3, 3],
  [16383, 16383],
  [0, 100],
]

const chunk = (type: string, body: Part, length = body.length) =>
  concat([Buffer.from(type), little(length), body, body.length % 2 === 1 ? [0] : []])

/**
 * A hostile WebP. Any bits are modes and coefficients to VP8's arithmetic decoder, so that random ones are a picture, and one that
 * costs more than any photograph.
 */
export function webpFile(random: Random): { name: string; bytes: Uint8Array } {
  const [width, height] = random.pick(SIZES)
  const trick = random.pick([
    'plain',
    'plain',
    'plain',
    'too little data',
    'first partition beyond the file',
    'scaled',
    'frame between key frames',
    'hidden frame',
    'unknown version',
    'broken start code',
    'lossless',
    'animated',
    'transparency',
    'two pictures',
    'many chunks',
    'odd chunks',
    'chunk beyond the file',
    'wrong length of the file',
    'another canvas',
    'no picture',
    'broken EXIF',
    'EXIF beyond the file',
    'tail',
  ])
  const macroblocks = Math.ceil(width / 16) * Math.ceil(height / 16)
  const enough = Math.min(3_000_000, macroblocks * random.pick([1, 20, 200]))
  const data = random.bytes(trick === 'too little data' ? random.int(0, 200) : enough)
  const first = trick === 'first partition beyond the file' ? 2 ** 19 - 1 : Math.floor(data.length / 2)
  const version = trick === 'unknown version' ? random.int(4, 7) : random.int(0, 3)
  const isInter = trick === 'frame between key frames' ? 1 : 0
  const isShown = trick === 'hidden frame' ? 0 : 1
  const tag = isInter | (version << 1) | (isShown << 4) | (Math.min(first, 2 ** 19 - 1) << 5)
  const scale = trick === 'scaled' ? random.int(1, 3) << 14 : 0
  const start = trick === 'broken start code' ? random.bytes(3) : [0x9d, 0x01, 0x2a]
  const frame = concat([
    ...[little(tag, 3), start, little((width & 0x3fff) | scale, 2), little((height & 0x3fff) | scale, 2)],
    data,
  ])
  const [canvasWidth, canvasHeight] = trick === 'another canvas' ? [16384, 16384] : [width, height]
  const canvas = chunk('VP8X', [
    ...[trick === 'animated' ? 2 : random.pick([0, 0x10, 0x3c]), 0, 0, 0],
    ...little(Math.max(0, canvasWidth - 1), 3),
    ...little(Math.max(0, canvasHeight - 1), 3),
  ])
  const picture = chunk(
    trick === 'lossless' ? 'VP8L' : 'VP8 ',
    frame,
    trick === 'chunk beyond the file'
      ? random.pick([frame.length + 1000, 2 ** 31 - 1, 2 ** 32 - 1])
      : undefined,
  )
  const parts: Uint8Array[] = []
  if (trick !== 'plain' || random.chance(0.3)) parts.push(canvas)
  if (trick === 'transparency') parts.push(chunk('ALPH', random.bytes(random.pick([0, 1, 5000]))))
  if (trick === 'many chunks') parts.push(repeated(chunk('ICCP', []), random.pick([50, 40_000])))
  if (trick === 'odd chunks') parts.push(chunk('ICCP', random.bytes(333)), chunk('XMP ', random.bytes(1)))
  if (trick !== 'no picture') parts.push(picture)
  if (trick === 'two pictures') parts.push(picture)
  if (trick === 'broken EXIF') parts.push(chunk('EXIF', random.bytes(random.pick([0, 7, 60]))))
  if (trick === 'EXIF beyond the file') parts.push(chunk('EXIF', random.bytes(9), 2 ** 32 - 2))
  if (trick === 'tail') parts.push(random.bytes(3001))
  const body = concat([Buffer.from('WEBP'), ...parts])
  const length = trick === 'wrong length of the file' ? random.pick([0, 4, 2 ** 32 - 1]) : body.length
  return {
    name: `WebP, ${trick}, ${width} × ${height}, ${data.length} bytes of data`,
    bytes: concat([Buffer.from('RIFF'), little(length), body]),
  }
}
