import FFT from 'fft.js'

/** A complex fast Fourier transform of a fixed power-of-two size, on interleaved real and imaginary parts. */
export class FourierTransform {
  readonly size: number
  readonly #fft: { transform(output: Float64Array, input: Float64Array): void }

  constructor(size: number) {
    this.size = size
    this.#fft = new FFT(size)
  }

  /** Transforms `input` (2 × size numbers) into `output`. */
  forward(output: Float64Array, input: Float64Array): void {
    this.#fft.transform(output, input)
  }
}

/** The smallest power of two that is at least `n`. */
export function powerOfTwoAtLeast(n: number): number {
  return 2 ** Math.ceil(Math.log2(n))
}

/** The modified Bessel function of the first kind of order 0, by its power series. */
export function besselI0(x: number): number {
  const quarter = (x * x) / 4
  let term = 1
  let sum = 1
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= quarter / (k * k)
    sum += term
  }
  return sum
}

/** Samples on each side that take part in the interpolation, as in Praat's `NUM_PEAK_INTERPOLATE_SINC70`. */
const DEPTH = 70

const OFFSET = 0.25

/** Value of `y` at the fractional index `x`: sin(x)/x interpolation under a raised cosine (Praat, `NUM_interpolate_sinc`). */
function sincValue(y: Float64Array, x: number): number {
  const left = Math.floor(x)
  const phase = x - left
  if (phase === 0) return y[left] ?? 0
  const depth = Math.min(DEPTH, left + 1, y.length - 1 - left)
  if (depth < 1) return y[left] ?? 0
  return halfSum(y, left, -1, phase, depth) + halfSum(y, left + 1, 1, 1 - phase, depth)
}

function halfSum(y: Float64Array, start: number, direction: 1 | -1, phase: number, depth: number): number {
  let a = Math.PI * phase
  let halfSine = 0.5 * Math.sin(a)
  const width = phase + depth
  const step = Math.PI / width
  const cosStep = Math.cos(step)
  const sinStep = Math.sin(step)
  let cosine = Math.cos(a / width)
  let sine = Math.sin(a / width)
  let sum = 0
  for (let k = 0, index = start; k < depth; k++, index += direction) {
    sum += (y[index] ?? 0) * (halfSine / a) * (1 + cosine)
    a += Math.PI
    halfSine = -halfSine
    const turned = cosine * cosStep - sine * sinStep
    sine = sine * cosStep + cosine * sinStep
    cosine = turned
  }
  return sum
}

/**
 * The maximum of the sinc-interpolated `y` near its local maximum at sample `i`: a parabola through three interpolated
 * points about the samples' own parabola, which comes within 1e-4 sample of Praat's search.
 */
export function sincPeak(y: Float64Array, i: number): { x: number; value: number } {
  const before = y[i - 1] ?? 0
  const peak = y[i] ?? 0
  const after = y[i + 1] ?? 0
  const start = i + vertex(before, peak, after)
  const x =
    start + OFFSET * vertex(sincValue(y, start - OFFSET), sincValue(y, start), sincValue(y, start + OFFSET))
  return { x, value: sincValue(y, x) }
}

/** Where a parabola through values at -1, 0 and 1 has its top; 0 when it has none. */
export function vertex(before: number, at: number, after: number): number {
  const curvature = 2 * at - before - after
  if (!(curvature > 0)) return 0
  return Math.max(-1, Math.min(1, (0.5 * (after - before)) / curvature))
}
