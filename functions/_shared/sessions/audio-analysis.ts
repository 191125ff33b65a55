import type * as z from 'zod'
import { round } from '../numbers.ts'
import type { audioAnalysis } from './analyses.ts'
import type { AudioData } from './app-summaries.ts'
import { type AudioReading, readAudio } from './audio-reading.ts'
import type { StoredAnalysis } from './stored-analysis.ts'

/** A summary is never as sure as a recording would be. */
const HIGHEST_CONFIDENCE = 0.6

/** How even a voice is taken to be by its quality: the summary holds no loudness. */
const EVENNESS = { clear: 0.9, muffled: 0.6, strained: 0.5 } as const

/** Below this, what lowers the quality most is named. */
const LOW = 0.5

export type AudioAnalysis = z.infer<typeof audioAnalysis>

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
    mood <= 3 && 'low mood reported',
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
