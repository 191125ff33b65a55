import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { namesOf } from '../../../functions/_shared/features/definition.ts'
import { VISUAL_DEFINITIONS } from '../../../functions/_shared/features/visual.ts'
import { MAX_GROUP_SIZE, planGroups } from '../../../functions/_shared/visual/groups.ts'
import { mergeImages } from '../../../functions/_shared/visual/merge-images.ts'
import {
  EMOTIONS,
  type FaceMeasures,
  type ImageOutcome,
  rejectedImage,
} from '../../../functions/_shared/visual/outcome.ts'

type Change = {
  emotions?: Partial<FaceMeasures['emotions']>
  expression?: Partial<FaceMeasures['expression']>
  gaze?: Partial<FaceMeasures['gaze']>
  pose?: Partial<FaceMeasures['pose']>
}

/** A calm face that looks at the camera, but for what is said otherwise. */
function usable(change: Change = {}, quality = 1): ImageOutcome {
  const none = { happy: 0, sad: 0, angry: 0, fear: 0, surprise: 0, disgust: 0, neutral: 0 }
  const face: FaceMeasures = {
    width_px: 240,
    box_share: 0.3,
    brightness: 0.5,
    sharpness: 0.2,
    pose: { pitch_deg: 0, yaw_deg: 0, roll_deg: 0, ...change.pose },
    gaze: { right_deg: 0, up_deg: 0, ...change.gaze },
    emotions: { ...none, ...(change.emotions ?? { neutral: 1 }) },
    expression: {
      eye_openness: 0.33,
      mouth_openness: 0.05,
      smile: 0.1,
      brow_lowering: 0.3,
      ...change.expression,
    },
  }
  return { faces: 1, face, quality, reason: null }
}

const faceless: ImageOutcome = { faces: 0, face: null, quality: 0, reason: 'no_face' }
const turnedAway = (yaw: number): ImageOutcome => ({
  ...usable({ pose: { yaw_deg: yaw }, gaze: { right_deg: yaw } }, 0.2),
  reason: 'turned_away',
})

const featuresOf = (outcomes: ImageOutcome[]) => mergeImages(outcomes, outcomes.length).features

describe('the features of a check-in', () => {
  test('average the emotions, weighted by quality', () => {
    const features = featuresOf([
      usable({ emotions: { happy: 1 } }, 0.6),
      usable({ emotions: { sad: 1 } }, 0.9),
    ])
    expect(features.emotion_happy).toBeCloseTo(0.4)
    expect(features.emotion_sad).toBeCloseTo(0.6)
    expect(features.emotion_neutral).toBe(0)
  })

  test('call emotions stable when every image shows the same', () => {
    expect(featuresOf([usable(), usable(), usable()]).emotion_stability).toBeCloseTo(1)
    expect(
      featuresOf([usable({ emotions: { happy: 1 } }), usable({ emotions: { sad: 1 } })]).emotion_stability,
    ).toBeCloseTo(0.5)
  })

  test('count the images with shut eyes', () => {
    const shut = usable({ expression: { eye_openness: 0.1 } })
    expect(featuresOf([shut, usable(), usable(), usable()]).eye_closure_fraction).toBe(0.25)
  })

  test('find a face that changes more expressive than one that stays', () => {
    const still = featuresOf([usable(), usable(), usable()]).expressivity
    const lively = featuresOf([
      usable({ expression: { smile: 0 } }),
      usable({ expression: { smile: 1 } }),
    ]).expressivity
    expect(still).toBeCloseTo(0)
    expect(lively).toBeCloseTo(1 / Math.sqrt(3))
  })

  test('tell a gaze at the camera from one beside it, below it and shut eyes', () => {
    const outcomes = [
      usable(),
      usable({ gaze: { right_deg: 30 } }),
      usable({ gaze: { up_deg: -30 } }),
      usable({ expression: { eye_openness: 0.08 } }),
    ]
    expect(featuresOf(outcomes)).toMatchObject({ gaze_on_camera_fraction: 0.25, gaze_down_fraction: 0.25 })
  })

  test('count heads that are turned away as not looking, without judging their expression', () => {
    const features = featuresOf([usable(), turnedAway(45)])
    expect(features).toMatchObject({
      gaze_on_camera_fraction: 0.5,
      emotion_neutral: 1,
      head_yaw_sd_deg: 22.5,
    })
  })

  test('measure mean pitch and spread of yaw', () => {
    const features = featuresOf([
      usable({ pose: { pitch_deg: -10, yaw_deg: 6 } }),
      usable({ pose: { pitch_deg: 4, yaw_deg: -6 } }),
    ])
    expect(features).toMatchObject({ head_pitch_mean_deg: -3, head_yaw_sd_deg: 6 })
  })

  test('leave out what one image cannot say', () => {
    expect(featuresOf([usable()])).toMatchObject({
      emotion_stability: null,
      expressivity: null,
      head_yaw_sd_deg: null,
    })
  })
})

describe('the quality of a check-in', () => {
  test('is that of its images when all are usable', () => {
    expect(mergeImages([usable({}, 0.8), usable({}, 0.6)], 2).quality).toEqual({
      score: 0.7,
      usable_images: 2,
      total_images: 2,
      reason: null,
    })
  })

  test('falls with images that are not usable, missing or rejected', () => {
    expect(mergeImages([usable(), faceless], 2).quality).toMatchObject({ score: 0.5, reason: 'no_face' })
    expect(mergeImages([usable()], 4).quality).toMatchObject({
      score: 0.25,
      total_images: 4,
      reason: 'missing',
    })
    expect(mergeImages([usable(), rejectedImage('image_truncated')], 2).quality.reason).toBe(
      'image_truncated',
    )
  })

  test('names the most frequent reason', () => {
    expect(mergeImages([turnedAway(50), faceless, faceless, usable()], 4).quality.reason).toBe('no_face')
  })

  test.each([
    ['no image at all', [], 0],
    ['only missing images', [], 8],
    ['only images without a face', [faceless, faceless], 2],
    ['only rejected images', [rejectedImage('image_empty')], 1],
    ['only heads turned away', [turnedAway(60)], 1],
  ])('is nothing with %s, and so is every feature', (_, outcomes: ImageOutcome[], expected) => {
    const { features, quality } = mergeImages(outcomes, expected)
    expect(Object.values(features)).toEqual(namesOf(VISUAL_DEFINITIONS).map(() => null))
    expect(quality).toMatchObject({ score: 0, usable_images: 0 })
  })
})

describe('whatever the images', () => {
  const unit = fc.double({ min: 0, max: 1, noNaN: true })
  const angle = fc.double({ min: -90, max: 90, noNaN: true })
  const face = fc.record({
    quality: unit,
    emotions: fc.tuple(...EMOTIONS.map(() => fc.double({ min: 0.01, max: 1, noNaN: true }))),
    expression: fc.record({ eye_openness: unit, mouth_openness: unit, smile: unit, brow_lowering: unit }),
    gaze: fc.record({ right_deg: angle, up_deg: angle }),
    pose: fc.record({ pitch_deg: angle, yaw_deg: angle, roll_deg: angle }),
    reason: fc.constantFrom(null, 'turned_away' as const, 'blurred' as const),
  })
  const outcome = face.map(({ quality, emotions, reason, ...change }): ImageOutcome => {
    const total = emotions.reduce((sum, value) => sum + value, 0)
    const shares = Object.fromEntries(EMOTIONS.map((name, index) => [name, (emotions[index] ?? 0) / total]))
    return { ...usable({ ...change, emotions: shares }, quality), reason }
  })
  const outcomes = fc.array(fc.oneof(outcome, fc.constant(faceless)), { maxLength: 12 })

  test('their order changes nothing', () => {
    fc.assert(
      fc.property(
        outcomes.chain((images) =>
          fc.tuple(fc.constant(images), fc.shuffledSubarray(images, { minLength: images.length })),
        ),
        ([images, shuffled]) => {
          expect(mergeImages(shuffled, 12)).toEqual(mergeImages(images, 12))
        },
      ),
    )
  })

  test('features stay in their ranges and are never NaN', () => {
    fc.assert(
      fc.property(outcomes, (images) => {
        const { features, quality } = mergeImages(images, images.length)
        for (const name of namesOf(VISUAL_DEFINITIONS)) {
          const value = features[name]
          if (value === null) continue
          expect(value).toBeGreaterThanOrEqual(VISUAL_DEFINITIONS[name].least - 1e-9)
          expect(value).toBeLessThanOrEqual(VISUAL_DEFINITIONS[name].greatest + 1e-9)
        }
        expect(quality.score).toBeGreaterThanOrEqual(0)
        expect(quality.score).toBeLessThanOrEqual(1)
      }),
    )
  })
})

describe('images are shared out to requests', () => {
  test('of at most four, of about equal size', () => {
    expect(planGroups(8)).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
    ])
    expect(planGroups(9).map((group) => group.length)).toEqual([3, 3, 3])
    expect(planGroups(5).map((group) => group.length)).toEqual([2, 3])
  })

  test('of at most three where one is as large as a camera takes it', () => {
    expect(planGroups(12, 4032 * 3024).map((group) => group.length)).toEqual([3, 3, 3, 3])
    expect(planGroups(12, 1920 * 1080).map((group) => group.length)).toEqual([4, 4, 4])
  })

  test('none for none', () => expect(planGroups(0)).toEqual([]))

  test.each([1, 3, 4, 7, 10, 11, 12, 13])('each of %i exactly once', (count) => {
    const groups = planGroups(count)
    expect(groups.flat()).toEqual(Array.from({ length: count }, (_, index) => index))
    expect(groups).toHaveLength(Math.ceil(count / MAX_GROUP_SIZE))
  })
})
