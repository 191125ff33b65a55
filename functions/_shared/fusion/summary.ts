import type { Direction } from '../change.ts'
import type { RiskLevel } from '../risk-level.ts'

/** From here on a score is too uncertain to say anything reassuring about it. */
const UNCERTAIN = 0.6

export type SummaryFacts = {
  score: number
  uncertainty: number
  direction: Direction
  risk: RiskLevel
  crisis: RiskLevel
}

/**
 * One or two sentences to the student. What points to danger is answered first, doubt is said before any reading of
 * the score, and a doubtful score is never reassuring.
 */
export function summaryOf({ score, uncertainty, direction, risk, crisis }: SummaryFacts): string {
  if (crisis === 'high' || crisis === 'moderate') {
    return 'Thank you for saying something so hard; what you told us matters, and you do not have to carry it alone. Please reach out now to one of the people or lines shown below.'
  }
  if (risk === 'high' || risk === 'moderate') {
    return 'This check-in suggests that things may be very hard for you at the moment. You deserve support with that: please consider reaching out to someone you trust, or to one of the services shown below.'
  }
  if (uncertainty >= UNCERTAIN) {
    return 'We could read too little from this check-in to say how you are doing, so please take the score as a rough guess only. You know best how you feel, and if something weighs on you, support is there for you.'
  }
  if (risk === 'mild' || crisis === 'mild') {
    return direction === 'better'
      ? 'Things still seem heavy, though this check-in looks a little lighter than your usual ones. Be kind to yourself, and lean on someone you trust if it would help.'
      : 'This check-in suggests that things may be weighing on you. Be kind to yourself, and lean on someone you trust if it would help.'
  }
  if (direction === 'worse') {
    return 'This check-in looks lower than your usual ones, which can happen for many reasons. If it fits how you feel, it may help to talk to someone you trust.'
  }
  if (direction === 'better') {
    return 'This check-in looks brighter than your usual ones. If that fits how you feel, notice what has been helping you.'
  }
  return score >= 58
    ? 'This check-in has several signs of a good stretch. It is only an estimate, so trust your own sense of how you are first.'
    : 'This check-in looks fairly typical, with nothing that stands out strongly. It is only an estimate, so trust your own sense of how you are first.'
}
