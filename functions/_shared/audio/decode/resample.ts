const ZERO_CROSSINGS = 14
const KAISER_BETA = 7
const PASSBAND = 0.96

/**
 * Resamples by a rational factor with a Kaiser-windowed sinc, stopping what lies above the lower Nyquist frequency.
 *
 * Sample n of a signal stands for the time (n + 0.5) / rate, as in Praat, so that the result of a part of a
 * recording is the same as that part of the whole's.
 *
 * @param input samples at `inputRateHz`, the first one being sample number `inputStart` of the recording
 * @param outputStart number of the first output sample within the recording
 * @param outputLength how many output samples are wanted; those beyond the input are taken from silence
 */
export function resample(
  input: Float32Array,
  inputRateHz: number,
  inputStart: number,
  outputRateHz: number,
  outputStart: number,
  outputLength: number,
): Float32Array {
  const output = new Float32Array(outputLength)
  if (inputRateHz === outputRateHz) {
    const from = outputStart - inputStart
    const part = input.subarray(Math.max(0, from), Math.max(0, from + outputLength))
    output.set(part, Math.max(0, -from))
    return output
  }

  const divisor = greatestCommonDivisor(inputRateHz, outputRateHz)
  const phases = outputRateHz / divisor
  const stride = inputRateHz / divisor
  const cutoff = Math.min(1, outputRateHz / inputRateHz) * PASSBAND
  const half = Math.ceil(ZERO_CROSSINGS / cutoff)
  const taps = 2 * half
  const kernels = Array.from({ length: phases }, (): Float64Array | null => null)
  const centre = 0.5 * (inputRateHz / outputRateHz) - 0.5

  for (let n = 0; n < outputLength; n++) {
    const index = outputStart + n
    const phase = index % phases
    const whole = Math.floor(index / phases) * stride
    const position = (phase * stride) / phases + centre
    const left = Math.floor(position)
    let kernel = kernels[phase]
    if (!kernel) {
      kernel = sincKernel(position - left, cutoff, half)
      kernels[phase] = kernel
    }
    const first = whole + left - half + 1 - inputStart
    const from = Math.max(0, -first)
    const to = Math.min(taps, input.length - first)
    output[n] = dotProduct(kernel, input, first, from, to)
  }
  return output
}

/** Four sums side by side: one would make each addition wait for the one before. */
function dotProduct(
  kernel: Float64Array,
  input: Float32Array,
  first: number,
  from: number,
  to: number,
): number {
  let [a, b, c, d] = [0, 0, 0, 0]
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
