import type { Contour } from './recording-measures.ts'
import { quantile } from './statistics.ts'

export interface Interval {
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
const MIN_PAUSE_S = 0.3
const MIN_RUN_S = 0.1

/**
 * Splits a recording into runs of speech and pauses: a frame sounds within 25 dB of the 99th percentile of intensity;
 * sounds under 0.1 s are dropped, then pauses under 0.3 s (Praat's "To TextGrid (silences)").
 *
 * @param contour intensity in dB; NaN where a slice is missing, which ends a run and is no pause
 */
export function findSpeech(contour: Contour, durationS: number): Speech {
  const known = contour.values.filter((db) => !Number.isNaN(db))
  const loudest = quantile(known, 0.99)
  if (loudest === null) return { runs: [], pauses: [], thresholdDb: 0 }
  const thresholdDb = loudest - SILENCE_DB
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
