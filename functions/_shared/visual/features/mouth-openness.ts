import { type VisualExtractor, weightedMean } from './frames.ts'

/** Mean gap between the lips over the inner width of the mouth, 0 when shut (action units 25 to 27). */
export const mouthOpenness: VisualExtractor<'mouth_openness'> = {
  name: 'mouth_openness',
  unit: 'ratio',
  range: [0, 2],
  extract: ({ usable }) => weightedMean(usable, ({ expression }) => Math.min(2, expression.mouth_openness)),
}
