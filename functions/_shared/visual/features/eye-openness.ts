import { type VisualExtractor, weightedMean } from './frames.ts'

/** Mean eye aspect ratio of both eyes (Soukupová and Čech 2016), about 0.33 for open eyes. */
export const eyeOpenness: VisualExtractor<'eye_openness'> = {
  name: 'eye_openness',
  unit: 'ratio',
  range: [0, 1],
  extract: ({ usable }) => weightedMean(usable, ({ expression }) => Math.min(1, expression.eye_openness)),
}
