import { ramp } from '../numbers.ts'
import { type FaceModels, MODEL_INPUTS } from './face-models.ts'
import { distance, dot, length, middle, type Point, pointOf, subtract, unit } from './geometry.ts'
import { type EyePoints, type Landmarks, regionOfMesh } from './landmarks.ts'
import { EMOTIONS, type Emotion, type EmotionProbabilities, type Expression } from './outcome.ts'
import { AS_TAKEN, cropRegion, type Pyramid, type Region, type Tone } from './pixels.ts'
import { lumaAt } from './quality.ts'

const EYE_CORNERS = { right: [33, 133], left: [263, 362] } as const
const INNER_BROWS = { right: [55, 65, 52], left: [285, 295, 282] } as const
const MOUTH_CORNERS = [61, 291] as const
const INNER_MOUTH_CORNERS = [78, 308] as const
const INNER_LIPS = [13, 14] as const
const FOREHEAD = 10
const CHIN = 152

export function measureExpression({ mesh, rightEye, leftEye }: Landmarks): Expression {
  const between = ([from, to]: readonly [number, number]) => distance(pointOf(mesh, from), pointOf(mesh, to))
  return {
    eye_openness: (eyeAspectRatio(rightEye) + eyeAspectRatio(leftEye)) / 2,
    mouth_openness: between(INNER_LIPS) / between(INNER_MOUTH_CORNERS),
    smile: smileIntensity(mesh),
    brow_lowering: browLowering(mesh),
  }
}

/** Two heights of the eye over twice its width (Soukupová and Čech 2016, "Real-time eye blink detection"). */
function eyeAspectRatio({ contour }: EyePoints): number {
  const between = (from: number, to: number) => distance(pointOf(contour, from), pointOf(contour, to))
  return (between(11, 3) + between(13, 5)) / (2 * between(0, 8))
}

/**
 * Lip corners pulled outwards and upwards, which is action unit 12 of the Facial Action Coding System (Ekman and
 * Friesen 1978): mouth width and height of the corners above the middle of the lips, both over the span of the
 * eyes, each scaled from what faces at rest to what broad smiles show, and averaged.
 */
function smileIntensity(mesh: Point[]): number {
  const span = eyeSpan(mesh)
  const corners = MOUTH_CORNERS.map((index) => pointOf(mesh, index))
  const lips = INNER_LIPS.map((index) => pointOf(mesh, index))
  const down = unit(subtract(pointOf(mesh, CHIN), pointOf(mesh, FOREHEAD)))
  const width = length(subtract(pointOf(mesh, MOUTH_CORNERS[0]), pointOf(mesh, MOUTH_CORNERS[1]))) / span
  const lift = dot(subtract(middle(...lips), middle(...corners)), down) / span
  return (ramp(width, 0.5, 0.75) + ramp(lift, -0.015, 0.04)) / 2
}

/**
 * Inner brows drawn towards the eyes, action unit 4: their distance from the middle of the eye over the span of the
 * eyes, in three dimensions so that a nod does not pass for a frown, scaled from raised to lowered.
 */
function browLowering(mesh: Point[]): number {
  const height = (side: 'right' | 'left') => {
    const brow = middle(...INNER_BROWS[side].map((index) => pointOf(mesh, index)))
    const eye = middle(...EYE_CORNERS[side].map((index) => pointOf(mesh, index)))
    return length(subtract(brow, eye))
  }
  return 1 - ramp((height('right') + height('left')) / 2 / eyeSpan(mesh), 0.22, 0.29)
}

/** Distance between the outer corners of the eyes, the face's own yardstick. */
function eyeSpan(mesh: Point[]): number {
  return length(subtract(pointOf(mesh, EYE_CORNERS.left[0]), pointOf(mesh, EYE_CORNERS.right[0])))
}

const SIDE = MODEL_INPUTS.emotion

/** Margin around the mesh in the model's input: its training images contained the hair and a little background. */
const MARGIN = 1.35

/**
 * Each pixel of the model's input is the mean of this many squared samples: taken one by one they would alias, and the
 * same face would be read otherwise at another resolution.
 */
const SAMPLES = 4

/** Images of each class in FER-2013, from which the network learnt how frequent they are (Goodfellow et al. 2013). */
const SHARES_IN_TRAINING: EmotionProbabilities = {
  angry: 4953 / 35_887,
  disgust: 547 / 35_887,
  fear: 5121 / 35_887,
  happy: 8989 / 35_887,
  sad: 6077 / 35_887,
  surprise: 4002 / 35_887,
  neutral: 6198 / 35_887,
}

/** How frequent they are in talk: utterances of each class in MELD (Poria et al. 2019, arXiv:1810.02508). */
export const SHARES_IN_TALK: EmotionProbabilities = {
  angry: 1607 / 13_708,
  disgust: 361 / 13_708,
  fear: 358 / 13_708,
  happy: 2308 / 13_708,
  sad: 1002 / 13_708,
  surprise: 1636 / 13_708,
  neutral: 6436 / 13_708,
}

/**
 * Expression by the network of Arriaga et al. 2017 (arXiv:1710.07557), reported at 66% accuracy on FER-2013:
 * weak evidence, to be weighted so. Most faces that talk are neutral, few of those it learnt from were, and so it calls many
 * neutral ones angry or sad: its probabilities are brought to the shares of talk by Bayes' rule (Saerens, Latinne and
 * Decaestecker 2002, Neural Comput. 14).
 */
export function classifyEmotion(
  pyramid: Pyramid,
  mesh: Point[],
  models: FaceModels,
  tone = AS_TAKEN,
): EmotionProbabilities {
  const [values] = models.run('emotion', greySquare(pyramid, regionOfMesh(mesh, MARGIN), tone))
  if (values?.length !== EMOTIONS.length) throw new Error('the expression model returned an unknown form')
  const likelihoods = EMOTIONS.map(
    (emotion, index) => ((values[index] ?? 0) * SHARES_IN_TALK[emotion]) / SHARES_IN_TRAINING[emotion],
  )
  const total = likelihoods.reduce((sum, value) => sum + value, 0)
  const probability = (emotion: Emotion) => (likelihoods[EMOTIONS.indexOf(emotion)] ?? 0) / total
  return {
    angry: probability('angry'),
    disgust: probability('disgust'),
    fear: probability('fear'),
    happy: probability('happy'),
    sad: probability('sad'),
    surprise: probability('surprise'),
    neutral: probability('neutral'),
  }
}

/** A region as the model takes it: luma from -1 to 1. */
function greySquare(pyramid: Pyramid, region: Region, tone: Tone): Float32Array {
  const side = SIDE * SAMPLES
  const { rgb } = cropRegion(pyramid, region, side, tone)
  const input = new Float32Array(SIDE * SIDE).fill(-1)
  for (let pixel = 0; pixel < side * side; pixel++) {
    const at = Math.floor(pixel / side / SAMPLES) * SIDE + Math.floor((pixel % side) / SAMPLES)
    input[at] = (input[at] ?? 0) + (lumaAt(rgb, pixel) * 2) / SAMPLES ** 2
  }
  return input
}
