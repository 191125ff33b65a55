import { Buffer } from 'node:buffer'
import { Convolution, DIMENSIONS } from './convolution.ts'

/**
 * A small convolutional network over the words of a text (Kim 2014, "Convolutional Neural Networks for Sentence
 * Classification"): word vectors; filters over 1, 2, 3 and 5 neighbouring words; of every window of 20 words, begun every 5, the
 * greatest answer of each filter, and that in the words around the window; a hidden layer; and a number for each kind of sentence
 * that the network was fitted to. What is returned is the log-odds of the kinds of a crisis together against the harmless ones
 * together.
 */
export type Network = {
  /** Row of each word in the vectors; row 0 is that of unknown words. */
  rows: ReadonlyMap<string, number>
  /** `DIMENSIONS` numbers a row, in steps of `scale`. */
  vectors: Int8Array | Float32Array
  scale: number
  /** Networks over the same vectors, of which the mean counts: what one raises by chance another does not. */
  members: readonly Layers[]
}

export type Layers = {
  /** By tap, filter and dimension: `TAPS.length` × `FILTERS` × `DIMENSIONS`. */
  filters: Float32Array
  /** By channel, that is width and filter: `CHANNELS`. */
  filterBias: Float32Array
  /** By input (every channel, every channel of the context, every indication) and hidden unit. */
  hidden: Float32Array
  hiddenBias: Float32Array
  /** By hidden unit and kind: `HIDDEN` × `KINDS.length`. */
  output: Float32Array
  outputBias: Float32Array
}

export const FILTERS = 64
export const WIDTHS: readonly number[] = [1, 2, 3, 5]
export const CHANNELS = FILTERS * WIDTHS.length
export const HIDDEN = 32
/** The input of the hidden layer that is the first indication. */
export const INDICATED = 2 * CHANNELS
/** Words of a window, and from the beginning of one to that of the next. */
export const WINDOW = 20
export const STEP = 5
/** Words before a window, and after it, that are its context: a multiple of `STEP`. */
export const CONTEXT = 20
/** What a window counts with its context, beside what it counts by itself: plain words count whatever stands around them. */
const WITH_CONTEXT = 0.7
/** Slope of a hidden unit below zero. */
export const LEAK = 0.1

export const CRISIS_KINDS = [
  'wish',
  'ideation',
  'method',
  'intent',
  'plan_or_preparation',
  'attempt_or_overdose',
  'self_harm',
  'abuse',
  'farewell',
  'indirect',
] as const
export const HARMLESS_KINDS = [
  'ordinary',
  'hyperbole',
  'denial',
  'academic_media',
  'literal',
  'third_person',
  'strong_feeling',
  'past',
] as const
export const KINDS: readonly string[] = [...CRISIS_KINDS, ...HARMLESS_KINDS]

/** The neighbour that each tap of each width reads: `offset` words from the filter's place. */
export const TAPS: ReadonlyArray<{ width: number; offset: number }> = WIDTHS.flatMap((length, width) =>
  Array.from({ length }, (_, tap) => ({ width, offset: tap - ((length - 1) >> 1) })),
)

const ENDINGS = ['s', 'd', 'll', 've', 'ing', 'ed', 'in', 'ly'] as const

/** The row of a word, or of the word without an ending ("stepdads", "tryin"); 0 where neither is known. */
export function rowOf(word: string, rows: ReadonlyMap<string, number>): number {
  const row = rows.get(word)
  if (row !== undefined) return row
  for (const ending of ENDINGS) {
    const stem = word.endsWith(ending) ? rows.get(word.slice(0, -ending.length)) : undefined
    if (stem !== undefined) return stem
  }
  return 0
}

/** Number of windows of a text of so many words. */
export function windowCount(words: number): number {
  return words <= WINDOW ? 1 : 1 + Math.ceil((words - WINDOW) / STEP)
}

/**
 * Log-odds of every window of a text; linear in the text. `indicationsOf` gives what was found in a window, as inputs after the
 * channels.
 */
export function logOddsOf(
  network: Network,
  words: readonly string[],
  indicationsOf: (from: number, to: number) => Iterable<number>,
): Float32Array {
  const rows = words.map((word) => rowOf(word, network.rows))
  const result = new Float32Array(windowCount(words.length))
  const indications = Array.from(result, (_, window) => [
    ...indicationsOf(window * STEP, window * STEP + WINDOW),
  ])
  // One for all windows: what is made for each of them is freed late.
  const greatest = { window: new Float32Array(CHANNELS), context: new Float32Array(CHANNELS) }
  for (const layers of network.members) {
    const blocks = blocksOf(network, layers, rows)
    for (let window = 0; window < result.length; window++) {
      takeGreatest(greatest, blocks, window)
      const alone = hiddenOf(layers, greatest.window, indications[window] ?? [])
      const within = addContext(layers, alone.slice(), greatest.context)
      const logOdds =
        WITH_CONTEXT * kindsOf(layers, within).logOdds + (1 - WITH_CONTEXT) * kindsOf(layers, alone).logOdds
      result[window] = (result[window] ?? 0) + logOdds / network.members.length
    }
  }
  return result
}

/** The greatest answer of each channel in a window, and in its context; 0 where none is above it. */
export type Greatest = { window: Float32Array; context: Float32Array }

/**
 * The greatest answer of each channel in every block of `STEP` words. What a word gives to each filter is worked out once a text,
 * since speech repeats its words.
 */
function blocksOf(network: Network, layers: Layers, rows: readonly number[]): readonly Float32Array[] {
  sharedAnswers ??= new Answers()
  const ofMember = sharedAnswers.ofMember(layers)
  const answers = new Map<number, Float32Array>()
  const given = rows.map((row) => {
    const answer = answers.get(row) ?? ofMember.of(network, row)
    answers.set(row, answer)
    return answer
  })
  const sums = new Float32Array(CHANNELS)
  return Array.from({ length: Math.ceil(rows.length / STEP) }, (_, at) => {
    const block = new Float32Array(CHANNELS)
    for (let place = at * STEP; place < Math.min(rows.length, (at + 1) * STEP); place++) {
      sums.set(layers.filterBias)
      for (let tap = 0; tap < TAPS.length; tap++) {
        const { width = 0, offset = 0 } = TAPS[tap] ?? {}
        const answer = given[place + offset]
        if (answer !== undefined) add(sums, width * FILTERS, answer, tap * FILTERS)
      }
      keepGreatest(block, sums)
    }
    return block
  })
}

function takeGreatest({ window, context }: Greatest, blocks: readonly Float32Array[], begin: number): void {
  const end = begin + WINDOW / STEP
  const near = CONTEXT / STEP
  window.fill(0)
  context.fill(0)
  for (let at = Math.max(0, begin - near); at < Math.min(blocks.length, end + near); at++) {
    const block = blocks[at]
    if (block) keepGreatest(at >= begin && at < end ? window : context, block)
  }
}

/** Works out what words give to the filters of every tap: those of one member at a time. */
class Answers {
  readonly #convolution = new Convolution((TAPS.length * FILTERS + 1) * DIMENSIONS + TAPS.length * FILTERS)
  readonly #filters = this.#convolution.numbers(TAPS.length * FILTERS * DIMENSIONS)
  readonly #vector = this.#convolution.numbers(DIMENSIONS)
  readonly #answers = this.#convolution.numbers(TAPS.length * FILTERS)

  ofMember({ filters }: Layers): this {
    this.#filters.set(filters)
    return this
  }

  of({ vectors, scale }: Network, row: number): Float32Array {
    this.#vector.set(scaled(vectors.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS), scale))
    this.#answers.fill(0)
    this.#convolution.add(TAPS.length * FILTERS, [this.#answers, 0], [this.#filters, 0], [this.#vector, 0])
    return this.#answers.slice()
  }
}

let sharedAnswers: Answers | undefined

function add(to: Float32Array, at: number, from: Float32Array, start: number): void {
  for (let i = 0; i < FILTERS; i++) to[at + i] = (to[at + i] ?? 0) + (from[start + i] ?? 0)
}

function keepGreatest(kept: Float32Array, other: Float32Array): void {
  for (let i = 0; i < CHANNELS; i++) {
    const value = other[i] ?? 0
    if (value > (kept[i] ?? 0)) kept[i] = value
  }
}

/** The hidden layer of a window by itself, before its slope: from the greatest answers of each channel and what was found in it. */
export function hiddenOf(
  { hidden, hiddenBias }: Layers,
  window: Float32Array,
  indications: Iterable<number>,
): Float32Array {
  const units = Float32Array.from(hiddenBias)
  addChannels(units, hidden, 0, window)
  for (const indication of indications) addInput(units, hidden, INDICATED + indication, 1)
  return units
}

/** Adds what its context gives to the hidden layer of a window, and returns that. */
export function addContext({ hidden }: Layers, units: Float32Array, context: Float32Array): Float32Array {
  addChannels(units, hidden, CHANNELS, context)
  return units
}

function addChannels(units: Float32Array, hidden: Float32Array, from: number, greatest: Float32Array): void {
  for (let channel = 0; channel < CHANNELS; channel++) {
    const value = greatest[channel] ?? 0
    if (value > 0) addInput(units, hidden, from + channel, value)
  }
}

function addInput(units: Float32Array, hidden: Float32Array, input: number, value: number): void {
  for (let unit = 0; unit < HIDDEN; unit++)
    units[unit] = (units[unit] ?? 0) + value * (hidden[input * HIDDEN + unit] ?? 0)
}

/** A number for each kind, and the log-odds of a crisis, from a hidden layer, to which the slope below zero is applied. */
export function kindsOf(
  { output, outputBias }: Layers,
  units: Float32Array,
): { logOdds: number; kinds: Float32Array } {
  const kinds = Float32Array.from(outputBias)
  for (let unit = 0; unit < HIDDEN; unit++) {
    const value = units[unit] ?? 0
    if (value < 0) units[unit] = value * LEAK
    for (let kind = 0; kind < KINDS.length; kind++)
      kinds[kind] = (kinds[kind] ?? 0) + (units[unit] ?? 0) * (output[unit * KINDS.length + kind] ?? 0)
  }
  const logOdds =
    logSumExp(kinds.subarray(0, CRISIS_KINDS.length)) - logSumExp(kinds.subarray(CRISIS_KINDS.length))
  return { logOdds, kinds }
}

export function logSumExp(values: Float32Array): number {
  const most = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  return most + Math.log(values.reduce((sum, value) => sum + Math.exp(value - most), 0))
}

/** A network as it is stored: words between spaces, bytes and little-endian floats in base64. */
export type StoredNetwork = {
  words: string
  vectors: string
  scale: number
  /** Of every member, one after the other, in steps of its scale. */
  filters: string
  filterScales: readonly number[]
  /** The other layers of every member, one after the other. */
  layers: string
  /** Of the hidden layer. */
  inputs: number
}

export function loadNetwork(stored: StoredNetwork): Network {
  const { words, vectors, scale, filters, filterScales, layers, inputs } = stored
  const steps = new Int8Array(decoded(filters).buffer)
  const size = TAPS.length * DIMENSIONS * FILTERS
  const numbers = new Float32Array(decoded(layers).buffer)
  let at = 0
  const next = (length: number) => {
    at += length
    return numbers.subarray(at - length, at)
  }
  return {
    rows: new Map(words.split(' ').map((word, row) => [word, row])),
    vectors: new Int8Array(decoded(vectors).buffer),
    scale,
    members: filterScales.map((filterScale, member) => ({
      filters: scaled(steps.subarray(member * size, (member + 1) * size), filterScale),
      filterBias: next(CHANNELS),
      hidden: next(inputs * HIDDEN),
      hiddenBias: next(HIDDEN),
      output: next(HIDDEN * KINDS.length),
      outputBias: next(KINDS.length),
    })),
  }
}

/** Not by `Float32Array.from` with a function, which takes six times as long. */
function scaled(steps: Int8Array | Float32Array, scale: number): Float32Array<ArrayBuffer> {
  return new Float32Array(steps).map((step) => step * scale)
}

/** By `Buffer`, which takes less CPU in a new worker than `atob` and a loop over what it gives. */
function decoded(base64: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(base64, 'base64'))
}
