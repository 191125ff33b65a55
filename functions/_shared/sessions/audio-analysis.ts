import type * as z from 'zod'
import type { FeatureNorm } from '../features/definition.ts'
import { VERY_LOW_MOOD } from '../low-mood.ts'
import { ramp, round } from '../numbers.ts'
import type { audioAnalysis } from './analyses.ts'
import type { AudioData } from './app-summaries.ts'
import type { StoredAnalysis } from './stored-analysis.ts'

/** A summary is never as certain as a recording would be. */
const HIGHEST_CONFIDENCE = 0.6

/** Assumed evenness of loudness by voice quality: the summary contains no loudness. */
const EVENNESS = { clear: 0.9, muffled: 0.6, strained: 0.5 } as const

/** Below this, the quality reason names what lowers it most. */
const LOW = 0.5

type AudioAnalysis = z.infer<typeof audioAnalysis>

/** Derives the indicators of a spoken conversation from the app's summary of it: docs/scoring.md, "Assessment sessions". */
export function analyzeAudioSummary(data: AudioData): StoredAnalysis<'audio', AudioAnalysis> {
  const reading = readAudio(data)
  const quality = reading.extent * reading.consistency * (reading.muffled ? 0.8 : 1)
  return {
    modality: 'audio',
    analysis: {
      vocal_stress_indicators: round(stressOf(reading)),
      speech_pattern_analysis: {
        pace_variation: round(Math.min(1, Math.abs(Math.log2(reading.pace)))),
        pause_frequency: round(reading.silence),
        volume_consistency: EVENNESS[data.voice_quality],
      },
      emotional_markers: markersOf(reading),
      confidence_score: round(HIGHEST_CONFIDENCE * quality),
    },
    measures: {
      features: {
        pace_ratio: reading.pace,
        silence_share: reading.silence,
        voice_strain: reading.strain,
        tone_valence: reading.valence,
      },
      mood_score: reading.mood,
    },
    quality,
    quality_reason: reasonOf(reading),
    risk_level: 'none',
  }
}

/**
 * Half from a strained voice, a quarter each from a negative tone and from hurried speech. Directions after Giddens et
 * al. 2013 (J. Voice 27); the weights are engineering priors.
 */
function stressOf({ strain, valence, pace }: AudioReading): number {
  const hurry = Math.max(0, Math.min(1, Math.log2(pace)))
  return 0.5 * strain + 0.25 * ((1 - valence) / 2) + 0.25 * hurry
}

function markersOf({ pace, silence, strain, valence, mood, muffled, extent }: AudioReading): string[] {
  const markers = [
    valence > 0 && 'positive tone',
    valence < 0 && 'negative tone',
    valence === 0 && 'even tone',
    strain === 1 && 'strained voice',
    muffled && 'muffled voice',
    extent > 0 && pace < 0.75 && 'slow speech',
    extent > 0 && pace > 1.35 && 'hurried speech',
    extent > 0 && silence > 0.7 && 'long silences',
    mood <= VERY_LOW_MOOD && 'low mood reported',
    mood >= 8 && 'good mood reported',
    Math.abs(valence - (mood - 5.5) / 4.5) > 1.5 && 'tone and reported mood differ',
  ]
  return markers.filter((marker) => marker !== false)
}

function reasonOf({ extent, consistency, muffled }: AudioReading): string | null {
  if (Math.min(extent, consistency) < LOW) {
    return extent <= consistency ? 'too_little_speech' : 'summary_inconsistent'
  }
  return muffled ? 'muffled' : null
}

/** Words a minute that `speech_rate` 1 stands for: an unhurried conversation. */
const USUAL_WORDS_PER_MINUTE = 150

/** Nobody speaks at ten times the usual pace, nor at ten words a minute: a higher value is words a minute. */
const HIGHEST_RATIO = 10

/** Words a minute while somebody actually speaks, without the other's turns (Tauroza and Allison 1990). */
const SPEAKING_WORDS_PER_MINUTE = 200

/** Of a transcript of spoken English, with the space. */
const CHARACTERS_PER_WORD = 5

/** Bounds of a pace that is taken literally. */
const PACE_BOUNDS = [1 / 8, 8] as const

const STRAIN = { clear: 0, muffled: 0.3, strained: 1 } as const
const VALENCE = { negative: -1, neutral: 0, positive: 1 } as const

/** What a summary of a spoken conversation says, as numbers. */
type AudioReading = {
  /** Pace of speech as a ratio to the usual one, 1/8 to 8. */
  pace: number
  /** Share of the conversation that the student's speech leaves silent, 0 to 1. */
  silence: number
  /** 0 a clear voice to 1 a strained one. */
  strain: number
  /** -1 a negative tone to 1 a positive one. */
  valence: number
  /** 1 to 10, as the student reported it. */
  mood: number
  muffled: boolean
  /** How much there was to go by, 0 to 1. */
  extent: number
  /** How well the parts of the summary agree, 0 to 1. */
  consistency: number
}

/** The summary as numbers; finite for every summary that the request schema accepts. */
function readAudio(data: AudioData): AudioReading {
  const ratio =
    data.speech_rate > HIGHEST_RATIO ? data.speech_rate / USUAL_WORDS_PER_MINUTE : data.speech_rate
  const pace = Math.max(PACE_BOUNDS[0], Math.min(PACE_BOUNDS[1], ratio))
  const minutes = data.conversation_duration / 60
  const words = data.transcript_length / CHARACTERS_PER_WORD
  const spoken = minutes > 0 ? words / SPEAKING_WORDS_PER_MINUTE / minutes : 0
  const valence = VALENCE[data.emotional_tone]
  return {
    pace,
    silence: minutes > 0 ? 1 - Math.min(1, spoken) : 0,
    strain: STRAIN[data.voice_quality],
    valence,
    mood: data.mood_score_1_10,
    muffled: data.voice_quality === 'muffled',
    extent: extentOf(data),
    consistency: paceAgreement(pace, words, minutes) * moodAgreement(valence, data.mood_score_1_10),
  }
}

/** Grows with the length of the conversation and of the transcript, and is 0 without either: 0.82 at 2 min with 900 characters. */
function extentOf({ conversation_duration, transcript_length }: AudioData): number {
  return Math.sqrt((1 - Math.exp(-conversation_duration / 60)) * (1 - Math.exp(-transcript_length / 600)))
}

/**
 * Whether so many words fit: more than the stated pace allows for the whole time is impossible, and far fewer are
 * unlikely even though the app speaks too.
 */
function paceAgreement(pace: number, words: number, minutes: number): number {
  if (minutes === 0 || words === 0) return 1
  const excess = Math.log2(words / minutes / USUAL_WORDS_PER_MINUTE / pace)
  return (1 - ramp(excess, 0.5, 2)) * (1 - 0.5 * ramp(-excess, 3, 5))
}

/** A tone that contradicts the reported mood makes both less reliable. */
function moodAgreement(valence: number, mood: number): number {
  return 1 - 0.3 * ramp(Math.abs(valence - (mood - 5.5) / 4.5), 1, 2)
}

/**
 * Reference values of the audio features of a summary. Directions as for the audio of a check-in (slower speech, longer
 * silences and a rougher voice go with low mood: Cummins et al. 2015, Speech Communication 71); the values are
 * engineering priors. A baseline has no series of these, so none has a personal share.
 */
export const SUMMARY_AUDIO_NORMS: Readonly<Record<string, FeatureNorm>> = {
  pace_ratio: {
    mean: 1,
    sd: 0.3,
    direction: 1,
    weight: 0.8,
    cap: 0.5,
    personal: 0,
    raised: 'an easy pace of speech',
    lowered: 'slower speech',
  },
  silence_share: {
    mean: 0.5,
    sd: 0.25,
    direction: -1,
    weight: 0.4,
    cap: 0.5,
    personal: 0,
    raised: 'fluent speech',
    lowered: 'long silences',
  },
  voice_strain: {
    mean: 0.15,
    sd: 0.4,
    direction: -1,
    weight: 0.8,
    cap: 0.5,
    personal: 0,
    raised: 'a clear voice',
    lowered: 'a strained voice',
  },
  tone_valence: {
    mean: 0.1,
    sd: 0.7,
    direction: 1,
    weight: 1,
    cap: 1.25,
    personal: 0,
    raised: 'a positive tone of voice',
    lowered: 'a negative tone of voice',
  },
}
