import { isHigher, lower, type RiskLevel } from '../../risk-level.ts'
import { windowCount } from './network.ts'
import { besideOf, type Found, readText, type Word, weigh } from './reading.ts'
import { network, readableOf } from './vocabulary.ts'

/** `rule` is the id of the rule that decided, never a part of the text. */
export type Crisis = { level: RiskLevel; rule: string | null }

/** The rule that is named where none matched, but the words together are like those of a crisis. */
const SIMILAR = 'similar-to-crisis-language'

/**
 * Log-odds from which a text is `high` or `moderate`: `base` in a text of one window, and `step` more for each unit of the logarithm of
 * their number. Set on authors whom a network like this one had not read, by what the rules raise too (docs/accuracy.md).
 */
const THRESHOLDS = {
  high: { base: -0.95, step: 0.62 },
  moderate: { base: -0.9, step: 0.58 },
} as const

/** Log-odds of the words around it below which a rule is not believed, so ordinary are they; sooner where it names death, suicide or a means. */
const BELIEVED = { high: -0.7, moderate: -2.4, naming: -1.8 } as const
const NAMING = /^(?:intent|means)\./

/**
 * In speech without punctuation the words around a rule may be of something else: in a sentence of more words than these a rule is not
 * believed below these log-odds of the whole text, either.
 */
const UNPUNCTUATED = { words: 40, base: -2, step: 0.6 } as const

/** Rules that are believed there too. */
const OUTRIGHT = /^intent\.(?:want_to_die|kill_self)$/

/** The network reads danger to the speaker: of threats to others it knows nothing. */
const NOT_WEIGHED = /^harmed\.threat_to_others$/

/** Each word that a text has fewer than these asks for so much higher log-odds: it says the less. */
const SHORT = { words: 12, step: 0.32 } as const

/** Words that are weighed at most: half an hour of talk. Of what follows only the rules are looked for. */
const MOST_WORDS = 5000

/** Rules that are weighed with the words around them at most; where more matched, they are believed. */
const MOST_WEIGHED = 20

/**
 * Crisis language in a text, with the rule that decided. Deterministic, in time linear in the text, for any string.
 *
 * Rules of fixed wording stand, unless their context, the words around them or a text without punctuation is plainly harmless.
 * Besides, a network weighs the words of every window that are English: its answer is `high`, or `moderate`, from log-odds that rise with the
 * logarithm of the number of windows, because among many ordinary ones some are alike by chance, and that are higher for very few words. In doubt words are taken to be
 * about the speaker, now. The text is neither kept nor logged.
 */
export function detectCrisis(text: string): Crisis {
  const { found, foreign, words } = readText(text)
  let crisis: Crisis = { level: 'none', rule: null }
  const take = (rule: string, level: RiskLevel) => {
    if (isHigher(level, crisis.level)) crisis = { level, rule }
  }
  for (const { rule, level } of foreign) take(rule, level)
  const weighed = readableOf(words.slice(0, MOST_WORDS))
  const top = weigh(network(), weighed)
  const isBelieved = believing(words, weighed.length, weighed.length === 0 ? Number.POSITIVE_INFINITY : top)
  for (const each of found) {
    if (isHigher(each.level, crisis.level))
      take(each.rule, each.confirmed || isBelieved(each) ? each.level : lower(each.level, 'mild'))
  }
  const named = found.find(({ level }) => level === 'high')?.rule ?? SIMILAR
  if (top > thresholdOf('high', weighed.length)) take(named, 'high')
  else if (top > thresholdOf('moderate', weighed.length)) take(named, 'moderate')
  return crisis
}

/** Log-odds from which a text of so many words has a level. */
function thresholdOf(level: 'moderate' | 'high', words: number): number {
  return along(THRESHOLDS[level], words) + SHORT.step * Math.max(0, SHORT.words - words)
}

function along({ base, step }: { base: number; step: number }, words: number): number {
  return base + step * Math.log(windowCount(words))
}

/**
 * Whether a rule is believed in a text of so many words and so high log-odds: by the words around it where any of them can be read, and
 * without punctuation by the whole text too.
 */
function believing(words: readonly Word[], weighed: number, top: number): (found: Found) => boolean {
  const isAnywhere = top > along(UNPUNCTUATED, weighed)
  const lengths = new Map<number, number>()
  for (const { sentence } of words) lengths.set(sentence, (lengths.get(sentence) ?? 0) + 1)
  let matched = 0
  return ({ rule, level, place }) => {
    if ((level !== 'moderate' && level !== 'high') || NOT_WEIGHED.test(rule)) return true
    const length = lengths.get(words[place]?.sentence ?? -1) ?? 0
    if (length > UNPUNCTUATED.words && !isAnywhere && !OUTRIGHT.test(rule)) return false
    const least = NAMING.test(rule) ? Math.min(BELIEVED[level], BELIEVED.naming) : BELIEVED[level]
    if (place < 0) return top > least
    if (++matched > MOST_WEIGHED) return true
    return besideOf(words, place).some((beside) => {
      const readable = readableOf(beside)
      return readable.length === 0 || weigh(network(), readable) > least
    })
  }
}
