import { describe, expect, test } from 'vitest'
import { analyzeTranscript } from '../../../functions/_shared/textmodel/analyze-transcript.ts'
import { ORDINARY_WEEK } from './asking.ts'

async function analyzed(transcript: string, context?: Parameters<typeof analyzeTranscript>[1]['context']) {
  const { provider, result, failure } = await analyzeTranscript(undefined, { transcript, context })
  expect(provider).toBe('built-in')
  expect(failure).toBeNull()
  return result
}

const HARD =
  'I feel hopeless and alone. I cannot sleep, I am exhausted and sad every day, and nothing I do is ever good enough. My classes are a disaster.'
const GOOD_TIME =
  'I had a wonderful week. My friends and I went hiking, I slept well, I enjoyed my classes and I am looking forward to the weekend with my family.'

describe('the built-in analysis', () => {
  test('gives a result in the shape of the model’s', async () => {
    expect(await analyzed(ORDINARY_WEEK)).toEqual({
      text_score: expect.any(Number),
      uncertainty: expect.any(Number),
      themes: expect.any(Array),
      keywords: expect.any(Array),
      risk_level: 'none',
      direction_of_change: 'same',
      conversation_summary: expect.any(String),
      drivers_positive: expect.any(Array),
      drivers_negative: expect.any(Array),
    })
  })

  test('scores a good time above a hard one, each within 10 to 90', async () => {
    const [good, hard] = [await analyzed(GOOD_TIME), await analyzed(HARD)]
    expect(good.text_score).toBeGreaterThan(hard.text_score + 20)
    expect(good.text_score).toBeLessThanOrEqual(90)
    expect(hard.text_score).toBeGreaterThanOrEqual(10)
  })

  test('names 3 to 6 themes', async () => {
    for (const transcript of [ORDINARY_WEEK, HARD, GOOD_TIME]) {
      const { themes } = await analyzed(transcript)
      expect(themes.length).toBeGreaterThanOrEqual(3)
      expect(themes.length).toBeLessThanOrEqual(6)
    }
  })

  test('names a low mood only where the student reports one, beside what it measures', async () => {
    const { themes } = await analyzed('It was a sad day, full of tears. We cried and the goodbye was sad.')
    expect(themes).not.toContain('low mood')
    expect(themes).toContain('sadness')
    const reported = await analyzed(
      'I have been feeling really low and sad. I cried and I was sad and worried.',
    )
    expect(reported.themes[0]).toBe('low mood')
    expect(reported.themes).toContain('sadness')
    expect(new Set(reported.themes).size).toBe(reported.themes.length)
  })

  test('names what raises and lowers the score', async () => {
    expect((await analyzed(GOOD_TIME)).drivers_positive).not.toEqual([])
    expect((await analyzed(HARD)).drivers_negative).not.toEqual([])
  })

  test('has a mood only where the student names a number', async () => {
    expect(await analyzed(ORDINARY_WEEK)).not.toHaveProperty('mood_score')
    expect(await analyzed(`${ORDINARY_WEEK} My mood is a six.`)).toHaveProperty('mood_score', 6)
  })

  test.each([ORDINARY_WEEK, HARD, GOOD_TIME, 'Fine.', 'I want to kill myself.', 'Todo va bien, gracias.'])(
    'speaks to the student in one or two sentences: %s',
    async (transcript) => {
      const { conversation_summary } = await analyzed(transcript)
      expect(conversation_summary).toMatch(/\byou\b/i)
      expect(conversation_summary.match(/[.!?](?:\s|$)/g)?.length).toBeLessThanOrEqual(2)
    },
  )

  test.each(['Fine.', '???', 'Todo va bien con mis amigos y mi familia, gracias por preguntar.'])(
    'has full uncertainty where it cannot score: %s',
    async (transcript) => {
      expect(await analyzed(transcript)).toMatchObject({ text_score: 50, uncertainty: 1, risk_level: 'none' })
    },
  )

  test('finds crisis language even where it cannot score', async () => {
    expect((await analyzed('kill myself tonight')).risk_level).toBe('high')
  })

  test.each([
    [95, 'worse'],
    [5, 'better'],
    [60, 'same'],
  ])('compares with a previous score of %d', async (previousWellbeingScore, direction) => {
    const transcript = `${ORDINARY_WEEK} ${ORDINARY_WEEK}`
    expect((await analyzed(transcript, { previousWellbeingScore })).direction_of_change).toBe(direction)
  })

  test('gives the same result for the same transcript', async () => {
    expect(await analyzed(HARD)).toEqual(await analyzed(HARD))
  })

  test('reads the longest transcript', async () => {
    const transcript = ORDINARY_WEEK.padEnd(100_000, ` ${ORDINARY_WEEK}`)
    expect((await analyzed(transcript)).uncertainty).toBeLessThan(1)
  })
})
