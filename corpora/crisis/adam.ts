import { DIMENSIONS } from '../../functions/_shared/text/crisis/convolution.ts'

/** How strongly a word's vector is held to where it began. */
const HOLD = 1

/** Adam (Kingma and Ba 2015) with decoupled decay. */
export class Adam {
  readonly values: Float32Array
  readonly gradients: Float32Array
  readonly mean: Float32Array
  readonly square: Float32Array

  constructor(values: Float32Array, gradients: Float32Array) {
    this.values = values
    this.gradients = gradients
    this.mean = new Float32Array(values.length)
    this.square = new Float32Array(values.length)
  }

  step(rate: number, step: number, decay: number): void {
    const { values, gradients } = this
    const [first, second] = corrections(step)
    for (let at = 0; at < values.length; at++) {
      const value = values[at] ?? 0
      values[at] = value - rate * (this.moved(at, gradients[at] ?? 0, first, second) + decay * value)
    }
    gradients.fill(0)
  }

  /** One word's vector, which is also drawn back to where it began. */
  stepRow(row: number, gradient: Float32Array, rate: number, step: number, initial: Float32Array): void {
    const [first, second] = corrections(step)
    for (let dimension = 0; dimension < DIMENSIONS; dimension++) {
      const at = row * DIMENSIONS + dimension
      const value = this.values[at] ?? 0
      const moved = value - rate * this.moved(at, gradient[dimension] ?? 0, first, second)
      this.values[at] = moved + ((initial[at] ?? 0) - moved) * rate * HOLD
    }
  }

  private moved(at: number, gradient: number, first: number, second: number): number {
    const mean = 0.9 * (this.mean[at] ?? 0) + 0.1 * gradient
    const square = 0.999 * (this.square[at] ?? 0) + 0.001 * gradient * gradient
    this.mean[at] = mean
    this.square[at] = square
    return (mean * first) / (Math.sqrt(square * second) + 1e-8)
  }
}

/** What makes up for means that began at zero. */
function corrections(step: number): readonly [number, number] {
  return [1 / (1 - 0.9 ** step), 1 / (1 - 0.999 ** step)]
}
