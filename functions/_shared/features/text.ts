import { type FeatureDefinition, unscored } from './definition.ts'

type TextFeatureDefinition = FeatureDefinition & {
  /** Whether it is a mean over words, so that its value for a whole follows from those of its windows. */
  perWord: boolean
}

/**
 * The features of a transcript, in the order in which they are stored.
 *
 * Text. Directions after Rude, Gortner and Pennebaker 2004 (Cogn. Emot. 18: negative words in depression),
 * Al-Mosaiwi and Johnstone 2018 (Clin. Psychol. Sci. 6: absolutist words), and Hutto and Gilbert 2014 (VADER).
 *
 * Means are those of 700 invented spoken check-ins by eight authors. Weights follow what was signal in them: how alike the halves of one
 * check-in are, and how far check-ins about grief, stress and loneliness lie from plain ones (negative tone 1.4 spreads, tone 1.2,
 * sadness 1.0, anxiety 0.5, anger 0.4; joy, coping, people, plans and all-or-nothing words hardly, and their
 * halves are not alike). Spreads are wider than theirs, because most of what one check-in differs by from the next is chance.
 * Sentence length, reading grade and sentiment's spread have no agreed direction and are not scored.
 */
export const TEXT_DEFINITIONS = {
  sentiment_compound: {
    unit: 'score',
    least: -1,
    greatest: 1,
    method:
      'Tone, -1 (most negative) to 1 (most positive): the compound score of VADER (Hutto and Gilbert 2014), mean over sentences by words.',
    perWord: true,
    norm: {
      mean: 0.05,
      sd: 0.3,
      direction: 1,
      weight: 1,
      cap: 1.75,
      personal: 0.25,
      raised: 'a positive tone in your words',
      lowered: 'a heavier tone in your words',
    },
  },
  sentiment_positive: {
    unit: 'fraction',
    least: 0,
    greatest: 1,
    method:
      'Share of positive sentiment, 0 to 1: `pos` of VADER (Hutto and Gilbert 2014), mean over sentences by words.',
    perWord: true,
    norm: {
      mean: 0.085,
      sd: 0.08,
      direction: 1,
      weight: 0.15,
      cap: 1.5,
      personal: 0.25,
      raised: 'a positive tone in your words',
      lowered: 'fewer positive words',
    },
  },
  sentiment_negative: {
    unit: 'fraction',
    least: 0,
    greatest: 1,
    method:
      'Share of negative sentiment, 0 to 1: `neg` of VADER (Hutto and Gilbert 2014), mean over sentences by words.',
    perWord: true,
    norm: {
      mean: 0.055,
      sd: 0.09,
      direction: -1,
      weight: 1.2,
      cap: 1,
      personal: 0.25,
      raised: 'few negative words',
      lowered: 'a heavier tone in your words',
    },
  },
  sentiment_variability: {
    unit: 'score',
    least: 0,
    greatest: null,
    method:
      'How much the tone changes from sentence to sentence, 0 to about 1: the sample SD of `sentiment_compound` over them.',
    perWord: false,
    norm: unscored(0.35, 0.15),
  },
  emotion_joy: {
    unit: 'per 100 words',
    least: 0,
    greatest: null,
    method: "Words of joy per 100 words, 0 or more, by the project's lexicon; denied ones do not count.",
    perWord: true,
    norm: {
      mean: 0.5,
      sd: 1.5,
      direction: 1,
      weight: 0.15,
      cap: 1.5,
      personal: 0.25,
      raised: 'joy in what you said',
      lowered: 'little joy in what you said',
    },
  },
  emotion_sadness: {
    unit: 'per 100 words',
    least: 0,
    greatest: null,
    method:
      "Words of sadness per 100 words, 0 or more, by the project's lexicon; denied ones do not count, denied joy counts half.",
    perWord: true,
    norm: {
      mean: 0.4,
      sd: 1.6,
      direction: -1,
      weight: 1,
      cap: 0.75,
      personal: 0.25,
      raised: 'little sadness in what you said',
      lowered: 'sadness in what you said',
    },
  },
  emotion_anger: {
    unit: 'per 100 words',
    least: 0,
    greatest: null,
    method: "Words of anger per 100 words, 0 or more, by the project's lexicon; denied ones do not count.",
    perWord: true,
    norm: {
      mean: 0.2,
      sd: 1.3,
      direction: -1,
      weight: 0.4,
      cap: 0.5,
      personal: 0.25,
      raised: 'little anger in what you said',
      lowered: 'anger in what you said',
    },
  },
  emotion_anxiety: {
    unit: 'per 100 words',
    least: 0,
    greatest: null,
    method: "Words of anxiety per 100 words, 0 or more, by the project's lexicon; denied ones do not count.",
    perWord: true,
    norm: {
      mean: 0.35,
      sd: 1.5,
      direction: -1,
      weight: 0.8,
      cap: 0.75,
      personal: 0.25,
      raised: 'little worry in what you said',
      lowered: 'worry in what you said',
    },
  },
  lexical_diversity_mattr: {
    unit: 'ratio',
    least: 0,
    greatest: 1,
    method:
      'Lexical diversity, 0 to 1: the moving-average type-token ratio over windows of 50 words (Covington and McFall 2010). `null` below 50 words, where the ratio is not comparable.',
    perWord: false,
    norm: unscored(0.74, 0.06),
  },
  mean_sentence_length_words: {
    unit: 'words',
    least: 1,
    greatest: null,
    method: 'Words per sentence, 1 or more. `null` when the transcript does not mark its sentences.',
    perWord: false,
    norm: unscored(13, 6),
  },
  hesitation_rate: {
    unit: 'per 100 words',
    least: 0,
    greatest: null,
    method:
      'Fillers per 100 words, 0 or more: hesitation sounds, "you know", "like" and the like set off by commas, and words begun twice ("I I", "the the"). Transcripts that were cleaned of fillers give 0.',
    perWord: true,
    norm: {
      mean: 0.5,
      sd: 2,
      direction: -1,
      weight: 0.05,
      cap: 0.5,
      personal: 0.5,
      raised: 'few hesitations',
      lowered: 'more hesitation than most',
    },
  },
  reading_grade: {
    unit: 'school years',
    least: null,
    greatest: null,
    method:
      'School grade of the wording, about -3 to 20: Flesch-Kincaid (Kincaid et al. 1975), 0.39·words/sentences + 11.8·syllables/words - 15.59. `null` when sentences are not marked or words are few.',
    perWord: false,
    norm: unscored(5, 3),
  },
  coping_rate: {
    unit: 'per 100 words',
    least: 0,
    greatest: null,
    method:
      'Mentions of ways of coping and of looking after oneself per 100 words, 0 or more; denied ones do not count.',
    perWord: true,
    norm: {
      mean: 0.5,
      sd: 1.5,
      direction: 1,
      weight: 0.15,
      cap: 1.5,
      personal: 0.25,
      raised: 'ways of coping that you named',
      lowered: 'few ways of coping named',
    },
  },
  social_connection_rate: {
    unit: 'per 100 words',
    least: 0,
    greatest: null,
    method:
      'Mentions of people who are close, and time with them, per 100 words, 0 or more; denied ones do not count.',
    perWord: true,
    norm: {
      mean: 1.2,
      sd: 2,
      direction: 1,
      weight: 0.1,
      cap: 1,
      personal: 0.25,
      raised: 'people who are there for you',
      lowered: 'few people mentioned',
    },
  },
  future_focus_rate: {
    unit: 'per 100 words',
    least: 0,
    greatest: null,
    method:
      'Mentions of what lies ahead per 100 words, 0 or more: "will", "gonna", "going to" before a verb, and the project\'s lexicon of plans and coming times; denied ones do not count.',
    perWord: true,
    norm: {
      mean: 0.85,
      sd: 2,
      direction: 1,
      weight: 0.1,
      cap: 1,
      personal: 0.25,
      raised: 'looking ahead',
      lowered: 'little looking ahead',
    },
  },
  absolutist_rate: {
    unit: 'per 100 words',
    least: 0,
    greatest: null,
    method:
      'All-or-nothing words per 100 words, 0 or more (after Al-Mosaiwi and Johnstone 2018). "Not always" is the opposite of absolutist and does not count; "never" and "nothing" deny what follows, not themselves.',
    perWord: true,
    norm: {
      mean: 0.65,
      sd: 1.4,
      direction: -1,
      weight: 0.1,
      cap: 0.5,
      personal: 0.25,
      raised: 'balanced wording',
      lowered: 'all-or-nothing wording',
    },
  },
} satisfies Record<string, TextFeatureDefinition>

export type TextFeatureName = keyof typeof TEXT_DEFINITIONS
