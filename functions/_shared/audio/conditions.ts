import { type Contour, frameFrom } from './signal.ts'
import type { Speech } from './speech.ts'
import { energyMeanDb, quantile } from './statistics.ts'

/** What surrounds the speech of a recording, as far as it can be told from the recording alone. */
export interface Conditions {
  /** Level of the speech over that of the noise, in dB (0 to 80); null where there is nothing to compare. */
  snrDb: number | null
  /** The pauses are much quieter than the noise under the speech: a codec or a phone has silenced them. */
  pausesCleaned: boolean
  /** The level falls too slowly after loud sounds: in a room with an echo, or through a compressor. */
  reverberant: boolean
  /** A gain that follows the level raised the pauses. */
  gainControlled: boolean
  /** People with different voices take turns. */
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

/** Noise colours a voice: only well over it do voices tell people apart. */
const VOICE_MIN_SNR_DB = 18

/**
 * In a room the sound falls after speech, or is that of the room. A gain that follows the level raises the room instead: so much between the
 * first tenth of a second of a pause that lies apart from speech and what comes 0.3 s after it. Where it raises the room until pauses count
 * as speech, speech is long without voice in places: many of them, or fewer where the pauses that are left do not fall.
 */
const RISE = { fromS: 0.1, untilS: 0.2, laterS: 0.3, frames: 6, riseDb: 1 }
const VOICELESS = { longS: 0.5, share: 0.15, shareWithoutFall: 0.045 }
const GAIN_MIN_SNR_DB = 16

/**
 * Finds out how noisy, how reverberant and how mixed a recording is.
 *
 * @param intensity in dB, measured with a floor of 100 Hz
 * @param pitch in hertz, 0 where unvoiced
 * @param harmonicityDb harmonics-to-noise ratios of the voiced frames
 * @param hasTwoSpeakers asked only where the voice is loud enough over the noise
 */
export function findConditions(
  intensity: Contour,
  pitch: Contour,
  speech: Speech,
  harmonicityDb: number[],
  hasTwoSpeakers: () => boolean,
): Conditions {
  const { spoken, quiet } = splitLevels(intensity, speech)
  const speechDb = energyMeanDb(spoken)
  const faintestSpokenDb = quantile(spoken, 0.05)
  if (speechDb === null || faintestSpokenDb === null) {
    return {
      snrDb: null,
      pausesCleaned: false,
      reverberant: false,
      gainControlled: false,
      secondSpeaker: false,
    }
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
    gainControlled: snrDb >= GAIN_MIN_SNR_DB && raisesPauses(intensity, pitch, speech),
    secondSpeaker: snrDb >= VOICE_MIN_SNR_DB && hasTwoSpeakers(),
  }
}

function raisesPauses(intensity: Contour, pitch: Contour, speech: Speech): boolean {
  const riseDb = riseInPauses(intensity, speech) ?? Number.NEGATIVE_INFINITY
  if (riseDb >= RISE.riseDb) return true
  return voicelessShare(pitch, speech) >= (riseDb >= 0 ? VOICELESS.shareWithoutFall : VOICELESS.share)
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

/** How much louder pauses are late than early, in dB: the difference of the medians; null where pauses are too few or too short. */
function riseInPauses({ grid, values }: Contour, { pauses }: Speech): number | null {
  const [early, late]: [number[], number[]] = [[], []]
  for (const { startS, endS } of pauses) {
    const end = frameFrom(grid, endS - EDGE_S)
    const until = Math.min(end, frameFrom(grid, startS + RISE.untilS))
    for (let frame = frameFrom(grid, startS + RISE.fromS); frame < until; frame++)
      early.push(values[frame] ?? 0)
    for (let frame = frameFrom(grid, startS + RISE.laterS); frame < end; frame++)
      late.push(values[frame] ?? 0)
  }
  if (early.length < RISE.frames || late.length < RISE.frames) return null
  return (quantile(late, 0.5) ?? 0) - (quantile(early, 0.5) ?? 0)
}

/** The part of the runs of speech that is without voice for long. */
function voicelessShare({ grid, values }: Contour, { runs }: Speech): number {
  let [all, voiceless] = [0, 0]
  for (const { startS, endS } of runs) {
    let length = 0
    const end = Math.min(values.length, frameFrom(grid, endS))
    for (let frame = frameFrom(grid, startS); frame <= end; frame++) {
      if (frame < end && !((values[frame] ?? 0) > 0)) {
        length++
        continue
      }
      if (length * grid.stepS >= VOICELESS.longS) voiceless += length
      length = 0
    }
    all += Math.max(0, end - frameFrom(grid, startS))
  }
  return all > 0 ? voiceless / all : 0
}
