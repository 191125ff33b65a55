import type { Thumbnail } from './outcome.ts'
import type { Pyramid } from './pixels.ts'

/** Places of a thumbnail along each side, and the least pixels that are averaged for one in each direction. */
const SIDE = 16
const PIXELS_A_PLACE = 16

/**
 * Pixels by which a picture is moved at least, about, where it is another one: less is what saving it anew or in another size does. Whoever holds
 * still moves by a millimetre or two, which are several pixels, breathes and blinks.
 */
const MOVED_PIXELS = 12.5

/** No difference of contrasts is taken for the loss of saving. */
const GREATEST_DIFFERENCE = 0.1

export function thumbnailOf(pyramid: Pyramid): Thumbnail {
  const { width, height } = pyramid.base
  let depth = 0
  while (Math.min(width, height) >> (depth + 1) >= SIDE * PIXELS_A_PLACE) depth++
  const levels = averages(pyramid, depth)
  const mean = levels.reduce((sum, level) => sum + level, 0) / levels.length
  const spread = Math.sqrt(levels.reduce((sum, level) => sum + (level - mean) ** 2, 0) / levels.length)
  return {
    side: Math.sqrt(width * height),
    levels: pack(levels.map((level) => (level - mean) / (spread || 1))),
  }
}

/** Whether two thumbnails are of the same picture, saved anew, in another size, or with a few pixels changed. */
export function isSamePicture(one: Thumbnail, other: Thumbnail): boolean {
  const [first, second] = [unpack(one.levels), unpack(other.levels)]
  const most = Math.min(GREATEST_DIFFERENCE, MOVED_PIXELS / Math.min(one.side, other.side))
  return first.every((level, at) => Math.abs(level - (second[at] ?? 0)) <= most)
}

/** Mean luma (ITU-R BT.601) of each place, over a level of the pyramid: a pixel on a border counts in both places. */
function averages(pyramid: Pyramid, depth: number): Float64Array {
  const { width, height, data } = pyramid.level(depth)
  const scale = 2 ** depth
  const columns = sharesOf(width, pyramid.base.width / scale)
  const rows = sharesOf(height, pyramid.base.height / scale)
  const sums = new Float64Array(SIDE * SIDE)
  const line = new Float64Array(SIDE)
  rows.shares.forEach((row, y) => {
    line.fill(0)
    columns.shares.forEach(([place, share], x) => {
      const at = (y * width + x) * 4
      const luma = 0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0)
      line[place] = (line[place] ?? 0) + share * luma
      if (share < 1) line[place + 1] = (line[place + 1] ?? 0) + (1 - share) * luma
    })
    const [place, share] = row
    line.forEach((luma, column) => {
      const at = place * SIDE + column
      sums[at] = (sums[at] ?? 0) + share * luma
      if (share < 1) sums[at + SIDE] = (sums[at + SIDE] ?? 0) + (1 - share) * luma
    })
  })
  return sums.map(
    (sum, at) => sum / (rows.weights[Math.floor(at / SIDE)] ?? 1) / (columns.weights[at % SIDE] ?? 1),
  )
}

/**
 * The place in which each of `count` pixels begins, with the share of it that lies there, and how many pixels each place has in all. `length` is
 * how many the whole side has, of which halving may have dropped the last.
 */
function sharesOf(
  count: number,
  length: number,
): { shares: [place: number, share: number][]; weights: number[] } {
  const weights = Array.from({ length: SIDE }, () => 0)
  const shares = Array.from({ length: count }, (_, pixel): [number, number] => {
    const from = (pixel * SIDE) / length
    const place = Math.min(SIDE - 1, Math.floor(from))
    const share = place === SIDE - 1 ? 1 : Math.min(1, ((place + 1 - from) * length) / SIDE)
    weights[place] = (weights[place] ?? 0) + share
    if (share < 1) weights[place + 1] = (weights[place + 1] ?? 0) + 1 - share
    return [place, share]
  })
  return { shares, weights }
}

/** Levels are stored from -8 to 8. */
const RANGE = 8

function pack(levels: Float64Array): string {
  const bytes = Array.from(levels).flatMap((level) => {
    const step = Math.max(0, Math.min(65535, Math.round(((level + RANGE) / (2 * RANGE)) * 65535)))
    return [step & 255, step >> 8]
  })
  return btoa(String.fromCharCode(...bytes))
}

function unpack(levels: string): number[] {
  const bytes = atob(levels)
  return Array.from({ length: bytes.length >> 1 }, (_, at) => {
    const step = bytes.charCodeAt(2 * at) + 256 * bytes.charCodeAt(2 * at + 1)
    return (step / 65535) * 2 * RANGE - RANGE
  })
}
