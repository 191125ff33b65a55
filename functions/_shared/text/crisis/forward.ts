import { createKernels, type EncoderKernels } from '../../../_vendor/encoder-kernels.js'
import { type Declaration, rowBytes, type Tensor, type Weights, WINDOW_TOKENS } from './weights.ts'

/** Tokens that go through the layers together. */
const BATCH = WINDOW_TOKENS

const PAGE_BYTES = 65_536

/** Where a matrix of 8-bit weights is, with the scale and the bias of each of its rows. */
interface Matrix {
  weights: number
  scales: number
  biases: number
  rows: number
  columns: number
}

/** Where the weights and biases of a layer normalisation are. */
interface Norm {
  weights: number
  biases: number
}

interface Layer {
  /** Queries, keys and values together. */
  attention: Matrix
  output: Matrix
  attentionNorm: Norm
  intermediate: Matrix
  out: Matrix
  outputNorm: Norm
}

/** A tensor whose rows are looked up as they are stored. */
interface Table extends Omit<Tensor, 'bytes'> {
  at: number
}

/** The forward pass of BERT (Devlin 2018) with a head over the mean of its last layer; the kernels are in vendor/encoder-kernels. */
export class Encoder {
  readonly #memory = new WebAssembly.Memory({ initial: 1 })
  readonly #kernels: EncoderKernels = createKernels(this.#memory)
  readonly #declared: Declaration
  #used = 16
  readonly #words: Table
  readonly #positions: Table
  readonly #embeddingNorm: Norm
  readonly #layers: Layer[]
  readonly #head: { hidden: number; biases: number; units: number; out: Float32Array; bias: number }
  readonly #room: Record<
    'x' | 'wide' | 'context' | 'added' | 'activations' | 'scales' | 'panel' | 'scores',
    number
  >

  /** @throws when a tensor is missing or of another shape than declared */
  constructor(weights: Weights, pieces: number) {
    this.#declared = weights.declared
    const { layers, hidden, heads, intermediate, positions } = weights.declared
    const widest = Math.max(3 * hidden, intermediate)
    const deepest = Math.max(hidden, intermediate)
    // Before there are activations, their room takes a matrix as it is stored and as bytes.
    const largest = hidden * deepest
    this.#room = {
      x: this.#allocate(4 * BATCH * hidden),
      wide: this.#allocate(Math.max(4 * BATCH * widest, largest)),
      context: this.#allocate(4 * BATCH * hidden),
      added: this.#allocate(4 * BATCH * hidden),
      activations: this.#allocate(Math.max(2 * BATCH * deepest, largest)),
      scales: this.#allocate(4 * BATCH),
      panel: this.#allocate(16 * deepest),
      scores: this.#allocate(4 * (hidden / heads + 4) * WINDOW_TOKENS),
    }
    this.#words = this.#table(weights.tensor('word', pieces, hidden))
    this.#positions = this.#table(weights.tensor('position', positions, hidden))
    this.#embeddingNorm = this.#norm(weights, 'embedding_norm')
    this.#layers = Array.from({ length: layers }, (_, number) => {
      const name = `layer.${number}`
      return {
        attention: this.#matrix(weights, [`${name}.query`, `${name}.key`, `${name}.value`], hidden, hidden),
        output: this.#matrix(weights, [`${name}.output`], hidden, hidden),
        attentionNorm: this.#norm(weights, `${name}.attention_norm`),
        intermediate: this.#matrix(weights, [`${name}.intermediate`], intermediate, hidden),
        out: this.#matrix(weights, [`${name}.out`], hidden, intermediate),
        outputNorm: this.#norm(weights, `${name}.output_norm`),
      }
    })
    const units = weights.rowsOf('head.hidden.weight')
    if (units > BATCH * hidden)
      throw new Error('The crisis model cannot be used: its head has too many units')
    const out = this.#floats(weights, 'head.out.weight', 1, units)
    const bias = this.#floats(weights, 'head.out.bias', 1, 1)
    this.#head = {
      hidden: this.#floats(weights, 'head.hidden.weight', units, hidden),
      biases: this.#floats(weights, 'head.hidden.bias', 1, units),
      units,
      out: this.#numbers(out, units).slice(),
      bias: this.#numbers(bias, 1)[0] ?? 0,
    }
  }

  /** The log-odds of windows, each the tokens of a text. A window has at most `WINDOW_TOKENS` tokens. */
  logOddsOf(windows: readonly (readonly number[])[]): number[] {
    const logOdds: number[] = []
    let batch: (readonly number[])[] = []
    let tokens = 0
    for (const window of windows) {
      if (tokens + window.length > BATCH) {
        logOdds.push(...this.#read(batch))
        batch = []
        tokens = 0
      }
      batch.push(window)
      tokens += window.length
    }
    return [...logOdds, ...this.#read(batch)]
  }

  #read(windows: readonly (readonly number[])[]): number[] {
    const { hidden, heads, intermediate } = this.#declared
    const { x, wide, context, added, scores } = this.#room
    const tokens = windows.reduce((sum, { length }) => sum + length, 0)
    const padded = Math.ceil(tokens / 4) * 4
    this.#embed(
      windows.flat(),
      windows.flatMap((window) => [...window.keys()]),
    )
    for (const layer of this.#layers) {
      this.#multiply(x, padded, layer.attention, wide)
      let before = 0
      for (const { length } of windows) {
        const to = context + 4 * hidden * before
        this.#kernels.attend(wide + 12 * hidden * before, length, hidden, heads, to, scores)
        before += length
      }
      this.#multiply(context, padded, layer.output, added)
      this.#addAndNormalise(tokens, layer.attentionNorm)
      this.#multiply(x, padded, layer.intermediate, wide)
      this.#kernels.gelu(wide, padded * intermediate)
      this.#multiply(wide, padded, layer.out, added)
      this.#addAndNormalise(tokens, layer.outputNorm)
    }
    let before = 0
    return windows.map(({ length }) => {
      const from = x + 4 * hidden * before
      before += length
      return this.#logOddsOfMean(from, length)
    })
  }

  #embed(tokens: readonly number[], positions: readonly number[]): void {
    const { hidden } = this.#declared
    const { x, added } = this.#room
    this.#numbers(x, BATCH * hidden).fill(0)
    this.#numbers(added, BATCH * hidden).fill(0)
    tokens.forEach((token, row) => {
      this.#addRow(this.#words, token, x + 4 * hidden * row)
      this.#addRow(this.#positions, positions[row] ?? 0, added + 4 * hidden * row)
    })
    this.#addAndNormalise(tokens.length, this.#embeddingNorm)
  }

  #logOddsOfMean(from: number, tokens: number): number {
    const { hidden } = this.#declared
    const { hidden: weights, biases, units, out, bias } = this.#head
    const { context, added } = this.#room
    this.#kernels.mean(from, tokens, hidden, context)
    this.#kernels.dense(weights, biases, units, context, hidden, added)
    return this.#numbers(added, units).reduce(
      (sum, value, i) => sum + Math.max(0, value) * (out[i] ?? 0),
      bias,
    )
  }

  #multiply(
    from: number,
    tokens: number,
    { weights, scales, biases, rows, columns }: Matrix,
    to: number,
  ): void {
    const { activations, scales: activationScales, panel } = this.#room
    this.#kernels.quantise(from, tokens, columns, activations, activationScales)
    this.#kernels.multiply(
      ...([weights, scales, biases, rows] as const),
      ...([activations, activationScales, tokens, columns] as const),
      ...([to, panel] as const),
    )
  }

  /** Adds what the layer gave to what it was given. */
  #addAndNormalise(tokens: number, { weights, biases }: Norm): void {
    const { hidden, eps } = this.#declared
    this.#kernels.addAndNormalise(this.#room.x, this.#room.added, tokens, hidden, weights, biases, eps)
  }

  #addRow(table: Table, row: number, to: number): void {
    const { at, dtype, rows, columns } = table
    const from = at + row * rowBytes(table)
    if (dtype === 'f32') this.#kernels.addFloats(from, columns, to)
    else if (dtype === 'q4') this.#kernels.addNibbles(from, columns, to)
    else this.#kernels.addBytes(from, at + rows * columns + 4 * row, columns, to)
  }

  /** Several matrices of so many rows and columns, one under the other, with their biases. */
  #matrix(weights: Weights, names: readonly string[], rows: number, columns: number): Matrix {
    const all = rows * names.length
    const matrix: Matrix = {
      weights: this.#allocate(all * columns),
      scales: this.#allocate(4 * all),
      biases: this.#allocate(4 * all),
      rows: all,
      columns,
    }
    const { activations: stored, wide: narrow } = this.#room
    names.forEach((name, place) => {
      const tensor = weights.tensor(`${name}.weight`, rows, columns)
      const scales = this.#numbers(matrix.scales + 4 * rows * place, rows)
      this.#bytes(stored, tensor.bytes.length).set(tensor.bytes)
      let from = stored
      if (tensor.dtype === 'q8') {
        this.#bytes(scales.byteOffset, 4 * rows).set(tensor.bytes.subarray(rows * columns))
      } else if (tensor.dtype === 'q4') {
        const bytes = rowBytes(tensor)
        for (let row = 0; row < rows; row++) {
          scales[row] = this.#kernels.bytesFromNibbles(stored + bytes * row, columns, narrow + columns * row)
        }
        from = narrow
      } else throw new Error(`The crisis model's tensor ${name}.weight is neither q8 nor q4`)
      this.#kernels.arrangeRows(from, rows, columns, matrix.weights + rows * columns * place)
      const biases = weights.tensor(`${name}.bias`, 1, rows)
      this.#copy(biases, `${name}.bias`, matrix.biases + 4 * rows * place)
    })
    return matrix
  }

  #norm(weights: Weights, name: string): Norm {
    const { hidden } = this.#declared
    return {
      weights: this.#floats(weights, `${name}.weight`, 1, hidden),
      biases: this.#floats(weights, `${name}.bias`, 1, hidden),
    }
  }

  #table({ dtype, rows, columns, bytes }: Tensor): Table {
    const at = this.#allocate(bytes.length)
    this.#bytes(at, bytes.length).set(bytes)
    return { dtype, rows, columns, at }
  }

  #floats(weights: Weights, name: string, rows: number, columns: number): number {
    const at = this.#allocate(4 * rows * columns)
    this.#copy(weights.tensor(name, rows, columns), name, at)
    return at
  }

  #copy({ dtype, bytes }: Tensor, name: string, to: number): void {
    if (dtype !== 'f32') throw new Error(`The crisis model's tensor ${name} is not f32`)
    this.#bytes(to, bytes.length).set(bytes)
  }

  #bytes(at: number, length: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, at, length)
  }

  #numbers(at: number, length: number): Float32Array {
    return new Float32Array(this.#memory.buffer, at, length)
  }

  #allocate(bytes: number): number {
    const at = this.#used
    this.#used = at + Math.ceil(bytes / 16) * 16
    const missing = this.#used - this.#memory.buffer.byteLength
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE_BYTES))
    return at
  }
}
