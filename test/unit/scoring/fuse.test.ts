import { describe, expect, test } from 'vitest'
import { RISK_LEVELS } from '../../../functions/_shared/risk-level.ts'
import { fuse, NothingToScore } from '../../../functions/_shared/scoring/fuse.ts'
import { ALGORITHM_VERSION } from '../../../functions/_shared/scoring/scheme.ts'
import type { Baseline, FusionInput, TextDetails } from '../../../functions/_shared/scoring/types.ts'
import { checkIn, modalityAt, wholeCheckIn } from './check-in.ts'

function textDetails(parts: Partial<TextDetails> = {}): TextDetails {
  return { themes: [], keywords: [], crisis: { level: 'none', rule: null }, stated_mood: null, ...parts }
}

function thrownBy(action: () => unknown): unknown {
  try {
    action()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

describe('the score', () => {
  test('is 50 when everything is at its reference value', () => {
    expect(fuse(wholeCheckIn(0)).score).toBe(50)
  })

  test('orders a bad, a typical and a good check-in', () => {
    const [bad, typical, good] = [-1.5, 0, 1.5].map((z) => fuse(wholeCheckIn(z)).score)
    expect(bad).toBeLessThan(25)
    expect(typical).toBe(50)
    expect(good).toBeGreaterThan(65)
  })

  test('follows the modality of better quality when two disagree', () => {
    const clearVoice = fuse(
      checkIn({ audio: modalityAt('audio', -2, 0.9), text: modalityAt('text', 2, 0.25) }),
    )
    const clearText = fuse(
      checkIn({ audio: modalityAt('audio', -2, 0.25), text: modalityAt('text', 2, 0.9) }),
    )
    expect(clearVoice.score).toBeLessThan(clearText.score)
  })

  test('gives the face less weight than voice and words of the same quality', () => {
    const weights = Object.fromEntries(
      fuse(wholeCheckIn(0)).components.map(({ modality, weight }) => [modality, weight]),
    )
    expect(weights.visual).toBeLessThan(weights.audio ?? 0)
    expect(weights.visual).toBeLessThan(weights.text ?? 0)
  })

  test('takes the entered mood before the one put into words', () => {
    const component = (moodScore: number | null, stated_mood: number | null) =>
      fuse(wholeCheckIn(0, { moodScore, textDetails: textDetails({ stated_mood }) })).components.at(3)
    expect(component(8, 2)?.score).toBeGreaterThan(50)
    expect(component(null, 2)?.score).toBeLessThan(50)
    expect(component(null, 2)?.reason).toBe('stated_in_words')
    expect(component(null, null)).toMatchObject({ score: null, weight: 0, reason: 'not_provided' })
  })

  test('never lets the self-report outweigh what was observed', () => {
    const result = fuse(checkIn({ visual: modalityAt('visual', 0, 0.3), moodScore: 10 }))
    expect(result.components.at(3)?.weight).toBeCloseTo(0.5)
  })

  test('does not read crisis words as a good text', () => {
    const result = fuse(
      wholeCheckIn(2, { textDetails: textDetails({ crisis: { level: 'high', rule: 'intent' } }) }),
    )
    expect(result.components.find(({ modality }) => modality === 'text')?.score).toBeLessThanOrEqual(20)
  })
})

describe('missing and unusable modalities', () => {
  test('keep their place and their reason', () => {
    const silent = { features: {}, quality: { score: 0, reason: 'silent' } }
    const result = fuse(
      checkIn({ audio: silent, text: modalityAt('text', 0), missing: { visual: 'no_consent' } }),
    )
    expect(result.components).toMatchObject([
      { modality: 'audio', score: null, weight: 0, quality: 0, reason: 'silent' },
      { modality: 'visual', score: null, weight: 0, quality: null, reason: 'no_consent' },
      { modality: 'text', weight: 1, reason: null },
      { modality: 'self_report', score: null, weight: 0, reason: 'not_provided' },
    ])
  })

  test('say that quality was low when the analysis gave no reason', () => {
    const result = fuse(checkIn({ audio: modalityAt('audio', 1, 0.1), text: modalityAt('text', 0) }))
    expect(result.components.at(0)).toMatchObject({ score: null, weight: 0, reason: 'low_quality' })
  })

  test.each(['audio', 'visual', 'text'] as const)('one poor %s alone is highly uncertain', (modality) => {
    for (const moodScore of [null, 8]) {
      const result = fuse(checkIn({ [modality]: modalityAt(modality, 1.5, 0.4), moodScore }))
      expect(result.uncertainty).toBeGreaterThanOrEqual(0.6)
      expect(result.summary).toContain('rough guess')
    }
  })

  test('give no score when none is left, but still report the risk', () => {
    const error = thrownBy(() =>
      fuse(
        checkIn({
          moodScore: 5,
          text: { features: {}, quality: { score: 0, reason: 'too_short' } },
          textDetails: textDetails({ crisis: { level: 'high', rule: 'intent' } }),
        }),
      ),
    )
    expect(error).toBeInstanceOf(NothingToScore)
    expect(error).toMatchObject({ riskLevel: 'high' })
    expect(error).toHaveProperty('components.2.reason', 'too_short')
  })
})

describe('uncertainty', () => {
  test('falls with every modality and with the self-report', () => {
    const audio = modalityAt('audio', 0)
    const text = modalityAt('text', 0)
    const visual = modalityAt('visual', 0)
    const steps = [
      checkIn({ audio }),
      checkIn({ audio, text }),
      checkIn({ audio, text, visual }),
      checkIn({ audio, text, visual, moodScore: 6 }),
    ].map((input) => fuse(input).uncertainty)
    expect(steps).toEqual([...steps].sort((a, b) => b - a))
    expect(new Set(steps).size).toBe(4)
  })

  test('grows when the modalities disagree', () => {
    const agreeing = fuse(checkIn({ audio: modalityAt('audio', 0), text: modalityAt('text', 0) }))
    const disagreeing = fuse(checkIn({ audio: modalityAt('audio', -1), text: modalityAt('text', 0.5) }))
    expect(disagreeing.uncertainty).toBeGreaterThan(agreeing.uncertainty)
  })
})

/** Ten check-ins with one score. */
function usually(mean: number): Baseline {
  const score = { mean, spread: 5, count: 10 }
  return { count: 10, version: 10, algorithm_version: ALGORITHM_VERSION, score, features: {} }
}

function levelAt(input: FusionInput): number {
  return RISK_LEVELS.indexOf(fuse(input).risk_level)
}

describe('risk', () => {
  test('is none for a typical check-in and high for one that is bad in everything', () => {
    expect(fuse(wholeCheckIn(0, { moodScore: 6 })).risk_level).toBe('none')
    expect(fuse(wholeCheckIn(-2.5, { moodScore: 1 })).risk_level).toBe('high')
  })

  test('is at least moderate when the student reports the lowest mood', () => {
    expect(fuse(wholeCheckIn(1, { moodScore: 1 })).risk_level).toBe('moderate')
  })

  test.each([
    [8, 2],
    [2, 8],
  ])(
    'and the summary follow the lower of an entered mood of %d and a spoken one of %d',
    (moodScore, stated_mood) => {
      const result = fuse(wholeCheckIn(0.5, { moodScore, textDetails: textDetails({ stated_mood }) }))
      expect(result.risk_level).toBe('moderate')
      expect(result.summary).toContain('very hard')
      const unscored = thrownBy(() => fuse(checkIn({ moodScore, textDetails: textDetails({ stated_mood }) })))
      expect(unscored).toMatchObject({ riskLevel: 'moderate' })
    },
  )

  test.each(['audio', 'text'] as const)('is not moderate by a worsening that only %s shows', (unproven) => {
    const proven = unproven === 'audio' ? 'text' : 'audio'
    const input = checkIn({
      [unproven]: { ...modalityAt(unproven, -1.5, 1), amount: 300 },
      [proven]: { ...modalityAt(proven, -0.4, 1), amount: 300 },
      baseline: usually(39),
    })
    const result = fuse(input)
    expect(result).toMatchObject({ direction_of_change: 'worse', significance: 'high', risk_level: 'mild' })
    expect(fuse({ ...input, [unproven]: null })).toMatchObject({ direction_of_change: 'same' })
  })

  test('is moderate by a worsening that is left without each of them', () => {
    const result = fuse(wholeCheckIn(-0.7, { baseline: usually(75) }))
    expect(result).toMatchObject({
      direction_of_change: 'worse',
      significance: 'high',
      risk_level: 'moderate',
    })
    expect(result.score - 10 * result.uncertainty).toBeLessThan(38)
  })

  test('never falls when the same evidence says something worse', () => {
    const falls: unknown[] = []
    for (const quality of [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1]) {
      for (const other of [-1, -1.5, -2, -2.5]) {
        for (const moodScore of [null, 1, 2, 3]) {
          let before = 0
          for (let z = 0; z >= -2.5; z -= 0.05) {
            const audio = modalityAt('audio', z, quality)
            const level = levelAt(checkIn({ audio, text: modalityAt('text', other, quality), moodScore }))
            if (level < before) falls.push({ quality, other, moodScore, z })
            before = level
          }
        }
        const byMood = [3, 2, 1].map((moodScore) =>
          levelAt(
            checkIn({
              audio: modalityAt('audio', -2, quality),
              text: modalityAt('text', other, quality),
              moodScore,
            }),
          ),
        )
        if (byMood.some((level, at) => level < (byMood[at - 1] ?? 0))) falls.push({ quality, other, byMood })
      }
    }
    expect(falls).toEqual([])
  })

  test('is not high by scores of poor evidence, however low', () => {
    const { risk_level } = fuse(checkIn({ text: modalityAt('text', -2.5, 0.3), moodScore: 1 }))
    expect(risk_level).toBe('moderate')
  })

  test('is never below one that was found otherwise, which is no crisis language', () => {
    const plain = fuse(wholeCheckIn(1))
    const known = fuse(wholeCheckIn(1, { knownRisk: 'moderate' }))
    expect(known.risk_level).toBe('moderate')
    expect(known.components).toEqual(plain.components)
    expect(known.score).toBe(plain.score)
    expect(known.summary).not.toContain('saying something so hard')
    const unscored = thrownBy(() => fuse(checkIn({ knownRisk: 'high' })))
    expect(unscored).toMatchObject({ riskLevel: 'high' })
  })

  test('rises with crisis language whatever the score', () => {
    const textDetailsWith = (level: 'mild' | 'moderate' | 'high') =>
      textDetails({ crisis: { level, rule: 'any' } })
    for (const level of ['mild', 'moderate', 'high'] as const) {
      const result = fuse(wholeCheckIn(1.5, { moodScore: 9, textDetails: textDetailsWith(level) }))
      expect(result.risk_level).toBe(level)
    }
  })

  test('meets serious crisis language with where to turn, never with good signs', () => {
    const details = textDetails({ crisis: { level: 'high', rule: 'any' } })
    const { summary } = fuse(wholeCheckIn(1.5, { moodScore: 9, textDetails: details }))
    expect(summary).toContain('reach out')
    expect(summary).not.toMatch(/good|bright|typical/)
  })
})

test('themes are passed on, six at most', () => {
  const themes = ['sleep', 'exams', 'friends', 'family', 'money', 'health', 'work']
  expect(fuse(wholeCheckIn(0, { textDetails: textDetails({ themes }) })).themes).toEqual(themes.slice(0, 6))
})
