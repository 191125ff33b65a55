import { fractionOf, type VisualExtractor } from './frames.ts'

/** Lower than this a gaze misses the camera and whatever is beside it. */
const DOWN_DEG = -20

/** Share of the images in which the gaze, head and eyes together, is lowered, with eyes open or shut. */
export const gazeDownFraction: VisualExtractor<'gaze_down_fraction'> = {
  name: 'gaze_down_fraction',
  unit: 'fraction',
  range: [0, 1],
  extract: ({ posed }) => fractionOf(posed, ({ gaze }) => gaze.up_deg < DOWN_DEG),
}
