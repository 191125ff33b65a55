import { pattern } from '../../pattern.ts'
import { isHigher, lower, type RiskLevel } from '../../risk-level.ts'
import { withoutClosing } from './closings.ts'
import { windowCount } from './network.ts'
import { type Found, readText, type Word, weigh } from './reading.ts'
import { network, readableOf } from './vocabulary.ts'

/** `rule` is the id of the rule that decided, never a part of the text. */
export type Crisis = { level: RiskLevel; rule: string | null }

/** `explicit`: `high`, and said outright, with nothing around it that lowers it, so that it is acted on at once. */
export type DetectedCrisis = Crisis & { explicit: boolean }

/** The rule that is named where none matched, but the words together are like those of a crisis. */
const SIMILAR = 'similar-to-crisis-language'

/**
 * Log-odds from which a text is `high`: `base` in a text of one window, and `step` more for each unit of the logarithm of
 * their number. Set on authors whom a network like this one had not read, by what the rules raise too (docs/accuracy.md).
 */
const HIGH = { base: -1.38, step: 0.6 } as const

/**
 * A rule is believed from such log-odds of its words and a few before and after them in its sentence, by themselves: in speech without
 * punctuation the talk further away has nothing to do with it, and says nothing against it. What a context has lowered already asks
 * for least, then what is said in the plainest words.
 */
const BELIEVED = { high: 0.5, moderate: -1, lowered: -2, outright: -0.8 } as const
const AROUND = { before: 4, after: 3 } as const

/** Rules whose words are so plain that little around them makes them harmless. */
const OUTRIGHT = new RegExp(pattern`
  ^(?:
    intent\.(?:am_suicidal|danger_to_self|want_to_die|want_to_be_dead|kill_self|try_kill_self)
    |harmed\.unsafe_home|means\.in_front_of|passive\.(?:not_want_to_live|no_reason_to_live|wish_dead)
  )$
`)

/** Each word that a text has fewer than these asks for so much higher log-odds: it says the less. */
const SHORT = { words: 16, step: 0.3 } as const

/** Words that are weighed at most: half an hour of talk. Of what follows only the rules are looked for. */
const MOST_WORDS = 5000

/** Matches that are weighed with the words around them at most; further ones are believed. */
const MOST_WEIGHED = 20

/** The network reads danger to the speaker: of threats to others it knows nothing, and next to nothing of gas. */
const NOT_WEIGHED = /^(?:harmed\.threat_to_others|means\.asphyxia)$/

/**
 * Crisis language in a text, with the rule that decided. Deterministic, in time linear in the text, for any string.
 *
 * A network weighs the words of every window that are English: its answer is `high`, from log-odds that rise with the
 * logarithm of the number of windows, because among many ordinary ones some are alike by chance, and that are higher for very few
 * words. Rules of fixed wording are not lowered by the length of a text: they stand unless their context or the network finds the words
 * around them harmless, and where the network reads nothing. In doubt words are taken to be about the speaker, now. The text is
 * neither kept nor logged.
 */
export function detectCrisis(text: string): DetectedCrisis {
  const { found, foreign, words } = readText(text)
  let crisis: Crisis = { level: 'none', rule: null }
  const take = (rule: string, level: RiskLevel) => {
    if (isHigher(level, crisis.level)) crisis = { level, rule }
  }
  for (const { rule, level } of foreign) take(rule, level)
  const weighed = readableOf(words.slice(0, MOST_WORDS))
  const isBelieved = believing(words, weighed)
  let explicit = false
  for (const each of found) {
    const isOutright = each.level === 'high' && !each.lowered && OUTRIGHT.test(each.rule)
    if (!isHigher(each.level, crisis.level) && (explicit || !isOutright)) continue
    const isTaken = each.confirmed || isBelieved(each)
    take(each.rule, isTaken ? each.level : lower(each.level, 'mild'))
    explicit ||= isOutright && isTaken
  }
  const spoken = withoutClosing(withoutLoops(weighed))
  if (weigh(network(), spoken) > thresholdOf(spoken.length)) take(SIMILAR, 'high')
  return { ...crisis, explicit }
}

/** Words whose repetition is looked for at most; from how often on they are a loop; how often a person repeats them at most. */
const REPEATED = { words: 4, from: 3, byPerson: 4 } as const

/**
 * The words of a text without loops, of which few texts that the network was fitted to have any: what is said more than twice in a row counts twice, as
 * of somebody who pleads or stutters, and what is said more often than a person would counts once. Speech recognition makes such
 * loops of silence ("Thank you. Thank you. …": Radford et al. 2022, arXiv:2212.04356, section 4.5). Linear.
 */
function withoutLoops(words: readonly Word[]): readonly Word[] {
  const spoken: Word[] = []
  for (let at = 0; at < words.length; ) {
    const { length, times } = loopAt(words, at)
    const counted = times > REPEATED.byPerson ? 1 : Math.min(times, REPEATED.from - 1)
    spoken.push(...words.slice(at, at + counted * length))
    at += times * length
  }
  return spoken
}

/** How many words at a place are a loop, and how often they are said; one word once where there is none. */
function loopAt(words: readonly Word[], at: number): { length: number; times: number } {
  for (let length = 1; length <= REPEATED.words; length++) {
    let end = at + length
    while (end < words.length && words[end]?.word === words[end - length]?.word) end++
    const times = Math.floor((end - at) / length)
    if (times >= REPEATED.from) return { length, times }
  }
  return { length: 1, times: 1 }
}

/** Log-odds from which a text of so many words is `high`. */
function thresholdOf(words: number): number {
  return HIGH.base + HIGH.step * Math.log(windowCount(words)) + SHORT.step * Math.max(0, SHORT.words - words)
}

/** Whether a rule is believed: by the words around it, by themselves; always where the network has not read it. */
function believing(words: readonly Word[], weighed: readonly Word[]): (found: Found) => boolean {
  const places = new Map(weighed.map((word, at) => [word, at]))
  let matched = 0
  return ({ rule, level, lowered, place, length }) => {
    if ((level !== 'moderate' && level !== 'high') || NOT_WEIGHED.test(rule)) return true
    const word = place === undefined ? undefined : words[place]
    const at = word && places.get(word)
    if (at === undefined || ++matched > MOST_WEIGHED) return true
    const around = weighed
      .slice(Math.max(0, at - AROUND.before), at + length + AROUND.after)
      .filter(({ sentence }) => sentence === word?.sentence)
    const kind = lowered ? 'lowered' : level === 'high' && OUTRIGHT.test(rule) ? 'outright' : level
    return weigh(network(), around) > BELIEVED[kind]
  }
}
