import { COEFFICIENTS } from './measures/mel-cepstrum.ts'
import { pack, SCALES, type SliceVoice, unpack } from './slices.ts'
import { quantile } from './statistics.ts'

/** A voiced frame: its number in the recording, how it is coloured and pitched, and its level in dB. */
export interface VoiceFrame {
  frame: number
  /** Mel cepstrum, then the pitch in semitones over 1 Hz. */
  values: Float64Array
  levelDb: number
}

/** Every so many frames of pitch one is looked at. */
export const EVERY = 3

const DIMENSIONS = COEFFICIENTS + 1
const FRAMES_PER_S = 100

/** Vowels tell voices apart better than what is faint: so much below the loud frames they are left out, and so are seconds with few. */
const VOWELS_DB = 15
const LEAST_FRAMES = 7

/** Sums up the voice of a slice. */
export function summarizeVoice(frames: readonly VoiceFrame[]): SliceVoice {
  const loudestDb = quantile(
    frames.map(({ levelDb }) => levelDb),
    0.95,
  )
  const seconds = new Map<number, Float64Array[]>()
  for (const { frame, values, levelDb } of frames) {
    if (loudestDb === null || levelDb < loudestDb - VOWELS_DB) continue
    const second = Math.floor(frame / FRAMES_PER_S)
    const rows = seconds.get(second)
    if (rows) rows.push(values)
    else seconds.set(second, [values])
  }
  const heard = [...seconds.values()].filter(({ length }) => length >= LEAST_FRAMES)
  const means = heard.map(meanOf)
  const squares = new Array<number>(at(DIMENSIONS, 0)).fill(0)
  let count = 0
  heard.forEach((rows, second) => {
    const mean = means[second] ?? []
    for (const values of rows) {
      count++
      let k = 0
      for (let i = 0; i < DIMENSIONS; i++) {
        const deviation = (values[i] ?? 0) - (mean[i] ?? 0)
        for (let j = 0; j <= i; j++, k++) {
          squares[k] = (squares[k] ?? 0) + deviation * ((values[j] ?? 0) - (mean[j] ?? 0))
        }
      }
    }
  })
  const covariance = squares.map((sum) => Number((sum / Math.max(1, count)).toPrecision(5)))
  return { means: pack(means.flat(), SCALES.voice), frames: count, covariance }
}

/**
 * Two groups of seconds count as two voices when their centres lie further apart than this, in standard deviations of the frames within a
 * second; the more seconds, the less of that is chance. Each group has its share of the seconds.
 */
const APART = { least: 2.3, limit: 1.5, byChance: 5 }
const LEAST_SHARE = 0.15
const LEAST_SECONDS = 8

/**
 * Whether people take turns in a recording. Of each second the mean mel cepstrum and pitch are taken, in units of how frames vary within
 * seconds (as in linear discriminant analysis), along the direction in which neighbouring seconds are most alike: the sounds of speech
 * change from second to second, its speaker does not. Along it the seconds are split in two (Otsu 1979). After the change detection of
 * Siegler et al. (1997) and Chen and Gopalakrishnan (1998), which compares Gaussians of neighbouring windows.
 *
 * @param voices in the order of their slices
 */
export function hasTwoSpeakers(voices: readonly SliceVoice[]): boolean {
  const seconds = voices.flatMap(({ means }) => rowsOf(unpack(means, SCALES.voice)))
  const frames = voices.reduce((sum, voice) => sum + voice.frames, 0)
  if (seconds.length < LEAST_SECONDS) return false
  const covariance = voices.reduce<number[]>(
    (sum, voice) => voice.covariance.map((value, k) => (sum[k] ?? 0) + (value * voice.frames) / frames),
    [],
  )
  const factor = choleskyOf(covariance)
  const centre = meanOf(seconds)
  const white = seconds.map((values) =>
    whiten(
      values.map((value, i) => value - (centre[i] ?? 0)),
      factor,
    ),
  )
  const direction = steadiestDirection(white)
  const apart = distanceOfHalves(white.map((values) => dot(values, direction)))
  return apart >= Math.max(APART.least, APART.limit + APART.byChance / Math.sqrt(seconds.length))
}

function rowsOf(values: Float64Array): number[][] {
  return Array.from({ length: Math.floor(values.length / DIMENSIONS) }, (_, row) =>
    Array.from(values.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS)),
  )
}

function meanOf(rows: readonly ArrayLike<number>[]): number[] {
  const mean = new Array<number>(DIMENSIONS).fill(0)
  for (const values of rows) {
    for (let i = 0; i < DIMENSIONS; i++) mean[i] = (mean[i] ?? 0) + (values[i] ?? 0) / rows.length
  }
  return mean
}

function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

/** Place of row `i` and column `j`, at most `i`, in a lower triangle. */
const at = (i: number, j: number) => (i * (i + 1)) / 2 + j

/** A little is added to the variances, so that a dimension that never varies divides by no zero. */
const RIDGE = { share: 0.01, least: 1e-6 }

/** The lower triangle L of a covariance matrix LLᵀ. */
function choleskyOf(covariance: readonly number[]): number[] {
  const factor: number[] = []
  for (let i = 0; i < DIMENSIONS; i++) {
    for (let j = 0; j <= i; j++) {
      let rest = covariance[at(i, j)] ?? 0
      if (i === j) rest += RIDGE.share * rest + RIDGE.least
      for (let k = 0; k < j; k++) rest -= (factor[at(i, k)] ?? 0) * (factor[at(j, k)] ?? 0)
      factor.push(i === j ? Math.sqrt(Math.max(RIDGE.least, rest)) : rest / (factor[at(j, j)] ?? 1))
    }
  }
  return factor
}

/** Solves L w = values: within a second, w varies by 1 in every direction. */
function whiten(values: readonly number[], factor: readonly number[]): number[] {
  const white: number[] = []
  values.forEach((value, i) => {
    let rest = value
    for (let k = 0; k < i; k++) rest -= (factor[at(i, k)] ?? 0) * (white[k] ?? 0)
    white.push(rest / (factor[at(i, i)] ?? 1))
  })
  return white
}

const POWER_STEPS = 100

/** The unit vector along which neighbours are most alike: the first eigenvector of their covariance, by power iteration. */
function steadiestDirection(rows: readonly number[][]): number[] {
  const alike = Array.from({ length: DIMENSIONS }, () => new Array<number>(DIMENSIONS).fill(0))
  for (let row = 1; row < rows.length; row++) {
    const before = rows[row - 1] ?? []
    const after = rows[row] ?? []
    alike.forEach((sums, i) => {
      for (let j = 0; j < DIMENSIONS; j++) {
        const both = (before[i] ?? 0) * (after[j] ?? 0) + (before[j] ?? 0) * (after[i] ?? 0)
        sums[j] = (sums[j] ?? 0) + both / 2
      }
    })
  }
  // Without negative eigenvalues the greatest one is also the greatest in size.
  const shift = Math.sqrt(alike.reduce((sum, values) => sum + dot(values, values), 0))
  let direction = Array.from({ length: DIMENSIONS }, (_, i) => 1 / (i + 1))
  for (let step = 0; step < POWER_STEPS; step++) {
    const next = direction.map((value, i) => dot(alike[i] ?? [], direction) + shift * value)
    const length = Math.sqrt(dot(next, next)) || 1
    direction = next.map((value) => value / length)
  }
  return direction
}

/** Splits values in two, so that they vary least within both parts, and gives the distance of the parts' means. */
function distanceOfHalves(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const total = sorted.reduce((sum, value) => sum + value, 0)
  const fewest = Math.ceil(LEAST_SHARE * sorted.length)
  let [low, between, apart] = [0, 0, 0]
  sorted.forEach((value, i) => {
    low += value
    const [below, above] = [i + 1, sorted.length - i - 1]
    if (below < fewest || above < fewest) return
    const distance = (total - low) / above - low / below
    // Least variance within is most between.
    if (below * above * distance ** 2 > between) {
      between = below * above * distance ** 2
      apart = distance
    }
  })
  return apart
}
