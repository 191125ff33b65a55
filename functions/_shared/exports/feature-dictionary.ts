import type { AudioFeatureName } from '../audio/features/registry.ts'
import type { TextFeatureName } from '../text/features/registry.ts'
import type { VisualFeatureName } from '../visual/features/registry.ts'

/** What a feature means; `least` and `greatest` are the values that it can have, null where nothing bounds them. */
export type FeatureMeaning = { unit: string; least: number | null; greatest: number | null; method: string }

type FeatureDictionary = {
  audio: Record<AudioFeatureName, FeatureMeaning>
  visual: Record<VisualFeatureName, FeatureMeaning>
  text: Record<TextFeatureName, FeatureMeaning>
}

/** Each of the seven classes of expressions. */
const EXPRESSION_CLASS: FeatureMeaning = {
  unit: 'probability',
  least: 0,
  greatest: 1,
  method:
    'Mean probability of one expression class, by the network of Arriaga et al. 2017 brought to the shares of the classes in talk, over the usable images, weighted by their quality. The seven means add up to 1.',
}

/**
 * Unit, range and method of every feature, as its extractor's docstring says, for the dictionary of an export. Apart from the
 * extractors, because the function that writes exports has no room for what they load; a test compares the two.
 */
export const FEATURE_DICTIONARY: FeatureDictionary = {
  audio: {
    f0_mean_hz: {
      unit: 'hertz',
      least: 75,
      greatest: 500,
      method:
        'Mean fundamental frequency of the voiced frames, in hertz (75 to 500). Praat: "To Pitch (ac): 0.01, 75, 15, no, 0.03, 0.45, 0.01, 0.35, 0.14, 500", "Get mean: 0, 0, Hertz" (Boersma 1993).',
    },
    f0_sd_semitones: {
      unit: 'semitones',
      least: 0,
      greatest: null,
      method:
        'Standard deviation of the fundamental frequency over the voiced frames, in semitones (0 and up). Praat: "Get standard deviation: 0, 0, semitones" of the pitch of `f0_mean_hz`.',
    },
    f0_range_semitones: {
      unit: 'semitones',
      least: 0,
      greatest: null,
      method:
        'Distance between the 5th and the 95th percentile of the fundamental frequency, in semitones (0 and up). Praat: "Get quantile: 0, 0, 0.95, Hertz" and 0.05 of the pitch of `f0_mean_hz`.',
    },
    f0_slope_semitones_per_s: {
      unit: 'semitones per second',
      least: 0,
      greatest: null,
      method:
        'Mean absolute slope of the fundamental frequency, in semitones per second (0 and up): the changes between one voiced frame and the next, over unvoiced ones too, by the time from the first to the last voiced frame. Praat: "Get mean absolute slope: Semitones" of the pitch of `f0_mean_hz`.',
    },
    intensity_mean_db: {
      unit: 'dB re 2e-5 Pa',
      least: null,
      greatest: 94,
      method:
        'Mean intensity of the recording in dB re 2e-5 Pa, a full-scale sample standing for 1 Pa (at most 94). Praat: "To Intensity: 100, 0, yes", "Get mean: 0, 0, energy".',
    },
    intensity_sd_db: {
      unit: 'dB',
      least: 0,
      greatest: null,
      method:
        'Standard deviation of intensity during speech, in dB (0 and up): Praat\'s "To Intensity: 100, 0, yes", over the frames within the runs of speech, so that pauses, which other features measure, do not enter.',
    },
    intensity_range_db: {
      unit: 'dB',
      least: 0,
      greatest: null,
      method:
        'Distance between the 5th and the 95th percentile of intensity during speech, in dB (0 and up); frames as in `intensity_sd_db`.',
    },
    voiced_fraction: {
      unit: 'fraction',
      least: 0,
      greatest: 1,
      method:
        "Part of the pitch frames between the first and the last run of speech that is voiced (0 to 1); Praat's pitch with the settings of `f0_mean_hz`.",
    },
    speech_rate_syllables_per_s: {
      unit: 'syllables per second',
      least: 0,
      greatest: null,
      method:
        'Syllables per second from the start of the first to the end of the last run of speech, pauses included (about 2 to 6). Syllable nuclei after de Jong and Wempe (2009), Behavior Research Methods 41, 385-390: peaks of intensity (floor 50 Hz) over the threshold of silence, at least 2 dB over the dip that follows, voiced by "To Pitch (ac): 0.02, 30, 4, no, 0.03, 0.25, 0.01, 0.35, 0.25, 450".',
    },
    articulation_rate_syllables_per_s: {
      unit: 'syllables per second',
      least: 0,
      greatest: null,
      method:
        'Syllables per second of speech, pauses left out (about 3 to 7). Syllable nuclei as in `speech_rate_syllables_per_s`.',
    },
    phonation_ratio: {
      unit: 'fraction',
      least: 0,
      greatest: 1,
      method:
        'Part of the time between the start of the first and the end of the last run of speech that is speech (0 to 1), the rest being pauses of 0.3 s or more (de Jong and Wempe 2009).',
    },
    pause_rate_per_min: {
      unit: 'per minute',
      least: 0,
      greatest: null,
      method:
        'Pauses of 0.3 s or more per minute between the first and the last run of speech (0 and up). A pause is silence 25 dB under the 99th percentile of intensity (floor 50 Hz) or, in noise, within 4 dB of its 10th; sounds under 0.1 s do not end it (de Jong and Wempe 2009; Praat\'s "To TextGrid (silences)").',
    },
    pause_mean_s: {
      unit: 'seconds',
      least: 0,
      greatest: null,
      method:
        'Mean duration of the pauses, in seconds (0.3 and up; 0 where there is none). Pauses as in `pause_rate_per_min`.',
    },
    pause_sd_s: {
      unit: 'seconds',
      least: 0,
      greatest: null,
      method:
        "Standard deviation of the pauses' durations, in seconds (0 and up; null with fewer than two). Pauses as in `pause_rate_per_min`.",
    },
    long_pause_rate_per_min: {
      unit: 'per minute',
      least: 0,
      greatest: null,
      method:
        'Pauses of 1 s or more per minute between the first and the last run of speech (0 and up). Pauses as in `pause_rate_per_min`.',
    },
    speech_run_mean_s: {
      unit: 'seconds',
      least: 0,
      greatest: null,
      method:
        'Mean duration of the runs of speech between pauses, in seconds (0.1 and up). Runs are what `pause_rate_per_min` takes as not silent.',
    },
    jitter_local: {
      unit: 'fraction',
      least: 0,
      greatest: null,
      method:
        'Mean absolute difference between consecutive periods over the mean period (0 to about 0.05). Praat: "Get jitter (local): 0, 0, 0.0001, 0.02, 1.3" on the pulses of "To PointProcess (cc)".',
    },
    shimmer_local: {
      unit: 'fraction',
      least: 0,
      greatest: null,
      method:
        'Mean absolute difference between the amplitudes of consecutive periods over the mean amplitude (0 to about 0.3). Praat: "Get shimmer (local): 0, 0, 0.0001, 0.02, 1.3, 1.6" on the pulses of "To PointProcess (cc)".',
    },
    hnr_db: {
      unit: 'dB',
      least: null,
      greatest: null,
      method:
        'Mean harmonics-to-noise ratio of the voiced frames, in dB (about 0 to 30), by cross-correlation: the autocorrelation method gives other figures. Praat: "To Harmonicity (cc): 0.01, 75, 0.1, 1.0", "Get mean: 0, 0".',
    },
    cpps_db: {
      unit: 'dB',
      least: null,
      greatest: null,
      method:
        'Smoothed cepstral peak prominence, in dB (about 3 in breathy to 15 in clear voices), mean of the frames within runs of speech. Hillenbrand and Houde (1996); Praat, of the sounding intervals joined: "To PowerCepstrogram: 60, 0.002, 5000, 50" and "Get CPPS: no, 0.01, 0.001, 60, 330, 0.05, parabolic, 0.001, 0, Straight, Robust" (the settings of Maryn and Weenink 2015).',
    },
    alpha_ratio_db: {
      unit: 'dB',
      least: null,
      greatest: null,
      method:
        'Mean over the voiced frames of the energy of 50 Hz to 1 kHz over that of 1 to 5 kHz, in dB (about 0 to 30; a softer voice has more). Power spectra of 20 ms under a Hamming window, every 10 ms, at 16 kHz; frames are voiced by the pitch of `f0_mean_hz`. eGeMAPS: Eyben et al. (2016), IEEE Transactions on Affective Computing 7, 190-202.',
    },
    hammarberg_index_db: {
      unit: 'dB',
      least: null,
      greatest: null,
      method:
        'Mean over the voiced frames of the strongest spectral peak under 2 kHz over that of 2 to 5 kHz, in dB (about 10 to 40). Spectra as in `alpha_ratio_db`. Hammarberg et al. (1980) as in eGeMAPS: Eyben et al. (2016), IEEE Transactions on Affective Computing 7, 190-202.',
    },
    voice_break_fraction: {
      unit: 'fraction',
      least: 0,
      greatest: 1,
      method:
        'Part of the time between the first and the last glottal pulse that is breaks: gaps between pulses longer than 1.25 periods of the pitch floor, 16.7 ms (0 to 1). Praat\'s "degree of voice breaks", without the silence at both ends.',
    },
  },
  visual: {
    emotion_happy: EXPRESSION_CLASS,
    emotion_sad: EXPRESSION_CLASS,
    emotion_angry: EXPRESSION_CLASS,
    emotion_fear: EXPRESSION_CLASS,
    emotion_surprise: EXPRESSION_CLASS,
    emotion_disgust: EXPRESSION_CLASS,
    emotion_neutral: EXPRESSION_CLASS,
    emotion_stability: {
      unit: 'ratio',
      least: 0,
      greatest: 1,
      method:
        "How alike the expressions of the images are: 1 minus the mean total variation distance (half the sum of absolute differences) between each image's class probabilities and their mean. 1 when all agree; needs two images.",
    },
    smile_intensity: {
      unit: 'ratio',
      least: 0,
      greatest: 1,
      method:
        "Mean strength of the smile, 0 none to 1 broad, from the mouth's width and corners (action unit 12).",
    },
    mouth_openness: {
      unit: 'ratio',
      least: 0,
      greatest: 2,
      method:
        'Mean gap between the lips over the inner width of the mouth, 0 when shut (action units 25 to 27).',
    },
    eye_openness: {
      unit: 'ratio',
      least: 0,
      greatest: 1,
      method: 'Mean eye aspect ratio of both eyes (Soukupová and Čech 2016), about 0.33 for open eyes.',
    },
    eye_closure_fraction: {
      unit: 'fraction',
      least: 0,
      greatest: 1,
      method:
        'Share of the usable images in which the eyes are shut, the counterpart of PERCLOS (Wierwille 1994).',
    },
    brow_lowering: {
      unit: 'ratio',
      least: 0,
      greatest: 1,
      method: 'Mean lowering of the inner brows, 0 raised to 1 lowered, about 0.3 at rest (action unit 4).',
    },
    expressivity: {
      unit: 'ratio',
      least: 0,
      greatest: 1,
      method:
        'How much the face changes between images: root mean square of the standard deviations of smile, brows and mouth, doubled so that it reaches 1 when each swings from end to end. Independent of the expression classes. Needs two images.',
    },
    gaze_on_camera_fraction: {
      unit: 'fraction',
      least: 0,
      greatest: 1,
      method:
        'Share of the images in which open eyes look at the camera, by head pose and iris position. Images with the head turned away count as not looking.',
    },
    gaze_down_fraction: {
      unit: 'fraction',
      least: 0,
      greatest: 1,
      method:
        'Share of the images in which the gaze, head and eyes together, is lowered, with eyes open or shut.',
    },
    head_pitch_mean_deg: {
      unit: 'degrees',
      least: -90,
      greatest: 90,
      method:
        'Mean pitch of the head, positive with the chin raised, over images with a face that shows where it is turned.',
    },
    head_yaw_sd_deg: {
      unit: 'degrees',
      least: 0,
      greatest: 90,
      method:
        "Standard deviation of the head's yaw, how much it turns from side to side between images; needs two.",
    },
  },
  text: {
    sentiment_compound: {
      unit: 'score',
      least: -1,
      greatest: 1,
      method:
        'Tone, -1 (most negative) to 1 (most positive): the compound score of VADER (Hutto and Gilbert 2014), mean over sentences by words.',
    },
    sentiment_positive: {
      unit: 'fraction',
      least: 0,
      greatest: 1,
      method:
        'Share of positive sentiment, 0 to 1: `pos` of VADER (Hutto and Gilbert 2014), mean over sentences by words.',
    },
    sentiment_negative: {
      unit: 'fraction',
      least: 0,
      greatest: 1,
      method:
        'Share of negative sentiment, 0 to 1: `neg` of VADER (Hutto and Gilbert 2014), mean over sentences by words.',
    },
    sentiment_variability: {
      unit: 'score',
      least: 0,
      greatest: null,
      method:
        'How much the tone changes from sentence to sentence, 0 to about 1: the sample SD of `sentiment_compound` over them.',
    },
    emotion_joy: {
      unit: 'per 100 words',
      least: 0,
      greatest: null,
      method: "Words of joy per 100 words, 0 or more, by the project's lexicon; denied ones do not count.",
    },
    emotion_sadness: {
      unit: 'per 100 words',
      least: 0,
      greatest: null,
      method:
        "Words of sadness per 100 words, 0 or more, by the project's lexicon; denied ones do not count, denied joy counts half.",
    },
    emotion_anger: {
      unit: 'per 100 words',
      least: 0,
      greatest: null,
      method: "Words of anger per 100 words, 0 or more, by the project's lexicon; denied ones do not count.",
    },
    emotion_anxiety: {
      unit: 'per 100 words',
      least: 0,
      greatest: null,
      method:
        "Words of anxiety per 100 words, 0 or more, by the project's lexicon; denied ones do not count.",
    },
    lexical_diversity_mattr: {
      unit: 'ratio',
      least: 0,
      greatest: 1,
      method:
        'Lexical diversity, 0 to 1: the moving-average type-token ratio over windows of 50 words (Covington and McFall 2010). `null` below 50 words, where the ratio is not comparable.',
    },
    mean_sentence_length_words: {
      unit: 'words',
      least: 1,
      greatest: null,
      method: 'Words per sentence, 1 or more. `null` when the transcript does not mark its sentences.',
    },
    hesitation_rate: {
      unit: 'per 100 words',
      least: 0,
      greatest: null,
      method:
        'Fillers per 100 words, 0 or more: hesitation sounds, "you know", "like" and the like set off by commas, and words begun twice ("I I", "the the"). Transcripts that were cleaned of fillers give 0.',
    },
    reading_grade: {
      unit: 'school years',
      least: null,
      greatest: null,
      method:
        'School grade of the wording, about -3 to 20: Flesch-Kincaid (Kincaid et al. 1975), 0.39·words/sentences + 11.8·syllables/words - 15.59. `null` when sentences are not marked or words are few.',
    },
    coping_rate: {
      unit: 'per 100 words',
      least: 0,
      greatest: null,
      method:
        'Mentions of ways of coping and of looking after oneself per 100 words, 0 or more; denied ones do not count.',
    },
    social_connection_rate: {
      unit: 'per 100 words',
      least: 0,
      greatest: null,
      method:
        'Mentions of people who are close, and time with them, per 100 words, 0 or more; denied ones do not count.',
    },
    future_focus_rate: {
      unit: 'per 100 words',
      least: 0,
      greatest: null,
      method:
        'Mentions of what lies ahead per 100 words, 0 or more: "will", "gonna", "going to" before a verb, and the project\'s lexicon of plans and coming times; denied ones do not count.',
    },
    absolutist_rate: {
      unit: 'per 100 words',
      least: 0,
      greatest: null,
      method:
        'All-or-nothing words per 100 words, 0 or more (after Al-Mosaiwi and Johnstone 2018). "Not always" is the opposite of absolutist and does not count; "never" and "nothing" deny what follows, not themselves.',
    },
  },
}
