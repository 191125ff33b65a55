import { type UsableFace, type VisualExtractor, weightedSpread } from './frames.ts'

const MOVEMENTS: ((face: UsableFace) => number)[] = [
  ({ expression }) => expression.smile,
  ({ expression }) => expression.brow_lowering,
  ({ expression }) => Math.min(1, expression.mouth_openness),
]

/**
 * How much the face changes between images: root mean square of the standard deviations of smile, brows and mouth,
 * doubled so that it reaches 1 when each swings from end to end. Independent of the expression classes. Needs two
 * images.
 */
export const expressivity: VisualExtractor<'expressivity'> = {
  name: 'expressivity',
  unit: 'ratio',
  range: [0, 1],
  extract: ({ usable }) => {
    if (usable.length < 2) return null
    const squares = MOVEMENTS.map((movement) => (weightedSpread(usable, movement) ?? 0) ** 2)
    return 2 * Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / MOVEMENTS.length)
  },
}
