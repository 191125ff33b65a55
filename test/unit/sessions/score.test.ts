import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ServiceError } from '../../../functions/_shared/errors.ts'
import { updateBaseline } from '../../../functions/_shared/scoring/baseline.ts'
import type { Baseline } from '../../../functions/_shared/scoring/types.ts'
import type { AudioData } from '../../../functions/_shared/sessions/app-summaries.ts'
import { analyzeAudioSummary } from '../../../functions/_shared/sessions/audio-analysis.ts'
import { type ScoreInput, scoreInput, scoreSession } from '../../../functions/_shared/sessions/score.ts'
import type { StoredAnalysis } from '../../../functions/_shared/sessions/stored-analysis.ts'
import { analyzeConversation } from '../../../functions/_shared/sessions/text-analysis.ts'
import { audioData } from '../../../harness/factories/session-summaries.ts'

const RESOURCES = [{ name: 'Invented line', phone: '112', website: null }]
const CALM =
  'I had lectures and a lab this week. I slept well, cooked with a friend, and went for a run on Sunday.'
const LOW =
  'I feel so sad and alone. Everything is horrible and I hate it here. I cried every day and I am exhausted.'
const CRISIS = 'I want to kill myself and I do not know who else to tell. I have thought about it all week.'

const VISUAL_FEATURES = { emotion_happy: 0.3, emotion_sad: 0.1, smile_intensity: 0.35, eye_openness: 0.32 }

function stored({ measures, quality, quality_reason, risk_level }: StoredAnalysis) {
  return { measures, quality, quality_reason, risk_level }
}

/** What the database gives for a session, as JSON. */
function session(
  parts: { audio?: Partial<AudioData>; text?: string | null; visual?: { quality: number } } = {},
  consents: Partial<ScoreInput['consents']> = {},
  baseline: Baseline | null = null,
): ScoreInput {
  return scoreInput.parse({
    consents: { audio: true, visual: true, text: true, ...consents },
    analyses: {
      audio: stored(analyzeAudioSummary(audioData(parts.audio))),
      ...(parts.text !== null && { text: stored(analyzeConversation(parts.text ?? CALM)) }),
      visual: {
        measures: { features: VISUAL_FEATURES },
        quality: parts.visual?.quality ?? 0.8,
        quality_reason: null,
        risk_level: 'none',
      },
    },
    baseline: JSON.parse(JSON.stringify(baseline)),
  })
}

function baselineOf(...scores: number[]): Baseline {
  const baseline = scores.reduce<Baseline | null>(
    (state, score) => updateBaseline(state, { score, features: {} }),
    null,
  )
  if (baseline === null) throw new Error('A baseline needs scores')
  return baseline
}

const scored = (...parts: Parameters<typeof session>) => scoreSession(session(...parts), RESOURCES)

function errorOf(input: ScoreInput): ServiceError {
  try {
    scoreSession(input, RESOURCES)
  } catch (error) {
    if (error instanceof ServiceError) return error
  }
  throw new Error('The session was scored')
}

describe('a score', () => {
  test('has every field, in its range', () => {
    const { fusion_score, algorithm_version, data_quality_score } = scored()
    const { audio_score, visual_score, text_score } = fusion_score.component_scores
    for (const score of [fusion_score.final_score, audio_score, visual_score, text_score]) {
      expect(score).toBeGreaterThanOrEqual(10)
      expect(score).toBeLessThanOrEqual(90)
    }
    expect(fusion_score.confidence).toBeGreaterThan(0)
    expect(fusion_score.confidence).toBeLessThan(1)
    expect(fusion_score.risk_assessment.level).toBe('low')
    expect(data_quality_score).toBeGreaterThan(0.4)
    expect(data_quality_score).toBeLessThanOrEqual(1)
    expect(algorithm_version).toMatch(/^wb-[\d.]+\+session-[\d.]+$/)
    expect(Object.keys(fusion_score)).toEqual([
      'final_score',
      'confidence',
      'score_interval',
      'calibrated',
      'component_scores',
      'risk_assessment',
    ])
  })

  test('rises with the mood that was reported in the summary', () => {
    const of = (mood: number) => scored({ audio: { mood_score_1_10: mood } }).fusion_score.final_score
    expect(of(9)).toBeGreaterThan(of(6))
    expect(of(6)).toBeGreaterThan(of(2))
  })

  test('rises with the tone of voice', () => {
    const of = (emotional_tone: AudioData['emotional_tone']) =>
      scored({ audio: { emotional_tone } }).fusion_score.component_scores.audio_score ?? 0
    expect(of('positive')).toBeGreaterThan(of('neutral'))
    expect(of('neutral')).toBeGreaterThan(of('negative'))
  })

  test('is lower for low words', () => {
    expect(scored({ text: LOW }).fusion_score.component_scores.text_score).toBeLessThan(
      scored({ text: CALM }).fusion_score.component_scores.text_score ?? 0,
    )
  })

  test('is less sure with less to go by', () => {
    const less = scored({
      audio: { transcript_length: 200, conversation_duration: 30 },
      visual: { quality: 0.3 },
    })
    expect(less.fusion_score.confidence).toBeLessThan(scored().fusion_score.confidence)
    expect(less.data_quality_score).toBeLessThan(scored().data_quality_score)
  })

  test('of ordinary input lies between 10 and 90', () => {
    fc.assert(
      fc.property(
        fc.record({
          conversation_duration: fc.integer({ min: 60, max: 600 }),
          speech_rate: fc.double({ min: 0.4, max: 1.8, noNaN: true }),
          voice_quality: fc.constantFrom('clear' as const, 'strained' as const, 'muffled' as const),
          emotional_tone: fc.constantFrom('positive' as const, 'negative' as const, 'neutral' as const),
          mood_score_1_10: fc.integer({ min: 1, max: 10 }),
          transcript_length: fc.integer({ min: 300, max: 6000 }),
        }),
        fc.constantFrom(CALM, LOW, CRISIS),
        (audio, text) => {
          const { final_score, confidence } = scored({ audio, text }).fusion_score
          expect(final_score).toBeGreaterThanOrEqual(10)
          expect(final_score).toBeLessThanOrEqual(90)
          expect(confidence).toBeGreaterThanOrEqual(0)
          expect(confidence).toBeLessThanOrEqual(0.9)
        },
      ),
      { numRuns: 40 },
    )
  })
})

describe('what is missing', () => {
  test('makes the score less certain, and one analysis is enough', () => {
    const certain = scoreSession(session(), RESOURCES)
    for (const left of ['audio', 'visual', 'text'] as const) {
      const input = session()
      for (const modality of ['audio', 'visual', 'text'] as const) {
        if (modality !== left) input.analyses[modality] = undefined
      }
      const { fusion_score, data_quality_score } = scoreSession(input, RESOURCES)
      const scores = Object.entries(fusion_score.component_scores).filter(([, score]) => score !== null)
      expect(scores.map(([name]) => name)).toEqual([`${left}_score`])
      expect(fusion_score.confidence).toBeLessThan(certain.fusion_score.confidence)
      expect(data_quality_score).toBeLessThan(certain.data_quality_score)
    }
  })

  test('is listed when there is none of what the student has agreed to, with the crisis resources', () => {
    const input = session({ text: null }, { audio: false })
    input.analyses.visual = undefined
    expect(errorOf(input)).toMatchObject({
      code: 'analyses_incomplete',
      details: { missing: ['visual', 'text'], crisis_resources: RESOURCES },
    })
  })

  test('is left out where the student has not agreed to it', () => {
    const { fusion_score } = scored({ text: null }, { text: false })
    expect(fusion_score.component_scores).toMatchObject({ text_score: null })
    expect(fusion_score.component_scores.audio_score).not.toBeNull()
  })

  test('what was measured is shown as a number, although it was too poor to count', () => {
    const { fusion_score } = scored({
      text: 'I feel hopeless nearly every day.',
      audio: { transcript_length: 5 },
    })
    const { audio_score, text_score, visual_score } = fusion_score.component_scores
    expect(text_score).toBeLessThanOrEqual(30)
    expect([typeof audio_score, typeof visual_score]).toEqual(['number', 'number'])
  })

  test('an analysis whose consent was withdrawn is not used', () => {
    const { fusion_score } = scored({ audio: { mood_score_1_10: 1 } }, { audio: false })
    expect(fusion_score.component_scores.audio_score).toBeNull()
    expect(fusion_score.risk_assessment.indicators).not.toContain('a low mood reported')
    expect(fusion_score).toEqual(scored({ audio: { mood_score_1_10: 10 } }, { audio: false }).fusion_score)
  })

  test('every consent at once is a matter of consent', () => {
    const input = session({}, { audio: false, visual: false, text: false })
    expect(errorOf(input)).toMatchObject({
      code: 'consent_required',
      details: { kinds: ['audio', 'camera', 'text'] },
    })
  })

  test('is said to be unusable when nothing was good enough, with the crisis resources', () => {
    const input = session({ audio: { transcript_length: 0 }, text: 'Hi.', visual: { quality: 0 } })
    expect(errorOf(input)).toMatchObject({
      code: 'analyses_incomplete',
      details: {
        missing: [],
        unusable: [
          { modality: 'audio', reason: 'too_little_speech' },
          { modality: 'visual', reason: 'low_quality' },
          { modality: 'text', reason: 'too_short' },
        ],
        crisis_resources: RESOURCES,
      },
    })
  })
})

describe('the risk', () => {
  test('is never below that of the crisis language', () => {
    const { fusion_score, risk_level } = scored({
      text: CRISIS,
      audio: { emotional_tone: 'positive', mood_score_1_10: 10 },
    })
    expect(risk_level).toBe('high')
    expect(fusion_score.risk_assessment.level).toBe('high')
    expect(fusion_score.risk_assessment.indicators[0]).toBe('words about ending one’s life')
    expect(fusion_score.risk_assessment.recommendations[0]).toContain('Please reach out now')
    expect(fusion_score.component_scores.text_score).toBeLessThanOrEqual(20)
  })

  test('of crisis language stays when the consent to the words was withdrawn', () => {
    expect(scored({ text: CRISIS }, { text: false }).risk_level).toBe('high')
  })

  test('is medium for hopelessness that lasts', () => {
    const { fusion_score, risk_level } = scored({
      text: 'I feel hopeless nearly every day. Lectures are hard, and I have been tired, and the flat is quiet.',
    })
    expect(risk_level).toBe('moderate')
    expect(fusion_score.risk_assessment).toMatchObject({
      level: 'medium',
      indicators: expect.arrayContaining(['words of despair that last']),
    })
  })

  test('is medium for a very low mood', () => {
    const { risk_assessment } = scored({ audio: { mood_score_1_10: 2 } }).fusion_score
    expect(risk_assessment.level).toBe('medium')
    expect(risk_assessment.indicators).toContain('a low mood reported')
    expect(risk_assessment.recommendations[0]).toContain('Please talk to someone')
  })

  test('is that of the lower mood, where another one was put into words', () => {
    for (const [entered, spoken, indicator] of [
      [9, 'two', 'a low mood put into words'],
      [2, 'nine', 'a low mood reported'],
    ] as const) {
      const { risk_assessment } = scored({
        audio: { mood_score_1_10: entered },
        text: `${CALM} My mood is a ${spoken}.`,
      }).fusion_score
      expect(risk_assessment.level).toBe('medium')
      expect(risk_assessment.indicators).toContain(indicator)
    }
  })

  test('of none is no reason to keep up what one does, with a mood of four put into words', () => {
    const { risk_assessment } = scored({
      audio: { mood_score_1_10: 8 },
      text: `${CALM} My mood is a four.`,
    }).fusion_score
    expect(risk_assessment.recommendations[0]).toContain('It may help to talk')
  })

  test('of none is no reason to keep up what one does, with a low mood in words', () => {
    const low = { audio: { mood_score_1_10: 8 }, text: `${CALM} I have been feeling really low.` }
    const { risk_assessment } = scored(low).fusion_score
    expect(risk_assessment.recommendations[0]).toContain('It may help to talk')
    expect(risk_assessment.indicators).toContain('a low mood put into words')
    expect(scored(low, { text: false }).fusion_score.risk_assessment.indicators).not.toContain(
      'a low mood put into words',
    )
  })

  test('is low for a calm week, with something to do', () => {
    const { risk_assessment } = scored().fusion_score
    expect(risk_assessment.level).toBe('low')
    expect(risk_assessment.recommendations.length).toBeGreaterThan(0)
  })

  test('a doubtful score reassures nobody', () => {
    const { risk_assessment } = scored(
      {
        text: 'I slept well and had some soup.',
        audio: { transcript_length: 200, conversation_duration: 30 },
      },
      { visual: false },
    ).fusion_score
    expect(risk_assessment.recommendations[0]).toContain('does not tell how you are')
  })
})

describe('the trend', () => {
  test('is absent without a baseline, and with one of two check-ins', () => {
    expect(scored().fusion_score).not.toHaveProperty('trend_analysis')
    expect(scored({}, {}, baselineOf(50, 52)).fusion_score).not.toHaveProperty('trend_analysis')
  })

  test('compares the score with the student’s usual one', () => {
    const { final_score, trend_analysis } = scored({}, {}, baselineOf(50, 50, 50)).fusion_score
    expect(trend_analysis?.compared_to_baseline).toBeCloseTo(final_score - 50, 1)
    expect(trend_analysis).toMatchObject({ trend_direction: 'stable', significance: 'low' })
  })

  test.each([
    [15, 'improving'],
    [88, 'declining'],
  ])('from a usual score of %i is %s', (usual, trend_direction) => {
    const { fusion_score } = scored({}, {}, baselineOf(usual, usual, usual, usual))
    expect(fusion_score.trend_analysis?.trend_direction).toBe(trend_direction)
    expect(['medium', 'high']).toContain(fusion_score.trend_analysis?.significance)
  })
})
