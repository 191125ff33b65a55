import { type FeatureDefinition, unscored } from './definition.ts'

/** The least signal-to-noise ratio, in dB, and whether echoes must have died away. */
type Needs = { snrDb: number; noEcho: boolean }

/** Pitch and level stand out from noise; its pauses are found down to 8 dB; the fine structure of a voice drowns first. */
const ANY: Needs = { snrDb: 0, noEcho: false }
const PAUSES: Needs = { snrDb: 8, noEcho: false }
const FINE: Needs = { snrDb: 22, noEcho: true }

type AudioFeatureDefinition = FeatureDefinition & {
  /** What it takes to know it; else it is missing, which is better than wrong. */
  needs: Needs
}

/**
 * The features of a spoken recording, in the order in which they are stored.
 *
 * Audio. Directions after Cummins et al. 2015 (Speech Communication 71) and Low, Bentley and Ghosh 2020
 * (Laryngoscope Investig. Otolaryngol. 5): low mood goes with slower speech, more and longer pauses, a flatter pitch
 * and loudness, and a rougher, breathier voice. Means of pitch spread, loudness spread, jitter, shimmer, HNR and CPPS as
 * `npm run accuracy:degradations` measured them on its readers; of pace and pauses near de Jong and Wempe 2009 (Behav. Res.
 * Methods 41). Weights by what separates moods and survives a phone: docs/scoring.md. Pitch level and spectral balance depend on the
 * speaker and the microphone and are not scored.
 */
export const AUDIO_DEFINITIONS = {
  f0_mean_hz: {
    unit: 'hertz',
    least: 75,
    greatest: 500,
    method:
      'Mean fundamental frequency of the voiced frames, in hertz (75 to 500). Praat: "To Pitch (ac): 0.01, 75, 15, no, 0.03, 0.45, 0.01, 0.35, 0.14, 500", "Get mean: 0, 0, Hertz" (Boersma 1993).',
    needs: ANY,
    norm: unscored(165, 45),
  },
  f0_sd_semitones: {
    unit: 'semitones',
    least: 0,
    greatest: null,
    method:
      'Standard deviation of the fundamental frequency over the voiced frames, in semitones (0 and up). Praat: "Get standard deviation: 0, 0, semitones" of the pitch of `f0_mean_hz`.',
    needs: ANY,
    norm: {
      mean: 3.9,
      sd: 1.3,
      direction: 1,
      weight: 0.4,
      cap: 1,
      personal: 0.5,
      raised: 'a lively tone of voice',
      lowered: 'a flatter tone of voice',
    },
  },
  f0_range_semitones: {
    unit: 'semitones',
    least: 0,
    greatest: null,
    method:
      'Distance between the 5th and the 95th percentile of the fundamental frequency, in semitones (0 and up). Praat: "Get quantile: 0, 0, 0.95, Hertz" and 0.05 of the pitch of `f0_mean_hz`.',
    needs: ANY,
    norm: {
      mean: 12,
      sd: 4,
      direction: 1,
      weight: 0.3,
      cap: 1,
      personal: 0.5,
      raised: 'a lively tone of voice',
      lowered: 'a flatter tone of voice',
    },
  },
  f0_slope_semitones_per_s: {
    unit: 'semitones per second',
    least: 0,
    greatest: null,
    method:
      'Mean absolute slope of the fundamental frequency, in semitones per second (0 and up): the changes between one voiced frame and the next, over unvoiced ones too, by the time from the first to the last voiced frame. Praat: "Get mean absolute slope: Semitones" of the pitch of `f0_mean_hz`.',
    needs: ANY,
    norm: unscored(20, 10),
  },
  intensity_mean_db: {
    unit: 'dB re 2e-5 Pa',
    least: null,
    greatest: 94,
    method:
      'Mean intensity of the recording in dB re 2e-5 Pa, a full-scale sample standing for 1 Pa (at most 94). Praat: "To Intensity: 100, 0, yes", "Get mean: 0, 0, energy".',
    needs: ANY,
    norm: unscored(62, 8),
  },
  intensity_sd_db: {
    unit: 'dB',
    least: 0,
    greatest: null,
    method:
      'Standard deviation of intensity during speech, in dB (0 and up): Praat\'s "To Intensity: 100, 0, yes", over the frames within the runs of speech, so that pauses, which other features measure, do not enter.',
    needs: FINE,
    norm: {
      mean: 9.5,
      sd: 3,
      direction: 1,
      weight: 0.3,
      cap: 0.75,
      personal: 0.5,
      raised: 'varied loudness',
      lowered: 'an even, quiet way of speaking',
    },
  },
  intensity_range_db: {
    unit: 'dB',
    least: 0,
    greatest: null,
    method:
      'Distance between the 5th and the 95th percentile of intensity during speech, in dB (0 and up); frames as in `intensity_sd_db`.',
    needs: FINE,
    norm: unscored(25, 9),
  },
  voiced_fraction: {
    unit: 'fraction',
    least: 0,
    greatest: 1,
    method:
      "Part of the pitch frames between the first and the last run of speech that is voiced (0 to 1); Praat's pitch with the settings of `f0_mean_hz`.",
    needs: PAUSES,
    norm: unscored(0.5, 0.13),
  },
  speech_rate_syllables_per_s: {
    unit: 'syllables per second',
    least: 0,
    greatest: null,
    method:
      'Syllables per second from the start of the first to the end of the last run of speech, pauses included (about 2 to 6). Syllable nuclei after de Jong and Wempe (2009), Behavior Research Methods 41, 385-390: peaks of intensity (floor 50 Hz) over the threshold of silence, at least 2 dB over the dip that follows, voiced by "To Pitch (ac): 0.02, 30, 4, no, 0.03, 0.25, 0.01, 0.35, 0.25, 450".',
    needs: PAUSES,
    norm: {
      mean: 3.5,
      sd: 0.8,
      direction: 1,
      weight: 0.9,
      cap: 0.5,
      personal: 0.5,
      raised: 'an easy pace of speech',
      lowered: 'slower speech',
    },
  },
  articulation_rate_syllables_per_s: {
    unit: 'syllables per second',
    least: 0,
    greatest: null,
    method:
      'Syllables per second of speech, pauses left out (about 3 to 7). Syllable nuclei as in `speech_rate_syllables_per_s`.',
    needs: PAUSES,
    norm: {
      mean: 4.5,
      sd: 0.8,
      direction: 1,
      weight: 0.5,
      cap: 0.5,
      personal: 0.5,
      raised: 'an easy pace of speech',
      lowered: 'slower speech',
    },
  },
  phonation_ratio: {
    unit: 'fraction',
    least: 0,
    greatest: 1,
    method:
      'Part of the time between the start of the first and the end of the last run of speech that is speech (0 to 1), the rest being pauses of 0.3 s or more (de Jong and Wempe 2009).',
    needs: PAUSES,
    norm: {
      mean: 0.76,
      sd: 0.12,
      direction: 1,
      weight: 0.5,
      cap: 0.5,
      personal: 0.5,
      raised: 'fluent speech',
      lowered: 'more silence between words',
    },
  },
  pause_rate_per_min: {
    unit: 'per minute',
    least: 0,
    greatest: null,
    method:
      'Pauses of 0.3 s or more per minute between the first and the last run of speech (0 and up). A pause is silence 25 dB under the 99th percentile of intensity (floor 50 Hz) or, in noise, within 4 dB of its 10th; sounds under 0.1 s do not end it (de Jong and Wempe 2009; Praat\'s "To TextGrid (silences)").',
    needs: PAUSES,
    norm: unscored(20, 9),
  },
  pause_mean_s: {
    unit: 'seconds',
    least: 0,
    greatest: null,
    method:
      'Mean duration of the pauses, in seconds (0.3 and up; 0 where there is none). Pauses as in `pause_rate_per_min`.',
    needs: PAUSES,
    norm: {
      mean: 0.65,
      sd: 0.25,
      direction: -1,
      weight: 0.3,
      cap: 0.75,
      personal: 0.5,
      raised: 'short pauses',
      lowered: 'longer pauses',
    },
  },
  pause_sd_s: {
    unit: 'seconds',
    least: 0,
    greatest: null,
    method:
      "Standard deviation of the pauses' durations, in seconds (0 and up; null with fewer than two). Pauses as in `pause_rate_per_min`.",
    needs: PAUSES,
    norm: {
      mean: 0.45,
      sd: 0.25,
      direction: -1,
      weight: 0.1,
      cap: 0.75,
      personal: 0.5,
      raised: 'short pauses',
      lowered: 'longer pauses',
    },
  },
  long_pause_rate_per_min: {
    unit: 'per minute',
    least: 0,
    greatest: null,
    method:
      'Pauses of 1 s or more per minute between the first and the last run of speech (0 and up). Pauses as in `pause_rate_per_min`.',
    needs: PAUSES,
    norm: {
      mean: 2.5,
      sd: 2.5,
      direction: -1,
      weight: 0.6,
      cap: 0.75,
      personal: 0.5,
      raised: 'short pauses',
      lowered: 'longer pauses',
    },
  },
  speech_run_mean_s: {
    unit: 'seconds',
    least: 0,
    greatest: null,
    method:
      'Mean duration of the runs of speech between pauses, in seconds (0.1 and up). Runs are what `pause_rate_per_min` takes as not silent.',
    needs: PAUSES,
    norm: {
      mean: 2,
      sd: 0.9,
      direction: 1,
      weight: 0.1,
      cap: 0.75,
      personal: 0.5,
      raised: 'fluent speech',
      lowered: 'speech in short stretches',
    },
  },
  jitter_local: {
    unit: 'fraction',
    least: 0,
    greatest: null,
    method:
      'Mean absolute difference between consecutive periods over the mean period (0 to about 0.05). Praat: "Get jitter (local): 0, 0, 0.0001, 0.02, 1.3" on the pulses of "To PointProcess (cc)".',
    needs: FINE,
    norm: {
      mean: 0.026,
      sd: 0.008,
      direction: -1,
      weight: 0.2,
      cap: 0.75,
      personal: 0.6,
      raised: 'a steady voice',
      lowered: 'a less steady voice',
    },
  },
  shimmer_local: {
    unit: 'fraction',
    least: 0,
    greatest: null,
    method:
      'Mean absolute difference between the amplitudes of consecutive periods over the mean amplitude (0 to about 0.3). Praat: "Get shimmer (local): 0, 0, 0.0001, 0.02, 1.3, 1.6" on the pulses of "To PointProcess (cc)".',
    needs: FINE,
    norm: {
      mean: 0.11,
      sd: 0.04,
      direction: -1,
      weight: 0.2,
      cap: 0.75,
      personal: 0.6,
      raised: 'a steady voice',
      lowered: 'a less steady voice',
    },
  },
  hnr_db: {
    unit: 'dB',
    least: null,
    greatest: null,
    method:
      'Mean harmonics-to-noise ratio of the voiced frames, in dB (about 0 to 30), by cross-correlation: the autocorrelation method gives other figures. Praat: "To Harmonicity (cc): 0.01, 75, 0.1, 1.0", "Get mean: 0, 0".',
    needs: FINE,
    norm: {
      mean: 11,
      sd: 4,
      direction: 1,
      weight: 0.2,
      cap: 0.75,
      personal: 0.6,
      raised: 'a clear voice',
      lowered: 'a breathier or rougher voice',
    },
  },
  cpps_db: {
    unit: 'dB',
    least: null,
    greatest: null,
    method:
      'Smoothed cepstral peak prominence, in dB (about 3 in breathy to 15 in clear voices), mean of the frames within runs of speech. Hillenbrand and Houde (1996); Praat, of the sounding intervals joined: "To PowerCepstrogram: 60, 0.002, 5000, 50" and "Get CPPS: no, 0.01, 0.001, 60, 330, 0.05, parabolic, 0.001, 0, Straight, Robust" (the settings of Maryn and Weenink 2015).',
    needs: FINE,
    norm: {
      mean: 8.4,
      sd: 2,
      direction: 1,
      weight: 0.6,
      cap: 0.75,
      personal: 0.6,
      raised: 'a clear voice',
      lowered: 'a breathier or rougher voice',
    },
  },
  alpha_ratio_db: {
    unit: 'dB',
    least: null,
    greatest: null,
    method:
      'Mean over the voiced frames of the energy of 50 Hz to 1 kHz over that of 1 to 5 kHz, in dB (about 0 to 30; a softer voice has more). Power spectra of 20 ms under a Hamming window, every 10 ms, at 16 kHz; frames are voiced by the pitch of `f0_mean_hz`. eGeMAPS: Eyben et al. (2016), IEEE Transactions on Affective Computing 7, 190-202.',
    needs: FINE,
    norm: unscored(14, 6),
  },
  hammarberg_index_db: {
    unit: 'dB',
    least: null,
    greatest: null,
    method:
      'Mean over the voiced frames of the strongest spectral peak under 2 kHz over that of 2 to 5 kHz, in dB (about 10 to 40). Spectra as in `alpha_ratio_db`. Hammarberg et al. (1980) as in eGeMAPS: Eyben et al. (2016), IEEE Transactions on Affective Computing 7, 190-202.',
    needs: FINE,
    norm: unscored(24, 7),
  },
  voice_break_fraction: {
    unit: 'fraction',
    least: 0,
    greatest: 1,
    method:
      'Part of the time between the first and the last glottal pulse that is breaks: gaps between pulses longer than 1.25 periods of the pitch floor, 16.7 ms (0 to 1). Praat\'s "degree of voice breaks", without the silence at both ends.',
    needs: FINE,
    norm: unscored(0.2, 0.12),
  },
} satisfies Record<string, AudioFeatureDefinition>

export type AudioFeatureName = keyof typeof AUDIO_DEFINITIONS
