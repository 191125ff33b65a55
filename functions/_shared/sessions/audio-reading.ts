import { ramp } from '../numbers.ts'
import type { AudioData } from './app-summaries.ts'

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

/** What a summary of a spoken conversation says, in numbers. */
export type AudioReading = {
  /** Pace of speech as a ratio to the usual one, 1/8 to 8. */
  pace: number
  /** Share of the conversation in which the student's words leave silence, 0 to 1. */
  silence: number
  /** 0 a clear voice to 1 a strained one. */
  strain: number
  /** -1 a negative tone to 1 a positive one. */
  valence: number
  /** 1 to 10, as the student reported it. */
  mood: number
  muffled: boolean
  /** How much there was to notice, 0 to 1. */
  extent: number
  /** How well the parts of the summary go together, 0 to 1. */
  consistency: number
}

/** Puts the summary into numbers. Total: finite for every summary that the request schema lets through. */
export function readAudio(data: AudioData): AudioReading {
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

/** Grows with the length of the conversation and of the words, and is 0 without either: 0.82 at 2 min with 900 characters. */
function extentOf({ conversation_duration, transcript_length }: AudioData): number {
  return Math.sqrt((1 - Math.exp(-conversation_duration / 60)) * (1 - Math.exp(-transcript_length / 600)))
}

/**
 * Whether that many words fit: more than the stated pace allows for the whole time cannot be, and far fewer are odd
 * although the other speaker takes time too.
 */
function paceAgreement(pace: number, words: number, minutes: number): number {
  if (minutes === 0 || words === 0) return 1
  const excess = Math.log2(words / minutes / USUAL_WORDS_PER_MINUTE / pace)
  return (1 - ramp(excess, 0.5, 2)) * (1 - 0.5 * ramp(-excess, 3, 5))
}

/** A tone that points away from the reported mood makes both less telling. */
function moodAgreement(valence: number, mood: number): number {
  return 1 - 0.3 * ramp(Math.abs(valence - (mood - 5.5) / 4.5), 1, 2)
}
