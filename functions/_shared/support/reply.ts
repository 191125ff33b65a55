import type { Language } from '../languages.ts'
import { pattern } from '../pattern.ts'
import { normalForm } from '../unicode.ts'
import { wantsNoTexts } from './opt-out.ts'

/** What a text that came in asks for. `yes` is the word that lifts a stop too; `agree` agrees in other words, and lifts none. */
export type ReplyMeaning = 'stop' | 'start' | 'yes' | 'agree' | 'help' | 'other'

/**
 * The words that Twilio itself acts on and confirms, when they are the whole text
 * (https://www.twilio.com/docs/messaging/tutorials/advanced-opt-out); it also takes them off its own list on START.
 */
const TWILIO_KEYWORDS: Readonly<Record<string, ReplyMeaning>> = {
  ...words('stop stopall unsubscribe cancel end quit revoke optout', 'stop'),
  ...words('start unstop', 'start'),
  ...words('yes', 'yes'),
  ...words('help info', 'help'),
}

/**
 * Words that mean the same to us, as in 47 CFR 64.1200(a)(10), or in another language. None lifts a stop: our texts name START for
 * that, and Twilio takes nobody off its list for another word.
 */
const OWN_KEYWORDS: Readonly<Record<string, ReplyMeaning>> = {
  ...words('stopp remove optoutall', 'stop'),
  ...words('alto parar pare paren para cancelar baja basta detener nomas', 'stop'),
  ...words(
    'aufhoren abmelden abbestellen ende arret arrete arretes arretez arreter stopper desabonner desinscription',
    'stop',
  ),
  ...words('توقف توقفوا قف الغاء ايقاف كفي', 'stop'),
  ...words('y yep yeah yess yup agree agreed accept si acepto ja oui نعم', 'agree'),
  ...words('ayuda hilfe aide مساعده مساعدة', 'help'),
}

/** Words that are one slip of the finger away from STOP and mean something else. */
const NOT_STOP = new Set([
  'shop',
  'step',
  'top',
  'stoop',
  'strop',
  'slop',
  'atop',
  'stp',
  'stow',
  'sop',
  'soap',
  'swop',
  'sto',
])

/** Long words of a stop, which few spell: each word that is two slips away from one is read as it. */
const LONG_WORDS = ['unsubscribe', 'unsubscribed', 'desabonner']

/** Of a longer text, only what it begins with is read: a stop comes early, and reading takes time. */
const READ_CHARACTERS = 500

/** Saying yes. */
const YES = pattern`(?:yes|yep|yeah|yup|sure|of course|absolutely|certainly|definitely)`
/** What may follow a yes. */
const YES_PLEASE = pattern`(?:
  yes|please|thanks|thank you|sure|of course|absolutely|ok|okay|no problem|that's fine|that is fine|happy to
  |i do|i will|i would
)`
/** Agreeing in a sentence. */
const I_AGREE = pattern`(?:
  i (?:agree|accept|consent|do agree)
  |i'?m happy to(?: help| do it| be one)?|i am happy to(?: help| do it| be one)?
  |i(?:'d| would) (?:love|like|be happy|be glad) to(?: help)?
  |count me in|happy to(?: help)?
)`

/** Sentences that agree. "Ok" is none: it says that a text was read. */
const YES_SENTENCES = [
  pattern`(?:${YES}(?: ${YES_PLEASE})*)`,
  pattern`(?:(?:yes|yeah|yep|ok|okay|sure|hi|hello) )*${I_AGREE}(?: (?:please|thanks|thank you))*`,
  pattern`
    (?:(?:si|claro|acepto|de acuerdo|estoy de acuerdo|por supuesto)(?: (?:si|claro|que si|acepto|gracias|por favor))*)
  `,
].map((sentence) => new RegExp(`^${sentence}$`))

/**
 * What a reply asks for. A keyword counts whatever its case and punctuation, and with a typing error; other wording is a stop when
 * some part of it seems to want no more texts (`wantsNoTexts`), and a yes when every sentence agrees and none asks.
 *
 * @param text the reply as it came
 * @param optOutType what Twilio read in it, which a messaging service with Advanced Opt-Out says; it counts first
 */
export function meaningOf(text: string, optOutType?: string): ReplyMeaning {
  const read = optOutType?.toLowerCase()
  const sentences = sentencesOf(text)
  const keyword = sentences.length === 1 ? keywordOf(sentences[0] ?? '') : undefined
  // Twilio reads a YES as START, and does not know what it was asked for.
  if (keyword === 'yes' && read === 'start') return 'yes'
  if (read === 'stop' || read === 'start' || read === 'help') return read
  if (keyword && !((keyword === 'yes' || keyword === 'agree') && text.includes('?'))) return keyword
  if (wantsNoTexts(sentences, hasLoudStop(text))) return 'stop'
  return saysYes(sentences) && !text.includes('?') ? 'agree' : 'other'
}

/** Words of replies by which their language is told from the others, without accents. */
const TELLING: readonly [Language, RegExp][] = [
  [
    'es',
    every(pattern`
      hola|gracias|disculpe|perdon|por favor|ayuda|alto|para|parar|pare|paren|basta|baja|cancelar|detener|detengan|nomas
      |mensajes?|numero|suscripcion|quiero|deseo|dejar|manden|envien|molest(?:ar|en?)|desuscribir(?:me)?|equivocado|conozco
      |(?:quit|borr|elimin|sac)ar(?:me)?|(?:quit|borr|elimin|saqu)en?(?:me)?|dej(?:a|e|en|ad)(?:me)?|no (?:me|nos|mas)
    `),
  ],
  [
    'de',
    every(pattern`
      hallo|bitte|danke|nicht|keine|nummer|falsche|ich|mich|mir|sie|hor(?:en|t)?|auf|aufhoren|abmelden|abbestellen|stopp|hilfe
      |nachrichten|schreiben|lasst|kenne|ende|ja
    `),
  ],
  [
    'fr',
    every(pattern`
      bonjour|merci|svp|stp|arret\w*|desabonner|desinscription|stopper|numero|mauvais|messages svp|je|ne|moi|vous|plus|pas|aide
      |laissez|ecri\w+|connais|oui|textos
    `),
  ],
]

/** The language to answer a reply in: by its script or the words that tell it, else English. */
export function languageOf(text: string): Language {
  if (/\p{Script=Arabic}/u.test(text)) return 'ar'
  const all = sentencesOf(text).join(' ')
  const found = TELLING.map(([language, words]) => ({ language, words: all.match(words)?.length ?? 0 }))
  const most = found.reduce((best, next) => (next.words > best.words ? next : best))
  return most.words > 0 ? most.language : 'en'
}

/** Whether Twilio confirms such a text itself, by default: one of its words and nothing else. */
export function isTwilioKeyword(text: string): boolean {
  return Object.hasOwn(TWILIO_KEYWORDS, text.trim().toLowerCase())
}

/** Whether every sentence agrees: with what else somebody says, it is no clear yes. */
function saysYes(sentences: string[]): boolean {
  return (
    sentences.length > 0 &&
    sentences.every((sentence) => {
      const plain = sentence.replaceAll(',', '')
      return keywordOf(plain) === 'yes' || YES_SENTENCES.some((pattern) => pattern.test(plain))
    })
  )
}

function keywordOf(sentence: string): ReplyMeaning | undefined {
  const word = sentence.replaceAll(/[ ,]/g, '').replace(/^(.{3,}?)\1+$/, '$1')
  if (Object.hasOwn(TWILIO_KEYWORDS, word)) return TWILIO_KEYWORDS[word]
  if (Object.hasOwn(OWN_KEYWORDS, word)) return OWN_KEYWORDS[word]
  const short = word.replace(/(.)\1+/g, '$1')
  return short.length < 6 && !NOT_STOP.has(word) && slips(short, 'stop') <= 1 ? 'stop' : undefined
}

/** Whether STOP stands in capitals among small letters, as our texts have it. */
function hasLoudStop(text: string): boolean {
  return /(?<![\p{L}\p{N}])STOP(?![\p{L}\p{N}])/u.test(text) && /\p{Ll}/u.test(text)
}

/** How many letters are wrong, missing, too many or swapped with the next one (the distance of Damerau and Levenshtein). */
function slips(written: string, meant: string): number {
  let [older, last]: [number[], number[]] = [
    [],
    Array.from({ length: meant.length + 1 }, (_, column) => column),
  ]
  for (let row = 1; row <= written.length; row++) {
    const next = [row]
    for (let column = 1; column <= meant.length; column++) {
      const same = written[row - 1] === meant[column - 1]
      const swapped = written[row - 1] === meant[column - 2] && written[row - 2] === meant[column - 1]
      next[column] = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (older[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    older = last
    last = next
  }
  return last[meant.length] ?? 0
}

/** A long word of a stop, where one has at most two slips in it. */
function spelled(word: string): string {
  if (word.length < 8) return word
  return (
    LONG_WORDS.find(
      (long) => long[0] === word[0] && Math.abs(long.length - word.length) < 3 && slips(word, long) <= 2,
    ) ?? word
  )
}

/** The sentences in lower case, without accents, quotes, hyphens and pictures; commas are kept, one space between words. */
function sentencesOf(text: string): string[] {
  return normalForm(text.slice(0, READ_CHARACTERS), 'NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[’‘ʼ´`]/g, "'")
    .replaceAll('ß', 'ss')
    .replaceAll('ى', 'ي')
    .replaceAll('،', ',')
    .split(/[.!?;:…؟؛\n\r]+|\s[-–—]+\s/)
    .map((sentence) =>
      sentence
        .replaceAll(/[^\p{L}\p{N}',]+/gu, ' ')
        .replaceAll(/(?<![\p{L}])'|'(?![\p{L}])/gu, ' ')
        .replaceAll(/\s+/g, ' ')
        .replaceAll(/ ?, ?/g, ', ')
        .replace(/^[ ,]+/, '')
        .replace(/(?<![ ,])[ ,]+$/, '')
        .replaceAll(/\p{L}{8,}/gu, spelled),
    )
    .filter((sentence) => sentence !== '')
}

/** Finds every one of some words. */
function every(words: string): RegExp {
  return new RegExp(`(?<![\\p{L}'])(?:${words})(?![\\p{L}'])`, 'gu')
}

function words(list: string, meaning: ReplyMeaning): Record<string, ReplyMeaning> {
  return Object.fromEntries(list.split(' ').map((word) => [word, meaning]))
}
