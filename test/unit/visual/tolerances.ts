import { expect } from 'vitest'
import type { VisualFeatureName } from '../../../functions/_shared/features/visual.ts'
import type { VisualFeatures } from '../../../functions/_shared/visual/features/registry.ts'

/**
 * How far each feature of ten images may move, in its own unit, when the pictures are mirrored, resized, turned by 15°,
 * darkened or brightened.
 */
export const TOLERANCES: Record<VisualFeatureName, { by: number; reason: string }> = {
  emotion_happy: { by: 0.06, reason: 'one doubtful image in ten may change sides in part' },
  emotion_sad: { by: 0.08, reason: 'sad, angry and neutral are what the classifier confuses most' },
  emotion_angry: { by: 0.08, reason: 'sad, angry and neutral are what the classifier confuses most' },
  emotion_fear: { by: 0.05, reason: 'half of one image in ten' },
  emotion_surprise: { by: 0.02, reason: 'hardly shown by anybody here' },
  emotion_disgust: { by: 0.02, reason: 'hardly shown by anybody here' },
  emotion_neutral: { by: 0.08, reason: 'sad, angry and neutral are what the classifier confuses most' },
  emotion_stability: { by: 0.06, reason: 'follows the classes' },
  smile_intensity: { by: 0.05, reason: 'lip corners are found to a pixel or two' },
  mouth_openness: { by: 0.03, reason: 'the gap between closed lips is about a pixel' },
  eye_openness: { by: 0.01, reason: 'lids are found to a tenth of the eye’s opening, and errors even out' },
  eye_closure_fraction: { by: 0, reason: 'shut and open eyes lie far from the threshold' },
  brow_lowering: { by: 0.04, reason: 'brows are found to a pixel or two' },
  expressivity: { by: 0.03, reason: 'follows smile, mouth and brows' },
  gaze_on_camera_fraction: { by: 0, reason: 'no gaze here lies near the threshold' },
  gaze_down_fraction: { by: 0, reason: 'no gaze here lies near the threshold' },
  head_pitch_mean_deg: { by: 1, reason: 'single heads move by up to 3°, which evens out' },
  head_yaw_sd_deg: { by: 1, reason: 'single heads move by up to 3°, which evens out' },
}

/** Expects every feature to be measured and to lie within its tolerance of the reference. */
export function expectAgreement(features: VisualFeatures, reference: VisualFeatures): void {
  for (const [name, { by, reason }] of Object.entries(TOLERANCES) as [
    VisualFeatureName,
    (typeof TOLERANCES)[VisualFeatureName],
  ][]) {
    const [value, expected] = [features[name] ?? Number.NaN, reference[name] ?? Number.NaN]
    expect(Math.abs(value - expected), `${name} may move (${reason})`).toBeLessThanOrEqual(by + 1e-9)
  }
}
