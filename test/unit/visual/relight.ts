import { detectFaces } from '../../../functions/_shared/visual/detector.ts'
import type { FaceModels } from '../../../functions/_shared/visual/face-models.ts'
import type { Point } from '../../../functions/_shared/visual/geometry.ts'
import { fitMesh, regionOfDetection } from '../../../functions/_shared/visual/landmarks.ts'
import { type Pixels, Pyramid } from '../../../functions/_shared/visual/pixels.ts'

/** Linear red, green and blue, 0 to 1. */
type Linear = [number, number, number]

/** A picture of a face, where in it the face is (1 inside of its outline, 0 outside), and what its skin reflects. */
export interface Face {
  pixels: Pixels
  mask: Float32Array
  skin: Linear
}

/** Cheeks, forehead and bridge of the nose in MediaPipe's mesh: skin without brows, beard and lips. */
const SKIN_POINTS = [50, 280, 205, 425, 151, 9, 6]

/** The outline of the face in MediaPipe's mesh. */
const OVAL = [
  ...[10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377],
  ...[152, 148, 176, 149, 150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109],
]

/** The largest face of a picture, `null` where none is found. */
export function faceIn(pixels: Pixels, models: FaceModels): Face | null {
  const pyramid = new Pyramid(pixels)
  const [detection] = detectFaces(pyramid, models).sort((a, b) => b.width - a.width)
  const mesh = detection && fitMesh(pyramid, regionOfDetection(detection), models)
  return mesh ? { pixels, mask: maskOf(pixels, mesh), skin: skinOf(pixels, mesh) } : null
}

/** Median of squares of 5 × 5 pixels at the places of skin. */
function skinOf({ width, height, data }: Pixels, mesh: Point[]): Linear {
  const samples: Linear[] = []
  for (const index of SKIN_POINTS) {
    const { x = 0, y = 0 } = mesh[index] ?? {}
    for (let dy = -2; dy <= 2; dy++) {
      for (let dx = -2; dx <= 2; dx++) {
        const [column, row] = [Math.round(x) + dx, Math.round(y) + dy]
        if (column < 0 || row < 0 || column >= width || row >= height) continue
        const at = (row * width + column) * 4
        samples.push([toLinear(data[at]), toLinear(data[at + 1]), toLinear(data[at + 2])])
      }
    }
  }
  const median = (channel: 0 | 1 | 2) =>
    samples.map((sample) => sample[channel]).sort((a, b) => a - b)[samples.length >> 1] ?? 0
  return [median(0), median(1), median(2)]
}

/** IEC 61966-2-1, of 0 to 255. */
function toLinear(value = 0): number {
  const share = value / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

function fromLinear(value: number): number {
  return 255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055)
}

const WHITE: Linear = [0.95047, 1, 1.08883]
const LINEAR_TO_XYZ: [Linear, Linear, Linear] = [
  [0.4124, 0.3576, 0.1805],
  [0.2126, 0.7152, 0.0722],
  [0.0193, 0.1192, 0.9505],
]
const XYZ_TO_LINEAR: [Linear, Linear, Linear] = [
  [3.2406, -1.5372, -0.4986],
  [-0.9689, 1.8758, 0.0415],
  [0.0557, -0.204, 1.057],
]
const times = (matrix: [Linear, Linear, Linear], [a, b, c]: Linear): Linear => [
  matrix[0][0] * a + matrix[0][1] * b + matrix[0][2] * c,
  matrix[1][0] * a + matrix[1][1] * b + matrix[1][2] * c,
  matrix[2][0] * a + matrix[2][1] * b + matrix[2][2] * c,
]

/**
 * Individual typology angle in degrees, atan((L* - 50) / b*) (Chardon, Cretois and Hourseau 1991): above 41 light, 28 to 41
 * intermediate, 10 to 28 tan, -30 to 10 brown, below -30 dark (Del Bino and Bernerd 2013). Of a photograph it is an estimate: the
 * light of the room is in it.
 */
export function typologyAngle(skin: Linear): number {
  const [, y, z] = times(LINEAR_TO_XYZ, skin)
  const f = (share: number) => (share > 0.008856 ? Math.cbrt(share) : 7.787 * share + 16 / 116)
  const lightness = 116 * f(y / WHITE[1]) - 16
  const yellow = 200 * (f(y / WHITE[1]) - f(z / WHITE[2]))
  return (Math.atan2(lightness - 50, Math.abs(yellow)) * 180) / Math.PI
}

/** a* and b* of skin, which vary little beside L*. */
const [RED, YELLOW] = [11, 16]

/** What skin of a typology angle reflects. */
export function skinOfAngle(angle: number): Linear {
  const f = (50 + YELLOW * Math.tan((angle * Math.PI) / 180) + 16) / 116
  const inverse = (value: number) => (value > 0.2069 ? value ** 3 : (value - 16 / 116) / 7.787)
  const xyz: Linear = [
    WHITE[0] * inverse(f + RED / 500),
    WHITE[1] * inverse(f),
    WHITE[2] * inverse(f - YELLOW / 200),
  ]
  return times(XYZ_TO_LINEAR, xyz)
}

export interface Light {
  /** Typology angle that the face is given; its own where absent. */
  skin?: number
  /** Light that reaches the sensor, 1 as in the photograph. */
  exposure: number
}

/**
 * Noise of linear light: that of photons, whose variance is in proportion, and that of reading. As of a sensor whose pixels hold 5,000
 * electrons and are read to 2, with 16 of them in each pixel of the picture.
 */
const [PHOTON_VARIANCE, READ_SD] = [1 / 5000 / 16, 2 / 5000 / 4]

/**
 * The picture as a camera without automatic exposure would take it in other light, of a person with other skin: all within the
 * outline of the face reflects in proportion. With a sensor's noise where there is less light; the seed decides which.
 */
export function relight(
  { pixels, mask, skin }: Face,
  { skin: angle, exposure }: Light,
  seed: number,
): Pixels {
  const { width, height, data } = pixels
  const wanted = angle === undefined ? skin : skinOfAngle(angle)
  const change = wanted.map((value, channel) => value / Math.max(1e-3, skin[channel] ?? 1))
  const gaussian = normals(seed)
  const relit = new Uint8ClampedArray(data.length).fill(255)
  for (let pixel = 0; pixel < width * height; pixel++) {
    const share = mask[pixel] ?? 0
    for (let channel = 0; channel < 3; channel++) {
      const at = pixel * 4 + channel
      const light = exposure * toLinear(data[at]) * (1 + share * ((change[channel] ?? 1) - 1))
      const noise = exposure === 1 ? 0 : gaussian() * Math.sqrt(PHOTON_VARIANCE * light + READ_SD ** 2)
      relit[at] = fromLinear(Math.min(1, Math.max(0, light + noise)))
    }
  }
  return { width, height, data: relit }
}

/** 1 inside of the face, falling to 0 over some pixels at its outline. */
function maskOf({ width, height }: Pixels, mesh: Point[]): Float32Array {
  const outline = OVAL.map((index) => mesh[index] ?? { x: 0, y: 0, z: 0 })
  const [across, down] = [outline.map(({ x }) => x), outline.map(({ y }) => y)]
  const edge = (Math.max(...across) - Math.min(...across)) / 20
  const mask = new Float32Array(width * height)
  // Outside of these the mask has fallen to 0.
  const range = (values: number[], size: number) => ({
    from: Math.max(0, Math.floor(Math.min(...values) - edge)),
    to: Math.min(size, Math.ceil(Math.max(...values) + edge) + 1),
  })
  const [rows, columns] = [range(down, height), range(across, width)]
  for (let y = rows.from; y < rows.to; y++) {
    for (let x = columns.from; x < columns.to; x++) {
      const inside = signedDistance(outline, x, y)
      mask[y * width + x] = Math.min(1, Math.max(0, 0.5 + inside / edge / 2))
    }
  }
  return mask
}

/** Distance to a polygon's outline, positive inside. */
function signedDistance(outline: Point[], x: number, y: number): number {
  let least = Number.POSITIVE_INFINITY
  let isInside = false
  outline.forEach((from, index) => {
    const to = outline[(index + 1) % outline.length] ?? from
    const [dx, dy] = [to.x - from.x, to.y - from.y]
    const along = ((x - from.x) * dx + (y - from.y) * dy) / (dx * dx + dy * dy)
    const nearest = Math.min(1, Math.max(0, along))
    least = Math.min(least, Math.hypot(x - from.x - nearest * dx, y - from.y - nearest * dy))
    if (from.y > y !== to.y > y && x < from.x + (dx * (y - from.y)) / dy) isInside = !isInside
  })
  return isInside ? least : -least
}

/** Normal deviates (Box and Muller) of a linear congruential generator. */
function normals(seed: number): () => number {
  let state = seed >>> 0
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state + 1) / 2 ** 32
  }
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
}
