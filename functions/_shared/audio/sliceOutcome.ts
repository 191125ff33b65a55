import type { Scale } from './packing.ts'

/** What one slice's job hands to the merge: contours, packed, of the frames whose centres lie in the slice. */
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
  balance: { alphaRatioDb: string; hammarbergDb: string }
  intensity: { first: number; db: string }
  syllables: { first: number; db: string }
  harmonicity: { first: number; strengthDb: string; localPeakDb: string }
  cepstrum: { first: number; prominenceDb: string }
  /** Times in seconds since `startS`; amplitude 0 dB is full scale, `SILENT_DB` is none. */
  pulses: { times: string; amplitudesDb: string }
}

export const SILENT_DB = -160

/** How finely each contour is kept: well below what the accuracy of any feature needs. */
export const SCALES = {
  localPeakDb: { bytes: 1, lowest: -100, step: 0.4 },
  counts: { bytes: 1, lowest: 0, step: 1 },
  /** In octaves over 1 Hz: 0.003%. */
  frequencies: { bytes: 2, lowest: 5, step: 0.00005 },
  strengths: { bytes: 1, lowest: 0.2, step: 0.8 / 255 },
  ratioDb: { bytes: 1, lowest: -50, step: 0.5 },
  intensityDb: { bytes: 2, lowest: -300, step: 0.0075 },
  strengthDb: { bytes: 1, lowest: -20, step: 0.3 },
  prominenceDb: { bytes: 1, lowest: -1, step: 0.15 },
  times: { bytes: 4, lowest: 0, step: 1e-7 },
  amplitudesDb: { bytes: 2, lowest: SILENT_DB, step: 0.003 },
} satisfies Record<string, Scale>
