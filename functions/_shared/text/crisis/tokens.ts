import { normalForm } from '../../unicode.ts'

/** Marks the beginning of a word in the pieces. */
const WORD = '▁'

/** Code units of the longest piece that is looked for; SentencePiece makes none with more. */
const LONGEST = 16

const SPACES = /[\s\u0085\u200b-\u200f\u2581\ufffd]+/gu
const CONTROLS = /\p{Cc}/gu
/** What remains of a capital İ in lower case. */
const DOT_ABOVE = /\u0307/gu

export interface Vocabulary {
  /** By number; a piece without letters is one that no text has. */
  pieces: readonly string[]
  scores: Float32Array
  /** The number of what no piece is found for, and what it counts. */
  unknown: number
  unknownScore: number
  lowercase: boolean
}

/**
 * Cuts texts into the pieces of a unigram vocabulary as SentencePiece does (Kudo 2018, "Subword Regularization"): those whose scores
 * have the largest sum. In time linear in the text.
 */
export class Tokeniser {
  readonly #numbers = new Map<string, number>()
  /** Code units of the longest piece that begins with these two. */
  readonly #longest = new Map<string, number>()
  readonly #vocabulary: Vocabulary

  /** @throws when a piece is there twice, or is longer than any may be */
  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
    vocabulary.pieces.forEach((piece, number) => {
      if (piece === '') return
      if (piece.length > LONGEST) throw new Error(`The crisis model's piece ${number} is too long`)
      this.#numbers.set(piece, number)
      const begins = piece.slice(0, 2)
      this.#longest.set(begins, Math.max(this.#longest.get(begins) ?? 0, piece.length))
    })
    const matched = vocabulary.pieces.filter((piece) => piece !== '').length
    if (this.#numbers.size !== matched) throw new Error('The crisis model has a piece twice')
  }

  /**
   * The first so many tokens of a text that stands alone.
   *
   * @param known what words were cut into before, by the same tokeniser
   */
  tokensOf(text: string, limit: number, known: Map<string, readonly number[]>): number[] {
    const tokens: number[] = []
    for (const word of this.#normalised(text).split(' ')) {
      if (word === '') continue
      const cut = known.get(word) ?? this.#cut(WORD + word)
      known.set(word, cut)
      for (const token of cut) {
        if (tokens.length === limit) return tokens
        tokens.push(token)
      }
    }
    return tokens
  }

  #normalised(text: string): string {
    const normal = normalForm(text.toWellFormed(), 'NFKC')
    const written = this.#vocabulary.lowercase ? normal.toLowerCase().replace(DOT_ABOVE, '') : normal
    return written.replace(SPACES, ' ').replace(CONTROLS, '')
  }

  /** Viterbi's algorithm: the best way to each place is a piece after the best way to where that begins. */
  #cut(word: string): number[] {
    const { scores, unknown, unknownScore } = this.#vocabulary
    const best = new Float64Array(word.length + 1).fill(Number.NEGATIVE_INFINITY)
    const from = new Int32Array(word.length + 1)
    const pieces = new Int32Array(word.length + 1)
    best[0] = 0
    const offer = (start: number, end: number, piece: number, score: number) => {
      const sum = (best[start] ?? 0) + score
      if (sum <= (best[end] ?? 0)) return
      best[end] = sum
      from[end] = start
      pieces[end] = piece
    }
    for (let start = 0; start < word.length; start++) {
      if (best[start] === Number.NEGATIVE_INFINITY) continue
      // Of what begins like no piece, a single unit may still be one.
      const longest = this.#longest.get(word.slice(start, start + 2)) ?? 1
      for (let end = start + 1; end <= Math.min(word.length, start + longest); end++) {
        const piece = this.#numbers.get(word.slice(start, end))
        if (piece !== undefined) offer(start, end, piece, scores[piece] ?? 0)
      }
      const character = (word.codePointAt(start) ?? 0) > 0xffff ? 2 : 1
      offer(start, start + character, unknown, unknownScore)
    }
    const tokens: number[] = []
    for (let end = word.length; end > 0; end = from[end] ?? 0) {
      const piece = pieces[end] ?? unknown
      // What is unknown in a row is one token.
      if (piece !== unknown || tokens.at(-1) !== unknown) tokens.push(piece)
    }
    return tokens.reverse()
  }
}
