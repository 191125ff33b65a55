import { describe, expect, test } from 'vitest'
import type { TextFeatureName } from '../../../functions/_shared/features/text.ts'
import { analyzeText } from '../../../functions/_shared/text/analyze.ts'

function feature(name: TextFeatureName, transcript: string): number {
  const value = analyzeText(transcript).features[name]
  if (value === null) throw new Error(`${name} was not measured`)
  return value
}

describe('sentiment', () => {
  test('orders bad, neutral and good days', () => {
    const bad = feature('sentiment_compound', 'It was a terrible day and I felt awful about it.')
    const neutral = feature('sentiment_compound', 'I took the bus to campus and sat in the library.')
    const good = feature('sentiment_compound', 'It was a wonderful day and I felt great about it.')
    expect(bad).toBeLessThan(-0.4)
    expect(Math.abs(neutral)).toBeLessThan(0.2)
    expect(good).toBeGreaterThan(0.4)
  })

  test('does not read "not sad any more" as negative', () => {
    expect(feature('sentiment_compound', "I'm not sad any more about it.")).toBeGreaterThan(0)
  })

  test('varies in a mixed account more than in a steady one', () => {
    const mixed =
      'I love this place so much. I hate this awful week. It is a great idea. It was a horrible day.'
    const steady = 'It is a great day. It is a great week. It is a great year. It is a great place.'
    expect(feature('sentiment_variability', mixed)).toBeGreaterThan(
      feature('sentiment_variability', steady) + 0.3,
    )
  })
})

describe('emotions', () => {
  test.each([
    ['emotion_joy', 'I was happy and grateful to be there today.'],
    ['emotion_sadness', 'I was lonely and crying in there today.'],
    ['emotion_anger', 'I was furious and annoyed in there today.'],
    ['emotion_anxiety', 'I was worried and nervous in there today.'],
  ] as const)('%s counts its words', (name, transcript) => {
    expect(feature(name, transcript)).toBeGreaterThan(15)
    for (const other of ['emotion_joy', 'emotion_sadness', 'emotion_anger', 'emotion_anxiety'] as const) {
      if (other !== name) expect(feature(other, transcript)).toBe(0)
    }
  })

  test.each([
    "I'm not sad any more, it is over.",
    'I am no longer sad about how it went.',
    "I don't feel sad about it these days.",
    'I never feel sad when I am with them.',
    "I don't think I'm sad about it now.",
    'I stopped feeling sad about it last week.',
  ])('denied sadness does not count: %s', (transcript) => {
    expect(feature('emotion_sadness', transcript)).toBe(0)
  })

  test.each([
    "I can't stop crying about the whole thing.",
    'I am not only sad but also tired.',
    'No, I am sad about the whole thing.',
    "I don't know, I am just sad about it.",
    "I don't know why but I am sad.",
  ])('a negation of something else leaves sadness: %s', (transcript) => {
    expect(feature('emotion_sadness', transcript)).toBeGreaterThan(0)
  })

  test('denied joy is a little sadness and no joy', () => {
    const transcript = 'I am not happy about how this went.'
    expect(feature('emotion_joy', transcript)).toBe(0)
    expect(feature('emotion_sadness', transcript)).toBeGreaterThan(0)
  })

  test('an intensifier counts more, a softener less', () => {
    const plain = feature('emotion_anxiety', 'Today I was truthfully there and worried')
    const strong = feature('emotion_anxiety', 'Today I was truthfully there extremely worried')
    const soft = feature('emotion_anxiety', 'Today I was truthfully there slightly worried')
    expect(strong).toBeCloseTo(1.5 * plain)
    expect(soft).toBeCloseTo(0.5 * plain)
  })
})

describe('cognitive load', () => {
  test('lexical diversity is 1 when no word comes twice and falls with repetition', () => {
    const different = Array.from({ length: 60 }, (_, i) => `word${String.fromCharCode(97 + (i % 26))}${i}`)
    const english = 'I think that it was just like this and we had'
    expect(feature('lexical_diversity_mattr', `${english} `.repeat(6))).toBeCloseTo(11 / 50)
    const mixed = `${english} ${different.slice(0, 39).join(' ')}`
    expect(feature('lexical_diversity_mattr', mixed)).toBe(1)
  })

  test('lexical diversity needs 50 words', () => {
    expect(analyzeText('I had a good day with them.').features.lexical_diversity_mattr).toBeNull()
  })

  test('sentence length counts words with contractions whole', () => {
    expect(feature('mean_sentence_length_words', "I don't know what it's for. We'll see about it.")).toBe(5)
  })

  test('speech without punctuation has no sentence length and no reading grade', () => {
    const { features } = analyzeText('so i went to class and then i had lunch with my friends '.repeat(10))
    expect(features.mean_sentence_length_words).toBeNull()
    expect(features.reading_grade).toBeNull()
    expect(features.sentiment_compound).not.toBeNull()
  })

  test('reading grade is the formula of Flesch and Kincaid', () => {
    const transcript = 'The cat sat on the mat. '.repeat(5)
    expect(feature('reading_grade', transcript)).toBeCloseTo(0.39 * 6 + 11.8 * 1 - 15.59)
  })

  test('hesitation counts sounds, fillers set off by commas and words begun twice', () => {
    expect(feature('hesitation_rate', 'Um, I I was, like, at the, uh, library.')).toBeCloseTo((100 * 4) / 9)
    expect(feature('hesitation_rate', 'I like the library and you know it well.')).toBe(0)
  })
})

describe('resilience', () => {
  test.each([
    ['coping_rate', 'I talked to my tutor and took a break.', 'I sat in the room for the whole time.'],
    ['social_connection_rate', 'I had dinner with my best friend.', 'I had soup in my room again.'],
    ['social_connection_rate', 'I have some friends in this town.', 'I have no friends in this town.'],
    [
      'future_focus_rate',
      "I'm going to see it and I hope to go on.",
      'I was going to the shop for it and back.',
    ],
    ['absolutist_rate', 'I always ruin everything that I do.', 'I sometimes ruin things that I do.'],
    ['absolutist_rate', 'It is always like that in here.', 'It is not always like that in here.'],
  ] as const)('%s is higher for "%s" than for "%s"', (name, more, less) => {
    expect(feature(name, more)).toBeGreaterThan(feature(name, less))
    expect(feature(name, less)).toBe(0)
  })
})
