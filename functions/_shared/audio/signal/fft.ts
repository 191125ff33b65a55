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
