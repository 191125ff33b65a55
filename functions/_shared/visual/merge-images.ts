import { type Replicates, replicatesFrom } from '../replicates.ts'
import { framesOf, inOrder } from './features/frames.ts'
import { extractFeatures, type VisualFeatures } from './features/registry.ts'
import { MIN_IMAGES } from './groups.ts'
import { IMAGE_ERROR_CODES, type ImageOutcome, type ImageReason } from './outcome.ts'
import { isSamePicture } from './thumbnail.ts'

/** Why images were lost: as for one image, it was expected and is not there, or too many were the same picture. */
type VisualReason = ImageReason | 'missing' | 'too_few_distinct_images'

/** The analysis of all images of a check-in: plain JSON, every number finite. */
export interface VisualAnalysis {
  /** `null` where the usable images do not say. */
  features: VisualFeatures
  /** Features without one usable image each. */
  replicates: Replicates
  quality: {
    /** Mean quality over all images that were expected, 0 to 1; unusable ones count 0, and so do pictures that are missing to a check-in's. */
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
  'too_few_distinct_images',
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
  const ordered = distinct(inOrder(outcomes))
  const frames = framesOf(ordered)
  const total = Math.max(expectedCount, outcomes.length)
  const needed = Math.min(total, MIN_IMAGES)
  const pictures = total - (outcomes.length - ordered.length)
  const counted = Math.max(pictures, needed)
  const quality = frames.usable.reduce((sum, face) => sum + face.quality, 0)
  return {
    features: extractFeatures(frames.usable.length > 0 ? frames : { usable: [], posed: [] }),
    replicates: withoutImages(ordered),
    quality: {
      score: counted > 0 ? quality / counted : 0,
      usable_images: frames.usable.length,
      total_images: total,
      reason: mainReason(ordered, {
        missing: total - outcomes.length,
        too_few_distinct_images: counted - pictures,
      }),
    },
  }
}

/** The best of the images that are the same picture, however it was saved: sent eight times, it is still one moment. The order stays. */
function distinct(outcomes: ImageOutcome[]): ImageOutcome[] {
  const kept = new Map<number, ImageOutcome>()
  const bestFirst = [...outcomes.entries()].sort(([, first], [, second]) => second.quality - first.quality)
  for (const [at, outcome] of bestFirst) {
    const { thumbnail } = outcome
    const isKnown = [...kept.values()].some(
      (other) => thumbnail && other.thumbnail && isSamePicture(thumbnail, other.thumbnail),
    )
    if (!isKnown) kept.set(at, outcome)
  }
  return outcomes.filter((_, at) => kept.has(at))
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

function mainReason(
  outcomes: ImageOutcome[],
  absent: Readonly<Record<'missing' | 'too_few_distinct_images', number>>,
): VisualReason | null {
  const counts = REASONS.map((reason) => ({
    reason,
    count:
      reason === 'missing' || reason === 'too_few_distinct_images'
        ? absent[reason]
        : outcomes.filter((outcome) => outcome.reason === reason).length,
  }))
  const most = counts.reduce((best, candidate) => (candidate.count > best.count ? candidate : best))
  return most.count > 0 ? most.reason : null
}
