import type { RiskLevel } from '../risk-level.ts'
import { combineReadings } from '../text/crisis/combine-readings.ts'
import type { Crisis } from '../text/crisis/detect.ts'
import { crisisLevelOf } from './crisis-output.ts'
import type { AskForCrisis } from './language-model.ts'
import { ModelFailure } from './model-output.ts'
import { visibleText } from './prompt.ts'

/**
 * The reading of a transcript by a language model, after those of the crisis check: asked for a crisis and nothing else, it may raise what
 * was found and never lowers it. Every transcript is read that is not `high` already. Without a model, or when it fails, what was
 * found stands; of an answer that fails for its form, what it says counts.
 */
export async function thirdReading(
  ask: AskForCrisis | undefined,
  transcript: string,
  found: Crisis,
): Promise<Crisis> {
  const visible = visibleText(transcript)
  if (!ask || found.level === 'high' || visible === '') return found
  return combineReadings(found, await levelBy(ask, visible))
}

async function levelBy(ask: AskForCrisis, visible: string): Promise<RiskLevel> {
  try {
    return crisisLevelOf(await ask(visible))
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error
    return crisisLevelOf(error.answer)
  }
}
