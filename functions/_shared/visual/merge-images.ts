import { type Replicates, replicatesFrom } from '../replicates.ts'
import { framesOf, inOrder } from './features/frames.ts'
import { extractFeatures, type VisualFeatures } from './features/registry.ts'
import { IMAGE_ERROR_CODES, type ImageOutcome, type ImageReason } from './outcome.ts'

/** Why images were lost: as for one image, or it was expected and is not there. */
type VisualReason = ImageReason | 'missing'

/** The analysis of all images of a check-in: plain JSON, every number finite. */
export interface VisualAnalysis {
  /** `null` where the usable images do not say. */
  features: VisualFeatures
  /** Features without one usable image each. */
  replicates: Replicates
  quality: {
    /** Mean quality over all images that were expected, 0 to 1; unusable ones count 0. */
    score: number
    usable_images: number
    total_images: number
    /** Why images were not usable, the most frequent reason; `null` when all are. */
    reason: VisualReason | null
  }
}

/** Reasons in the order in which they are named when they are equally frequent. */
const REASONS: VisualReason[] = [
  'missing',
  ...IMAGE_ERROR_CODES,
  'no_face',
  'multiple_faces',
  'too_dark',
  'face_too_small',
  'blurred',
  'turned_away',
]

/**
 * Brings the images of a check-in together, in whatever order they come. Without a usable image every feature is
 * `null`.
 *
 * @param expectedCount images that the check-in should have; those that have no outcome lower the quality
 */
export function mergeImages(outcomes: ImageOutcome[], expectedCount: number): VisualAnalysis {
  const ordered = inOrder(outcomes)
  const frames = framesOf(ordered)
  const total = Math.max(expectedCount, outcomes.length)
  const quality = frames.usable.reduce((sum, face) => sum + face.quality, 0)
  return {
    features: extractFeatures(frames.usable.length > 0 ? frames : { usable: [], posed: [] }),
    replicates: withoutImages(ordered),
    quality: {
      score: total > 0 ? quality / total : 0,
      usable_images: frames.usable.length,
      total_images: total,
      reason: mainReason(outcomes, total - outcomes.length),
    },
  }
}

/** The features without each usable image in turn. */
function withoutImages(outcomes: ImageOutcome[]): Replicates {
  const usable = outcomes.flatMap(({ face, quality, reason }, index) =>
    face && reason === null && quality > 0 ? [index] : [],
  )
  return replicatesFrom(
    usable.map((left) => extractFeatures(framesOf(outcomes.filter((_, index) => index !== left)))),
  )
}

function mainReason(outcomes: ImageOutcome[], missing: number): VisualReason | null {
  const counts = REASONS.map((reason) => ({
    reason,
    count: reason === 'missing' ? missing : outcomes.filter((outcome) => outcome.reason === reason).length,
  }))
  const most = counts.reduce((best, candidate) => (candidate.count > best.count ? candidate : best))
  return most.count > 0 ? most.reason : null
}
