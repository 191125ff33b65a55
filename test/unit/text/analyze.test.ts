import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { analyzeText } from '../../../functions/_shared/text/analyze.ts'
import { statedMood } from '../../../functions/_shared/text/stated-mood.ts'
import { readTranscript } from '../../../functions/_shared/textmodel/built-in.ts'

const SPOKEN =
  'I had three classes today and then I went to the library with my roommate. We talked about the exam and I think it will be fine. '

describe('quality', () => {
  test('is 0 without any text', () => {
    for (const transcript of ['', '   ', '\n\n', '😀😀', '...']) {
      expect(analyzeText(transcript).quality).toMatchObject({ score: 0, words: 0, reason: 'empty' })
    }
  })

  test('is too short with a few words, which are not measured', () => {
    const { quality, features } = analyzeText('I am fine.')
    expect(quality).toMatchObject({ words: 3, reason: 'too_short' })
    expect(quality.score).toBeLessThan(0.2)
    expect(Object.values(features).every((value) => value === null)).toBe(true)
  })

  test('grows with the number of words up to 1', () => {
    const scores = [1, 2, 4, 8, 16].map((times) => analyzeText(SPOKEN.repeat(times)).quality.score)
    expect(scores).toEqual([...scores].sort((a, b) => a - b))
    expect(scores.at(-1)).toBe(1)
  })

  test('counts words and sentences', () => {
    expect(analyzeText(SPOKEN).quality).toMatchObject({
      words: 27,
      sentences: 2,
      language: 'en',
      reason: null,
    })
  })
})

describe('themes and keywords', () => {
  test('name what was talked about, most mentioned first', () => {
    const { themes } = analyzeText(
      'I did not sleep because of the exam. The exam is on Friday and the next exam is on Monday. My mom called.',
    )
    expect(themes.slice(0, 3)).toEqual(['exams', 'sleep', 'family'])
  })

  test('are six and eight at most', () => {
    const { themes, keywords } = analyzeText(
      'Sleep, exams, class, friends, mom, boyfriend, party, sister, rent, job, dinner, gym, roommate, funeral, and I was lonely.',
    )
    expect(themes).toHaveLength(6)
    expect(keywords).toHaveLength(8)
  })

  test('keywords never hold a name', () => {
    const { keywords } = analyzeText(
      'I met Marigold Quillfeather and her sister, and marigold said I should sleep.',
    )
    expect(keywords).toEqual(['sister', 'sleep'])
  })
})

describe('a stated mood', () => {
  test.each([
    ['My mood is a 7.', 7],
    ['My mood today is about a six out of ten.', 6],
    ["I'd rate my mood as 4 out of 10.", 4],
    ['I feel like an 8 out of 10 today.', 8],
    ["I'm at a three out of ten right now.", 3],
    ['mood: 2/10', 2],
    ['My mood is 6 or 7 today.', 6.5],
    ['My mood is 6.5.', 6.5],
    ["I'd put myself at a five out of ten.", 5],
    ['My mood was a 2 last week but now my mood is a 6.', 6],
    ["On a scale of one to ten I'm a two.", 2],
    ["On a scale of 1 to 10, I'd say I'm a 3.", 3],
    ["Three out of ten today I'd say.", 3],
    ["I had lunch. Four out of ten today, I'd say.", 4],
    ["Out of ten I'd give today a three.", 3],
    ["Today's a 3 out of 10.", 3],
    ['My mood dropped to a three.', 3],
    ['My mood has gone down to about a four.', 4],
    ['My mood went up to an eight.', 8],
    ["My mood is a two and I'm really tired.", 2],
    ['My mood is a 2 because my exam went badly.', 2],
    ['My mood is 2 out of 10 because of exam stress.', 2],
    ['I feel like a two out of ten with all this anxiety.', 2],
    ["On a scale of one to ten I'm a two with all this stress.", 2],
    ["On a scale of one to ten I'm a two and I'm so tired.", 2],
    ['My mood is a 2 since last week.', 2],
    ['My mood dropped to a three since last week.', 3],
    ['How was the exam? My mood is a 2.', 2],
    ['I slept badly after the film: my mood is a 2.', 2],
    ["I'm tired. And my mood? Three out of ten I'd say.", 3],
    ["My mood after the exam? Three out of ten I'd say.", 3],
  ])('%s', (transcript, mood) => {
    expect(analyzeText(transcript).stated_mood).toBe(mood)
  })

  test.each([
    'I got 8 out of 10 on the quiz.',
    'I slept 7 hours and my mood is fine.',
    'My pain is a 6 out of 10.',
    'My mood is 4 out of 5.',
    'My mood is 70 out of 100.',
    'My mood is an 11.',
    'My mood was a 3 yesterday.',
    'I have 3 exams and I feel okay.',
    "I'm 9 out of 10 on my essay.",
    'Her mood is a 4.',
    'On a scale of one to ten the exam was a nine.',
    'On a scale of one to ten my pain is a six.',
    "On a scale of one to ten I'm a two for hunger.",
    "On a scale of one to five I'm a two.",
    "The film? Three out of ten I'd say.",
    "How was the exam? Three out of ten I'd say.",
    "Today's a 3 out of 10 for tiredness.",
    "I'm a nine out of ten for pain.",
    'Three out of ten students fail.',
    'Three out of ten today failed.',
    'I got nine out of ten today.',
    "Out of ten I'd give the film a three.",
    'My mood dropped to a three yesterday.',
    'Her mood dropped to a three.',
    'My mood dropped three days ago.',
  ])('is not made out of: %s', (transcript) => {
    expect(analyzeText(transcript).stated_mood).toBeNull()
  })

  // Each of the patterns reads on from a mood by a bounded number of words; one that read on to the end of the text would keep
  // this one busy for hours, where it takes a second or two.
  test('is found in a text that names one four hundred thousand times', () => {
    expect(statedMood('mood 5 '.repeat(400_000))).toBe(5)
  })
})

describe('any text', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.constantFrom(
      '\ud83d',
      '\udc00',
      '\u200f',
      '\u202e',
      '\u200b',
      'e\u0301',
      '👩‍👩‍👧',
      ' I am not sad. ',
      '"',
      "'",
      '!!!',
    ),
  )
  const anyText = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''))

  test('is analysed without an error, the same each time, in range', () => {
    fc.assert(
      fc.property(anyText, (transcript) => {
        const analysis = readTranscript(transcript)
        expect(readTranscript(transcript)).toEqual(analysis)
        expect(analysis.quality.score).toBeGreaterThanOrEqual(0)
        expect(analysis.quality.score).toBeLessThanOrEqual(1)
        for (const value of Object.values(analysis.features)) {
          expect(value === null || Number.isFinite(value)).toBe(true)
        }
      }),
    )
  })

  test('has the same features whatever invisible characters it holds', () => {
    const plain = analyzeText(SPOKEN)
    const marked = analyzeText(`\ufeff${SPOKEN.replaceAll('e', 'e\u200b').replaceAll(' ', '\u00a0')}`)
    expect(marked).toEqual(plain)
  })

  test('is read up to 100,000 characters', () => {
    const long = SPOKEN.repeat(2000)
    expect(analyzeText(long).quality.words).toBe(analyzeText(long.slice(0, 100_000)).quality.words)
  })
})
