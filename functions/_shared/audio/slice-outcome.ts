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
  /** Of the frames that have pitch candidates. */
  balance: { alphaRatioDb: string; hammarbergDb: string }
  intensity: { first: number; db: string }
  /** Intensity on which syllables are counted, and 1 for each pitch frame that is voiced by its looser settings. */
  syllables: { first: number; db: string; voicedFirst: number; voiced: string }
  harmonicity: { first: number; strengthDb: string; localPeakDb: string }
  cepstrum: { first: number; prominenceDb: string }
  /** Times in seconds since `startS`; amplitude 0 dB is full scale, `SILENT_DB` is none. */
  pulses: { times: string; amplitudesDb: string }
}

export const SILENT_DB = -160

/** How finely each contour is kept: well below what the accuracy of any feature needs. */
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
} satisfies Record<string, Scale>
