import type * as z from 'zod'
import { MAX_IMAGE_BYTES } from '../checkins/media.ts'
import { ServiceError } from '../errors.ts'
import { ramp, round } from '../numbers.ts'
import { analyzeImage } from '../visual/analyze-image.ts'
import type { FaceModels } from '../visual/face-models.ts'
import { inspectImage } from '../visual/inspect-image.ts'
import { mergeImages } from '../visual/merge-images.ts'
import {
  EMOTIONS,
  type Emotion,
  type FaceMeasures,
  ImageError,
  type ImageOutcome,
} from '../visual/outcome.ts'
import type { visualAnalysis } from './analyses.ts'
import type { VisualSummary } from './app-summaries.ts'
import type { StoredAnalysis } from './stored-analysis.ts'

/** Name of the image in an error. */
const FIELD = 'imageData'

const ENGAGEMENT = { high: 1, moderate: 0.6, low: 0.2 } as const

type VisualAnalysis = z.infer<typeof visualAnalysis>

/**
 * Analyses an image as the check-ins do. Throws the code of what is wrong with the file; an image without a usable face
 * is an outcome, not an error.
 */
export async function analyzeSessionImage(
  bytes: Uint8Array,
  loadModels: () => Promise<FaceModels>,
): Promise<ImageOutcome> {
  if (bytes.length > MAX_IMAGE_BYTES) {
    throw new ServiceError('image_too_large', 'The image is over 10 MB. Send a smaller one.', {
      file: FIELD,
      max_bytes: MAX_IMAGE_BYTES,
    })
  }
  try {
    // Before the face model is loaded, so that a file that is no image costs nothing.
    inspectImage(bytes, bytes.length)
    return await analyzeImage(bytes, await loadModels())
  } catch (error) {
    if (error instanceof ImageError) {
      throw new ServiceError(error.code, error.message, { ...error.details, file: FIELD })
    }
    throw error
  }
}

/**
 * What one analysed image and the app's summary of all its samples say together: docs/scoring.md, "Assessment
 * sessions". An image without a usable face gives quality 0, no emotions and `unknown`.
 */
export function analyzeVisualSummary(
  outcome: ImageOutcome,
  summary: VisualSummary,
): StoredAnalysis<'visual', VisualAnalysis> {
  const face = outcome.reason === null ? outcome.face : null
  const emotions = face ? emotionsOf(face) : []
  const quality = outcome.reason === null ? overallQuality(outcome.quality, summary) : 0
  const { features } = mergeImages([outcome], 1)
  return {
    modality: 'visual',
    analysis: {
      image_analysis_results: {
        emotions: emotions.map(({ emotion, probability }) => ({
          emotion,
          confidence: round(100 * probability, 2),
        })),
        face_details: detailsOf(outcome.face),
        quality_assessment: {
          overall_quality: round(quality),
          lighting_quality: round(lightingOf(outcome, summary)),
          face_visibility: round(visibilityOf(outcome, summary)),
        },
      },
      analysis_summary: {
        primary_emotion: emotions[0]?.emotion ?? 'unknown',
        emotional_stability: round(clearness(emotions) * summary.face_detection_rate),
        engagement_score: round(engagementOf(features.gaze_on_camera_fraction, summary)),
      },
    },
    measures: { features },
    quality,
    quality_reason: outcome.reason ?? (quality < 0.5 ? 'summary_low_quality' : null),
    risk_level: 'none',
  }
}

type Likelihood = { emotion: Emotion; probability: number }

function emotionsOf({ emotions }: FaceMeasures): Likelihood[] {
  return EMOTIONS.map((emotion) => ({ emotion, probability: emotions[emotion] })).sort(
    (first, second) => second.probability - first.probability,
  )
}

/** Geometric mean of the image's quality and of the app's quality of all its samples. */
function overallQuality(image: number, { quality_score, face_detection_rate }: VisualSummary): number {
  return Math.sqrt((image * (quality_score + face_detection_rate)) / 2)
}

function detailsOf(face: FaceMeasures | null): VisualAnalysis['image_analysis_results']['face_details'] {
  if (face === null) {
    return { quality: { brightness: null, sharpness: null }, pose: { roll: null, yaw: null, pitch: null } }
  }
  return {
    quality: {
      brightness: round(100 * Math.min(1, Math.max(0, face.brightness)), 1),
      sharpness: round(100 * ramp(face.sharpness, 0.03, 0.15), 1),
    },
    pose: {
      roll: round(face.pose.roll_deg, 1),
      yaw: round(face.pose.yaw_deg, 1),
      pitch: round(face.pose.pitch_deg, 1),
    },
  }
}

/** Mean of the light on the face and of the app's brightness: neither dark nor washed out. */
function lightingOf({ face, reason }: ImageOutcome, { avg_brightness }: VisualSummary): number {
  const light = (brightness: number) => ramp(brightness, 0.04, 0.2) * (1 - ramp(brightness, 0.9, 1))
  if (face) return (light(face.brightness) + light(avg_brightness)) / 2
  return reason === 'too_dark' ? light(avg_brightness) / 2 : light(avg_brightness)
}

/** Mean of how well the image shows a face (1, or 0.5 when it is small or turned away) and of the app's rate of faces. */
function visibilityOf({ face, reason }: ImageOutcome, { face_detection_rate }: VisualSummary): number {
  const poorly = reason === 'turned_away' || reason === 'face_too_small'
  return ((face === null ? 0 : poorly ? 0.5 : 1) + face_detection_rate) / 2
}

/** How far one expression stands out: 1 minus the normalised entropy of the classes; 0 without any. */
function clearness(emotions: readonly Likelihood[]): number {
  if (emotions.length === 0) return 0
  const entropy = emotions.reduce((sum, { probability: p }) => (p > 0 ? sum - p * Math.log(p) : sum), 0)
  return Math.max(0, 1 - entropy / Math.log(emotions.length))
}

/** Half the app's level, a quarter each the rate of faces and, where the image shows it, gaze on the camera. */
function engagementOf(
  gazeOnCamera: number | null,
  { engagement_level, face_detection_rate }: VisualSummary,
): number {
  const fromSummary = 0.5 * ENGAGEMENT[engagement_level] + 0.25 * face_detection_rate
  return gazeOnCamera === null ? fromSummary / 0.75 : fromSummary + 0.25 * gazeOnCamera
}
