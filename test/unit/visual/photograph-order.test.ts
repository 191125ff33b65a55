import { beforeAll, describe, expect, test } from 'vitest'
import type { VisualFeatures } from '../../../functions/_shared/visual/features/registry.ts'
import { mergeImages } from '../../../functions/_shared/visual/merge-images.ts'
import type { FaceMeasures, ImageOutcome } from '../../../functions/_shared/visual/outcome.ts'
import { analyze } from './codecs.ts'
import { type FACES, outcomesOf } from './face-grid.ts'
import { type Person, portrait } from './photographs.ts'

const featuresOf = (outcomes: ImageOutcome[]) => mergeImages(outcomes, outcomes.length).features

async function portraitsOf(...people: Person[]): Promise<ImageOutcome[]> {
  const outcomes: ImageOutcome[] = []
  for (const person of people) outcomes.push(await analyze(await portrait(person)))
  return outcomes
}

/** How often, 0 to 1, a face of the first kind measures above one of the second. */
function separation(
  above: ImageOutcome[],
  below: ImageOutcome[],
  measure: (face: FaceMeasures) => number,
): number {
  const values = (outcomes: ImageOutcome[]) =>
    outcomes.flatMap(({ face }) => (face === null ? [] : [measure(face)]))
  const pairs = values(above).flatMap((high) => values(below).map((low) => (high > low ? 1 : 0)))
  return pairs.reduce((sum: number, won) => sum + won, 0) / pairs.length
}

describe('photographs of many people are ordered rightly', () => {
  const faces: Partial<Record<keyof typeof FACES, ImageOutcome[]>> = {}
  const of = (label: keyof typeof FACES) => faces[label] ?? []
  beforeAll(async () => {
    for (const label of [
      'smiling',
      'neutral',
      'eyes shut',
      'eyes open',
      'looking aside',
      'looking at the camera',
    ] as const) {
      faces[label] = await outcomesOf(label)
    }
  })

  test('every smile measures above every neutral face', () => {
    expect(separation(of('smiling'), of('neutral'), ({ expression }) => expression.smile)).toBe(1)
    expect(separation(of('smiling'), of('neutral'), ({ emotions }) => emotions.happy)).toBeGreaterThan(0.97)
  })

  test('people who smile have the features of it', () => {
    const [smiling, neutral] = [featuresOf(of('smiling')), featuresOf(of('neutral'))]
    expectAbove(smiling, neutral, { smile_intensity: 0.4, emotion_happy: 0.6, mouth_openness: 0.05 })
    expectAbove(neutral, smiling, { emotion_neutral: 0.5 })
  })

  test('neutral faces are called neutral, hardly ever angry or sad', () => {
    const tops = of('neutral').map(({ face }) => {
      const emotions = Object.entries(face?.emotions ?? {})
      return emotions.sort(([, first], [, second]) => second - first)[0]?.[0]
    })
    expect(tops.filter((top) => top === 'neutral').length).toBeGreaterThanOrEqual(9)
  })

  test('shut eyes measure below open ones', () => {
    const [open, shut] = [of('eyes open'), of('eyes shut')]
    expect(separation(open, shut, ({ expression }) => expression.eye_openness)).toBe(1)
    expectAbove(featuresOf(open), featuresOf(shut), { eye_openness: 0.15 })
    expect(featuresOf(shut).eye_closure_fraction).toBe(1)
    expect(featuresOf(open).eye_closure_fraction).toBe(0)
  })

  test('a gaze beside the camera is told from one into it', () => {
    expect(featuresOf(of('looking at the camera'))).toMatchObject({
      gaze_on_camera_fraction: 1,
      gaze_down_fraction: 0,
      eye_closure_fraction: 0,
    })
    expect(featuresOf(of('looking aside'))).toMatchObject({
      gaze_on_camera_fraction: 0,
      gaze_down_fraction: 0,
    })
  })

  test('heads that turn from side to side have the greater spread of yaw', () => {
    const [turning, facing] = [featuresOf(of('looking aside')), featuresOf(of('looking at the camera'))]
    expectAbove(turning, facing, { head_yaw_sd_deg: 10 })
  })

  test('a lively row of faces is more expressive and less stable than one that only smiles', () => {
    const mixed = featuresOf([...of('smiling'), ...of('neutral')])
    const smiling = featuresOf(of('smiling'))
    expectAbove(mixed, smiling, { expressivity: 0.1 })
    expectAbove(smiling, mixed, { emotion_stability: 0.2 })
  })
})

describe('portraits', () => {
  test('with lowered heads have a lower pitch and gaze than upright ones', async () => {
    const lowered = featuresOf(await portraitsOf('eyes shut, looking down', 'looking down'))
    const upright = featuresOf(await portraitsOf('serious', 'calm', 'laughing', 'smiling'))
    expectAbove(upright, lowered, { head_pitch_mean_deg: 10 })
    expect(lowered).toMatchObject({ gaze_down_fraction: 1, gaze_on_camera_fraction: 0 })
    expect(upright).toMatchObject({ gaze_down_fraction: 0, gaze_on_camera_fraction: 1 })
  })

  test('with the head tilted to the shoulder still look at the camera with open eyes and smile', async () => {
    const [tilted] = await portraitsOf('laughing')
    expect(tilted?.face?.pose.roll_deg).toBeGreaterThan(35)
    expect(tilted?.quality).toBeGreaterThan(0.9)
    const features = featuresOf(tilted ? [tilted] : [])
    expect(features).toMatchObject({ gaze_on_camera_fraction: 1, eye_closure_fraction: 0 })
    expect(features.smile_intensity).toBeGreaterThan(0.7)
    expect(Math.abs(tilted?.face?.pose.yaw_deg ?? 90)).toBeLessThan(15)
  })
})

/** Expects the first to exceed the second by at least so much, feature by feature. */
function expectAbove(
  above: VisualFeatures,
  below: VisualFeatures,
  gaps: Partial<Record<keyof VisualFeatures, number>>,
): void {
  for (const [name, gap] of Object.entries(gaps) as [keyof VisualFeatures, number][]) {
    expect((above[name] ?? Number.NaN) - (below[name] ?? Number.NaN), name).toBeGreaterThan(gap)
  }
}
