import { type VisualExtractor, weightedMean } from './frames.ts'

/** Mean strength of the smile, 0 none to 1 broad, from the mouth's width and corners (action unit 12). */
export const smileIntensity: VisualExtractor<'smile_intensity'> = {
  name: 'smile_intensity',
  unit: 'ratio',
  range: [0, 1],
  extract: ({ usable }) => weightedMean(usable, ({ expression }) => expression.smile),
}
