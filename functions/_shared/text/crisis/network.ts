/**
 * A small convolutional network over the words of a text (Kim 2014, "Convolutional Neural Networks for Sentence
 * Classification"): word vectors; filters over 1, 2, 3 and 5 neighbouring words; of every window of 20 words, begun every 5, the
 * greatest answer of each filter; a hidden layer; and a number for each kind of sentence that the network was trained on. What is
 * returned is the log-odds of the kinds of a crisis together against the harmless ones together.
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
  /** By input (every channel, then every indication) and hidden unit. */
  hidden: Float32Array
  hiddenBias: Float32Array
  /** By hidden unit and kind: `HIDDEN` × `KINDS.length`. */
  output: Float32Array
  outputBias: Float32Array
}

export const DIMENSIONS = 64
export const FILTERS = 64
export const WIDTHS: readonly number[] = [1, 2, 3, 5]
export const CHANNELS = FILTERS * WIDTHS.length
export const HIDDEN = 32
/** Words of a window, and from the beginning of one to that of the next. */
export const WINDOW = 20
export const STEP = 5
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
  for (const layers of network.members) {
    const greatest = greatestOf(network, layers, rows)
    for (let window = 0; window < result.length; window++) {
      const { logOdds } = readout(layers, greatest.next().value, indications[window] ?? [])
      result[window] = (result[window] ?? 0) + logOdds / network.members.length
    }
  }
  return result
}

/**
 * The greatest answer of each channel in every window, one after the other, in the same array. What a word gives to each filter is
 * worked out once a text, since speech repeats its words.
 */
function* greatestOf(
  network: Network,
  layers: Layers,
  rows: readonly number[],
): Generator<Float32Array, never> {
  const answers = new Map<number, Float32Array>()
  const given = rows.map((row) => {
    const answer = answers.get(row) ?? answerOf(network, layers, row)
    answers.set(row, answer)
    return answer
  })
  // The greatest answers of the latest blocks of `STEP` words; a window is as many blocks.
  const blocks = Array.from({ length: WINDOW / STEP }, () => new Float32Array(CHANNELS))
  const sums = new Float32Array(CHANNELS)
  const greatest = new Float32Array(CHANNELS)
  for (let begin = 0; ; begin += STEP) {
    const block = blocks[(begin / STEP) % blocks.length] ?? greatest
    block.fill(0)
    for (let place = begin; place < Math.min(rows.length, begin + STEP); place++) {
      sums.set(layers.filterBias)
      for (let tap = 0; tap < TAPS.length; tap++) {
        const { width = 0, offset = 0 } = TAPS[tap] ?? {}
        const answer = given[place + offset]
        if (answer !== undefined) add(sums, width * FILTERS, answer, tap * FILTERS)
      }
      keepGreatest(block, sums)
    }
    if (begin + STEP < WINDOW) continue
    greatest.fill(0)
    for (const each of blocks) keepGreatest(greatest, each)
    yield greatest
  }
}

/** What a word gives to the filters of every tap. */
function answerOf({ vectors, scale }: Network, { filters }: Layers, row: number): Float32Array {
  const vector = scaled(vectors.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS), scale)
  const answer = new Float32Array(TAPS.length * FILTERS)
  for (let at = 0; at < answer.length; at++) answer[at] = dot(filters, at * DIMENSIONS, vector, 0)
  return answer
}

/** Product of `DIMENSIONS` numbers of each array. */
export function dot(a: Float32Array, from: number, b: Float32Array, start: number): number {
  let sum = 0
  for (let i = 0; i < DIMENSIONS; i++) sum += (a[from + i] ?? 0) * (b[start + i] ?? 0)
  return sum
}

function add(to: Float32Array, at: number, from: Float32Array, start: number): void {
  for (let i = 0; i < FILTERS; i++) to[at + i] = (to[at + i] ?? 0) + (from[start + i] ?? 0)
}

function keepGreatest(kept: Float32Array, other: Float32Array): void {
  for (let i = 0; i < CHANNELS; i++) {
    const value = other[i] ?? 0
    if (value > (kept[i] ?? 0)) kept[i] = value
  }
}

/** Hidden units and kinds of a window, from the greatest answer of each channel. */
export function readout(
  { hidden, hiddenBias, output, outputBias }: Layers,
  greatest: Float32Array,
  indications: Iterable<number>,
): { logOdds: number; units: Float32Array; kinds: Float32Array } {
  const units = Float32Array.from(hiddenBias)
  const take = (input: number, value: number) => {
    for (let unit = 0; unit < HIDDEN; unit++)
      units[unit] = (units[unit] ?? 0) + value * (hidden[input * HIDDEN + unit] ?? 0)
  }
  for (let channel = 0; channel < CHANNELS; channel++) {
    const value = greatest[channel] ?? 0
    if (value > 0) take(channel, value)
  }
  for (const indication of indications) take(CHANNELS + indication, 1)
  const kinds = Float32Array.from(outputBias)
  for (let unit = 0; unit < HIDDEN; unit++) {
    const value = units[unit] ?? 0
    if (value < 0) units[unit] = value * LEAK
    for (let kind = 0; kind < KINDS.length; kind++)
      kinds[kind] = (kinds[kind] ?? 0) + (units[unit] ?? 0) * (output[unit * KINDS.length + kind] ?? 0)
  }
  const logOdds =
    logSumExp(kinds.subarray(0, CRISIS_KINDS.length)) - logSumExp(kinds.subarray(CRISIS_KINDS.length))
  return { logOdds, units, kinds }
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
  members: number
  /** Of the hidden layer. */
  inputs: number
}

export function loadNetwork(stored: StoredNetwork): Network {
  const { words, vectors, scale, filters, filterScales, layers, members, inputs } = stored
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
    members: Array.from({ length: members }, (_, member) => ({
      filters: scaled(steps.subarray(member * size, (member + 1) * size), filterScales[member] ?? 0),
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

/** A loop, because `Uint8Array.from` takes ten times as long, and every worker that reads text starts with this. */
function decoded(base64: string): Uint8Array<ArrayBuffer> {
  const characters = atob(base64)
  const bytes = new Uint8Array(characters.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i)
  return bytes
}
