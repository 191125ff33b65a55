import { EMOTIONS } from '../emotion-names.ts'
import { type VisualExtractor, weightedMean } from './frames.ts'

/**
 * How alike the expressions of the images are: 1 minus the mean total variation distance (half the sum of absolute
 * differences) between each image's class probabilities and their mean. 1 when all agree; needs two images.
 */
export const emotionStability: VisualExtractor<'emotion_stability'> = {
  name: 'emotion_stability',
  unit: 'ratio',
  range: [0, 1],
  extract: ({ usable }) => {
    if (usable.length < 2) return null
    const means = EMOTIONS.map((emotion) => weightedMean(usable, ({ emotions }) => emotions[emotion]) ?? 0)
    const distance = weightedMean(usable, ({ emotions }) =>
      EMOTIONS.reduce(
        (sum, emotion, index) => sum + Math.abs(emotions[emotion] - (means[index] ?? 0)) / 2,
        0,
      ),
    )
    return distance === null ? null : 1 - distance
  },
}
