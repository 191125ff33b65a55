import { describe, expect, test } from 'vitest'
import { KNOWN_ERRORS } from '../../../corpora/crisis/by-level.ts'
import { detectCrisis } from '../../../functions/_shared/text/crisis/detect.ts'

/** What sounds like crisis words, by whether speech recognition can be meant to have misheard. */
describe('everyday English that sounds like a crisis is none', () => {
  test.each(
    [
      'So aside from that it was a good week',
      'I was late, so side note, bring a coat.',
      'Sue sides with the landlord on the deposit.',
      'On the question of parking, Su sided with me.',
      'I want to dye a shirt for the party.',
      'I want to dye my jumper green.',
      'I need to dye some wool for textiles class.',
      'I am going to day care with my nephew on Monday.',
      'We want to day trip to Brighton.',
      'The comment really hurt my self-esteem.',
      'Those exams killed my self belief for a week.',
      'I cut my rests between sets at the gym.',
      'I cut my risks by saving more money this term.',
      'I have a news for you, we won the match.',
      'The concert was good by the end.',
      'I keep killing my cells in culture and my supervisor is not happy.',
      'Everyone there felt so on alive and happy, it was a great gig.',
      'We measured the od of the culture in the lab',
      'The OD at 600 nm was too low so the bacteria had not grown.',
      'My culture was at an OD of 0.6 when I induced it.',
    ].filter((text) => !KNOWN_ERRORS.has(text)),
  )('%s', (text) => {
    expect(detectCrisis(text).level).toBe('none')
  })
})

describe('where the sentence is one of a crisis it is read as meant', () => {
  test.each([
    'i keep thinking about committing sue aside',
    'having thoughts of su side every night',
    'i tried to commit sue aside last week',
    'i just want to dye',
    'honestly i am ready to dye tonight',
    'i want to day and nobody cares',
    'i slid my rests last night',
    'i am going to hurt my self tonight',
    "i od'd last night and woke up this morning and nobody knows",
    "I OD'd on Saturday",
    'I ODed twice this month and nobody noticed',
    "i'm gonna od tonight",
  ])('%s', (text) => {
    expect(detectCrisis(text).level).toBe('high')
  })
})
