import { describe, expect, test } from 'vitest'
import type { TextFeatureName } from '../../../functions/_shared/features/text.ts'
import { analyzeText } from '../../../functions/_shared/text/analyze.ts'

const SAD = ['emotion_sadness', 'emotion_anger', 'emotion_anxiety'] as const

const featuresOf = (transcript: string) => analyzeText(transcript).features
const sum = (transcript: string, names: readonly TextFeatureName[]) =>
  names.reduce((total, name) => total + (featuresOf(transcript)[name] ?? Number.NaN), 0)

describe('what is denied does not count', () => {
  test.each([
    "I'm not sad any more about it.",
    "I'm not sad anymore about it.",
    'I am no longer sad about it.',
    'im not sad no more about it',
    "I ain't sad about it no more.",
    'I dont feel lonely here any more',
    'I no longer feel lonely or depressed.',
    "I'm not sad or lonely any more.",
    'I do not feel hopeless, worthless or empty any more.',
    "I'm not stressed, anxious or worried today.",
    "I'm neither sad nor angry about it.",
    'I stopped being sad about it.',
    "I'm not as sad as I was.",
    "I don't think I'm depressed these days.",
    'There is nothing to worry about here.',
    'I have no worries about it at all.',
    'No stress at all this week for me.',
    'Without any stress the week went by.',
    'I am free of worry at last.',
    "I don't hate it as much as before.",
    'I am hardly sad about it at all.',
    'Nobody is angry with me about it.',
  ])('neither in emotion nor in sentiment: %s', (transcript) => {
    expect(sum(transcript, SAD)).toBe(0)
    expect(featuresOf(transcript).sentiment_compound).toBeGreaterThan(0)
    expect(featuresOf(transcript).sentiment_negative).toBe(0)
  })

  test.each([
    'I am not happy about it at all.',
    "I'm not very happy about this.",
    'I never feel happy these days.',
    'Nothing makes me happy these days.',
    'Nobody is happy about this one.',
    "I don't enjoy anything any more.",
    "I wouldn't say I'm happy with it.",
    "It's not like I'm happy about it.",
    "I'm far from happy about this today.",
    'I no longer enjoy any of my classes.',
  ])('joy that is denied is sadness: %s', (transcript) => {
    expect(featuresOf(transcript).emotion_joy).toBe(0)
    expect(featuresOf(transcript).emotion_sadness).toBeGreaterThan(0)
    expect(featuresOf(transcript).sentiment_compound).toBeLessThan(0)
    expect(featuresOf(transcript).sentiment_positive).toBe(0)
  })
})

describe('what only looks like a denial counts', () => {
  test.each([
    ["I can't stop worrying about the exam.", 'emotion_anxiety'],
    ["I can't help worrying about the exam.", 'emotion_anxiety'],
    ["I'm not only sad but angry as well.", 'emotion_sadness'],
    ["I'm not sad, I'm angry about it.", 'emotion_anger'],
    ['I have never been so sad in my life.', 'emotion_sadness'],
    ["I don't know why but I am sad.", 'emotion_sadness'],
    ["I'm not going because I am too anxious.", 'emotion_anxiety'],
  ] as const)('%s', (transcript, emotion) => {
    expect(featuresOf(transcript)[emotion]).toBeGreaterThan(0)
    expect(featuresOf(transcript).sentiment_compound).toBeLessThan(0)
  })

  test.each(["I couldn't be happier about the result.", 'I have never been happier than today.'])(
    '%s',
    (transcript) => {
      expect(featuresOf(transcript).emotion_joy).toBeGreaterThan(0)
      expect(featuresOf(transcript).emotion_sadness).toBe(0)
      expect(featuresOf(transcript).sentiment_compound).toBeGreaterThan(0.4)
    },
  )

  test('an emotion before the denial keeps its weight', () => {
    const features = featuresOf("I was sad but I'm not sad any more.")
    expect(features.emotion_sadness).toBeGreaterThan(0)
    expect(features.sentiment_compound).toBeGreaterThan(0)
  })
})

describe('intensifiers', () => {
  test.each([
    [
      'emotion_anxiety',
      'Today I was extremely worried',
      'Today I was there and worried',
      'Today I was slightly worried',
    ],
    [
      'emotion_sadness',
      'Today I was so very lonely',
      'Today I was there and lonely',
      'Today I was kind of lonely',
    ],
    [
      'emotion_anger',
      'Today I was really really angry',
      'Today I was there and angry',
      'Today I was less angry',
    ],
    [
      'emotion_joy',
      'Today I was incredibly happy',
      'Today I was there and happy',
      'Today I was somewhat happy',
    ],
  ] as const)('order %s', (emotion, strong, plain, weak) => {
    const values = [strong, plain, weak].map((transcript) => sum(transcript, [emotion]))
    expect(values).toEqual([...values].sort((a, b) => b - a))
    expect(new Set(values).size).toBe(3)
    const tones = [strong, plain, weak].map((transcript) =>
      Math.abs(featuresOf(transcript).sentiment_compound ?? Number.NaN),
    )
    expect(tones).toEqual([...tones].sort((a, b) => b - a))
  })

  test('capitals and exclamation marks strengthen the tone', () => {
    const tone = (transcript: string) => featuresOf(transcript).sentiment_compound ?? Number.NaN
    expect(tone('I was HAPPY about the result')).toBeGreaterThan(tone('I was happy about the result'))
    expect(tone('I was happy about the result!!')).toBeGreaterThan(tone('I was happy about the result.'))
    expect(tone('I WAS HAPPY ABOUT THE RESULT')).toBeCloseTo(tone('I was happy about the result'), 9)
  })
})
