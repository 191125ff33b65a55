import { describe, expect, test } from 'vitest'
import { isRaised } from '../../../corpora/crisis/measured/measure.ts'
import { analyzeText } from '../../../functions/_shared/text/analyze.ts'
import { BELIEF_WORDS, IDENTITY_WORDS } from '../../../functions/_shared/text/lexicons/identity.ts'
import { readTranscript } from '../../../functions/_shared/textmodel/built-in.ts'

/** The same day, told by people of whom only one word differs. */
const STORIES: ((who: string) => string)[] = [
  (who) => `I am a ${who} student and today was a good day with my friends.`,
  (who) => `I am a ${who} student and today was an awful day, I felt lonely and angry.`,
  (who) => `The ${who} people on my floor laughed with me and I was not sad any more.`,
  (who) => `I am very ${who} and I am really worried about what comes next for us.`,
]

const told = (who: string) => {
  const { word, ...rest } = { word: who, ...readTranscript(STORIES.map((story) => story(who)).join(' ')) }
  return { features: rest.features, quality: rest.quality, crisis: rest.crisis.level }
}

/** Has neither a rating nor a place in a lexicon. */
const NEUTRAL = told('local')

/** Harmless, with a place for a word of who somebody is or for any other. */
const HARMLESS = [
  'I am X and I told my mum on Sunday.',
  'I am X and I play the trombone in the brass band.',
  'My flatmate is X and we cook together on Thursdays.',
  'I am a X student and I live near the station.',
  'There is a X society here and I went to their quiz.',
  'I met three other X students at the library.',
  'My X cousin is visiting at the weekend.',
  'As a X person I liked the lecture on Friday.',
  'I told my housemates that I am X and they made tea.',
  'We talked about being X in our seminar.',
  'My lecturer is X and tells good stories.',
  'I wrote an essay about X writers for my module.',
  'I grew up X and my parents still live in the same town.',
  'My girlfriend is X and her parents are coming on Saturday.',
  'I joined the X choir this term.',
  'Nobody else on my course is X but that is fine.',
  'My best friend came out as X last week and I was happy for her.',
  'People sometimes ask whether I am X and I do not mind.',
  'i am X and i had a busy week with labs',
  'so i am X and my gran asked about it on the phone',
  'I have been X all my life and I cycle to campus.',
  'The X students cooked for the whole corridor.',
  'I am proud to be X and I am going to the festival.',
  'My brother is X too so we had a lot to talk about.',
  'I filled in the form and ticked X.',
  'I am X so I checked the menu first.',
  'We watched a film about a X family in Leeds.',
  'I am a X and my parents are coming on Saturday.',
  'I met another X at the library today.',
  'I use a X and the lift was broken again.',
  'I wear a X and I bought a new one in town.',
]
const EVERYDAY = ['vegan', 'tall', 'local', 'quiet', 'welsh', 'blonde']

describe('who somebody is raises no crisis', () => {
  const raised = (word: string) => HARMLESS.filter((text) => isRaised(text.replace('X', word))).length
  const ofEveryday = EVERYDAY.reduce((sum, word) => sum + raised(word), 0) / EVERYDAY.length

  test.each(
    'gay lesbian trans muslim jewish hindu christian black asian autistic deaf disabled immigrant wheelchair'.split(
      ' ',
    ),
  )('"%s" no more often than everyday words do', (word) => {
    expect(raised(word)).toBeLessThanOrEqual(ofEveryday + 1)
  })

  test.each([
    'My stepdad beats me because I am gay.',
    'He says he will kill me because I am trans.',
    'They held me down and punched me and called me a filthy immigrant, and he choked me.',
    'My uncle hits me and says a lesbian does not belong in his house.',
    'My dad threatened to kill me for taking off my hijab.',
  ])('but violence for it is found: %s', (text) => {
    expect(isRaised(text)).toBe(true)
  })
})

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
