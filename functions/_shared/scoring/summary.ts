import type { Direction } from '../direction-of-change.ts'
import { LOW_MOOD } from '../low-mood.ts'
import { isHigher, type RiskLevel } from '../risk-level.ts'
import type { Component } from './types.ts'

/** From here on a score is too uncertain for anything reassuring. */
export const UNCERTAIN = 0.6

/** Below this score of the words they sound heavy, whatever voice, face and mood say. */
export const HEAVY_WORDS = 42

type SummaryFacts = {
  score: number
  uncertainty: number
  direction: Direction
  risk: RiskLevel
  crisis: RiskLevel
  /** The lower of the mood that was entered and the one put into words. */
  mood: number | null
  /** The student says so without a number. */
  saysLowMood: boolean
  /** What became of the words; `score` is `null` when they were not read. */
  text: { score: number | null; reason: string | null } | null
  /** As `restsOnWordsAlone` returns it. */
  wordsAlone: boolean
}

const SUPPORT = 'if something weighs on you, support is there for you'

/**
 * One or two sentences to the student. Signs of danger come first, then a low mood and what weighs on them, words that were not read and
 * uncertainty, before any interpretation of the score: no summary is warmer than what was read allows, and none colder to who is worse.
 */
export function summaryOf(facts: SummaryFacts): string {
  const { score, uncertainty, direction, risk, crisis, mood, saysLowMood } = facts
  const unread = unreadWords(facts.text)
  if (isHigher(crisis, 'mild')) {
    return 'Thank you for saying something so hard; what you told us matters, and you do not have to carry it alone. Please reach out now to one of the people or lines shown below.'
  }
  if (isHigher(risk, 'mild')) {
    return `This check-in suggests that things may be very hard for you at the moment${unread === null ? '' : `, although ${unread}`}. You deserve support with that: please consider reaching out to someone you trust, or to one of the services shown below.`
  }
  if (mood !== null && mood <= LOW_MOOD) {
    return `You told us that your mood is low, and that counts for more than our estimate${unread === null ? '' : `; ${unread}`}. Be kind to yourself, and lean on someone you trust or on the services shown below if it would help.`
  }
  if (saysLowMood) {
    return `You told us that you are having a hard time at the moment, and that counts for more than our estimate${unread === null ? '' : `; ${unread}`}. Be kind to yourself, and lean on someone you trust or on the services shown below if it would help.`
  }
  if (risk === 'mild' || crisis === 'mild') {
    return `This check-in suggests that things may be weighing on you${unread === null ? '' : `, although ${unread}`}. Be kind to yourself, and lean on someone you trust if it would help.`
  }
  if (unread !== null) {
    return `${capitalised(unread)}, so the score is a rough guess without them. You know best how you feel, and ${SUPPORT}.`
  }
  if ((facts.text?.score ?? HEAVY_WORDS) < HEAVY_WORDS) {
    return 'Some of what you told us sounded heavy, whatever the score says. Be kind to yourself, and lean on someone you trust if it would help.'
  }
  if (direction === 'worse') {
    return 'This check-in looks lower than your usual ones, which can happen for many reasons. If it fits how you feel, it may help to talk to someone you trust.'
  }
  if (uncertainty >= UNCERTAIN) {
    return `${facts.wordsAlone ? 'From words alone we' : 'What we could read from this check-in is unclear or mixed, so we'} cannot say how you are doing: please take the score as a rough guess only. You know best how you feel, and ${SUPPORT}.`
  }
  if (direction === 'better') {
    return 'This check-in looks brighter than your usual ones. If that fits how you feel, notice what has been helping you.'
  }
  return score >= 58
    ? 'This check-in has several signs of a good stretch. It is only an estimate, so trust your own sense of how you are first.'
    : 'This check-in looks fairly typical, with nothing that stands out strongly. It is only an estimate, so trust your own sense of how you are first.'
}

/** Whether neither voice nor face took part in a score. */
export function restsOnWordsAlone(components: readonly Component[]): boolean {
  return components.every(
    ({ modality, weight }) => weight === 0 || modality === 'text' || modality === 'self_report',
  )
}

/** By the reason of docs/errors.md. */
const UNREAD: Readonly<Record<string, string>> = {
  not_english: 'we could not read your words, which do not seem to be in English',
  partly_not_english: 'we could not read a part of your words, which does not seem to be in English',
  not_provided: 'we had no words of yours to read',
  empty: 'we had no words of yours to read',
  no_consent: 'we did not read your words, as you have not agreed to that',
  too_short: 'there were too few words for us to go on',
}

/** A clause that says that the student's words were not read, and why; `null` when they were. */
function unreadWords(text: SummaryFacts['text']): string | null {
  if (text !== null && text.score !== null && text.reason !== 'partly_not_english') return null
  return UNREAD[text?.reason ?? 'not_provided'] ?? 'we could not read your words this time'
}

/** A clause as the beginning of a sentence. */
export function capitalised(clause: string): string {
  return clause.charAt(0).toUpperCase() + clause.slice(1)
}
