import { EMOTIONS, type Emotion, type FaceMeasures } from '../outcome.ts'
import { fractionOf, type UsableFace, type VisualExtractor, weightedMean, weightedSpread } from './frames.ts'

/**
 * Mean probability of one expression class, by the network of Arriaga et al. 2017 brought to the shares of
 * the classes in talk (see `classifyEmotion`), over the usable images, weighted by their quality. The seven means add up to 1.
 */
export function emotionMean<Name extends string>(name: Name, emotion: Emotion): VisualExtractor<Name> {
  return {
    name,
    unit: 'probability',
    range: [0, 1],
    extract: ({ usable }) => weightedMean(usable, ({ emotions }) => emotions[emotion]),
  }
}

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

/** Mean strength of the smile, 0 none to 1 broad, from the mouth's width and corners (action unit 12). */
export const smileIntensity: VisualExtractor<'smile_intensity'> = {
  name: 'smile_intensity',
  unit: 'ratio',
  range: [0, 1],
  extract: ({ usable }) => weightedMean(usable, ({ expression }) => expression.smile),
}

/** Mean gap between the lips over the inner width of the mouth, 0 when shut (action units 25 to 27). */
export const mouthOpenness: VisualExtractor<'mouth_openness'> = {
  name: 'mouth_openness',
  unit: 'ratio',
  range: [0, 2],
  extract: ({ usable }) => weightedMean(usable, ({ expression }) => Math.min(2, expression.mouth_openness)),
}

/** Mean eye aspect ratio of both eyes (Soukupová and Čech 2016), about 0.33 for open eyes. */
export const eyeOpenness: VisualExtractor<'eye_openness'> = {
  name: 'eye_openness',
  unit: 'ratio',
  range: [0, 1],
  extract: ({ usable }) => weightedMean(usable, ({ expression }) => Math.min(1, expression.eye_openness)),
}

/**
 * Below this mean eye aspect ratio the eyes are shut. Soukupová and Čech 2016 use 0.2 with coarser landmarks; with
 * those of the iris model shut eyes measure about 0.1 and eyes that laugh 0.2.
 */
const SHUT = 0.15

export const eyesAreShut = ({ expression }: FaceMeasures) => expression.eye_openness < SHUT

/** Share of the usable images in which the eyes are shut, the counterpart of PERCLOS (Wierwille 1994). */
export const eyeClosureFraction: VisualExtractor<'eye_closure_fraction'> = {
  name: 'eye_closure_fraction',
  unit: 'fraction',
  range: [0, 1],
  extract: ({ usable }) => fractionOf(usable, eyesAreShut),
}

/** Mean lowering of the inner brows, 0 raised to 1 lowered, about 0.3 at rest (action unit 4). */
export const browLowering: VisualExtractor<'brow_lowering'> = {
  name: 'brow_lowering',
  unit: 'ratio',
  range: [0, 1],
  extract: ({ usable }) => weightedMean(usable, ({ expression }) => expression.brow_lowering),
}

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
