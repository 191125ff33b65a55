import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AudioData } from '../../../functions/_shared/sessions/app-summaries.ts'
import { analyzeAudioSummary } from '../../../functions/_shared/sessions/audio-analysis.ts'
import { analyzeAudio } from '../../../functions/analyze-audio/routes.ts'
import { audioData } from '../../../harness/factories/session-summaries.ts'

const anySummary: fc.Arbitrary<AudioData> = fc.record({
  conversation_duration: fc.double({ min: 0, max: 86_400, noNaN: true }),
  speech_rate: fc.double({ min: 0, max: 1_000, noNaN: true }),
  voice_quality: fc.constantFrom('clear', 'strained', 'muffled'),
  emotional_tone: fc.constantFrom('positive', 'negative', 'neutral'),
  mood_score_1_10: fc.double({ min: 1, max: 10, noNaN: true }),
  transcript_length: fc.double({ min: 0, max: 100_000, noNaN: true }),
})

const analysis = (parts: Partial<AudioData> = {}) => analyzeAudioSummary(audioData(parts)).analysis
const stress = (parts: Partial<AudioData>) => analysis(parts).vocal_stress_indicators
const patterns = (parts: Partial<AudioData>) => analysis(parts).speech_pattern_analysis

describe('whatever the summary', () => {
  test('every number is finite and in its range', () => {
    fc.assert(
      fc.property(anySummary, (summary) => {
        const { analysis, measures, quality } = analyzeAudioSummary(summary)
        const { pace_variation, pause_frequency, volume_consistency } = analysis.speech_pattern_analysis
        for (const value of [
          analysis.vocal_stress_indicators,
          pace_variation,
          pause_frequency,
          volume_consistency,
          quality,
        ]) {
          expect(value).toBeGreaterThanOrEqual(0)
          expect(value).toBeLessThanOrEqual(1)
        }
        expect(analysis.confidence_score).toBeGreaterThanOrEqual(0)
        expect(analysis.confidence_score).toBeLessThanOrEqual(0.6)
        expect(Object.values(measures.features).every(Number.isFinite)).toBe(true)
        expect(analysis.emotional_markers.every((marker) => /^[a-z ]+$/.test(marker))).toBe(true)
      }),
    )
  })

  test('the same summary gives the same analysis', () => {
    fc.assert(
      fc.property(anySummary, (summary) => {
        expect(analyzeAudioSummary({ ...summary })).toEqual(analyzeAudioSummary(summary))
      }),
    )
  })

  test('a worse tone never lowers the stress', () => {
    fc.assert(
      fc.property(anySummary, (summary) => {
        const of = (emotional_tone: AudioData['emotional_tone']) =>
          analyzeAudioSummary({ ...summary, emotional_tone }).analysis.vocal_stress_indicators
        expect(of('neutral')).toBeGreaterThanOrEqual(of('positive'))
        expect(of('negative')).toBeGreaterThanOrEqual(of('neutral'))
      }),
    )
  })

  test('a worse voice never lowers the stress', () => {
    fc.assert(
      fc.property(anySummary, (summary) => {
        const of = (voice_quality: AudioData['voice_quality']) =>
          analyzeAudioSummary({ ...summary, voice_quality }).analysis.vocal_stress_indicators
        expect(of('muffled')).toBeGreaterThanOrEqual(of('clear'))
        expect(of('strained')).toBeGreaterThanOrEqual(of('muffled'))
      }),
    )
  })

  test('a faster pace never lowers the stress', () => {
    const pace = fc.double({ min: 0, max: 10, noNaN: true })
    fc.assert(
      fc.property(anySummary, pace, pace, (summary, a, b) => {
        const of = (speech_rate: number) =>
          analyzeAudioSummary({ ...summary, speech_rate }).analysis.vocal_stress_indicators
        expect(of(Math.max(a, b))).toBeGreaterThanOrEqual(of(Math.min(a, b)))
      }),
    )
  })

  test('more words in the same time never mean more silence', () => {
    const length = fc.integer({ min: 0, max: 100_000 })
    fc.assert(
      fc.property(anySummary, length, length, (summary, a, b) => {
        const of = (transcript_length: number) =>
          analyzeAudioSummary({ ...summary, transcript_length }).analysis.speech_pattern_analysis
            .pause_frequency
        expect(of(Math.max(a, b))).toBeLessThanOrEqual(of(Math.min(a, b)))
      }),
    )
  })

  test('a longer conversation of the same kind never lowers the confidence', () => {
    fc.assert(
      fc.property(anySummary, fc.double({ min: 1, max: 20, noNaN: true }), (summary, factor) => {
        const longer = {
          ...summary,
          conversation_duration: summary.conversation_duration * factor,
          transcript_length: summary.transcript_length * factor,
        }
        expect(analyzeAudioSummary(longer).analysis.confidence_score).toBeGreaterThanOrEqual(
          analyzeAudioSummary(summary).analysis.confidence_score - 0.001,
        )
      }),
    )
  })
})

describe('the indicators', () => {
  test('calm talk in a good mood shows no stress', () => {
    expect(stress({ emotional_tone: 'positive' })).toBe(0)
  })

  test('a strained, negative, hurried voice shows all of it', () => {
    expect(stress({ voice_quality: 'strained', emotional_tone: 'negative', speech_rate: 2 })).toBe(1)
  })

  test('a pace of half or double the usual lies as far off as is told', () => {
    expect(patterns({ speech_rate: 1 }).pace_variation).toBe(0)
    expect(patterns({ speech_rate: 2 }).pace_variation).toBe(1)
    expect(patterns({ speech_rate: 0.5 }).pace_variation).toBe(1)
  })

  test('a rate above ten is read as words a minute', () => {
    expect(analysis({ speech_rate: 150 })).toEqual(analysis({ speech_rate: 1 }))
    expect(analysis({ speech_rate: 105 })).toEqual(analysis({ speech_rate: 0.7 }))
  })

  test('silence is what the words leave of the time', () => {
    expect(patterns({ conversation_duration: 60, transcript_length: 1000 }).pause_frequency).toBe(0)
    expect(patterns({ conversation_duration: 120, transcript_length: 1000 }).pause_frequency).toBe(0.5)
    expect(patterns({ transcript_length: 0 }).pause_frequency).toBe(1)
  })

  test('a clear voice is taken to be the most even', () => {
    const of = (voice_quality: AudioData['voice_quality']) => patterns({ voice_quality }).volume_consistency
    expect(of('clear')).toBeGreaterThan(of('muffled'))
    expect(of('muffled')).toBeGreaterThan(of('strained'))
  })

  test('markers name what stands out', () => {
    expect(
      analysis({ emotional_tone: 'negative', speech_rate: 0.6, mood_score_1_10: 2 }).emotional_markers,
    ).toEqual(['negative tone', 'slow speech', 'low mood reported'])
    expect(analysis({ emotional_tone: 'positive', mood_score_1_10: 1 }).emotional_markers).toContain(
      'tone and reported mood differ',
    )
    expect(analysis().emotional_markers).toEqual(['even tone'])
  })
})

describe('the confidence', () => {
  test('is 0 without a word or without any time', () => {
    expect(analysis({ transcript_length: 0 }).confidence_score).toBe(0)
    expect(analysis({ conversation_duration: 0 }).confidence_score).toBe(0)
  })

  test('falls when there are more words than the pace allows', () => {
    const fits = analysis({ conversation_duration: 60, transcript_length: 700 })
    const not = analysis({ conversation_duration: 60, transcript_length: 20_000 })
    expect(not.confidence_score).toBeLessThan(fits.confidence_score / 4)
  })

  test('falls when tone and reported mood point apart', () => {
    expect(analysis({ emotional_tone: 'positive', mood_score_1_10: 1 }).confidence_score).toBeLessThan(
      analysis({ emotional_tone: 'negative', mood_score_1_10: 1 }).confidence_score,
    )
  })

  test.each([
    [{ transcript_length: 40 }, 'too_little_speech'],
    [{ conversation_duration: 60, transcript_length: 20_000 }, 'summary_inconsistent'],
    [{ voice_quality: 'muffled' as const }, 'muffled'],
    [{}, null],
  ])('what lowers it is named: %o', (parts, reason) => {
    expect(analyzeAudioSummary(audioData(parts)).quality_reason).toBe(reason)
  })
})

describe('the request', () => {
  const sessionId = '5B0F6C9E-0000-4000-8000-000000000001'

  test('is taken with fields that nobody asked for', () => {
    const read = analyzeAudio.body.parse({ sessionId, extra: 1, audioData: { ...audioData(), device: 'x' } })
    expect(read).toEqual({ sessionId: sessionId.toLowerCase(), audioData: audioData() })
  })

  test.each(Object.keys(audioData()))('is rejected without %s', (field) => {
    const data = Object.fromEntries(Object.entries(audioData()).filter(([name]) => name !== field))
    expect(analyzeAudio.body.safeParse({ sessionId, audioData: data }).success).toBe(false)
  })

  test.each([
    { conversation_duration: -1 },
    { conversation_duration: '120' },
    { speech_rate: -0.1 },
    { speech_rate: Number.NaN },
    { voice_quality: 'hoarse' },
    { emotional_tone: 'sad' },
    { mood_score_1_10: 0 },
    { mood_score_1_10: 11 },
    { transcript_length: -5 },
    { transcript_length: 100_001 },
    { transcript_length: null },
  ])('is rejected with %o', (part) => {
    expect(analyzeAudio.body.safeParse({ sessionId, audioData: { ...audioData(), ...part } }).success).toBe(
      false,
    )
  })
})
