import { browLowering } from './brow-lowering.ts'
import { emotionMean } from './emotion-mean.ts'
import { emotionStability } from './emotion-stability.ts'
import { expressivity } from './expressivity.ts'
import { eyeClosureFraction } from './eye-closure-fraction.ts'
import { eyeOpenness } from './eye-openness.ts'
import type { Frames } from './frames.ts'
import { gazeDownFraction } from './gaze-down-fraction.ts'
import { gazeOnCameraFraction } from './gaze-on-camera-fraction.ts'
import { headPitchMean } from './head-pitch-mean.ts'
import { headYawSd } from './head-yaw-sd.ts'
import { mouthOpenness } from './mouth-openness.ts'
import { smileIntensity } from './smile-intensity.ts'

/** The 18 features of a check-in's images, in the order of the columns that store them. */
export const VISUAL_FEATURES = [
  emotionMean('emotion_happy', 'happy'),
  emotionMean('emotion_sad', 'sad'),
  emotionMean('emotion_angry', 'angry'),
  emotionMean('emotion_fear', 'fear'),
  emotionMean('emotion_surprise', 'surprise'),
  emotionMean('emotion_disgust', 'disgust'),
  emotionMean('emotion_neutral', 'neutral'),
  emotionStability,
  smileIntensity,
  mouthOpenness,
  eyeOpenness,
  eyeClosureFraction,
  browLowering,
  expressivity,
  gazeOnCameraFraction,
  gazeDownFraction,
  headPitchMean,
  headYawSd,
] as const

export type VisualFeatureName = (typeof VISUAL_FEATURES)[number]['name']

export type VisualFeatures = Record<VisualFeatureName, number | null>

/** Every feature of the same frames. */
export function extractFeatures(frames: Frames): VisualFeatures {
  return Object.fromEntries(
    VISUAL_FEATURES.map(({ name, extract }) => [name, extract(frames)]),
  ) as VisualFeatures
}
