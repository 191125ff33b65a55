import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { coherence } from '../../../functions/_shared/sessions/coherence.ts'
import { analyzeConversation, studentTurns } from '../../../functions/_shared/sessions/text-analysis.ts'
import { analyzeText } from '../../../functions/analyze-text/routes.ts'

const GLAD =
  'It has been a wonderful week. I met my friends at the climbing wall and we laughed so much. I feel happy, rested and hopeful about the weekend.'
const STRUGGLING =
  'I feel so down these last weeks. I am exhausted every day, I cannot sleep, and I keep worrying about the exams. I missed two lectures because I could not get out of bed, and it is getting worse. I have no motivation.'
const CRISIS = 'I want to kill myself and I do not know who else to tell.'
const SPANISH = 'Hoy fui a la universidad y hablé con mi profesor sobre el examen de la próxima semana.'

const analysis = (words: string) => analyzeConversation(words).analysis
const DIAGNOSES = /\b(?:depression|depressive|disorder|diagnos\w*|patient|bipolar|ptsd|suffers?)\b/i

describe('sentiment', () => {
  test.each([
    [GLAD, 'positive'],
    [STRUGGLING, 'negative'],
    ['The lecture is on Tuesday at nine. The room is on the second floor of the library.', 'neutral'],
  ])('%s: %s', (words, sentiment) => {
    expect(analysis(words).sentiment_analysis.overall_sentiment).toBe(sentiment)
  })

  test('names the emotions that stand out', () => {
    expect(analysis(GLAD).sentiment_analysis.emotional_indicators).toContain('joy')
  })

  test('is surer with more words', () => {
    const once = analysis(GLAD).sentiment_analysis.confidence
    expect(analysis(`${GLAD} ${GLAD} ${GLAD}`).sentiment_analysis.confidence).toBeGreaterThan(once)
  })

  test('is never called positive beside crisis language', () => {
    const { overall_sentiment, confidence } = analysis(`${GLAD} ${GLAD} ${CRISIS}`).sentiment_analysis
    expect(overall_sentiment).toBe('negative')
    expect(confidence).toBeLessThanOrEqual(0.5)
  })

  test.each([
    [SPANISH, 'the text is not in English'],
    ['Fine.', 'there are too few words'],
    ['   ', 'there are too few words'],
  ])('of %s is neutral without confidence, and says why', (words, why) => {
    expect(analysis(words).sentiment_analysis).toEqual({
      overall_sentiment: 'neutral',
      confidence: 0,
      emotional_indicators: [why],
    })
  })
})

describe('linguistic patterns', () => {
  test('complex sentences count as more complex than plain ones', () => {
    const plain = 'I was at home. I had tea. It was good. I went out. It was cold. I came back. I had tea.'
    const complex =
      'The committee that is responsible for the curriculum of our faculty has recommended substantial modifications, although there was considerable disagreement about the methodological consequences of its decision. I was surprised that the documentation, which we had prepared with so much attention, was hardly acknowledged in the conversation that followed.'
    const of = (words: string) => analysis(words).linguistic_patterns.complexity_score
    expect(of(complex)).toBeGreaterThan(of(plain) + 0.2)
  })

  test('sentences that follow from each other hang together more than sentences that do not', () => {
    const tied = 'The exam went badly. It was long. So the tutor gave us another exam. That one was easier.'
    const loose = 'The exam went badly. Green bottles float. Seven trains left Tuesday. Cheese grows upward.'
    expect(coherence(tied)).toBe(1)
    expect(coherence(loose)).toBe(0)
    expect(analysis(tied).linguistic_patterns.coherence_score).toBe(1)
  })

  test('a word that objects of the language have as a property is a word like any other', () => {
    expect(coherence('The constructor failed. Two constructors passed.')).toBe(1)
  })

  test('emotional words are counted per hundred', () => {
    expect(analysis(GLAD).linguistic_patterns.emotional_language_usage).toBeGreaterThan(3)
    expect(analysis('The lecture is on Tuesday at nine in the library.').linguistic_patterns).toMatchObject({
      emotional_language_usage: 0,
    })
  })
})

describe('themes and signs', () => {
  test('themes are those of the check-ins', () => {
    expect(analysis(STRUGGLING).key_themes).toEqual(expect.arrayContaining(['sleep', 'exams', 'studies']))
  })

  test('signs are named by topic, and how far they go', () => {
    expect(analysis(STRUGGLING).phq_indicators).toEqual({
      depression_markers: ['low mood', 'little interest or pleasure', 'trouble sleeping', 'tiredness'],
      anxiety_markers: ['worry'],
      severity_indicators: expect.arrayContaining([
        'nearly every day',
        'for weeks or longer',
        'in the way of daily life',
        'getting worse',
      ]),
    })
    expect(analysis(STRUGGLING).risk_indicators).toContain('several signs of low mood')
  })

  test.each([
    'I am not feeling down at all, and I sleep well these days.',
    'My friend has been so sad, and my roommate is exhausted.',
    'I am no longer anxious, and I never felt worthless this year.',
    GLAD,
  ])('there are none in: %s', (words) => {
    const { depression_markers, anxiety_markers } = analysis(words).phq_indicators
    expect([...depression_markers, ...anxiety_markers]).toEqual([])
  })

  test('nothing that is said is a diagnosis, nor in the student’s own words', () => {
    for (const words of [GLAD, STRUGGLING, CRISIS, SPANISH]) {
      const { risk_indicators, phq_indicators } = analysis(words)
      for (const text of [...risk_indicators, ...Object.values(phq_indicators).flat()]) {
        expect(text).not.toMatch(DIAGNOSES)
        expect(text).not.toContain('kill')
      }
    }
  })
})

describe('crisis language', () => {
  test('sets the risk level and is named in plain words', () => {
    const { risk_level, analysis, measures } = analyzeConversation(CRISIS)
    expect(risk_level).toBe('high')
    expect(analysis.risk_indicators).toEqual(['words about ending one’s life'])
    expect(analysis.phq_indicators.severity_indicators).toContain('crisis language')
    expect(measures.crisis_rule).toMatch(/^intent\./)
  })

  test('is left to the encoder in another language, of which it is said that it is not read otherwise', () => {
    const { analysis } = analyzeConversation(`${SPANISH} Ya no quiero vivir.`)
    expect(analysis.risk_indicators).toEqual([
      'the text is not in English: only crisis language is looked for in it',
    ])
  })

  test('a lowered reading says so', () => {
    const { risk_level, analysis } = analyzeConversation('I do not want to kill myself, I just need a break.')
    expect(risk_level).toBe('mild')
    expect(analysis.risk_indicators[0]).toContain('read as denied, long ago, or said of somebody else')
  })

  test('in a question of the app is not the student’s', () => {
    expect(
      analyzeConversation(
        'Assistant: Are you thinking about killing yourself?\nUser: No, not at all. I am just tired today.',
      ).risk_level,
    ).toBe('none')
  })

  test.each(['Yes, sometimes.', 'I am, yeah', 'maybe a bit'])(
    'in a question of the app counts as the student’s after “%s”',
    (reply) => {
      const { risk_level, measures } = analyzeConversation(
        `Assistant: Are you thinking about killing yourself?\nUser: ${reply}`,
      )
      expect({ risk_level, rule: measures.crisis_rule }).toEqual({ risk_level: 'high', rule: 'reply.yes' })
    },
  )
})

test('lines without a name are the student’s', () => {
  expect(studentTurns('AI: How are you?\nStudent: Tired.\nI slept badly.\n**Assistant**: Oh.')).toBe(
    'Tired.\nI slept badly.',
  )
})

test.each([
  ['Assistant: How are you? User: I want to die.', 'I want to die.'],
  ['User: Fine. Assistant: Do you want to die? User: No.', 'Fine.\nNo.'],
  ['I told my coach: I want to die.', 'I told my coach: I want to die.'],
  ['He said to me: go away.', 'He said to\ngo away.'],
])('a dialogue on one line is told apart, and never to the student’s loss: %s', (dialogue, own) => {
  expect(studentTurns(dialogue)).toBe(own)
})

test('whatever the text, every number is finite and in its range', () => {
  const words = fc.constantFrom(
    'i',
    'not',
    'sad',
    'happy',
    'exam',
    'AI:',
    'me:',
    '?',
    '.',
    '\n',
    'yes',
    'die',
  )
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.array(words, { maxLength: 60 }).map((list) => list.join(' ')),
  )
  fc.assert(
    fc.property(anyText, (text) => {
      const { analysis, quality } = analyzeConversation(text)
      const { complexity_score, coherence_score, emotional_language_usage } = analysis.linguistic_patterns
      const shares = [complexity_score, coherence_score, analysis.sentiment_analysis.confidence, quality]
      for (const share of shares) {
        expect(share).toBeGreaterThanOrEqual(0)
        expect(share).toBeLessThanOrEqual(1)
      }
      expect(emotional_language_usage).toBeGreaterThanOrEqual(0)
      expect(emotional_language_usage).toBeLessThan(Number.POSITIVE_INFINITY)
    }),
    { numRuns: 60 },
  )
})

describe('the request', () => {
  const sessionId = crypto.randomUUID()
  test.each([
    ['', false],
    ['a'.repeat(100_001), false],
    ['a'.repeat(100_000), true],
    ['a', true],
    [5, false],
    [null, false],
  ])('with the text %#', (conversationText, isTaken) => {
    expect(analyzeText.body.safeParse({ sessionId, conversationText }).success).toBe(isTaken)
  })

  test('is rejected with an id that is none', () => {
    expect(analyzeText.body.safeParse({ sessionId: 'latest', conversationText: 'a' }).success).toBe(false)
  })

  test('is cleaned of what neither database nor analysis can hold', () => {
    expect(analyzeText.body.parse({ sessionId, conversationText: 'a\0b\ud800' }).conversationText).toBe(
      'ab\ufffd',
    )
  })
})
