import { describe, expect, test } from 'vitest'
import { replicatesFrom } from '../../../functions/_shared/replicates.ts'
import { updateBaseline } from '../../../functions/_shared/scoring/baseline.ts'
import { fuse } from '../../../functions/_shared/scoring/fuse.ts'
import { ALGORITHM_VERSION, FEATURE_NORMS } from '../../../functions/_shared/scoring/scheme.ts'
import type {
  Baseline,
  FusionResult,
  Modality,
  ModalityInput,
} from '../../../functions/_shared/scoring/types.ts'
import { noise } from '../audio/recordings.ts'
import { checkIn, MODALITIES, modalityAt, wholeCheckIn } from './check-in.ts'

const PARTS = 8

/** Evidence of eight parts, each of which scatters about the reference by `scatter` population SD. */
function scattered(modality: Modality, scatter: number, random: () => number): ModalityInput {
  const parts = Array.from({ length: PARTS }, () =>
    Object.fromEntries(
      // Up to the caps the score is a mean over parts, whose standard error is known.
      Object.entries(FEATURE_NORMS[modality]).map(([name, { mean, sd }]) => [
        name,
        mean + sd * scatter * (random() + random() + random()),
      ]),
    ),
  )
  const meanOf = (some: readonly Record<string, number>[]) =>
    Object.fromEntries(
      Object.keys(FEATURE_NORMS[modality]).map((name) => [
        name,
        some.reduce((sum, part) => sum + (part[name] ?? 0), 0) / some.length,
      ]),
    )
  return {
    features: meanOf(parts),
    replicates: replicatesFrom(parts.map((left) => meanOf(parts.filter((part) => part !== left)))),
    quality: { score: 1, reason: null },
    amount: 100,
  }
}

const componentOf = ({ components }: FusionResult, modality: Modality) => {
  const found = components.find((component) => component.modality === modality)
  if (found?.score == null || found.standard_error === null) throw new Error(`${modality} was not scored`)
  return { score: found.score, error: found.standard_error }
}

describe.each(MODALITIES)('the standard error of %s', (modality) => {
  const alone = (input: ModalityInput) => componentOf(fuse(checkIn({ [modality]: input })), modality)

  test('is larger where the parts of the evidence differ more', () => {
    const random = noise(3)
    expect(alone(scattered(modality, 0.6, random)).error).toBeGreaterThan(
      alone(scattered(modality, 0.05, random)).error,
    )
  })

  test('is about what scores of the same moment differ by', () => {
    const random = noise(11)
    const drawn = Array.from({ length: 150 }, () => alone(scattered(modality, 0.5, random)))
    const mean = drawn.reduce((sum, { score }) => sum + score, 0) / drawn.length
    const seen = Math.sqrt(drawn.reduce((sum, { score }) => sum + (score - mean) ** 2, 0) / drawn.length)
    const stated = Math.sqrt(drawn.reduce((sum, { error }) => sum + error ** 2, 0) / drawn.length)
    expect(seen / stated).toBeGreaterThan(0.5)
    expect(seen / stated).toBeLessThan(1.5)
  })

  test('falls with how much there was, where nothing could be left out', () => {
    const [little, much] = [10, 90].map((amount) => {
      const input = modalityAt(modality, 0)
      return alone(input && { ...input, amount }).error
    })
    expect(little).toBeGreaterThan(much ?? 0)
  })

  test('makes the interval of a score, symmetric about it and within 0 and 100', () => {
    const { score, score_interval, standard_error, calibrated } = fuse(
      checkIn({ [modality]: scattered(modality, 0.3, noise(5)) }),
    )
    const [low, high] = score_interval
    expect(calibrated).toBe(false)
    expect(high - score).toBeCloseTo(score - low, 1)
    expect(high - score).toBeCloseTo(1.645 * standard_error, 1)
    expect(
      fuse(checkIn({ [modality]: modalityAt(modality, -2.5, 0.25) })).score_interval[0],
    ).toBeGreaterThanOrEqual(0)
  })
})

test('a poor recording has a wider interval than a good one', () => {
  const width = (quality: number) => {
    const { score_interval } = fuse(checkIn({ audio: modalityAt('audio', 0, quality) }))
    return score_interval[1] - score_interval[0]
  }
  expect(width(0.3)).toBeGreaterThan(width(1))
})

describe('a baseline that another version of the scoring made', () => {
  const before: Baseline = {
    count: 12,
    version: 12,
    algorithm_version: 'wb-0.9.0',
    score: { mean: 80, spread: 4, count: 12 },
    features: { 'audio.f0_sd_semitones': { mean: 30, spread: 1, count: 12 } },
  }

  test('is not compared with, and the answer says why', () => {
    const { baseline, direction_of_change } = fuse(wholeCheckIn(0, { baseline: before }))
    expect(direction_of_change).toBe('same')
    expect(baseline).toEqual({
      score_mean: null,
      score_sd: null,
      check_ins: 0,
      compared: null,
      reason: 'other_version',
    })
  })

  test('does not move the score', () => {
    expect(fuse(wholeCheckIn(-1, { baseline: before })).score).toBe(fuse(wholeCheckIn(-1)).score)
  })

  test('begins anew, and is compared with from the fourth check-in on', () => {
    let baseline: Baseline | null = before
    for (let day = 0; day < 3; day++) {
      const result = fuse(wholeCheckIn(0, { baseline }))
      expect(result.baseline.reason).toBe('other_version')
      baseline = result.next_baseline
    }
    expect(baseline).toMatchObject({
      count: 15,
      version: 15,
      algorithm_version: ALGORITHM_VERSION,
      score: { count: 3 },
    })
    expect(fuse(wholeCheckIn(0, { baseline })).baseline).toMatchObject({ check_ins: 3, reason: null })
  })

  test('is another thing than too few check-ins', () => {
    const one = updateBaseline(null, { score: 50, features: {} })
    expect(fuse(wholeCheckIn(0, { baseline: one })).baseline.reason).toBe('too_few_check_ins')
    expect(fuse(wholeCheckIn(0)).baseline.reason).toBe('too_few_check_ins')
  })
})

describe('no single modality raises the risk above mild', () => {
  test.each(MODALITIES)('%s alone', (modality) => {
    expect(fuse(checkIn({ [modality]: modalityAt(modality, -2.5, 1) })).risk_level).toBe('mild')
  })

  test.each(MODALITIES)('%s among others that are ordinary', (modality) => {
    const input = wholeCheckIn(0.2, { [modality]: modalityAt(modality, -2.5, 1), moodScore: 6 })
    expect(['none', 'mild']).toContain(fuse(input).risk_level)
  })

  test('two that agree do', () => {
    const input = checkIn({ audio: modalityAt('audio', -2, 1), text: modalityAt('text', -2, 1) })
    expect(fuse(input).risk_level).not.toBe('none')
    expect(['moderate', 'high']).toContain(fuse(input).risk_level)
  })
})
