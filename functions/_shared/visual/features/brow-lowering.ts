import { type VisualExtractor, weightedMean } from './frames.ts'

/** Mean lowering of the inner brows, 0 raised to 1 lowered, about 0.3 at rest (action unit 4). */
export const browLowering: VisualExtractor<'brow_lowering'> = {
  name: 'brow_lowering',
  unit: 'ratio',
  range: [0, 1],
  extract: ({ usable }) => weightedMean(usable, ({ expression }) => expression.brow_lowering),
}
