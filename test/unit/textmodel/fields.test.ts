import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { analyzeTranscript } from '../../../functions/_shared/textmodel/analyze-transcript.ts'
import type { TranscriptResult } from '../../../functions/_shared/textmodel/result.ts'
import { askingOf, ORDINARY_WEEK } from './asking.ts'
import { answers, type FakeProvider, GOOD, startProvider } from './provider.ts'

let provider: FakeProvider

beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.stop())

type Context = Parameters<typeof analyzeTranscript>[1]['context']

/** The result when the model's output differs from a good one in these fields; `undefined` leaves a field out. */
async function resultOf(
  output: Record<string, unknown> | string,
  transcript = ORDINARY_WEEK,
  context?: Context,
): Promise<TranscriptResult> {
  provider.behave(answers(typeof output === 'string' ? output : { ...GOOD, ...output }))
  const analyzed = await analyzeTranscript(askingOf(provider), { transcript, context })
  expect(analyzed.provider).toBe('language-model')
  return analyzed.result
}

const { mood_score: _, ...without } = GOOD
const raw = (field: string, json: string) => JSON.stringify({ ...GOOD, [field]: '@' }).replace('"@"', json)

test('a good output is returned unchanged', async () => {
  expect(await resultOf({})).toStrictEqual(without)
})

test.each(Object.keys(without))('the field %s is there even when the model leaves it out', async (field) => {
  expect(await resultOf({ [field]: undefined })).toHaveProperty(field)
})

describe('rule 1: text_score', () => {
  test.each([0, 37.25, 100])('%d is kept', async (text_score) => {
    expect((await resultOf({ text_score })).text_score).toBe(text_score)
  })

  test.each([[-1], [100.01], [1e9], ['70'], [null], [true], [[70]], [{}], [undefined]])(
    '%j becomes 50',
    async (text_score) => {
      expect((await resultOf({ text_score })).text_score).toBe(50)
    },
  )

  test('an infinite number becomes 50', async () => {
    expect((await resultOf(raw('text_score', '1e999'))).text_score).toBe(50)
  })
})

describe('rule 2: mood_score', () => {
  const stated = (mood: number) => `${ORDINARY_WEEK} My mood is ${mood} out of 10.`

  test.each([1, 5.5, 10])('%d is kept when the student named it', async (mood_score) => {
    expect((await resultOf({ mood_score }, stated(mood_score))).mood_score).toBe(mood_score)
  })

  test.each([[0], [10.5], [-3], ['7'], [null], [true], [[7]], [undefined]])(
    '%j is left out',
    async (mood_score) => {
      expect(await resultOf({ mood_score }, stated(7))).not.toHaveProperty('mood_score')
    },
  )

  test('is left out when the student named no number', async () => {
    expect(await resultOf({ mood_score: 7 })).not.toHaveProperty('mood_score')
  })

  test('is the number that the student named when the model gives another', async () => {
    expect((await resultOf({ mood_score: 9 }, stated(4))).mood_score).toBe(4)
  })

  test('in another language is kept when the number is in the transcript', async () => {
    const spanish =
      'Hoy mi estado de ánimo es un 6, porque la semana fue larga pero mis amigos me ayudaron mucho.'
    expect((await resultOf({ mood_score: 6 }, spanish)).mood_score).toBe(6)
    expect(await resultOf({ mood_score: 8 }, spanish)).not.toHaveProperty('mood_score')
  })
})

describe('rule 3: uncertainty', () => {
  test.each([0, 0.42, 1])('%d is kept', async (uncertainty) => {
    expect((await resultOf({ uncertainty })).uncertainty).toBe(uncertainty)
  })

  test.each([[-0.1], [1.1], [30], ['0.3'], [null], [false], [undefined]])(
    '%j becomes 0.5',
    async (uncertainty) => {
      expect((await resultOf({ uncertainty })).uncertainty).toBe(0.5)
    },
  )
})

describe('rule 4: risk_level', () => {
  test.each(['none', 'mild', 'moderate', 'high'])('%s is kept', async (risk_level) => {
    expect((await resultOf({ risk_level })).risk_level).toBe(risk_level)
  })

  test.each([
    ['HIGH'],
    ['High.'],
    ['**high**'],
    ['«high»'],
    ['risk: high'],
    ['high risk'],
    [['high']],
    [{ level: 'High' }],
  ])('%j is high', async (risk_level) => {
    expect((await resultOf({ risk_level })).risk_level).toBe('high')
  })

  test('is read under another name, and the highest where there are two', async () => {
    expect((await resultOf({ risk_level: undefined, riskLevel: 'Moderate' })).risk_level).toBe('moderate')
    expect((await resultOf({ risk_level: 'none', Level: 'High' })).risk_level).toBe('high')
    expect((await resultOf({ stress_level: 'high' })).risk_level).toBe(GOOD.risk_level)
  })

  test.each([['severe'], [''], [3], [null], ['not high'], [undefined]])(
    '%j becomes none',
    async (risk_level) => {
      expect((await resultOf({ risk_level })).risk_level).toBe('none')
    },
  )
})

describe.each(['themes', 'keywords', 'drivers_positive', 'drivers_negative'] as const)(
  'rule 5: %s',
  (field) => {
    test.each([['exams'], [null], [7], [{ 0: 'exams' }], [true], [undefined]])(
      '%j becomes an empty list',
      async (value) => {
        expect((await resultOf({ [field]: value }))[field]).toEqual([])
      },
    )

    test('keeps strings, trimmed, once each, and drops the rest', async () => {
      const value = [' exams ', 7, null, 'exams', '', ['sleep'], 'a\u0000b\n']
      expect((await resultOf({ [field]: value }))[field]).toEqual(['exams', 'a b'])
    })

    test.each([
      'call 0800 123 4567',
      '+44 (20) 7946-0958',
      '０８００ １２３ ４５６７',
      '0\u200b8\u200b0\u200b0\u200b1\u200b2\u200b3\u200b4',
      'text 988',
      'helper@example.com',
      'helper @ example.org',
      'https://example.com/help',
      'hxxp://help.example',
      'www.example.com',
      'help-now.example.com',
      't.me/helper',
      '@helper_now',
      '<b>sleep</b>',
      '<img src=x onerror=alert(1)>',
      '&lt;script&gt;',
      '[help](page)',
      'javascript:alert(1)',
    ])('drops %j, which is no topic', async (contact) => {
      expect((await resultOf({ [field]: ['exams', contact, `about ${contact}`] }))[field]).toEqual(['exams'])
    })

    test('keeps numbers and signs that are none', async () => {
      const value = [
        '24/7 study',
        '8 hours of sleep',
        '2 < 3',
        'R&D',
        'exam in 2027',
        'text messages',
        'St. John',
      ]
      expect((await resultOf({ [field]: value }))[field].length).toBe(field === 'themes' ? 6 : value.length)
    })

    test('is bounded', async () => {
      const value = Array.from({ length: 500 }, (_, index) => `${index} ${'x'.repeat(500)}`)
      const list = (await resultOf({ [field]: value }))[field]
      expect(list.length).toBeLessThanOrEqual(20)
      for (const entry of list) expect(entry.length).toBeLessThanOrEqual(100)
    })
  },
)

test('there are six themes at most', async () => {
  const themes = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  expect((await resultOf({ themes })).themes).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
})

describe('direction_of_change', () => {
  test.each(['better', 'same', 'worse'])(
    '%s is kept where there is a previous analysis',
    async (direction_of_change) => {
      const result = await resultOf({ direction_of_change }, ORDINARY_WEEK, { previousWellbeingScore: 50 })
      expect(result.direction_of_change).toBe(direction_of_change)
    },
  )

  test.each<[string, Context]>([
    ['no context', undefined],
    ['an empty context', {}],
    ['a context without a previous analysis', { studentFirstName: 'Quillon', previousTextThemes: [] }],
  ])('is same with %s', async (_, context) => {
    const result = await resultOf({ direction_of_change: 'worse' }, ORDINARY_WEEK, context)
    expect(result.direction_of_change).toBe('same')
  })

  test.each([['up'], [1], [null], [undefined]])('%j becomes same', async (direction_of_change) => {
    const result = await resultOf({ direction_of_change }, ORDINARY_WEEK, { previousWellbeingScore: 50 })
    expect(result.direction_of_change).toBe('same')
  })
})

describe('conversation_summary', () => {
  test('is two sentences at most', async () => {
    const { conversation_summary } = await resultOf({
      conversation_summary: 'You are busy. You have friends. You like to run.',
    })
    expect(conversation_summary).toBe('You are busy. You have friends.')
  })

  test('is bounded', async () => {
    const { conversation_summary } = await resultOf({ conversation_summary: `You ${'really '.repeat(2000)}` })
    expect(conversation_summary.length).toBeLessThanOrEqual(600)
  })

  test.each([
    ['nothing', ''],
    ['a number', 7],
    ['a list', ['You are fine.']],
    ['a summary about somebody', 'The student talked about exams.'],
    ['a summary in the first person', 'I talked about my exams.'],
    ['a telephone number', 'You can call 0800 555 0199 at any time.'],
    ['an address', 'You can write to https://example.com for help.'],
  ])('is the built-in one, to the student, instead of %s', async (_, conversation_summary) => {
    const result = await resultOf({ conversation_summary })
    expect(result.conversation_summary).toMatch(/\byou\b/i)
    expect(result.conversation_summary).not.toBe(conversation_summary)
  })
})

describe('the crisis check', () => {
  const CRISIS = 'I want to kill myself and I have the pills here.'

  test.each(['none', 'mild', 'moderate', 'high'])('raises %s to high', async (risk_level) => {
    expect((await resultOf({ risk_level }, CRISIS)).risk_level).toBe('high')
  })

  test.each(['none', 'mild', 'moderate', 'high'])('never lowers %s', async (risk_level) => {
    expect((await resultOf({ risk_level })).risk_level).toBe(risk_level)
  })

  test('adds uncertainty and the summary for a crisis where the model overlooked it', async () => {
    const result = await resultOf({ risk_level: 'none', uncertainty: 0.1 }, CRISIS)
    expect(result.uncertainty).toBeGreaterThanOrEqual(0.8)
    expect(result.conversation_summary).toContain('reach out now')
  })
})

describe('a model that the built-in analysis contradicts', () => {
  const BLEAK =
    'Everything is terrible. I sleep badly, I am exhausted, I feel sad and lonely, and I hate my course. It was a horrible week with awful marks, I cried twice, and I am always stressed and unhappy.'

  test('is less certain', async () => {
    const result = await resultOf({ text_score: 98, uncertainty: 0.05 }, BLEAK)
    expect(result.uncertainty).toBeGreaterThanOrEqual(0.6)
    expect(result.text_score).toBe(98)
  })

  test('keeps its own uncertainty when the two agree', async () => {
    expect((await resultOf({ text_score: 15, uncertainty: 0.05 }, BLEAK)).uncertainty).toBe(0.05)
  })
})
