import { vertex } from '../dsp.ts'
import { type Kernels, kernels } from '../kernels.ts'
import { ANALYSIS_RATE_HZ, type FrameGrid, type Signal } from '../signal.ts'

/** A pitch contour over part of a recording: `hertz[i]` belongs to frame `firstFrame + i`; 0 is unvoiced. */
interface PitchContour {
  grid: FrameGrid
  firstFrame: number
  hertz: Float32Array
}

/**
 * The times of the glottal pulses in seconds: in each voiced interval, from the extremum nearest its middle outwards, one
 * period after another where the waveform correlates best with itself (Praat's "To PointProcess (cc)").
 *
 * @param peak the loudest sample of the slice
 */
export function findPulses(signal: Signal, contour: PitchContour, peak: number): number[] {
  const pulses: number[] = []
  const matcher = new Matcher(signal)
  let addedRight = Number.NEGATIVE_INFINITY
  for (const { leftS, rightS } of voicedIntervals(contour)) {
    const middleS = (leftS + rightS) / 2
    const middleHz = pitchAt(contour, middleS)
    if (middleHz === null) continue
    const firstS = findExtremum(signal, middleS - 0.5 / middleHz, middleS + 0.5 / middleHz)
    const found = [firstS]

    let timeS = firstS
    for (;;) {
      const hertz = pitchAt(contour, timeS)
      if (hertz === null) break
      const match = matcher.bestMatch(timeS, 1 / hertz, timeS - 1.25 / hertz, timeS - 0.8 / hertz)
      timeS = match ? match.timeS : timeS - 1 / hertz
      const isNew = timeS - addedRight > 0.8 / hertz
      if (timeS < leftS) {
        if (match && match.correlation > 0.7 && match.peak > 0.023333 * peak && isNew) found.push(timeS)
        break
      }
      if (match && isAudible(match, peak) && isNew) found.push(timeS)
    }

    timeS = firstS
    for (;;) {
      const hertz = pitchAt(contour, timeS)
      if (hertz === null) break
      const match = matcher.bestMatch(timeS, 1 / hertz, timeS + 0.8 / hertz, timeS + 1.25 / hertz)
      timeS = match ? match.timeS : timeS + 1 / hertz
      if (timeS > rightS) {
        if (match && match.correlation > 0.7 && match.peak > 0.023333 * peak) {
          found.push(timeS)
          addedRight = timeS
        }
        break
      }
      if (match && isAudible(match, peak)) {
        found.push(timeS)
        addedRight = timeS
      }
    }
    pulses.push(...found)
  }
  return pulses.sort((a, b) => a - b)
}

function isAudible(match: Match, peak: number): boolean {
  return match.correlation > 0.3 && (match.peak === 0 || match.peak > 0.01 * peak)
}

/** The voiced intervals, each half a frame longer at both ends. */
function* voicedIntervals({
  grid,
  firstFrame,
  hertz,
}: PitchContour): Generator<{ leftS: number; rightS: number }> {
  let first: number | null = null
  for (let i = 0; i <= hertz.length; i++) {
    const voiced = (hertz[i] ?? 0) > 0
    if (voiced && first === null) first = i
    if (!voiced && first !== null) {
      yield {
        leftS: grid.firstS + (firstFrame + first - 0.5) * grid.stepS,
        rightS: grid.firstS + (firstFrame + i - 0.5) * grid.stepS,
      }
      first = null
    }
  }
}

/** The pitch at a time in hertz, between two voiced frames linearly; null where the nearest frame is unvoiced. */
function pitchAt({ grid, firstFrame, hertz }: PitchContour, timeS: number): number | null {
  const position = (timeS - grid.firstS) / grid.stepS - firstFrame
  const near = Math.round(position)
  const nearHz = hertz[near] ?? 0
  if (nearHz <= 0) return null
  const farHz = hertz[position < near ? near - 1 : near + 1] ?? 0
  return farHz > 0 ? nearHz + Math.abs(position - near) * (farHz - nearHz) : nearHz
}

function findExtremum({ samples, start }: Signal, fromS: number, toS: number): number {
  const from = Math.floor(fromS * ANALYSIS_RATE_HZ - 0.5) - start
  const to = Math.ceil(toS * ANALYSIS_RATE_HZ - 0.5) - start
  let best = 0
  let bestIndex = -1
  for (let i = from + 1; i < to; i++) {
    const before = samples[i - 1] ?? 0
    const at = samples[i] ?? 0
    const after = samples[i + 1] ?? 0
    const isExtremum = (at > before && at >= after) || (at < before && at <= after)
    if (isExtremum && (bestIndex < 0 || Math.abs(at) > Math.abs(best))) {
      best = at
      bestIndex = i
    }
  }
  if (bestIndex < 0) return (fromS + toS) / 2
  const sign = Math.sign(best) || 1
  const top = vertex(sign * (samples[bestIndex - 1] ?? 0), sign * best, sign * (samples[bestIndex + 1] ?? 0))
  return (bestIndex + start + top + 0.5) / ANALYSIS_RATE_HZ
}

interface Match {
  timeS: number
  correlation: number
  /** The loudest sample of the matching window. */
  peak: number
}

/** Finds where parts of a signal resemble others. */
class Matcher {
  readonly #kernels: Kernels
  readonly #samples: number
  readonly #signal: Signal

  constructor(signal: Signal) {
    this.#signal = signal
    this.#kernels = kernels()
    this.#samples = this.#kernels.placeSamples(signal.samples).first
  }

  /** Where, between two times, a window of the given length correlates best with the one about `centreS`; null if nowhere. */
  bestMatch(centreS: number, lengthS: number, fromS: number, toS: number): Match | null {
    const { start, samples } = this.#signal
    const indexAt = (timeS: number) => timeS * ANALYSIS_RATE_HZ - 0.5 - start
    const left = Math.round(indexAt(centreS - lengthS / 2))
    const right = Math.round(indexAt(centreS + lengthS / 2))
    const minimum = Math.floor(indexAt(fromS - lengthS / 2))
    const maximum = Math.ceil(indexAt(toS - lengthS / 2))
    const length = right - left + 1
    if (minimum < 0 || left < 0 || maximum + length > samples.length || right >= samples.length) return null
    if (!this.#kernels.run.findMatch(this.#samples, left, length, minimum, maximum)) return null
    const memory = this.#kernels
    const timeS = centreS + (memory.result(0) - left) / ANALYSIS_RATE_HZ
    return { timeS, correlation: memory.result(1), peak: memory.result(2) }
  }
}

/**
 * The root mean square about each pulse under a Hann window of a fifth of the periods beside it (Praat's
 * `AmplitudeTier`, period method); 0 where a neighbour is missing or further than 20 ms.
 */
export function pulseAmplitudes({ samples, start }: Signal, pulses: number[]): Float64Array {
  const memory = kernels()
  const { first } = memory.placeSamples(samples)
  const times = memory.placeDoubles(pulses)
  const amplitudes = memory.reserve(2 * pulses.length)
  memory.run.pulseAmplitudes(first, start, ANALYSIS_RATE_HZ, times, pulses.length, amplitudes)
  return memory.doubles(amplitudes, pulses.length).slice()
}
