const ZERO_CROSSINGS = 14
const KAISER_BETA = 7
const PASSBAND = 0.96

/**
 * Resamples by a rational factor with a Kaiser-windowed sinc, stopping what lies above the lower Nyquist frequency.
 *
 * Sample n of a signal stands for the time (n + 0.5) / rate, as in Praat, so that the result of a part of a
 * recording is the same as that part of the whole's.
 */
export class Resampler {
  /** Input samples before and after an output sample that it is made of. */
  readonly reach: number
  readonly #inputPerOutput: number
  readonly #phases: number
  readonly #stride: number
  readonly #cutoff: number
  readonly #kernels: (Float64Array | null)[]

  constructor(inputRateHz: number, outputRateHz: number) {
    const divisor = greatestCommonDivisor(inputRateHz, outputRateHz)
    this.#inputPerOutput = inputRateHz / outputRateHz
    this.#phases = outputRateHz / divisor
    this.#stride = inputRateHz / divisor
    this.#cutoff = Math.min(1, outputRateHz / inputRateHz) * PASSBAND
    this.reach = inputRateHz === outputRateHz ? 0 : Math.ceil(ZERO_CROSSINGS / this.#cutoff)
    this.#kernels = Array.from({ length: this.#phases }, () => null)
  }

  /** Where an output sample lies, in input samples. */
  placeOf(output: number): number {
    return (output + 0.5) * this.#inputPerOutput - 0.5
  }

  /** The number of the first output sample that lies after a place given in input samples. */
  firstOutputAfter(place: number): number {
    return Math.floor((place + 0.5) / this.#inputPerOutput - 0.5) + 1
  }

  /**
   * Computes output samples; those beyond the input are taken from silence.
   *
   * @param input samples, the first one being sample number `inputStart` of the recording
   * @param output where they go, the first one being sample number `outputStart` of the recording
   */
  resample(input: Float32Array, inputStart: number, output: Float32Array, outputStart: number): void {
    if (this.reach === 0) {
      const from = outputStart - inputStart
      const part = input.subarray(Math.max(0, from), Math.max(0, from + output.length))
      output.set(part, Math.max(0, -from))
      return
    }
    const phases = this.#phases
    const half = this.reach
    const centre = 0.5 * this.#inputPerOutput - 0.5
    for (let n = 0; n < output.length; n++) {
      const index = outputStart + n
      const phase = index % phases
      const whole = Math.floor(index / phases) * this.#stride
      const position = (phase * this.#stride) / phases + centre
      const left = Math.floor(position)
      let kernel = this.#kernels[phase]
      if (!kernel) {
        kernel = sincKernel(position - left, this.#cutoff, half)
        this.#kernels[phase] = kernel
      }
      const first = whole + left - half + 1 - inputStart
      const from = Math.max(0, -first)
      const to = Math.min(2 * half, input.length - first)
      output[n] = dotProduct(kernel, input, first, from, to)
    }
  }
}

/** Four sums side by side: one would make each addition wait for the one before. */
function dotProduct(
  kernel: Float64Array,
  input: Float32Array,
  first: number,
  from: number,
  to: number,
): number {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  let k = from
  for (; k + 3 < to; k += 4) {
    a += (kernel[k] ?? 0) * (input[first + k] ?? 0)
    b += (kernel[k + 1] ?? 0) * (input[first + k + 1] ?? 0)
    c += (kernel[k + 2] ?? 0) * (input[first + k + 2] ?? 0)
    d += (kernel[k + 3] ?? 0) * (input[first + k + 3] ?? 0)
  }
  for (; k < to; k++) a += (kernel[k] ?? 0) * (input[first + k] ?? 0)
  return a + b + c + d
}

function sincKernel(fraction: number, cutoff: number, half: number): Float64Array {
  const kernel = new Float64Array(2 * half)
  let total = 0
  for (let k = 0; k < kernel.length; k++) {
    const x = k - half + 1 - fraction
    const window = besselI0(KAISER_BETA * Math.sqrt(Math.max(0, 1 - (x / half) ** 2)))
    const value = (x === 0 ? cutoff : Math.sin(Math.PI * cutoff * x) / (Math.PI * x)) * window
    kernel[k] = value
    total += value
  }
  for (let k = 0; k < kernel.length; k++) kernel[k] = (kernel[k] ?? 0) / total
  return kernel
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

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
