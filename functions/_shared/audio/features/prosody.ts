import type { AudioFeatureName } from '../../features/audio.ts'
import type { Extractors } from '../../features/definition.ts'
import type { RecordingMeasures } from '../recording-measures.ts'
import { type Contour, frameFrom } from '../signal.ts'
import { energyMeanDb, mean, quantiles, standardDeviation } from '../statistics.ts'

/** Pitch, loudness and voicing; what each measures, and how: `AUDIO_DEFINITIONS`. */
export const PROSODY = {
  f0_mean_hz(measures) {
    return mean(voicedHertz(measures))
  },

  f0_sd_semitones(measures) {
    return standardDeviation(voicedSemitones(measures))
  },

  f0_range_semitones(measures) {
    const ends = quantiles(voicedSemitones(measures), 0.05, 0.95)
    return ends && ends[1] - ends[0]
  },

  f0_slope_semitones_per_s({ pitch: { values, grid } }) {
    let change = 0
    let seconds = 0
    let previous: number | null = null
    values.forEach((hertz, frame) => {
      if (Number.isNaN(hertz)) previous = null
      if (!(hertz > 0)) return
      if (previous !== null) {
        change += Math.abs(12 * Math.log2(hertz / (values[previous] ?? hertz)))
        seconds += (frame - previous) * grid.stepS
      }
      previous = frame
    })
    return seconds > 0 ? change / seconds : null
  },

  intensity_mean_db(measures) {
    return energyMeanDb(measures.intensity.values.filter((db) => !Number.isNaN(db)))
  },

  intensity_sd_db(measures) {
    return standardDeviation(speechIntensities(measures))
  },

  intensity_range_db(measures) {
    const ends = quantiles(speechIntensities(measures), 0.05, 0.95)
    return ends && ends[1] - ends[0]
  },

  voiced_fraction(measures) {
    const frames = framesOfSpeechSpan(measures, measures.pitch)
    return mean(frames.map((hertz) => (hertz > 0 ? 1 : 0)))
  },
} satisfies Partial<Extractors<AudioFeatureName, RecordingMeasures>>

/** The fundamental frequency of the voiced frames, in hertz. */
function voicedHertz({ pitch }: RecordingMeasures): Float64Array {
  return pitch.values.filter((hertz) => hertz > 0)
}

/** The fundamental frequency of the voiced frames, in semitones over 1 Hz. */
function voicedSemitones(measures: RecordingMeasures): Float64Array {
  return voicedHertz(measures).map((hertz) => 12 * Math.log2(hertz))
}

/** The values of a contour from the start of the first to the end of the last run of speech, missing ones left out. */
function framesOfSpeechSpan({ speech }: RecordingMeasures, { grid, values }: Contour): Float64Array {
  const startS = speech.runs[0]?.startS ?? 0
  const endS = speech.runs.at(-1)?.endS ?? 0
  return values.filter((value, frame) => {
    const timeS = grid.firstS + frame * grid.stepS
    return !Number.isNaN(value) && timeS >= startS && timeS < endS
  })
}

/** The intensity, in dB, of the frames within runs of speech. */
function speechIntensities({ speech, intensity: { grid, values } }: RecordingMeasures): number[] {
  const kept: number[] = []
  for (const { startS, endS } of speech.runs) {
    values.subarray(frameFrom(grid, startS), frameFrom(grid, endS)).forEach((db) => {
      if (!Number.isNaN(db)) kept.push(db)
    })
  }
  return kept
}
