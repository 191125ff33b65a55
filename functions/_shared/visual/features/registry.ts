import {
  browLowering,
  emotionMean,
  emotionStability,
  expressivity,
  eyeClosureFraction,
  eyeOpenness,
  mouthOpenness,
  smileIntensity,
} from './expression.ts'
import type { Frames } from './frames.ts'
import { gazeDownFraction, gazeOnCameraFraction, headPitchMean, headYawSd } from './gaze-and-pose.ts'

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
