import type { FaceMeasures } from '../outcome.ts'
import { fractionOf, type VisualExtractor } from './frames.ts'

/**
 * Below this mean eye aspect ratio the eyes are shut. Soukupová and Čech 2016 use 0.2 with coarser landmarks; with
 * those of the iris model shut eyes measure about 0.1 and eyes that laugh 0.2.
 */
const SHUT = 0.15

export const eyesAreShut = ({ expression }: FaceMeasures) => expression.eye_openness < SHUT

/** Share of the usable images in which the eyes are shut, the stills' counterpart of PERCLOS (Wierwille 1994). */
export const eyeClosureFraction: VisualExtractor<'eye_closure_fraction'> = {
  name: 'eye_closure_fraction',
  unit: 'fraction',
  range: [0, 1],
  extract: ({ usable }) => fractionOf(usable, eyesAreShut),
}
