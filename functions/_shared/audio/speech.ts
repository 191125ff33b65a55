import { vertex } from './dsp.ts'
import type { Contour } from './signal.ts'
import { quantiles } from './statistics.ts'

interface Interval {
  startS: number
  endS: number
}

/** Where someone speaks. `pauses` lie between two runs; the silence before the first and after the last is none. */
export interface Speech {
  runs: Interval[]
  pauses: Interval[]
  /** dB above which a frame sounds. */
  thresholdDb: number
}

/** Settings of de Jong and Wempe (2009), "Praat script to detect syllable nuclei", Behavior Research Methods 41. */
const SILENCE_DB = 25

/** How far over its floor, the 10th percentile, noise still counts as silence: else noise would fill the pauses. */
const OVER_NOISE_DB = 4

/** A sound that hardly varies, such as a held vowel, is no pause. */
const LEAST_RANGE_DB = 8
const MIN_PAUSE_S = 0.3
const MIN_RUN_S = 0.1

/**
 * Splits a recording into runs of speech and pauses: a frame sounds within 25 dB of the 99th percentile of intensity, and more
 * than 4 dB over its 10th, which in a quiet recording lies lower; sounds under 0.1 s are dropped, then pauses under 0.3 s (Praat's "To TextGrid (silences)").
 *
 * @param contour intensity in dB; NaN where a slice is missing, which ends a run and is no pause
 */
export function findSpeech(contour: Contour, durationS: number): Speech {
  const known = contour.values.filter((db) => !Number.isNaN(db))
  const levels = quantiles(known, 0.1, 0.99)
  if (levels === null) return { runs: [], pauses: [], thresholdDb: 0 }
  const [faintest, loudest] = levels
  const overNoiseDb = Math.min(faintest + OVER_NOISE_DB, loudest - LEAST_RANGE_DB)
  const thresholdDb = Math.max(loudest - SILENCE_DB, overNoiseDb)
  const timeOf = (frame: number) => contour.grid.firstS + frame * contour.grid.stepS

  const pieces: (Interval & { kind: PieceKind })[] = []
  contour.values.forEach((db, frame) => {
    const kind = Number.isNaN(db) ? 'missing' : db < thresholdDb ? 'silent' : 'sounding'
    const last = pieces.at(-1)
    if (!last) pieces.push({ kind, startS: 0, endS: durationS })
    else if (last.kind !== kind) {
      last.endS = timeOf(frame)
      pieces.push({ kind, startS: timeOf(frame), endS: durationS })
    }
  })
  const settled = absorb(absorb(pieces, 'sounding', 'silent', MIN_RUN_S), 'silent', 'sounding', MIN_PAUSE_S)

  const runs = settled.filter(({ kind }) => kind === 'sounding')
  const pauses = settled.filter(
    ({ kind }, i) =>
      kind === 'silent' && settled[i - 1]?.kind === 'sounding' && settled[i + 1]?.kind === 'sounding',
  )
  const bare = ({ startS, endS }: Interval) => ({ startS, endS })
  return { runs: runs.map(bare), pauses: pauses.map(bare), thresholdDb }
}

type PieceKind = 'sounding' | 'silent' | 'missing'
type Piece = Interval & { kind: PieceKind }

/** Turns pieces of one kind that are shorter than `minimumS` into the other kind, and joins equal neighbours. */
function absorb(pieces: Piece[], kind: PieceKind, into: PieceKind, minimumS: number): Piece[] {
  const joined: Piece[] = []
  for (const piece of pieces) {
    const short = piece.kind === kind && piece.endS - piece.startS < minimumS
    const changed = { ...piece, kind: short ? into : piece.kind }
    const last = joined.at(-1)
    if (last?.kind === changed.kind) last.endS = changed.endS
    else joined.push(changed)
  }
  return joined
}

/** How far intensity must fall between two nuclei, in dB. */
const MIN_DIP_DB = 2

/**
 * The times of the syllable nuclei in seconds: voiced peaks of intensity within a run of speech, each at least 2 dB over
 * the dip that follows it (de Jong and Wempe 2009, script of 2010).
 *
 * @param intensity in dB, measured with a floor of 50 Hz
 * @param voicing 1 where the pitch frame is voiced, by the script's settings
 */
export function findSyllables(intensity: Contour, voicing: Contour, speech: Speech): number[] {
  const peaks = loudPeaks(intensity, speech.thresholdDb)
  return peaks
    .filter((peak, i) => {
      const next = peaks[i + 1]
      if (!next) return false
      const dip = intensity.values
        .subarray(peak.frame, next.frame + 1)
        .reduce((low, db) => Math.min(low, db), peak.db)
      return Math.abs(peak.db - dip) > MIN_DIP_DB
    })
    .map(({ timeS }) => timeS)
    .filter((timeS) => speech.runs.some(({ startS, endS }) => timeS >= startS && timeS < endS))
    .filter((timeS) => voicing.values[Math.round((timeS - voicing.grid.firstS) / voicing.grid.stepS)] === 1)
}

function loudPeaks(
  { grid, values }: Contour,
  thresholdDb: number,
): { frame: number; timeS: number; db: number }[] {
  const peaks: { frame: number; timeS: number; db: number }[] = []
  values.forEach((at, frame) => {
    const before = values[frame - 1] ?? Number.NaN
    const after = values[frame + 1] ?? Number.NaN
    if (!(at > before && at >= after)) return
    const offset = vertex(before, at, after)
    const db = at + 0.25 * (after - before) * offset
    if (db > thresholdDb) peaks.push({ frame, timeS: grid.firstS + (frame + offset) * grid.stepS, db })
  })
  return peaks
}
