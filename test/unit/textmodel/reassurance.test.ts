import { describe, expect, test } from 'vitest'
import { BY_LEVEL } from '../../../corpora/crisis/by-level.ts'
import { RISK_LEVELS } from '../../../functions/_shared/risk-level.ts'
import { CRISIS_TEXT_CEILING } from '../../../functions/_shared/scoring/scheme.ts'
import { detectCrisis } from '../../../functions/_shared/text/crisis/detect.ts'
import { analyzeTranscript } from '../../../functions/_shared/textmodel/analyze-transcript.ts'
import { ModelFailure } from '../../../functions/_shared/textmodel/model-output.ts'
import { FALLBACK, ORDINARY_WEEK } from './asking.ts'
import { GOOD } from './provider.ts'

const FINE = 'You had a good week, and everything sounds fine.'
const HELP = /reach out now/
const SUPPORT =
  /reach out now|deserve support|Be kind to yourself|be kind to yourself|could not read your words/

/** The result where a model finds this risk and says that all is well. */
async function reassured(transcript: string, output: Record<string, unknown>) {
  const ask = async () => ({ ...GOOD, text_score: 85, conversation_summary: FINE, ...output })
  const { provider, result } = await analyzeTranscript(ask, { transcript })
  expect(provider).toBe('language-model')
  return result
}

/** The result where a model fails after it has said that all is well. */
async function failed(transcript: string, summary = '') {
  const ask = async () => {
    throw new ModelFailure('truncated', { answer: JSON.stringify({ conversation_summary: summary }) })
  }
  const { provider, result } = await analyzeTranscript(ask, { transcript })
  expect(provider).toBe('fallback')
  return result
}

describe('a model that says that all is well', () => {
  test.each(RISK_LEVELS)('and finds %s reassures nobody in a crisis', async (risk_level) => {
    const result = await reassured('I want to kill myself. I have the pills here.', { risk_level })
    expect(result.risk_level).toBe('high')
    expect(result.conversation_summary).toMatch(HELP)
    expect(result.text_score).toBeLessThanOrEqual(CRISIS_TEXT_CEILING.high)
  })

  test.each(['mild', 'moderate'] as const)('reassures nobody with crisis language of %s', async (level) => {
    const found = BY_LEVEL[level].filter(
      (sentence) => detectCrisis(`${ORDINARY_WEEK} ${sentence}`).level !== 'none',
    )
    expect(found.length).toBeGreaterThan(3)
    for (const sentence of found) {
      const result = await reassured(`${ORDINARY_WEEK} ${sentence}`, { risk_level: 'none' })
      expect(result.conversation_summary, sentence).toMatch(SUPPORT)
      expect(result.text_score, sentence).toBeLessThanOrEqual(CRISIS_TEXT_CEILING.mild)
    }
  })

  test('keeps the score and the words where there is nothing against them', async () => {
    const result = await reassured(ORDINARY_WEEK, { risk_level: 'none' })
    expect(result).toMatchObject({ text_score: 85, conversation_summary: FINE })
  })

  test('and calls it a crisis is taken at the latter', async () => {
    const result = await reassured(ORDINARY_WEEK, { risk_level: 'high' })
    expect(result.conversation_summary).toMatch(HELP)
  })
})

describe('a model that says that all is well is not shown', () => {
  const SAD =
    'It has been a sad few weeks. I cried on Sunday and I feel lonely in my room most evenings. I do my reading and I go to class, but I am tired and I miss home a lot. Nothing is fun at the moment.'

  test.each([
    ['beside heavy words', SAD, {}],
    ['beside a low mood in words', `${ORDINARY_WEEK} My mood has been really low this week.`, {}],
    ['beside a low mood in few words', 'I feel rubbish.', {}],
    ['after one word', 'Fine.', {}],
    ['where it is not certain', ORDINARY_WEEK, { uncertainty: 0.6 }],
    ['where it contradicts what was read', ORDINARY_WEEK, { text_score: 10 }],
    ['where it finds mild risk', ORDINARY_WEEK, { risk_level: 'mild' }],
    ['where it finds moderate risk', ORDINARY_WEEK, { risk_level: 'moderate' }],
  ])('%s', async (_, transcript, output) => {
    const result = await reassured(transcript, { risk_level: 'none', ...output })
    expect(result.conversation_summary).not.toBe(FINE)
    expect(result.conversation_summary).not.toMatch(/some good|an ordinary stretch/)
    expect(result.conversation_summary).toMatch(/support|kind to yourself/)
  })

  test('where a built-in one that is certain would reassure too', async () => {
    const long = `${`${ORDINARY_WEEK} I had a lovely time. `.repeat(10)} My mood is an eight.`
    const result = await reassured(long, { risk_level: 'none', mood_score: 8, uncertainty: 0.9 })
    expect(result.conversation_summary).not.toMatch(/some good|an ordinary stretch/)
  })

  test.each([SAD, 'Fine.'])('after it failed either: %s', async (transcript) => {
    expect((await failed(transcript, FINE)).conversation_summary).not.toBe(FINE)
  })
})

describe('themes of a special category that a model names', () => {
  const themes = ['faith', 'sexuality', 'depression', 'the week']

  test('are left out where the words only pass by', async () => {
    const result = await reassured(`${ORDINARY_WEEK} I went past the church.`, { risk_level: 'none', themes })
    expect(result.themes).toEqual(['the week'])
  })

  test('stay where the student speaks of them', async () => {
    const spoken = `${ORDINARY_WEEK} I prayed on Friday. My faith keeps me going.`
    const result = await reassured(spoken, { risk_level: 'none', themes })
    expect(result.themes).toEqual(['faith', 'the week'])
  })

  test('are no keywords and drivers either', async () => {
    const named = ['gay', 'church', 'depression', 'psychology course', 'library']
    const result = await reassured(ORDINARY_WEEK, {
      risk_level: 'none',
      keywords: named,
      drivers_positive: named,
      drivers_negative: named,
    })
    const rest = ['psychology course', 'library']
    expect(result).toMatchObject({ keywords: rest, drivers_positive: rest, drivers_negative: rest })
  })

  test.each([
    ['Your church seems to carry you.', ORDINARY_WEEK, false],
    ['Your depression sounds lighter this week.', ORDINARY_WEEK, false],
    [
      'Your church seems to carry you.',
      `${ORDINARY_WEEK} I prayed on Friday. My faith keeps me going.`,
      true,
    ],
    ['Your friends seem to carry you.', ORDINARY_WEEK, true],
  ])('%s', async (conversation_summary, said, isShown) => {
    const result = await reassured(said, { risk_level: 'none', conversation_summary })
    expect(result.conversation_summary === conversation_summary).toBe(isShown)
  })
})

describe('a low mood that the student names', () => {
  test.each([
    [4, 'none', /your mood is low/],
    [3, 'mild', /your mood is low/],
    [2, 'moderate', /very hard/],
    [1, 'moderate', /very hard/],
  ])('of %d is heard whatever the model says', async (mood, risk, words) => {
    for (const mood_score of [mood, 9, null]) {
      const result = await reassured(`${ORDINARY_WEEK} My mood is a ${mood} out of 10.`, {
        ...(mood_score !== null && { mood_score }),
        risk_level: 'none',
      })
      expect(result.risk_level).toBe(risk)
      expect(result.conversation_summary).toMatch(words)
    }
  })

  test('in another language is heard where the model read it', async () => {
    const spanish =
      'Hoy mi estado de ánimo es un 3, porque la semana fue larga y mis amigos no estaban conmigo.'
    const result = await reassured(spanish, { mood_score: 3, risk_level: 'none' })
    expect(result.conversation_summary).toMatch(/your mood is low/)
    expect(result.risk_level).toBe('mild')
  })

  test('of five changes nothing', async () => {
    const result = await reassured(`${ORDINARY_WEEK} My mood is a five.`, { risk_level: 'none' })
    expect(result.conversation_summary).toBe(FINE)
  })
})

describe('a model that fails', () => {
  const DOUBTFUL = `${ORDINARY_WEEK} I am just a burden to everybody.`
  const LOW = `${ORDINARY_WEEK} My mood is a three.`

  test.each(['', FINE])(
    'and supplied %j leaves the built-in summary beside crisis language',
    async (summary) => {
      const result = await failed(DOUBTFUL, summary)
      expect(result).toEqual({
        ...FALLBACK,
        risk_level: 'moderate',
        conversation_summary: expect.stringContaining('you deserve support'),
      })
    },
  )

  test.each(['', FINE])('and supplied %j leaves it beside a low mood, and nothing else', async (summary) => {
    expect(await failed(LOW, summary)).toEqual({
      ...FALLBACK,
      conversation_summary: expect.stringContaining('your mood is low'),
    })
  })

  test('leaves the interface’s fallback for everybody else', async () => {
    expect(await failed(ORDINARY_WEEK)).toEqual(FALLBACK)
    expect(await failed(ORDINARY_WEEK, FINE)).toEqual({ ...FALLBACK, conversation_summary: FINE })
  })
})
