import type { FeatureNorm } from '../fusion/index.ts'

/**
 * Reference of what a summary of a conversation holds of the voice. Directions as in the check-in's voice (slower speech,
 * longer silences and a rougher voice go with low mood: Cummins et al. 2015, Speech Communication 71); the values are
 * engineering priors. There is no own series of these in a baseline, so none has a personal share.
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
