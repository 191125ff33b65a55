import { Convolution, DIMENSIONS } from '../../functions/_shared/text/crisis/convolution.ts'
import {
  addContext,
  CHANNELS,
  CONTEXT,
  CRISIS_KINDS,
  FILTERS,
  type Greatest,
  HIDDEN,
  hiddenOf,
  INDICATED,
  KINDS,
  kindsOf,
  type Layers,
  LEAK,
  logSumExp,
  type Network,
  rowOf,
  STEP,
  TAPS,
  WIDTHS,
  WINDOW,
  windowCount,
} from '../../functions/_shared/text/crisis/network.ts'
import { Adam } from './adam.ts'
import type { WordVectors } from './vectors.ts'

/** A text as the detector reads it: words, what the rules found at each, and from which word to before which it is of its kind. */
export type Reading = {
  rows: Int32Array
  indications: ReadonlyArray<readonly number[]>
  from: number
  to: number
}

/** A text to learn from, in one or more forms; `kind` is an index of `KINDS`, or -1 where only the side is known. */
export type Example = {
  forms: readonly Reading[]
  crisis: boolean
  kind: number
  weight: number
  /** Harmless talk, which may stand around sentences. */
  surroundings: boolean
  /** Begins and ends by itself, and is set into no surroundings. */
  whole: boolean
}

/** Networks over the same vectors, each of which leaves out other words, channels and contexts. */
const MEMBERS = 3
const BATCH = 64
const RATE = 4e-3
const WARM_UP = 100
/** Share of words and of channels that are left out of each reading. */
const WORDS_DROPPED = 0.08
const CHANNELS_DROPPED = 0.2
/** Share of readings whose windows are read without their context. */
const CONTEXTS_DROPPED = 0.4
/** Share of sentences that are set into 3 to 60 words of a check-in, or beside another sentence, that are harmless. */
const SURROUNDED = 0.5
const SMOOTHING = 0.02
/** How much the kind counts beside the side. */
const KIND = 1
/** How much the most alarming window of the talk around a crisis counts as harmless. */
const ELSEWHERE = 0.3
const DECAY = 0.01
const LONGEST = 1200

/** A text to fit to; `part` is the words in it that its kind is about, of which it may hold more. */
export function readingOf(
  words: ReadonlyArray<{ word: string; indications: readonly number[] }>,
  rows: ReadonlyMap<string, number>,
  part: ReadonlyArray<{ word: string }> = words,
): Reading {
  const read = words.length === 0 ? [{ word: '', indications: [] }] : words.slice(0, LONGEST)
  const from = read.findIndex((_, at) => part.every(({ word }, i) => read[at + i]?.word === word))
  return {
    rows: Int32Array.from(read, ({ word }) => rowOf(word, rows)),
    indications: read.map(({ indications }) => indications),
    ...(from === -1 ? { from: 0, to: read.length } : { from, to: from + Math.max(1, part.length) }),
  }
}

/**
 * Fits a network by stochastic gradient steps (Adam) on texts of which the most alarming window counts. The same examples and seed
 * give the same network, bit for bit, on the same version of Node.
 */
export function fitNetwork(
  examples: readonly Example[],
  { words, vectors: initial }: WordVectors,
  inputs: number,
  { passes, seed, log }: { passes: number; seed: number; log: (line: string) => void },
): Network {
  const random = sequence(seed)
  const convolution = new Convolution(
    initial.length + MEMBERS * (TAPS.length * DIMENSIONS * FILTERS + LONGEST * CHANNELS),
  )
  const vectors = convolution.numbers(initial.length)
  vectors.set(initial)
  const members = Array.from(
    { length: MEMBERS },
    () => new Member(layersOf(inputs, random), vectors, convolution),
  )
  const wordGradients = new Map<number, Float32Array>()
  const wordAdam = new Adam(vectors, vectors)
  const surroundings = [true, false].map((whole) =>
    examples.flatMap((each) => (each.surroundings && each.whole === whole ? each.forms.slice(-1) : [])),
  )
  const steps = passes * Math.ceil(examples.length / BATCH)
  let step = 0
  for (let pass = 0; pass < passes; pass++) {
    let loss = 0
    const order = shuffled([...examples.keys()], random)
    for (let at = 0; at < order.length; at += BATCH) {
      for (const index of order.slice(at, at + BATCH)) {
        const example = examples[index]
        if (example === undefined) continue
        const form = pick(example.forms, random)
        const reading =
          example.whole || random() >= SURROUNDED ? form : surround(form, pick(surroundings, random), random)
        for (const member of members) loss += learn(member, reading, example, wordGradients, random) / MEMBERS
      }
      step++
      const rate = RATE * Math.min(1, step / WARM_UP) * Math.max(0.02, 1 - step / steps)
      for (const { adams } of members) for (const adam of adams) adam.step(rate, step, DECAY)
      for (const [row, gradient] of wordGradients) wordAdam.stepRow(row, gradient, rate, step, initial)
      wordGradients.clear()
    }
    log(`pass ${pass + 1} of ${passes}: loss ${(loss / examples.length).toFixed(4)}`)
  }
  return {
    rows: new Map(words.map((word, row) => [word, row])),
    vectors: vectors.slice(),
    scale: 1,
    members: members.map(({ layers }) => ({ ...layers, filters: layers.filters.slice() })),
  }
}

function layersOf(inputs: number, random: () => number): Layers {
  const uniform = (length: number, reach: number) =>
    Float32Array.from({ length }, () => (2 * random() - 1) * reach)
  return {
    filters: uniform(TAPS.length * DIMENSIONS * FILTERS, 1).map((value, at) => {
      const width = TAPS[Math.floor(at / (DIMENSIONS * FILTERS))]?.width ?? 0
      return value / Math.sqrt((WIDTHS[width] ?? 1) * DIMENSIONS)
    }),
    filterBias: new Float32Array(CHANNELS),
    hidden: uniform((INDICATED + inputs) * HIDDEN, 1 / Math.sqrt(INDICATED)),
    hiddenBias: new Float32Array(HIDDEN),
    output: uniform(HIDDEN * KINDS.length, 1 / Math.sqrt(HIDDEN)),
    outputBias: new Float32Array(KINDS.length),
  }
}

/** One network that is being fitted: its weights, their gradients, and its filters' answers at every place of the text being read. */
class Member {
  readonly layers: Layers
  readonly gradients: Layers
  readonly adams: readonly Adam[]
  readonly vectors: Float32Array
  readonly convolution: Convolution
  readonly answers: Float32Array
  /** Words left out, what each channel counts, and whether windows are read without their context. */
  readonly dropped = new Uint8Array(LONGEST)
  readonly kept = new Float32Array(CHANNELS)
  alone = false
  /** The greatest answers in every block of `STEP` words. */
  blocks: readonly Peaks[] = []

  constructor(initial: Layers, vectors: Float32Array, convolution: Convolution) {
    const filters = convolution.numbers(initial.filters.length)
    filters.set(initial.filters)
    const layers = { ...initial, filters }
    this.layers = layers
    this.convolution = convolution
    this.answers = convolution.numbers(LONGEST * CHANNELS)
    this.gradients = zeros(layers)
    this.adams = [
      new Adam(layers.filters, this.gradients.filters),
      new Adam(layers.filterBias, this.gradients.filterBias),
      new Adam(layers.hidden, this.gradients.hidden),
      new Adam(layers.hiddenBias, this.gradients.hiddenBias),
      new Adam(layers.output, this.gradients.output),
      new Adam(layers.outputBias, this.gradients.outputBias),
    ]
    this.vectors = vectors
  }

  fill({ rows }: Reading, random: () => number): void {
    const { layers, vectors, convolution, answers, dropped, kept } = this
    const length = rows.length
    this.alone = random() < CONTEXTS_DROPPED
    for (let place = 0; place < length; place++) dropped[place] = random() < WORDS_DROPPED ? 1 : 0
    for (let channel = 0; channel < CHANNELS; channel++)
      kept[channel] = random() < CHANNELS_DROPPED ? 0 : 1 / (1 - CHANNELS_DROPPED)
    for (let place = 0; place < length; place++) {
      answers.set(layers.filterBias, place * CHANNELS)
      for (let tap = 0; tap < TAPS.length; tap++) {
        const { width = 0, offset = 0 } = TAPS[tap] ?? {}
        const other = place + offset
        if (other < 0 || other >= length || dropped[other] === 1) continue
        convolution.add(
          FILTERS,
          [answers, place * CHANNELS + width * FILTERS],
          [layers.filters, tap * FILTERS],
          [vectors, rows[other] ?? 0],
        )
      }
    }
    this.blocks = Array.from({ length: Math.ceil(length / STEP) }, (_, at) =>
      this.block(at * STEP, Math.min(length, (at + 1) * STEP)),
    )
  }

  private block(from: number, to: number): Peaks {
    const peaks = noPeaks()
    for (let place = from; place < to; place++) {
      for (let channel = 0; channel < CHANNELS; channel++) {
        const answer = this.answers[place * CHANNELS + channel] ?? 0
        if (answer <= (peaks.values[channel] ?? 0)) continue
        peaks.values[channel] = answer
        peaks.places[channel] = place
      }
    }
    return peaks
  }
}

/**
 * One text: adds the gradients of its most alarming window, of a crisis among those that hold half of it or half of what a window
 * holds, and of the most alarming one that holds nothing of it. Returns the loss of the first.
 */
function learn(
  member: Member,
  reading: Reading,
  example: Example,
  wordGradients: Map<number, Float32Array>,
  random: () => number,
): number {
  member.fill(reading, random)
  const enough = example.crisis ? Math.min(reading.to - reading.from, WINDOW) / 2 : 0
  let best: Read | undefined
  let elsewhere: Read | undefined
  for (let window = 0; window < windowCount(reading.rows.length); window++) {
    const begin = window * STEP
    const held = Math.min(reading.to, begin + WINDOW) - Math.max(reading.from, begin)
    const isPart = !example.crisis || held >= enough
    if (!isPart && held > 0) continue
    const read = windowOf(member, reading, window)
    if (isPart && read.logOdds > (best?.logOdds ?? Number.NEGATIVE_INFINITY)) best = read
    if (!isPart && read.logOdds > (elsewhere?.logOdds ?? Number.NEGATIVE_INFINITY)) elsewhere = read
  }
  const towards = (read: Read, { crisis, weight, kind }: Pick<Example, 'crisis' | 'weight' | 'kind'>) => {
    const wanted = crisis ? 1 - SMOOTHING : SMOOTHING
    const probability = 1 / (1 + Math.exp(-read.logOdds))
    const slope = ((probability - wanted) * weight) / BATCH
    propagate(member, reading, read, { kind, weight }, slope, wordGradients)
    return -weight * (wanted * Math.log(probability + 1e-9) + (1 - wanted) * Math.log(1 - probability + 1e-9))
  }
  if (elsewhere) towards(elsewhere, { crisis: false, weight: ELSEWHERE * example.weight, kind: -1 })
  return best ? towards(best, example) : 0
}

/** The greatest answer of each channel in some words, and its place; -1 where none is above 0. */
type Peaks = { values: Float32Array; places: Int32Array }

/** What the network makes of a window, the greatest answers in it and in its context, and what the rules found. */
type Read = ReturnType<typeof kindsOf> & {
  units: Float32Array
  peaks: Record<keyof Greatest, Peaks>
  found: readonly number[]
}

/** What the network makes of the window that begins with a block. */
function windowOf(member: Member, { indications }: Reading, begin: number): Read {
  const { layers, blocks, alone } = member
  const reach = alone ? 0 : CONTEXT / STEP
  const end = begin + WINDOW / STEP
  const window = peaksOf(member, blocks.slice(begin, end))
  const context = peaksOf(member, [
    ...blocks.slice(Math.max(0, begin - reach), begin),
    ...blocks.slice(end, end + reach),
  ])
  const found = [...new Set(indications.slice(begin * STEP, end * STEP).flat())]
  const units = addContext(layers, hiddenOf(layers, window.values, found), context.values)
  return { ...kindsOf(layers, units), units, peaks: { window, context }, found }
}

/** The greatest of blocks, of the channels that are kept. */
function peaksOf({ kept }: Member, blocks: readonly Peaks[]): Peaks {
  const peaks = noPeaks()
  for (const { values, places } of blocks) {
    for (let channel = 0; channel < CHANNELS; channel++) {
      const value = values[channel] ?? 0
      if (value <= (peaks.values[channel] ?? 0)) continue
      peaks.values[channel] = value
      peaks.places[channel] = places[channel] ?? -1
    }
  }
  for (let channel = 0; channel < CHANNELS; channel++)
    peaks.values[channel] = (peaks.values[channel] ?? 0) * (kept[channel] ?? 0)
  return peaks
}

function noPeaks(): Peaks {
  return { values: new Float32Array(CHANNELS), places: new Int32Array(CHANNELS).fill(-1) }
}

/** Adds the gradients of a window, given that of its log-odds. */
function propagate(
  { layers, gradients, vectors, dropped, kept }: Member,
  { rows }: Reading,
  { units, kinds, peaks, found }: Read,
  { kind, weight }: Pick<Example, 'kind' | 'weight'>,
  slope: number,
  wordGradients: Map<number, Float32Array>,
): void {
  const crisis = CRISIS_KINDS.length
  const sums = [logSumExp(kinds.subarray(0, crisis)), logSumExp(kinds.subarray(crisis))] as const
  const side = kind < crisis
  const kindSlopes = kinds.map((value, each) => {
    const share = Math.exp(value - (each < crisis ? sums[0] : sums[1]))
    const ofKind = kind >= 0 && each < crisis === side ? share - (each === kind ? 1 : 0) : 0
    return (each < crisis ? slope : -slope) * share + (KIND * weight * ofKind) / BATCH
  })
  const unitSlopes = units.map((value, unit) => {
    let sum = 0
    for (const [each, kindSlope] of kindSlopes.entries()) {
      const weightAt = unit * KINDS.length + each
      gradients.output[weightAt] = (gradients.output[weightAt] ?? 0) + kindSlope * value
      sum += kindSlope * (layers.output[weightAt] ?? 0)
    }
    return value < 0 ? sum * LEAK : sum
  })
  addTo(gradients.outputBias, kindSlopes)
  addTo(gradients.hiddenBias, unitSlopes)
  for (const indication of found) toInput(INDICATED + indication, 1)
  for (const [part, name] of (['window', 'context'] as const).entries()) {
    for (let channel = 0; channel < CHANNELS; channel++) {
      const value = peaks[name].values[channel] ?? 0
      const place = peaks[name].places[channel] ?? -1
      if (value === 0 || place < 0) continue
      toFilter(channel, place, toInput(part * CHANNELS + channel, value) * (kept[channel] ?? 0))
    }
  }

  /** The slope of an input of the hidden layer, whose gradients are added. */
  function toInput(input: number, value: number): number {
    let sum = 0
    for (let unit = 0; unit < HIDDEN; unit++) {
      const weightAt = input * HIDDEN + unit
      const unitSlope = unitSlopes[unit] ?? 0
      gradients.hidden[weightAt] = (gradients.hidden[weightAt] ?? 0) + value * unitSlope
      sum += (layers.hidden[weightAt] ?? 0) * unitSlope
    }
    return sum
  }

  function toFilter(channel: number, place: number, channelSlope: number): void {
    gradients.filterBias[channel] = (gradients.filterBias[channel] ?? 0) + channelSlope
    const filter = channel % FILTERS
    for (let tap = 0; tap < TAPS.length; tap++) {
      const { width, offset } = TAPS[tap] ?? {}
      const other = place + (offset ?? 0)
      if (width !== Math.floor(channel / FILTERS)) continue
      if (other < 0 || other >= rows.length || dropped[other] === 1) continue
      const row = rows[other] ?? 0
      const wordGradient = wordGradients.get(row) ?? new Float32Array(DIMENSIONS)
      wordGradients.set(row, wordGradient)
      for (let dimension = 0; dimension < DIMENSIONS; dimension++) {
        const weightAt = (tap * FILTERS + filter) * DIMENSIONS + dimension
        const value = vectors[row * DIMENSIONS + dimension] ?? 0
        gradients.filters[weightAt] = (gradients.filters[weightAt] ?? 0) + channelSlope * value
        wordGradient[dimension] =
          (wordGradient[dimension] ?? 0) + channelSlope * (layers.filters[weightAt] ?? 0)
      }
    }
  }
}

/** A sentence among harmless talk. */
function surround(reading: Reading, surroundings: readonly Reading[], random: () => number): Reading {
  const talk = pick(surroundings, random)
  const length = 3 + Math.floor(random() * 58)
  const from = Math.floor(random() * Math.max(1, talk.rows.length - length))
  const to = Math.min(talk.rows.length, from + length)
  // Before or after a sentence, anywhere in a check-in.
  const middle = to - from < length ? pick([from, to], random) : from + Math.floor(random() * (to - from + 1))
  const before = middle - from
  return {
    rows: Int32Array.from([
      ...talk.rows.subarray(from, middle),
      ...reading.rows,
      ...talk.rows.subarray(middle, to),
    ]).subarray(0, LONGEST),
    from: before + reading.from,
    to: before + reading.to,
    indications: [
      ...talk.indications.slice(from, middle),
      ...reading.indications,
      ...talk.indications.slice(middle, to),
    ],
  }
}

function zeros(layers: Layers): Layers {
  const empty = (layer: Float32Array) => new Float32Array(layer.length)
  const { filters, filterBias, hidden, hiddenBias, output, outputBias } = layers
  return {
    filters: empty(filters),
    filterBias: empty(filterBias),
    hidden: empty(hidden),
    hiddenBias: empty(hiddenBias),
    output: empty(output),
    outputBias: empty(outputBias),
  }
}

function addTo(sum: Float32Array, more: Float32Array): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (more[i] ?? 0)
}

function pick<Item>(items: readonly Item[], random: () => number): Item {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}

function shuffled(order: number[], random: () => number): number[] {
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const held = order[i] ?? 0
    order[i] = order[j] ?? 0
    order[j] = held
  }
  return order
}

/** Mulberry32: a sequence in [0, 1). */
export function sequence(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
