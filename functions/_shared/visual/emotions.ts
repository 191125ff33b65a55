import { cropRegion, type Point, type Pyramid, type Region } from './crop.ts'
import { EMOTIONS, type Emotion } from './emotion-names.ts'
import { MODEL_INPUTS, type VisualEngine } from './engine.ts'
import { regionOfMesh } from './landmarks.ts'
import { lumaAt } from './quality.ts'

/** Probability of each class, 0 to 1, together 1. */
export type EmotionProbabilities = Record<Emotion, number>

const SIDE = MODEL_INPUTS.emotion

/** How much around the mesh the model is shown: its training images held the hair and a little background. */
const MARGIN = 1.35

/**
 * Each pixel of the model's input is the mean of this many squared samples: taken one by one they would alias, and the
 * same face would be read otherwise at another resolution.
 */
const SAMPLES = 4

/**
 * Expression by the network of Arriaga et al. 2017 (arXiv:1710.07557), reported at 66% accuracy on FER-2013:
 * weak evidence, to be weighted so.
 */
export function classifyEmotion(pyramid: Pyramid, mesh: Point[], engine: VisualEngine): EmotionProbabilities {
  const [values] = engine.run('emotion', greySquare(pyramid, regionOfMesh(mesh, MARGIN)))
  if (values?.length !== EMOTIONS.length) throw new Error('the expression model answered in an unknown form')
  const total = values.reduce((sum, value) => sum + value, 0)
  const probability = (emotion: Emotion) => (values[EMOTIONS.indexOf(emotion)] ?? 0) / total
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
function greySquare(pyramid: Pyramid, region: Region): Float32Array {
  const side = SIDE * SAMPLES
  const { rgb } = cropRegion(pyramid, region, side)
  const input = new Float32Array(SIDE * SIDE).fill(-1)
  for (let pixel = 0; pixel < side * side; pixel++) {
    const at = Math.floor(pixel / side / SAMPLES) * SIDE + Math.floor((pixel % side) / SAMPLES)
    input[at] = (input[at] ?? 0) + (lumaAt(rgb, pixel) * 2) / SAMPLES ** 2
  }
  return input
}
