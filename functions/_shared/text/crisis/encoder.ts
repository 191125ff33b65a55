import { unpackAssets } from '../../asset-pack.ts'
import { Encoder } from './forward.ts'
import { chooseWindows, type Span, windowsOf, wordsOf } from './passages.ts'
import { Tokeniser } from './tokens.ts'
import { type Declaration, floatsOf, readWeights } from './weights.ts'

/** The file of the sentence encoder, in the bucket `analysis-assets`; vendor/crisis.ts builds it. */
export const CRISIS_ASSET = 'crisis.pack'

/** A sentence encoder, ready to read. Each reading depends on the text alone. */
export interface CrisisModel {
  declared: Declaration
  tokeniser: Tokeniser
  encoder: Encoder
  /** What each piece counts in the first look at a window. */
  suspicion: Float32Array
}

/** A part of a text in UTF-16 units, and the probability, from 0 to 1, that it is of a crisis. */
export type Passage = { from: number; to: number; probability: number }

/**
 * The probability, from 0 to 1, that a text is of a crisis; the at most 3 most suspicious passages, which do not overlap, best first;
 * the share of its words that were read; and how many windows it has.
 */
export type SentenceReading = { probability: number; passages: Passage[]; share: number; windows: number }

/**
 * Loads the encoder from a pack of `model.json`, `weights.bin` and `pieces.txt` (corpora/crisis/model/README.md says what they
 * hold). The pack can be dropped afterwards.
 *
 * @throws when a file is missing, or what it declares does not agree with its bytes
 */
export function loadCrisisModel(pack: Uint8Array): CrisisModel {
  const asset = unpackAssets(pack)
  const weights = readWeights(asset('model.json'), asset('weights.bin'))
  const { declared } = weights
  const pieces = new TextDecoder().decode(asset('pieces.txt')).split('\n')
  const specials = [...declared.prefix, ...declared.suffix, declared.unknown]
  if (!specials.every((piece) => piece < pieces.length)) {
    throw new Error('The crisis model names a piece that it does not have')
  }
  const ofPieces = (name: string) => {
    const { dtype, bytes } = weights.tensor(name, 1, pieces.length)
    if (dtype !== 'f32') throw new Error(`The crisis model's tensor ${name} is not f32`)
    return floatsOf(bytes)
  }
  return {
    declared,
    tokeniser: new Tokeniser({ ...declared, pieces, scores: ofPieces('score') }),
    encoder: new Encoder(weights, pieces.length),
    suspicion: ofPieces('suspicion'),
  }
}

/** Passages that a reading tells of at most. */
const PASSAGES = 3

/**
 * Reads a text in windows of some words. The same text gives the same reading on every host. Takes time linear in the text for the
 * first look, and for the encoder at most that of the budget's windows.
 *
 * @throws when the weights are such that a sum of them is no number
 */
export function readSentences(model: CrisisModel, text: string): SentenceReading {
  const { declared, encoder } = model
  const { prefix, suffix, calibration } = declared
  const words = wordsOf(text)
  const windows = windowsOf(words.length, declared.windows.words, declared.windows.every)
  if (windows.length === 0) return { probability: 0, passages: [], share: 1, windows: 0 }
  const known = new Map<string, readonly number[]>()
  const spans = windows.map(({ from, to }) => ({ from: words[from]?.from ?? 0, to: words[to - 1]?.to ?? 0 }))
  const tokens = spans.map(({ from, to }) =>
    model.tokeniser.tokensOf(text.slice(from, to), declared.windows.tokens, known),
  )
  const usual = 2 * declared.windows.words
  const chosen = chooseWindows(
    tokens.map((window) => ({
      suspicion: window.reduce((sum, token) => sum + (model.suspicion[token] ?? 0), 0),
      cost: Math.max(1, window.length / usual),
    })),
    declared.budget,
  )
  const logOdds = encoder.logOddsOf(chosen.map((window) => [...prefix, ...(tokens[window] ?? []), ...suffix]))
  if (!logOdds.every(Number.isFinite)) throw new Error('The crisis model gives a number that is none')
  const read = chosen.map((window, i) => ({
    words: windows[window] ?? { from: 0, to: 0 },
    ...(spans[window] ?? { from: 0, to: 0 }),
    logOdds: logOdds[i] ?? 0,
  }))
  const probabilityOf = (value: number, ofWindows: number) => {
    const { slope, intercept, perLogWindow } = calibration
    return 1 / (1 + Math.exp(-(slope * (value - perLogWindow * Math.log(ofWindows)) + intercept)))
  }
  const ranked = read.toSorted((a, b) => b.logOdds - a.logOdds || a.from - b.from)
  return {
    probability: probabilityOf(ranked[0]?.logOdds ?? 0, windows.length),
    passages: apart(ranked)
      .slice(0, PASSAGES)
      .map(({ from, to, logOdds }) => ({ from, to, probability: probabilityOf(logOdds, 1) })),
    share: covered(read.map((window) => window.words)) / words.length,
    windows: windows.length,
  }
}

/** Those that overlap with none before them. */
function apart<Of extends Span>(spans: readonly Of[]): Of[] {
  const kept: Of[] = []
  for (const span of spans) {
    if (kept.every(({ from, to }) => span.to <= from || span.from >= to)) kept.push(span)
  }
  return kept
}

/** How much spans cover together; they are in order. */
function covered(spans: readonly Span[]): number {
  let end = 0
  return spans.reduce((sum, { from, to }) => {
    const fresh = Math.max(0, to - Math.max(from, end))
    end = Math.max(end, to)
    return sum + fresh
  }, 0)
}
