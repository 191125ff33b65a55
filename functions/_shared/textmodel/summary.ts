import { plainText } from './plain-text.ts'

const LONGEST_SUMMARY = 600
const MOST_SENTENCES = 2

const SECOND_PERSON = /\byou(?:r|rs|rself|'(?:re|ve|ll|d))?\b/i
const ABOUT_SOMEBODY =
  /\b(?:(?:the|this) (?:student|user|speaker|patient|client|participant|person|individual|author)|he|she|they|him|her|his|their|i|my)\b/i
/** Numbers and addresses come from the university's own list of help, never from a model. */
const CONTACT = /https?:|www\.|\S@\S|\d[\d ().-]{5,}\d/i

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

/** The first two sentences of a summary that speaks to the student and names no telephone number or address; else empty. */
export function acceptableSummary(summary: unknown): string {
  if (typeof summary !== 'string' || CONTACT.test(summary)) return ''
  const text = plainText(summary, 4 * LONGEST_SUMMARY)
  if (!SECOND_PERSON.test(text) && ABOUT_SOMEBODY.test(text)) return ''
  const first = Array.from(sentences.segment(text), ({ segment }) => segment).slice(0, MOST_SENTENCES)
  return plainText(first.join(''), LONGEST_SUMMARY)
}
