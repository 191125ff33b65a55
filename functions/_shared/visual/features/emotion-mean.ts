import type { Emotion } from '../emotion-names.ts'
import { type VisualExtractor, weightedMean } from './frames.ts'

/**
 * Mean probability of one expression class, by the network of Arriaga et al. 2017 (see emotions.ts), over the usable
 * images, weighted by their quality. The seven means add up to 1.
 */
export function emotionMean<Name extends string>(name: Name, emotion: Emotion): VisualExtractor<Name> {
  return {
    name,
    unit: 'probability',
    range: [0, 1],
    extract: ({ usable }) => weightedMean(usable, ({ emotions }) => emotions[emotion]),
  }
}
