import type { Contour } from './signal.ts'
import type { Speech } from './speech.ts'
import { energyMeanDb, mean, quantile } from './statistics.ts'

/** What surrounds the speech of a recording, as far as it can be told from the recording alone. */
export interface Conditions {
  /** Level of the speech over that of the noise, in dB (0 to 80); null where there is nothing to compare. */
  snrDb: number | null
  /** The pauses are much quieter than the noise under the speech: a codec or a phone has silenced them. */
  pausesCleaned: boolean
  /** The level falls too slowly after loud sounds: in a room with an echo, or through a compressor. */
  reverberant: boolean
  /** The pitch keeps to two levels, in turns. */
  secondSpeaker: boolean
}

/** Frames so near to speech hold the ends of words, and less than this in all says little of the noise, both in seconds. */
const EDGE_S = 0.1
const ENOUGH_QUIET_S = 0.5

const MAX_SNR_DB = 80

/** Under the speech the noise is at least so loud, and in the pauses so much fainter, where they were silenced, in dB. */
const CLEANED = { atMostUnderSpeech: 13, fainterInPauses: 25 }

/**
 * In rooms that hardly echo, the steepest twentieth of the falls from loud sounds is 20 dB in 64 ms; at a reverberation time of
 * 0.6 s it is 6 to 11. Noise fills falls too: only well over it do they tell anything.
 */
const FALL = { loudDb: 10, overS: 0.064, quantile: 0.95, slowestDb: 12, minSnrDb: 20 }

/**
 * Two levels of pitch, so many semitones apart, each for a fifth of the time. One voice goes up and down from one second to the
 * next, about as often as chance; people who take turns change sides less than 0.65 times as often.
 */
const TWO_VOICES = {
  semitones: 5,
  share: 0.2,
  changes: 0.65,
  windowS: 1,
  minVoicedFrames: 15,
  minWindows: 8,
  minSnrDb: 16,
}

/**
 * Finds out how noisy, how reverberant and how mixed a recording is.
 *
 * @param intensity in dB, measured with a floor of 100 Hz
 * @param pitch in hertz, 0 where unvoiced
 * @param harmonicityDb harmonics-to-noise ratios of the voiced frames
 */
export function findConditions(
  intensity: Contour,
  pitch: Contour,
  speech: Speech,
  harmonicityDb: number[],
): Conditions {
  const { spoken, quiet } = splitLevels(intensity, speech)
  const speechDb = energyMeanDb(spoken)
  const faintestSpokenDb = quantile(spoken, 0.05)
  if (speechDb === null || faintestSpokenDb === null) {
    return { snrDb: null, pausesCleaned: false, reverberant: false, secondSpeaker: false }
  }
  // Without pauses the faintest moments within speech, and the harmonics, still say how loud the noise is at most.
  const withinSpeech = Math.max(speechDb - faintestSpokenDb, quantile(harmonicityDb, 0.5) ?? 0)
  const hasPauses = quiet.length * intensity.grid.stepS >= ENOUGH_QUIET_S
  const inPauses = hasPauses ? speechDb - (energyMeanDb(quiet) ?? 0) : withinSpeech
  const pausesCleaned =
    withinSpeech < CLEANED.atMostUnderSpeech && inPauses - withinSpeech > CLEANED.fainterInPauses
  const snrDb = Math.max(0, Math.min(MAX_SNR_DB, pausesCleaned ? withinSpeech : inPauses))
  return {
    snrDb,
    pausesCleaned,
    reverberant: hasPauses && snrDb >= FALL.minSnrDb && fallsSlowly(intensity, speechDb),
    secondSpeaker: snrDb >= TWO_VOICES.minSnrDb && hasTwoVoices(pitch),
  }
}

/** The levels of the frames within runs of speech, and of those well apart from any. */
function splitLevels(
  { grid, values }: Contour,
  { runs }: Speech,
): { spoken: Float64Array; quiet: Float64Array } {
  let run = 0
  const part = values.map((db, frame) => {
    if (Number.isNaN(db)) return 0
    const timeS = grid.firstS + frame * grid.stepS
    while (run < runs.length && timeS >= (runs[run]?.endS ?? 0)) run++
    const { startS } = runs[run] ?? { startS: Number.POSITIVE_INFINITY }
    if (timeS >= startS) return 1
    const sinceS = timeS - (runs[run - 1]?.endS ?? Number.NEGATIVE_INFINITY)
    return startS - timeS >= EDGE_S && sinceS >= EDGE_S ? 2 : 0
  })
  return {
    spoken: values.filter((_, frame) => part[frame] === 1),
    quiet: values.filter((_, frame) => part[frame] === 2),
  }
}

function fallsSlowly({ grid, values }: Contour, speechDb: number): boolean {
  const frames = Math.round(FALL.overS / grid.stepS)
  const falls: number[] = []
  values.forEach((db, frame) => {
    const later = values[frame + frames] ?? Number.NaN
    if (db > speechDb - FALL.loudDb && !Number.isNaN(later)) falls.push(db - later)
  })
  const steep = quantile(falls, FALL.quantile)
  return steep !== null && steep < FALL.slowestDb
}

/** Splits the medians of pitch of each second in two, so that they vary least within both parts (Otsu 1979). */
function hasTwoVoices({ grid, values }: Contour): boolean {
  const frames = Math.round(TWO_VOICES.windowS / grid.stepS)
  const medians: number[] = []
  for (let from = 0; from < values.length; from += frames) {
    const voiced = values.subarray(from, from + frames).filter((hertz) => hertz > 0)
    const median = voiced.length >= TWO_VOICES.minVoicedFrames ? quantile(voiced, 0.5) : null
    if (median !== null) medians.push(12 * Math.log2(median))
  }
  if (medians.length < TWO_VOICES.minWindows) return false
  const sorted = [...medians].sort((a, b) => a - b)
  const fewest = Math.ceil(TWO_VOICES.share * sorted.length)
  let [apart, border, least] = [0, 0, Number.POSITIVE_INFINITY]
  for (let split = fewest; split <= sorted.length - fewest; split++) {
    const [low, high] = [sorted.slice(0, split), sorted.slice(split)]
    const within = squares(low) + squares(high)
    if (within >= least) continue
    least = within
    apart = (mean(high) ?? 0) - (mean(low) ?? 0)
    border = ((low.at(-1) ?? 0) + (high[0] ?? 0)) / 2
  }
  return apart >= TWO_VOICES.semitones && changesOverChance(medians, border) <= TWO_VOICES.changes
}

/** How often neighbours lie on different sides of a border, over how often they would in any order. */
function changesOverChance(values: number[], border: number): number {
  const isHigh = values.map((value) => value > border)
  const part = isHigh.filter(Boolean).length / isHigh.length
  const changes = isHigh.filter((high, i) => i > 0 && high !== isHigh[i - 1]).length
  return changes / (2 * part * (1 - part) * (isHigh.length - 1))
}

function squares(values: number[]): number {
  const centre = mean(values) ?? 0
  return values.reduce((sum, value) => sum + (value - centre) ** 2, 0)
}
