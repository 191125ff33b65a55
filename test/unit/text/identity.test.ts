import { describe, expect, test } from 'vitest'
import { analyzeText } from '../../../functions/_shared/text/analyze.ts'
import { BELIEF_WORDS, IDENTITY_WORDS } from '../../../functions/_shared/text/lexicons/identity.ts'

/** The same day, told by people of whom only one word differs. */
const STORIES: ((who: string) => string)[] = [
  (who) => `I am a ${who} student and today was a good day with my friends.`,
  (who) => `I am a ${who} student and today was an awful day, I felt lonely and angry.`,
  (who) => `The ${who} people on my floor laughed with me and I was not sad any more.`,
  (who) => `I am very ${who} and I am really worried about what comes next for us.`,
]

const told = (who: string) => {
  const { word, ...rest } = { word: who, ...analyzeText(STORIES.map((story) => story(who)).join(' ')) }
  return { features: rest.features, quality: rest.quality, crisis: rest.crisis.level }
}

/** Has neither a rating nor a place in a lexicon. */
const NEUTRAL = told('local')

describe('who somebody is changes no score', () => {
  test.each([...IDENTITY_WORDS].filter((word) => !word.includes('-')))('%s', (word) => {
    expect(told(word).features).toEqual({
      ...NEUTRAL.features,
      reading_grade: told(word).features.reading_grade,
    })
    expect(told(word)).toMatchObject({ quality: NEUTRAL.quality, crisis: NEUTRAL.crisis })
  })

  test.each([...BELIEF_WORDS])('nor does what they believe in: %s', (word) => {
    const { features } = told(word)
    for (const name of ['sentiment_compound', 'sentiment_positive', 'sentiment_negative'] as const) {
      expect(features[name]).toBe(NEUTRAL.features[name])
    }
  })

  test.each([
    ['he', 'she'],
    ['he', 'they'],
    ['his', 'her'],
    ['my boyfriend', 'my girlfriend'],
    ['my husband', 'my wife'],
    ['my mom', 'my dad'],
    ['my brother', 'my sister'],
    ['my son', 'my daughter'],
    ['my church', 'my mosque'],
    ['my church', 'my synagogue'],
    ['my church', 'my temple'],
    ['my church', 'my gurdwara'],
    ['Christmas', 'Ramadan'],
    ['Diwali', 'Hanukkah'],
    ['Emily', 'Aisha'],
    ['Greg', 'Jamal'],
    ['Anna', 'Guadalupe'],
    ['Paris', 'Lagos'],
    ['London', 'Karachi'],
  ])('"%s" and "%s" weigh the same', (one, other) => {
    const scores = (who: string) => {
      const { features } = analyzeText(
        `Yesterday ${who} came up in our talk and we were happy. Then ${who} was on my mind and I was sad again.`,
      )
      const { reading_grade: _, ...rest } = features
      return rest
    }
    expect(scores(one)).toEqual(scores(other))
  })

  test('capitals do not bring a sentiment back', () => {
    const scores = (who: string) => analyzeText(`I am a ${who} student and today was a good day.`).features
    expect(scores('POOR').sentiment_negative).toBe(scores('LOCAL').sentiment_negative)
    expect(scores('Straight').sentiment_positive).toBe(scores('local').sentiment_positive)
  })
})
