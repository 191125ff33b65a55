import vader from 'vader-sentiment'
import type { Sentence, Word } from './document.ts'
import { STRONGER, WEAKER } from './lexicons/function-words.ts'
import { BELIEF_WORDS, IDENTITY_WORDS } from './lexicons/identity.ts'
import { isNegation } from './negation.ts'

/** Sentiment of one sentence: shares of positive and negative words 0 to 1, and the compound score -1 to 1. */
export type Polarity = { positive: number; negative: number; compound: number; words: number }

/** Mean ratings that Hutto and Gilbert measured: what an intensifier, capitals, a denial and a mark change. */
const INTENSIFIED = 0.293
const CAPITALS = 0.733
const DENIED = -0.74
const EXCLAMATION = 0.292

/** How much of an intensifier is left one, two and three words before the word that it strengthens. */
const FADING = [1, 0.95, 0.9]

const STRENGTHENS = new Set(STRONGER)
const SOFTENS = new Set(WEAKER)

/** What a strengthened and a softened mention count, against 1 for a plain one. */
const STRENGTHENED = 1.5
const SOFTENED = 0.5

/** Sum of the squares' offset that turns a sum of ratings into a score of -1 to 1. */
const NORMALISER = 15

/**
 * Sentiment of sentences by the lexicon and rules of VADER (Hutto and Gilbert 2014) with two differences. What is
 * denied is what `deniedWords` says, so that "no longer sad" and "nothing makes me happy" are read like "not sad" and
 * "not happy", and a denial ends with its clause. Words for who somebody is, and for what they believe in, have no
 * sentiment.
 * @param words all words of the text
 * @param denied by position in `words`
 */
export function polaritiesOf(
  sentences: readonly Sentence[],
  words: readonly Word[],
  denied: readonly boolean[],
): Polarity[] {
  const ratings = new Map<string, number>()
  const rating = (token: string) => {
    const known = ratings.get(token) ?? ratingOf(token)
    ratings.set(token, known)
    return known
  }
  const ratedWords: number[][] = sentences.map(() => [])
  words.forEach((word, at) => {
    if (word.form.length > 1) ratedWords[word.sentence]?.push(ratedAt(words, at, denied, rating))
  })
  return sentences.map((sentence, index) => {
    const marks = sentence.text
      .split(/\s+/)
      .filter((token) => token.length > 1 && !/[\p{L}\p{N}]/u.test(token))
    const rated = [...(ratedWords[index] ?? []), ...marks.map(rating).filter((value) => value !== 0)]
    return { ...summarise(rated, emphasisOf(sentence.text)), words: sentence.words }
  })
}

/** A word's rating where it stands, -4 or less to 4 or more; 0 for a word without sentiment. */
function ratedAt(
  words: readonly Word[],
  at: number,
  denied: readonly boolean[],
  rating: (token: string) => number,
): number {
  const word = words[at]
  if (word === undefined || isNegation(words, at) || isStrengthening(word) || isSoftening(word)) return 0
  if (IDENTITY_WORDS.has(word.form) || BELIEF_WORDS.has(word.form)) return 0
  if (word.form === 'kind' && words[at + 1]?.form === 'of') return 0
  const plain = rating(word.form)
  if (plain === 0) return 0
  const direction = Math.sign(plain)
  let strength = Math.abs(plain) + (word.capitals ? CAPITALS : 0)
  FADING.forEach((fading, distance) => {
    const before = words[at - 1 - distance]
    if (before === undefined || before.sentence !== word.sentence) return
    if (rating(before.form) !== 0) return
    if (isStrengthening(before)) strength += fading * (INTENSIFIED + (before.capitals ? CAPITALS : 0))
    else if (isSoftening(before) || isSofteningPair(words, at - 1 - distance))
      strength -= fading * INTENSIFIED
  })
  return direction * Math.max(0, strength) * (denied[at] ? DENIED : 1) * contrast(words, at)
}

/** What comes before the first "but" of a sentence counts half, what comes after it half as much again. */
function contrast(words: readonly Word[], at: number): number {
  const sentence = words[at]?.sentence
  for (let i = at - 1; words[i]?.sentence === sentence && i >= 0; i--)
    if (words[i]?.form === 'but') return 1.5
  for (let i = at + 1; words[i]?.sentence === sentence && i < words.length; i++) {
    if (words[i]?.form === 'but') return 0.5
  }
  return 1
}

/** VADER's own rating of one word or emoticon; its lexicon, which has one decimal, is reached by its score alone. */
function ratingOf(token: string): number {
  const { compound } = vader.SentimentIntensityAnalyzer.polarity_scores(token)
  return Math.round(10 * compound * Math.sqrt(NORMALISER / (1 - compound ** 2))) / 10
}

/** Emphasis by exclamation marks, up to four, and by several question marks. */
function emphasisOf(text: string): number {
  const exclamations = Math.min(4, text.match(/!/g)?.length ?? 0)
  const questions = text.match(/\?/g)?.length ?? 0
  return exclamations * EXCLAMATION + (questions > 3 ? 0.96 : questions > 1 ? questions * 0.18 : 0)
}

function summarise(rated: readonly number[], emphasis: number): Omit<Polarity, 'words'> {
  const sum = rated.reduce((total, value) => total + value, 0)
  const emphasised = sum + Math.sign(sum) * emphasis
  let positive = rated.reduce((total, value) => total + (value > 0 ? value + 1 : 0), 0)
  let negative = rated.reduce((total, value) => total + (value < 0 ? 1 - value : 0), 0)
  if (positive > negative) positive += emphasis
  else if (negative > positive) negative += emphasis
  const total = positive + negative + rated.filter((value) => value === 0).length
  if (total === 0) return { positive: 0, negative: 0, compound: 0 }
  return {
    positive: positive / total,
    negative: negative / total,
    compound: emphasised / Math.sqrt(emphasised ** 2 + NORMALISER),
  }
}

/** "Kind of" and "sort of" soften like one word. */
function isSofteningPair(words: readonly Word[], at: number): boolean {
  return words[at]?.form === 'of' && /^(?:kind|sort)$/.test(words[at - 1]?.form ?? '')
}

const isStrengthening = (word: Word) => STRENGTHENS.has(word.form)
const isSoftening = (word: Word) => SOFTENS.has(word.form)

/** How much the word at a position counts: an intensifier or a softener among the two words before it changes it. */
export function intensityAt(words: readonly Word[], at: number): number {
  for (let i = at - 1; i >= Math.max(0, at - 2); i--) {
    const word = words[i]
    if (word === undefined || word.breakAfter) break
    if (isSoftening(word)) return SOFTENED
    if (isStrengthening(word)) return STRENGTHENED
    if (isSofteningPair(words, i)) return SOFTENED
  }
  return 1
}
