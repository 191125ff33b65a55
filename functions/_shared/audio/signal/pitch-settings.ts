import { ANALYSIS_RATE_HZ } from '../limits.ts'
import { type FrameGrid, frameGrid } from './frame-grid.ts'

/** Settings of Praat's "To Pitch (ac)" with a Hanning window of three periods of the floor. */
export interface PitchSettings {
  floorHz: number
  ceilingHz: number
  stepS: number
  octaveCost: number
  octaveJumpCost: number
  voicedUnvoicedCost: number
  silenceThreshold: number
  voicingThreshold: number
  /** Most voiced candidates of a frame. */
  candidates: number
  /** Shortest lag that may take a candidate's place, in samples. */
  minLag: number
}

/** Praat's number of candidates, the unvoiced one left out. */
export const MAX_CANDIDATES = 14

export const PERIODS_PER_WINDOW = 3

/** "To Pitch (ac): 0.01, 75, 15, no, 0.03, 0.45, 0.01, 0.35, 0.14, 500". */
export const PITCH: PitchSettings = {
  floorHz: 75,
  ceilingHz: 500,
  stepS: 0.01,
  octaveCost: 0.01,
  octaveJumpCost: 0.35,
  voicedUnvoicedCost: 0.14,
  silenceThreshold: 0.03,
  voicingThreshold: 0.45,
  candidates: MAX_CANDIDATES,
  minLag: ANALYSIS_RATE_HZ / 500 - 1,
}

/**
 * "To Pitch (ac): 0.02, 30, 4, no, 0.03, 0.25, 0.01, 0.35, 0.25, 450", by which de Jong and Wempe (2009) tell voiced
 * syllables. Praat raises the 4 candidates to the ceiling over the floor, 15; those above the ceiling may take the places
 * of others.
 */
export const SYLLABLE_PITCH: PitchSettings = {
  floorHz: 30,
  ceilingHz: 450,
  stepS: 0.02,
  octaveCost: 0.01,
  octaveJumpCost: 0.35,
  voicedUnvoicedCost: 0.25,
  silenceThreshold: 0.03,
  voicingThreshold: 0.25,
  candidates: MAX_CANDIDATES,
  minLag: 2,
}

export function pitchGrid(durationS: number, { floorHz, stepS }: PitchSettings = PITCH): FrameGrid {
  return frameGrid(durationS, PERIODS_PER_WINDOW / floorHz, stepS)
}
