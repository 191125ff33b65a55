/** What a request may use in a new isolate, in CPU seconds: the platform retires an isolate at 1 s, all its requests together. */
const REQUEST_CPU_S = 0.7

/**
 * What analysing a slice costs, in CPU seconds, as `npm run bench:analysis` measures it for AAC at 48 kHz, the dearest: starting
 * the worker; on top of the first slice, its decoder and code that is not optimised yet; each slice; each second of sound.
 */
export const SLICE_CPU = { bootS: 0.08, firstS: 0.36, unitS: 0.02, eachS: 0.0075 }

/** Longest part of a recording that one request analyses, in whole seconds: what its share of CPU allows in a new isolate. */
export const MAX_SLICE_S = Math.floor(
  (REQUEST_CPU_S - SLICE_CPU.bootS - SLICE_CPU.firstS - SLICE_CPU.unitS) / SLICE_CPU.eachS,
)

/** A part of a recording that one job analyses: `[startS, endS)`. */
export interface AudioSlice {
  index: number
  startS: number
  endS: number
}

/** Parts of equal length, each short enough for one request's share of CPU, that cover the recording. */
export function planSlices(durationS: number, maxSliceS: number = MAX_SLICE_S): AudioSlice[] {
  const count = Math.max(1, Math.ceil(durationS / maxSliceS))
  return Array.from({ length: count }, (_, index) => ({
    index,
    startS: (durationS * index) / count,
    endS: (durationS * (index + 1)) / count,
  }))
}

/** What one slice's job passes to the merge: contours, packed, of the frames whose centres lie in the slice. */
export interface AudioSliceOutcome {
  version: 1
  index: number
  startS: number
  endS: number
  /** Loudest sample of the slice, its mean taken off; full scale is 1. */
  peak: number
  clippedSamples: number
  nativeSamples: number
  pitch: { first: number; localPeakDb: string; counts: string; frequencies: string; strengths: string }
  /** Of the frames that have pitch candidates. */
  balance: { alphaRatioDb: string; hammarbergDb: string }
  intensity: { first: number; db: string }
  /** Intensity on which syllables are counted, and 1 for each pitch frame that is voiced by its looser settings. */
  syllables: { first: number; db: string; voicedFirst: number; voiced: string }
  harmonicity: { first: number; strengthDb: string; localPeakDb: string }
  cepstrum: { first: number; prominenceDb: string }
  /** Absent in slices that a version measured which did not tell voices apart. */
  voice?: SliceVoice
  /** Times in seconds since `startS`; amplitude 0 dB is full scale, `SILENT_DB` is none. */
  pulses: { times: string; amplitudesDb: string }
}

/** Represents amplitude 0. */
export const SILENT_DB = -160

/** Resolution at which each contour is stored, well below what the accuracy of any feature needs. */
export const SCALES = {
  localPeakDb: { bytes: 1, lowest: -100, step: 0.4 },
  voiced: { bytes: 1, lowest: 0, step: 1 },
  counts: { bytes: 1, lowest: 0, step: 1 },
  /** In octaves over 1 Hz: 64 to 620 Hz in steps of 0.003%. */
  frequencies: { bytes: 2, lowest: 6, step: 0.00005 },
  strengths: { bytes: 1, lowest: 0.2, step: 0.8 / 255 },
  ratioDb: { bytes: 1, lowest: -50, step: 0.5 },
  intensityDb: { bytes: 1, lowest: -30, step: 0.5 },
  /** Fine, because peaks and dips are compared. */
  syllableDb: { bytes: 2, lowest: -300, step: 0.0075 },
  strengthDb: { bytes: 1, lowest: -20, step: 0.3 },
  /** The lowest level stands for frames without sound. */
  prominenceDb: { bytes: 1, lowest: -1, step: 0.15 },
  amplitudesDb: { bytes: 2, lowest: SILENT_DB, step: 0.003 },
  voice: { bytes: 2, lowest: -300, step: 0.01 },
} satisfies Record<string, Scale>

/** The voice in one slice: what its merge with others needs. */
export interface SliceVoice {
  /** The mean of each second's frames, one second after the other. */
  means: string
  /** Frames within these seconds, and how they vary about their second's mean: the lower triangle of the covariance matrix. */
  frames: number
  covariance: number[]
}

/** How a contour is packed for JSON: little-endian integers on a fixed scale, in base64. */
export interface Scale {
  bytes: 1 | 2
  /** The value that 0 stands for, and the step between neighbours. */
  lowest: number
  step: number
}

export function pack(values: ArrayLike<number>, { bytes, lowest, step }: Scale): string {
  const view = new DataView(new ArrayBuffer(values.length * bytes))
  const highest = 2 ** (8 * bytes) - 1
  for (let i = 0; i < values.length; i++) {
    const level = Math.round(((values[i] ?? 0) - lowest) / step)
    const clipped = Math.max(0, Math.min(highest, Number.isFinite(level) ? level : 0))
    if (bytes === 1) view.setUint8(i, clipped)
    else view.setUint16(2 * i, clipped, true)
  }
  return encodeBase64(new Uint8Array(view.buffer))
}

export function unpack(packed: string, { bytes, lowest, step }: Scale): Float64Array {
  const data = atob(packed)
  const values = new Float64Array(Math.floor(data.length / bytes))
  for (let i = 0; i < values.length; i++) {
    const level = bytes === 1 ? data.charCodeAt(i) : data.charCodeAt(2 * i) + 256 * data.charCodeAt(2 * i + 1)
    values[i] = lowest + level * step
  }
  return values
}

function encodeBase64(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192))
  return btoa(text)
}

/** Seconds between neighbours that one integer of `packTimes` holds at most, and how finely. */
const TIME_STEP_S = 5e-7
const LONGEST_STEPS = 65535

/** Packs rising times, in seconds, as the steps between them; a long gap takes several integers. */
export function packTimes(times: number[]): string {
  const steps: number[] = []
  let reached = 0
  for (const time of times) {
    let ahead = Math.round(time / TIME_STEP_S) - reached
    reached += ahead
    for (; ahead >= LONGEST_STEPS; ahead -= LONGEST_STEPS) steps.push(LONGEST_STEPS)
    steps.push(ahead)
  }
  return pack(steps, { bytes: 2, lowest: 0, step: 1 })
}

export function unpackTimes(packed: string): number[] {
  const times: number[] = []
  let reached = 0
  unpack(packed, { bytes: 2, lowest: 0, step: 1 }).forEach((steps) => {
    reached += steps
    if (steps < LONGEST_STEPS) times.push(reached * TIME_STEP_S)
  })
  return times
}
