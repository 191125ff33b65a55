import { type Conditions, findConditions } from './conditions.ts'
import { cepstrumGrid } from './measures/cepstral-peak.ts'
import { harmonicityGrid, isHarmonic } from './measures/harmonicity.ts'
import { INTENSITY_FLOOR_HZ, intensityGrid, SYLLABLE_FLOOR_HZ } from './measures/intensity.ts'
import { findPitchPath, PITCH, type PitchCandidates, pitchGrid, SYLLABLE_PITCH } from './measures/pitch.ts'
import type { Contour, FrameGrid } from './signal.ts'
import { type AudioSliceOutcome, SCALES, type Scale, SILENT_DB, unpack, unpackTimes } from './slices.ts'
import { hasTwoSpeakers } from './speakers.ts'
import { findSpeech, findSyllables, type Speech } from './speech.ts'

export interface Pulse {
  timeS: number
  /** Linear; 0 where it could not be measured. */
  amplitude: number
}

/** Everything that the features are computed from, for a whole recording. */
export interface RecordingMeasures {
  durationS: number
  /** Seconds of it that were analysed. */
  coveredS: number
  /** Loudest sample; full scale is 1. */
  peak: number
  clippingFraction: number
  /** Hertz, 0 where unvoiced. */
  pitch: Contour
  /** dB re 2e-5 Pa. */
  intensity: Contour
  /** dB, of the frames within runs of speech. */
  cepstralProminenceDb: number[]
  /** dB, of the voiced frames. */
  harmonicityDb: number[]
  alphaRatioDb: number[]
  hammarbergDb: number[]
  pulses: Pulse[]
  speech: Speech
  syllables: number[]
  conditions: Conditions
}

/** Frames about a pulse of which one must be voiced: a pulse may lie up to one period outside its interval. */
const PULSE_REACH_FRAMES = 2

/** Joins the slices' contours and decides what depends on the whole recording. */
export function assembleMeasures(outcomes: AudioSliceOutcome[], durationS: number): RecordingMeasures {
  const slices = [...new Map(outcomes.map((outcome) => [outcome.index, outcome])).values()].sort(
    (a, b) => a.startS - b.startS,
  )
  const peak = slices.reduce((top, slice) => Math.max(top, slice.peak), 0)
  const nativeSamples = slices.reduce((sum, slice) => sum + slice.nativeSamples, 0)
  const clippedSamples = slices.reduce((sum, slice) => sum + slice.clippedSamples, 0)

  const joined = (
    grid: FrameGrid,
    part: (slice: AudioSliceOutcome) => { first: number; packed: string },
    scale: Scale,
  ) =>
    joinContour(
      grid,
      slices.map((slice) => part(slice)),
      scale,
    )
  const intensity = joined(
    intensityGrid(durationS, INTENSITY_FLOOR_HZ),
    ({ intensity: { first, db } }) => ({ first, packed: db }),
    SCALES.intensityDb,
  )
  const loudness = joined(
    intensityGrid(durationS, SYLLABLE_FLOOR_HZ),
    ({ syllables: { first, db } }) => ({ first, packed: db }),
    SCALES.syllableDb,
  )
  const localPeakDb = joined(
    pitchGrid(durationS),
    ({ pitch: { first, localPeakDb } }) => ({ first, packed: localPeakDb }),
    SCALES.localPeakDb,
  )
  const candidates = joinCandidates(slices, localPeakDb)
  const contour = (hertz: Float32Array): Contour => ({
    grid: localPeakDb.grid,
    values: Float64Array.from(hertz, (value, frame) =>
      Number.isNaN(localPeakDb.values[frame]) ? Number.NaN : value,
    ),
  })
  const pitch = contour(
    peak > 0 ? findPitchPath(candidates, peak, PITCH) : new Float32Array(localPeakDb.values.length),
  )
  const voicing = joined(
    pitchGrid(durationS, SYLLABLE_PITCH),
    ({ syllables: { voicedFirst, voiced } }) => ({ first: voicedFirst, packed: voiced }),
    SCALES.voiced,
  )
  const isVoiced = (frame: number) => (pitch.values[frame] ?? 0) > 0

  const speech = findSpeech(loudness, durationS)
  const harmonicityDb = joinHarmonicity(slices, durationS, peak)
  return {
    durationS,
    coveredS: slices.reduce((sum, { startS, endS }) => sum + endS - startS, 0),
    peak,
    clippingFraction: nativeSamples > 0 ? clippedSamples / nativeSamples : 0,
    pitch,
    intensity,
    cepstralProminenceDb: joinProminence(slices, durationS, speech),
    harmonicityDb,
    alphaRatioDb: joinBalance(slices, 'alphaRatioDb', isVoiced),
    hammarbergDb: joinBalance(slices, 'hammarbergDb', isVoiced),
    pulses: joinPulses(slices, pitch),
    speech,
    syllables: findSyllables(loudness, voicing, speech),
    conditions: findConditions(intensity, pitch, speech, harmonicityDb, () =>
      hasTwoSpeakers(slices.flatMap(({ voice }) => voice ?? [])),
    ),
  }
}

function joinContour(grid: FrameGrid, parts: { first: number; packed: string }[], scale: Scale): Contour {
  const values = new Float64Array(grid.count).fill(Number.NaN)
  for (const { first, packed } of parts) {
    const part = unpack(packed, scale)
    values.set(part.subarray(0, Math.max(0, grid.count - first)), Math.min(first, grid.count))
  }
  return { grid, values }
}

/** The candidates of all frames; slices are of frames that do not overlap, in order. */
function joinCandidates(slices: AudioSliceOutcome[], localPeakDb: Contour): PitchCandidates {
  const counts = joinContour(
    localPeakDb.grid,
    slices.map(({ pitch }) => ({ first: pitch.first, packed: pitch.counts })),
    SCALES.counts,
  )
  const joined = (part: (slice: AudioSliceOutcome) => Float64Array) => {
    const parts = slices.map(part)
    const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0))
    let next = 0
    for (const values of parts) {
      all.set(values, next)
      next += values.length
    }
    return all
  }
  return {
    localPeak: new Float32Array(localPeakDb.values.map((db) => (Number.isNaN(db) ? 0 : amplitude(db)))),
    // Without a slice a frame has none: NaN becomes 0.
    counts: new Uint8Array(counts.values),
    frequencies: joined(({ pitch }) =>
      unpack(pitch.frequencies, SCALES.frequencies).map((octaves) => 2 ** octaves),
    ),
    strengths: joined(({ pitch }) => unpack(pitch.strengths, SCALES.strengths)),
  }
}

function joinBalance(
  slices: AudioSliceOutcome[],
  name: keyof AudioSliceOutcome['balance'],
  isVoiced: (frame: number) => boolean,
): number[] {
  const kept: number[] = []
  for (const { pitch, balance } of slices) {
    const values = unpack(balance[name], SCALES.ratioDb)
    let next = 0
    unpack(pitch.counts, SCALES.counts).forEach((count, i) => {
      if (count === 0) return
      const value = values[next++] ?? 0
      if (isVoiced(pitch.first + i)) kept.push(value)
    })
  }
  return kept
}

function joinProminence(slices: AudioSliceOutcome[], durationS: number, { runs }: Speech): number[] {
  const { firstS, stepS } = cepstrumGrid(durationS)
  const kept: number[] = []
  let run = 0
  for (const { cepstrum } of slices) {
    unpack(cepstrum.prominenceDb, SCALES.prominenceDb).forEach((db, i) => {
      const timeS = firstS + (cepstrum.first + i) * stepS
      while (run < runs.length && timeS >= (runs[run]?.endS ?? 0)) run++
      const isSpeech = timeS >= (runs[run]?.startS ?? Number.POSITIVE_INFINITY)
      if (isSpeech && db > SCALES.prominenceDb.lowest) kept.push(db)
    })
  }
  return kept
}

function joinHarmonicity(slices: AudioSliceOutcome[], durationS: number, peak: number): number[] {
  const frames = harmonicityGrid(durationS).count
  const kept: number[] = []
  for (const { harmonicity } of slices) {
    const localPeakDb = unpack(harmonicity.localPeakDb, SCALES.localPeakDb)
    unpack(harmonicity.strengthDb, SCALES.strengthDb).forEach((db, i) => {
      if (db <= SCALES.strengthDb.lowest || harmonicity.first + i >= frames) return
      const strength = 1 / (1 + 10 ** (-db / 10))
      if (isHarmonic(strength, amplitude(localPeakDb[i] ?? SILENT_DB) / peak)) kept.push(db)
    })
  }
  return kept
}

function joinPulses(slices: AudioSliceOutcome[], pitch: Contour): Pulse[] {
  const kept: Pulse[] = []
  for (const { startS, pulses } of slices) {
    const amplitudesDb = unpack(pulses.amplitudesDb, SCALES.amplitudesDb)
    unpackTimes(pulses.times).forEach((offsetS, i) => {
      const timeS = startS + offsetS
      if (!isVoicedAbout(pitch, timeS)) return
      const db = amplitudesDb[i] ?? SILENT_DB
      kept.push({ timeS, amplitude: db > SILENT_DB ? amplitude(db) : 0 })
    })
  }
  return kept
}

function isVoicedAbout({ grid, values }: Contour, timeS: number): boolean {
  const frame = Math.round((timeS - grid.firstS) / grid.stepS)
  for (let near = frame - PULSE_REACH_FRAMES; near <= frame + PULSE_REACH_FRAMES; near++) {
    if ((values[near] ?? 0) > 0) return true
  }
  return false
}

function amplitude(decibels: number): number {
  return 10 ** (decibels / 20)
}
