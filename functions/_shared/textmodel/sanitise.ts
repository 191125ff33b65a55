import { DIRECTIONS } from '../direction-of-change.ts'
import { normalForm } from '../unicode.ts'
import { MAX_THEMES, oneOf, type TranscriptResult } from './result.ts'
import { riskLevelIn } from './risk-said.ts'

const MAX_KEYWORDS = 20
const MAX_DRIVERS = 10
const LONGEST_ENTRY = 100

/**
 * Repairs the model's output by the rules of the interface: a score that is no number from 0 to 100 is 50; a mood that
 * is no number from 1 to 10 is left out; an uncertainty that is no number from 0 to 1 is 0.5; a risk level is
 * taken in any case and with any punctuation, and an unknown one is `none`; a list that is no list is empty. Beyond those rules, lists keep their strings only, without telephone numbers,
 * addresses and markup, and a summary that is not fit for the student is empty.
 */
export function sanitise(output: Record<string, unknown>): TranscriptResult {
  const mood = within(output.mood_score, 1, 10)
  return {
    text_score: within(output.text_score, 0, 100) ?? 50,
    ...(mood !== null && { mood_score: mood }),
    uncertainty: within(output.uncertainty, 0, 1) ?? 0.5,
    themes: texts(output.themes, MAX_THEMES),
    keywords: texts(output.keywords, MAX_KEYWORDS),
    risk_level: riskLevelIn(output),
    direction_of_change: oneOf(DIRECTIONS, output.direction_of_change) ?? 'same',
    conversation_summary: acceptableSummary(output.conversation_summary),
    drivers_positive: texts(output.drivers_positive, MAX_DRIVERS),
    drivers_negative: texts(output.drivers_negative, MAX_DRIVERS),
  }
}

function within(value: unknown, low: number, high: number): number | null {
  // Adding zero turns -0, which JSON does not have, into 0.
  return typeof value === 'number' && value >= low && value <= high ? value + 0 : null
}

function texts(value: unknown, most: number): string[] {
  if (!Array.isArray(value)) return []
  const plain = value
    .filter((entry) => typeof entry === 'string')
    .map((entry) => plainText(entry, LONGEST_ENTRY))
  return [...new Set(plain)].filter((entry) => entry !== '' && !isContact(entry)).slice(0, most)
}

const LONGEST_SUMMARY = 600
const MAX_SENTENCES = 2

const SECOND_PERSON = /\byou(?:r|rs|rself|'(?:re|ve|ll|d))?\b/i
const ABOUT_SOMEBODY =
  /\b(?:(?:the|this) (?:student|user|speaker|patient|client|participant|person|individual|author)|he|she|they|him|her|his|their|i|my)\b/i
/** What reads as a way to reach somebody, or as markup. */
const CONTACTS = [
  // Telephone numbers, and short ones after a word that says so.
  /\p{Nd}(?:[\s().+/_,·–—-]{0,4}\p{Nd}){6,}/u,
  /\b(?:call|dial|phone|ring|sms|tel|text|whatsapp)\b\P{L}{0,10}\p{Nd}{2,}/iu,
  // Addresses, on the web and of email, and names in social networks.
  /\b[a-z][a-z0-9+.-]{1,20}:\/\//i,
  /\b(?:mailto|tel|javascript):/i,
  /\bwww\./i,
  // Looked for from the dot backwards: forwards, a run of hyphens would be read again from each of its words.
  /(?<=\b[\p{L}\p{Nd}-]{2,})\.(?:app|chat|co|com|edu|eu|gg|gov|info|io|link|ly|net|org|ru|shop|site|tv|uk|xyz)\b/iu,
  /[\p{L}\p{Nd}]\.\p{L}{2,}\//u,
  /@\s?[\p{L}\p{Nd}_]/u,
  // HTML and links of Markdown.
  /<\/?[a-z!?]/i,
  /&(?:#\w+|[a-z]{2,10});/i,
  /\]\(/,
]

/** Numbers and addresses come from the university's own list of help, never from a model. */
function isContact(text: string): boolean {
  // As it reads: full-width digits are digits, and invisible characters separate nothing.
  const read = normalForm(text, 'NFKC').replace(/\p{Cf}/gu, '')
  return CONTACTS.some((contact) => contact.test(read))
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

/** The first two sentences of a summary that speaks to the student and names no telephone number or address; else empty. */
export function acceptableSummary(summary: unknown): string {
  if (typeof summary !== 'string') return ''
  const text = plainText(summary, 4 * LONGEST_SUMMARY)
  if (isContact(text)) return ''
  if (!SECOND_PERSON.test(text) && ABOUT_SOMEBODY.test(text)) return ''
  const first = Array.from(sentences.segment(text), ({ segment }) => segment).slice(0, MAX_SENTENCES)
  return plainText(first.join(''), LONGEST_SUMMARY)
}

/** Text that Postgres and a screen can hold: one line, no control characters, no lone surrogates, at most `longest` long. */
function plainText(text: string, longest: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\s\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim()
  return line.length <= longest
    ? line
    : line
        .slice(0, longest)
        .replace(/[\ud800-\udbff]$/, '')
        .trim()
}
