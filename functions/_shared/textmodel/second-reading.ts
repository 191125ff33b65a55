import { log } from '../log.ts'
import { isHigher } from '../risk-level.ts'
import type { Crisis } from '../text/crisis/detect.ts'
import { crisisLevelOf } from './crisis-output.ts'
import type { AskForCrisis } from './language-model.ts'
import { ModelFailure } from './model-output.ts'
import { visibleText } from './prompt.ts'

/** The rule that is stored where the language model found more than the check. */
export const SECOND_READING = 'language-model'

/** A job of the pipeline waits no longer, so that it ends within its lease of 20 s. */
const LONGEST_MS = 14_000

/**
 * A second reading of a transcript in which the crisis check found anything at all: a language model, asked for a crisis and
 * nothing else, may raise the level and never lowers it. Without a model, or when it fails or takes more than 14 s, what the check found stands.
 */
export async function secondReading(
  ask: AskForCrisis | undefined,
  transcript: string,
  found: Crisis,
): Promise<Crisis> {
  const visible = visibleText(transcript)
  if (!ask || found.level === 'none' || found.level === 'high' || visible === '') return found
  try {
    const level = crisisLevelOf(await within(LONGEST_MS, ask(visible)))
    return isHigher(level, found.level) ? { level, rule: SECOND_READING } : found
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error
    log('warn', 'language_model_failed', { code: error.code, status: error.status })
    return found
  }
}

async function within<Result>(ms: number, asked: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ModelFailure('timeout')), ms)
  })
  try {
    return await Promise.race([asked, late])
  } finally {
    clearTimeout(timer)
  }
}
