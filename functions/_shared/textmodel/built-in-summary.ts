import type { Direction } from '../change.ts'
import type { RiskLevel } from '../risk-level.ts'

/** From here on a score is too uncertain to say anything reassuring about it. */
const UNCERTAIN = 0.75
const GOOD_SCORE = 58
const LOW_SCORE = 42
const MOST_NAMED = 3

export type SummaryFacts = {
  themes: readonly string[]
  score: number
  uncertainty: number
  risk: RiskLevel
  crisis: RiskLevel
  direction: Direction
}

/** What a student in crisis is told, whatever else was talked about. */
const CRISIS_SUMMARY =
  'Thank you for saying something so hard; what you told us matters, and you do not have to carry it alone. Please reach out now to one of the people or lines shown with this.'

/**
 * Two sentences to the student: what they talked about, and how it sounded. What points to danger is answered first,
 * and a doubtful score is never reassuring.
 */
export function builtInSummary(facts: SummaryFacts): string {
  if (facts.crisis === 'high' || facts.risk === 'high') return CRISIS_SUMMARY
  return `${opening(facts.themes)} ${impression(facts)}`
}

function opening(themes: readonly string[]): string {
  const named = themes.slice(0, MOST_NAMED)
  const last = named.at(-1)
  if (last === undefined) return 'Thank you for taking the time to share how you are.'
  const list = named.length === 1 ? last : `${named.slice(0, -1).join(', ')} and ${last}`
  return `Thank you for sharing; you talked about ${list}.`
}

function impression({ score, uncertainty, risk, crisis, direction }: SummaryFacts): string {
  if (risk === 'moderate' || crisis === 'moderate') {
    return 'It sounds as if things may be very hard for you at the moment, and you deserve support with that from someone you trust or from the services shown with this.'
  }
  if (uncertainty >= UNCERTAIN) {
    return 'We could read too little to say how you are doing; you know best, and support is there for you if something weighs on you.'
  }
  if (risk === 'mild' || score < LOW_SCORE) {
    return 'It sounds as if things may be weighing on you, so be kind to yourself and lean on someone you trust if it would help.'
  }
  if (direction === 'worse') {
    return 'You sounded a little lower than last time, which can happen for many reasons; talking to someone you trust may help.'
  }
  return score >= GOOD_SCORE
    ? 'You sounded as if there is some good in your days; trust your own sense of how you are first.'
    : 'It sounds like an ordinary stretch, though you know best how you feel.'
}
