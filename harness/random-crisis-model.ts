import { packAssets } from '../vendor/asset-pack.ts'

/** How large a random encoder is, and how its matrices are stored; small unless said otherwise. */
export interface Size {
  layers?: number
  hidden?: number
  heads?: number
  intermediate?: number
  positions?: number
  /** Pieces of the vocabulary, at least those of the texts. */
  pieces?: number
  dtype?: 'q8' | 'q4'
  /** Dtype of the pieces' vectors. */
  words?: 'q8' | 'q4' | 'f32'
  budget?: number
  /** Texts whose words the vocabulary has, in pieces of at most 6 letters. */
  texts?: readonly string[]
}

type Shape = [rows: number, columns: number] | [columns: number]

/** A tensor as `model.json` declares it. */
export interface DeclaredTensor {
  dtype: 'f32' | 'q8' | 'q4'
  shape: Shape
  offset: number
}

export type RandomModel = ReturnType<typeof randomCrisisModel>

/**
 * A sentence encoder of the form of the crisis check's, with random weights: what it says means nothing, but it takes as long. The
 * same size gives the same bytes.
 */
export function randomCrisisModel({
  layers = 2,
  hidden = 64,
  heads = 4,
  intermediate = 96,
  positions = 128,
  pieces: pieceCount = 0,
  dtype = 'q8',
  words = 'q4',
  budget = 1000,
  texts = [],
}: Size = {}) {
  const random = generator()
  const pieces = vocabularyOf(texts, pieceCount)
  const tensors: Record<string, DeclaredTensor> = {}
  const parts: Uint8Array[] = []
  let offset = 0
  const add = (name: string, type: DeclaredTensor['dtype'], shape: Shape, make: () => Uint8Array) => {
    const bytes = make()
    tensors[name] = { dtype: type, shape, offset }
    parts.push(bytes)
    offset += bytes.length
  }
  const floats = (name: string, shape: Shape, about: number, spread: number) => {
    const count = shape.reduce<number>((product, side) => product * side, 1)
    const make = () => bytesOf(Float32Array.from({ length: count }, () => about + spread * (random() - 0.5)))
    add(name, 'f32', shape, make)
  }
  const matrix = (name: string, type: DeclaredTensor['dtype'], rows: number, columns: number) => {
    if (type === 'f32') return floats(name, [rows, columns], 0, 0.2)
    add(name, type, [rows, columns], () =>
      type === 'q8' ? bytesWithScales(rows, columns, random) : nibbles(rows, columns, random),
    )
  }
  const linear = (name: string, rows: number, columns: number) => {
    matrix(`${name}.weight`, dtype, rows, columns)
    floats(`${name}.bias`, [rows], 0, 0.2)
  }
  const norm = (name: string) => {
    floats(`${name}.weight`, [hidden], 1, 0.5)
    floats(`${name}.bias`, [hidden], 0, 0.2)
  }
  matrix('word', words, pieces.length, hidden)
  floats('position', [positions, hidden], 0, 0.1)
  norm('embedding_norm')
  for (let layer = 0; layer < layers; layer++) {
    for (const name of ['query', 'key', 'value', 'output']) linear(`layer.${layer}.${name}`, hidden, hidden)
    linear(`layer.${layer}.intermediate`, intermediate, hidden)
    linear(`layer.${layer}.out`, hidden, intermediate)
    norm(`layer.${layer}.attention_norm`)
    norm(`layer.${layer}.output_norm`)
  }
  floats('head.hidden.weight', [128, hidden], 0, 0.2)
  floats('head.hidden.bias', [128], 0, 0.2)
  floats('head.out.weight', [1, 128], 0, 0.5)
  floats('head.out.bias', [1], 0, 0.2)
  floats('score', [pieces.length], -8, 6)
  floats('suspicion', [pieces.length], 0, 1)
  const weights = new Uint8Array(offset)
  let at = 0
  for (const part of parts) {
    weights.set(part, at)
    at += part.length
  }
  const model = {
    ...{ layers, hidden, heads, intermediate, eps: 1e-12, positions, lowercase: true },
    ...{ prefix: [1], suffix: [2], unknown: 0, unknownScore: -30 },
    windows: { words: 24, every: 16, tokens: Math.min(100, positions - 2) },
    budget,
    calibration: { slope: 1, intercept: -1, perLogWindow: 0.5 },
    tensors,
  }
  return { model, weights, pieces }
}

/** The pack that vendor/crisis.ts would make of a model. */
export function packCrisisModel({
  model,
  weights,
  pieces,
}: Omit<RandomModel, 'model'> & { model: object }): Uint8Array {
  const encoder = new TextEncoder()
  return packAssets([
    { name: 'model.json', bytes: encoder.encode(JSON.stringify(model)) },
    { name: 'pieces.txt', bytes: encoder.encode(pieces.join('\n')) },
    { name: 'weights.bin', bytes: weights },
  ])
}

/** Numbers from 0 to below 1, the same each time. */
function generator(): () => number {
  let state = 1
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return (state >>> 8) / 2 ** 24
  }
}

/** The unknown, the beginning and the end, which no text has; letters; what the texts' words are cut into; and made-up words. */
function vocabularyOf(texts: readonly string[], count: number): string[] {
  const letters = [..."abcdefghijklmnopqrstuvwxyz0123456789'.,!?-我想死了"]
  const pieces = new Set([...letters, '▁', ...letters.map((letter) => `▁${letter}`)])
  for (const word of texts.flatMap((text) => text.toLowerCase().split(/\s+/))) {
    for (let at = 0; at < word.length; at += 6) pieces.add((at === 0 ? '▁' : '') + word.slice(at, at + 6))
  }
  for (let number = 0; pieces.size < count - 3; number++) pieces.add(`▁${number.toString(36)}zq`)
  return ['', '', '', ...pieces]
}

function bytesOf(numbers: Float32Array): Uint8Array {
  return new Uint8Array(numbers.buffer)
}

function bytesWithScales(rows: number, columns: number, random: () => number): Uint8Array {
  const bytes = new Uint8Array(rows * (columns + 4))
  for (let i = 0; i < rows * columns; i++) bytes[i] = Math.floor(255 * random()) - 127
  bytes.set(bytesOf(Float32Array.from({ length: rows }, () => 0.0005 + 0.001 * random())), rows * columns)
  return bytes
}

function nibbles(rows: number, columns: number, random: () => number): Uint8Array {
  const bytes = Uint8Array.from({ length: (rows * columns * 18) / 32 }, () => 256 * random())
  // A scale of 0.008 to 0.03, as a 16-bit float.
  for (let at = 0; at < bytes.length; at += 18) bytes[at + 1] = 0x20 + Math.floor(8 * random())
  return bytes
}
