import type { Word } from './document.ts'
import { lexicon, matchAt } from './lexicon.ts'
import { SENSITIVE_THEMES, THEMES } from './lexicons/themes.ts'

export const MAX_THEMES = 6
const MAX_KEYWORDS = 8

const INDEX = Object.entries(THEMES).map(([theme, entries]) => ({ theme, entries: lexicon(entries) }))

const set = (words: string) => new Set(words.split(' '))

const FIRST_PERSON = set("i i'm im i've ive i'd i'll me myself we we're we've us")
const POSSESSIVE = set('my mine our')
/** Whom else a sentence may be about; after "my" too. */
const OTHERS = set(
  "he she they they're his her hers him their them who aunt boyfriend brother brothers cat colleague cousin dad dog father flatmate flatmates friend friends girlfriend grandad grandfather grandma grandmother housemate housemates lecturer mate mates mom mother mum nan neighbour neighbor parents partner people professor roommate sister sisters somebody someone tutor uncle cousins gran grandpa husband wife fiance fiancee son sons daughter daughters child children ex",
)

/** "Past the church", "next to the hospital": where something is. */
const WHERE = set('past by near behind opposite beside outside around under beyond above below')
const BESIDE = set('next close across front')
const PLACES = set('church clinic gurdwara hospital mosque synagogue temple')
/** "The hospital visit": more than which one. */
const ABOUT_IT = set('appointment choir group prayer service visit')
/** "A lecture on depression", "reading about racism": what is studied or told. */
const STUDIED = set(
  'article articles assignment book chapter class conference course debate debates dissertation documentary essay essays film lab lecture lectures module modules paper papers podcast play poster presentation project reading read report research seminar seminars studied study studying talk textbook thesis wrote write writing',
)
const ON = set('on about of into in for')
const ARTICLES = set('the a an this that our')

/**
 * Phrases with a word of a theme that say nothing of it: what the word before and the word after make of it. "Sick of this", "it is a pain",
 * "drinking tea".
 */
const SAYS_NOTHING: Readonly<Record<string, { before?: ReadonlySet<string>; after?: ReadonlySet<string> }>> =
  {
    sick: { after: set('of to') },
    ill: { after: set('go be do have get see take try make call ask start tell') },
    pain: { before: set('a the proper real such') },
    drinking: { after: set('tea coffee water enough more chocolate juice') },
    faith: { after: set('in'), before: set('good bad') },
  }

/** A word of a sensitive theme where it says something of it, and whether the student speaks of their own. */
type Mention = { sentence: number; form: string; isOwn: boolean }

/** Themes by how often they are mentioned, then in the lexicon's order; a sensitive one only where it is a topic of the student's own. */
export function themesOf(words: readonly Word[]): string[] {
  return INDEX.map(({ theme, entries }) => ({
    theme,
    at: words.flatMap((_, at) => (matchAt(entries, words, at) > 0 ? [at] : [])),
  }))
    .filter(({ theme, at }) => (SENSITIVE_THEMES.has(theme) ? isTopic(words, at) : at.length > 0))
    .sort((a, b) => b.at.length - a.at.length)
    .slice(0, MAX_THEMES)
    .map(({ theme }) => theme)
}

/** Whether the student speaks of it as their own in two sentences, or in one and with another word of it in a second that is not of others. */
function isTopic(words: readonly Word[], at: readonly number[]): boolean {
  const mentions = at.flatMap((position) => mentionAt(words, position) ?? [])
  return mentions.some(
    (own) =>
      own.isOwn &&
      mentions.some(({ sentence, form, isOwn }) => sentence !== own.sentence && (isOwn || form !== own.form)),
  )
}

/** `null` where the word says nothing of the theme, or is said of others. */
function mentionAt(words: readonly Word[], at: number): Mention | null {
  const word = words[at]
  if (word === undefined || saysNothing(words, at) || isPlace(words, at)) return null
  const before = sentenceBefore(words, at)
  const isPossessed = before.slice(-2).some(({ form }) => POSSESSIVE.has(form))
  if (!isPossessed && isStudied(words, at, before)) return null
  const nearest = before.findLast((each) => FIRST_PERSON.has(each.form) || isOther(each))
  if (isPossessed && !before.slice(-2).some(isOther)) {
    return { sentence: word.sentence, form: word.form, isOwn: true }
  }
  if (nearest !== undefined && isOther(nearest)) return null
  return { sentence: word.sentence, form: word.form, isOwn: nearest !== undefined }
}

/** Also "mum's". */
function isOther({ form }: Word): boolean {
  return OTHERS.has(form.replace(/'s?$/, ''))
}

function sentenceBefore(words: readonly Word[], at: number): readonly Word[] {
  const before = words.slice(Math.max(0, at - MOST_BEFORE), at)
  return before.filter(({ sentence }) => sentence === words[at]?.sentence)
}

/** How far back the one who is spoken of is looked for. */
const MOST_BEFORE = 30

function saysNothing(words: readonly Word[], at: number): boolean {
  const phrase = SAYS_NOTHING[words[at]?.form ?? '']
  if (phrase === undefined) return false
  return (
    (phrase.before?.has(words[at - 1]?.form ?? '') ?? false) ||
    (phrase.after?.has(words[at + 1]?.form ?? '') ?? false)
  )
}

/** Whether the word only says where something is, or which: "past the church", "next to the hospital", "the church cafe". */
function isPlace(words: readonly Word[], at: number): boolean {
  const word = words[at]
  const next = words[at + 1]
  if (word === undefined || !PLACES.has(word.form)) return false
  if (next?.pos === 'NOUN' && !word.breakAfter && next.sentence === word.sentence && !ABOUT_IT.has(next.form))
    return true
  const [first, second, third] = [1, 2, 3].map((back) => words[at - back]?.form ?? '')
  if (!ARTICLES.has(first ?? '')) return false
  return WHERE.has(second ?? '') || BESIDE.has(third ?? '')
}

/** Whether it is what a lecture, an essay or a book is on. */
function isStudied(words: readonly Word[], at: number, before: readonly Word[]): boolean {
  const leads = before.slice(-3).some(({ form }) => ON.has(form))
  return leads && sentenceOf(words, at).some(({ form }) => STUDIED.has(form))
}

function sentenceOf(words: readonly Word[], at: number): readonly Word[] {
  return words
    .slice(Math.max(0, at - MOST_BEFORE), at + MOST_BEFORE)
    .filter(({ sentence }) => sentence === words[at]?.sentence)
}

/** The words behind these themes, most used first, then in the order of the transcript; names are never among them. */
export function keywordsOf(words: readonly Word[], themes: readonly string[]): string[] {
  const named = INDEX.filter(({ theme }) => themes.includes(theme))
  const counts = new Map<string, number>()
  words.forEach((_, at) => {
    for (const { entries } of named) {
      const length = matchAt(entries, words, at)
      if (length === 0) continue
      const phrase = words
        .slice(at, at + length)
        .map(({ form }) => form)
        .join(' ')
      counts.set(phrase, (counts.get(phrase) ?? 0) + 1)
      break
    }
  })
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_KEYWORDS)
    .map(([phrase]) => phrase)
}
