import { DIRECTIONS, type Direction } from '../change.ts'
import type { TranscriptContext } from './requests.ts'
import { oneOf } from './result.ts'
import { withoutSteering } from './steering/without-steering.ts'

/** What is known of the student's last time; `null` in place of all of it when there is nothing to compare with. */
export type Previous = {
  themes: string[]
  wellbeing_score: number | null
  direction_of_change: Direction | null
} | null

/** The part of the context that a change can be read from. The app sent it, so it is data like the transcript. */
export function previousOf(context: TranscriptContext): Previous {
  const themes = (context?.previousTextThemes ?? []).map(withoutSteering).filter((theme) => theme !== '')
  const wellbeing_score = context?.previousWellbeingScore ?? null
  const direction_of_change = oneOf(DIRECTIONS, context?.previousDirectionOfChange)
  if (themes.length === 0 && wellbeing_score === null && direction_of_change === null) return null
  return { themes, wellbeing_score, direction_of_change }
}
