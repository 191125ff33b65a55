import { isHigher, lower, type RiskLevel } from '../../risk-level.ts'
import { windowCount } from './network.ts'
import { THRESHOLDS } from './network-weights.ts'
import { besideOf, type Found, readText, type Word, weigh } from './reading.ts'
import { network, readableOf } from './vocabulary.ts'

/** `rule` is the id of the rule that decided, never a part of the text. */
export type Crisis = { level: RiskLevel; rule: string | null }

/** The rule that is named where none matched, but the words together are like those of a crisis. */
const SIMILAR = 'similar-to-crisis-language'

/**
 * Log-odds below which a rule of `high` or `moderate` is not believed, so ordinary are the words around it: `base` in a text of one window, and
 * `step` more for each unit of the logarithm of their number, up to `BELIEVED_MOST`. Set by counts on lists that
 * had been measured (docs/accuracy.md).
 */
const BELIEVED = {
  moderate: { base: -4.5, step: 1.2 },
  high: { base: -2, step: 0.7 },
} as const
const BELIEVED_MOST = 0.4

/** Rules that name death or suicide outright, which are believed in a text of any length as in a short one. */
const PLAIN = /^intent\./

/** Each word that a text has fewer than these asks for so much higher log-odds: it says the less. */
const SHORT = { words: 12, step: 0.32 } as const

/** Words that are weighed at most: half an hour of talk. Of what follows only the rules are looked for. */
const MOST_WORDS = 5000

/** Rules that are weighed with the words around them alone at most; where more matched, they are believed. */
const MOST_ALONE = 20

/**
 * Crisis language in a text, with the rule that decided. Deterministic, in time linear in the text, for any string.
 *
 * Rules of fixed wording stand, unless their context or the words around are plainly harmless; the longer a text, the more the network has to find
 * in it too, but for rules that name death or suicide outright.
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

/** Whether a rule is believed in a text of so many words and so high log-odds: by them, or by the words around it alone where any can be read. */
function believing(words: readonly Word[], weighed: number, top: number): (found: Found) => boolean {
  let alone = 0
  return ({ rule, level, place }) => {
    if (level !== 'moderate' && level !== 'high') return true
    const least = PLAIN.test(rule)
      ? BELIEVED[level].base
      : Math.min(BELIEVED_MOST, along(BELIEVED[level], weighed))
    if (top > least) return true
    if (place < 0) return false
    if (++alone > MOST_ALONE) return true
    return besideOf(words, place).some((beside) => {
      const readable = readableOf(beside)
      return readable.length === 0 || weigh(network(), readable) > least
    })
  }
}
