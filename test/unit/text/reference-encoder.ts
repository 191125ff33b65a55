import type { DeclaredTensor, RandomModel } from '../../../harness/random-crisis-model.ts'

type Matrix = number[][]

/**
 * The forward pass of BERT with the encoder's head, in 64-bit floats and without any speed: what the kernels are compared with. Gives the
 * log-odds of a window's tokens.
 */
export function referenceEncoder({ model, weights }: Omit<RandomModel, 'pieces'>) {
  const decoded = new Map(
    Object.entries(model.tensors).map(([name, tensor]) => [name, decode(tensor, weights)]),
  )
  return (tokens: readonly number[]) => logOddsOf(model, (name) => decoded.get(name) ?? [], tokens)
}

function logOddsOf(
  model: RandomModel['model'],
  tensor: (name: string) => Matrix,
  tokens: readonly number[],
): number {
  const vector = (name: string) => tensor(name)[0] ?? []
  const linear = (name: string, rows: Matrix) =>
    rows.map((row) => add(product(tensor(`${name}.weight`), row), vector(`${name}.bias`)))
  const norm = (name: string, rows: Matrix) =>
    rows.map((row) => {
      const mean = sum(row) / row.length
      const variance = sum(row.map((x) => (x - mean) ** 2)) / row.length
      const [scales, biases] = [vector(`${name}.weight`), vector(`${name}.bias`)]
      return row.map(
        (x, i) => ((x - mean) / Math.sqrt(variance + model.eps)) * (scales[i] ?? 0) + (biases[i] ?? 0),
      )
    })
  const words = tensor('word')
  const positions = tensor('position')
  let x = norm(
    'embedding_norm',
    tokens.map((token, position) => add(words[token] ?? [], positions[position] ?? [])),
  )
  for (let layer = 0; layer < model.layers; layer++) {
    const name = `layer.${layer}`
    const [query, key, value] = ['query', 'key', 'value'].map((part) => linear(`${name}.${part}`, x))
    const context = attention(query ?? [], key ?? [], value ?? [], model.heads)
    x = norm(`${name}.attention_norm`, sums(x, linear(`${name}.output`, context)))
    const inner = linear(`${name}.intermediate`, x).map((row) => row.map(gelu))
    x = norm(`${name}.output_norm`, sums(x, linear(`${name}.out`, inner)))
  }
  const mean = (x[0] ?? []).map((_, i) => sum(x.map((row) => row[i] ?? 0)) / x.length)
  const hidden = (linear('head.hidden', [mean])[0] ?? []).map((unit) => Math.max(0, unit))
  return linear('head.out', [hidden])[0]?.[0] ?? Number.NaN
}

function attention(queries: Matrix, keys: Matrix, values: Matrix, heads: number): Matrix {
  const size = (queries[0]?.length ?? 0) / heads
  return queries.map((query) =>
    Array.from({ length: heads }, (_, head) => {
      const part = (row: readonly number[]) => row.slice(head * size, (head + 1) * size)
      const scores = keys.map((key) => dot(part(query), part(key)) / Math.sqrt(size))
      const largest = Math.max(...scores)
      const shares = scores.map((score) => Math.exp(score - largest))
      const total = sum(shares)
      return part(query).map((_, i) =>
        sum(values.map((value, t) => ((shares[t] ?? 0) / total) * (part(value)[i] ?? 0))),
      )
    }).flat(),
  )
}

/** x times the share of the normal distribution below x, by its Taylor series, and 0 or x where that is as good. */
function gelu(x: number): number {
  if (Math.abs(x) > 6) return Math.max(0, x)
  let term = x
  let series = x
  for (let n = 1; n < 100; n++) {
    term *= (-x * x) / (2 * n)
    series += term / (2 * n + 1)
  }
  return x * (0.5 + series / Math.sqrt(2 * Math.PI))
}

function decode({ dtype, shape, offset }: DeclaredTensor, weights: Uint8Array): Matrix {
  const [rows, columns] = shape.length === 2 ? shape : [1, shape[0]]
  const view = new DataView(weights.buffer, weights.byteOffset)
  const weight = (row: number, column: number): number => {
    if (dtype === 'f32') return view.getFloat32(offset + 4 * (row * columns + column), true)
    if (dtype === 'q8') {
      const scale = view.getFloat32(offset + rows * columns + 4 * row, true)
      return view.getInt8(offset + row * columns + column) * scale
    }
    const group = offset + 18 * ((row * columns + column - (column % 32)) / 32)
    const byte = view.getUint8(group + 2 + (column % 16))
    const nibble = column % 32 < 16 ? byte & 15 : byte >> 4
    return (nibble - 8) * half(view.getUint16(group, true))
  }
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => weight(row, column)),
  )
}

function half(bits: number): number {
  const exponent = (bits >> 10) & 31
  const fraction = (bits & 1023) / 1024
  const size = exponent === 0 ? fraction * 2 ** -14 : (1 + fraction) * 2 ** (exponent - 15)
  return bits & 0x8000 ? -size : size
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)
const dot = (a: readonly number[], b: readonly number[]) => sum(a.map((x, i) => x * (b[i] ?? 0)))
const add = (a: readonly number[], b: readonly number[]) => a.map((x, i) => x + (b[i] ?? 0))
const sums = (a: Matrix, b: Matrix) => a.map((row, i) => add(row, b[i] ?? []))
const product = (matrix: Matrix, row: readonly number[]) => matrix.map((weights) => dot(weights, row))
