import { model, winkNLP } from '../../_vendor/wink.js'
import { clean } from './clean.ts'

/** One word of a transcript. */
export type Word = {
  /** Lower case, straight apostrophes, contractions whole (`don't`). */
  form: string
  /** Coarse universal part of speech of its first part (`NOUN`, `VERB`, `AUX`…). */
  pos: string
  /** Position of its sentence. */
  sentence: number
  /** A comma, semicolon, colon, bracket, dash or the sentence's end follows. */
  breakAfter: boolean
  /** It is in capitals among words that are not. */
  capitals: boolean
}

export type Sentence = { text: string; words: number; ended: boolean }

type Document = { words: Word[]; sentences: Sentence[] }

/** Longest run of characters without a space that is read; longer ones are not words. */
const LONGEST_WORD = 60

/** Longest piece that the tagger gets, in words, so that unpunctuated speech takes linear time. */
const LONGEST_SENTENCE = 80

/** Longest run of words without a marked end that is read as one sentence, and what longer ones are cut into. */
const LONGEST_UNMARKED = 24
const UNMARKED_WINDOW = 12

/** Lines that the tagger gets one by one, since each call of it takes time; the short ones that follow are joined. */
const MOST_LINES = 2000

/** Shortest piece that a sentence's end completes, in words. */
const SHORTEST_PIECE = 20

/** What the tagger splits from its word; `dont` is split like `don't`. */
const CONTRACTED = /^(?:n'?t|'(?:s|m|re|ve|ll|d|t|em|all))$/i

let tagger: ReturnType<typeof winkNLP> | undefined

/** Loaded with the first text and reused: a worker that never reads text does not unpack the model. */
function loadTagger() {
  tagger ??= winkNLP(model, ['sbd', 'pos'])
  return tagger
}

/**
 * Words and sentences of a transcript (wink-nlp, English lite model). A sentence is `ended` when the transcript marks
 * its end; speech recognised without punctuation has none that are.
 */
export function read(transcript: string): Document {
  const words: Word[] = []
  const sentences: Sentence[] = []
  const nlp = loadTagger()
  for (const piece of pieces(clean(transcript))) {
    const doc = nlp.readDoc(piece)
    doc.sentences().each((sentence) => {
      const text = sentence.out()
      const isShouted = !/\p{Ll}/u.test(text)
      let count = 0
      let isAfterWord = false
      sentence.tokens().each((token) => {
        const written = token.out()
        const form = written.toLowerCase()
        const previous = words.at(-1)
        const joined = token.out(nlp.its.precedingSpaces) === ''
        if (joined && previous !== undefined && count > 0 && CONTRACTED.test(form)) {
          previous.form += form
          return
        }
        // "poszliśmy" is one word, in whose middle the English tagger sees an end
        if (joined && isAfterWord && previous !== undefined && isSplit(previous.form, form)) {
          previous.form += form
          return
        }
        isAfterWord = /[\p{L}\p{N}]/u.test(form)
        if (!isAfterWord) {
          if (previous !== undefined && count > 0 && /[,;:.!?()\u2013\u2014-]/.test(form))
            previous.breakAfter = true
          return
        }
        words.push({
          form,
          pos: token.out(nlp.its.pos),
          sentence: sentences.length,
          breakAfter: false,
          capitals: !isShouted && form.length > 1 && written === written.toUpperCase() && written !== form,
        })
        count++
      })
      const last = words.at(-1)
      if (count === 0 || last === undefined) return
      const ended = /[.!?\u2026]["')\]]*\s*$/.test(text)
      if (ended) last.breakAfter = true
      if (ended || count <= LONGEST_UNMARKED) sentences.push({ text, words: count, ended })
      else sentences.push(...cutUp(words.slice(-count), sentences.length, text))
    })
  }
  return { words, sentences }
}

/** Whether two pieces are of one word, divided at a letter that English does not have. */
function isSplit(before: string, after: string): boolean {
  return (
    /[\p{L}\p{M}]$/u.test(before) &&
    /^[\p{L}\p{M}]/u.test(after) &&
    (/[^\0-\x7f]$/.test(before) || /^[^\0-\x7f]/.test(after))
  )
}

/**
 * Cuts words without a marked end into windows about as long as spoken sentences: the tone of eighty words at once
 * would say little but that there were many.
 */
function cutUp(words: readonly Word[], first: number, text: string): Sentence[] {
  const count = Math.round(words.length / UNMARKED_WINDOW)
  const windows = Array.from({ length: count }, (_, index) => ({
    // Marks such as emoticons count once.
    text: index === 0 ? text : '',
    words: 0,
    ended: false,
  }))
  words.forEach((word, at) => {
    const index = Math.floor((count * at) / words.length)
    word.sentence = first + index
    const window = windows[index]
    if (window) window.words++
  })
  return windows
}

/** Pieces of at most 80 words, split at sentence ends or line breaks where there are any. */
function* pieces(text: string): Generator<string> {
  let piece: string[] = []
  let lines = 0
  for (const token of text.match(/\S+|\n/g) ?? []) {
    if (token === '\n') {
      if (piece.length === 0 || (lines >= MOST_LINES && piece.length < SHORTEST_PIECE)) continue
      lines++
      yield piece.join(' ')
      piece = []
      continue
    }
    if (token.length > LONGEST_WORD) continue
    piece.push(token)
    if (piece.length >= LONGEST_SENTENCE || (piece.length >= SHORTEST_PIECE && /[.!?]$/.test(token))) {
      yield piece.join(' ')
      piece = []
    }
  }
  if (piece.length > 0) yield piece.join(' ')
}
