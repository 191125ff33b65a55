import { analyzeText } from '../text/index.ts'
import { builtInAnalysis } from './built-in.ts'
import { ModelFailure } from './failure.ts'
import { fallback } from './fallback.ts'
import type { AskModel } from './language-model.ts'
import { previousOf } from './previous.ts'
import type { AnalyzeTextRequest } from './requests.ts'
import type { Provider, TranscriptResult } from './result.ts'
import { safeguard, withCrisis } from './safeguards.ts'
import { sanitise } from './sanitise.ts'
import { withoutSteering } from './steering/without-steering.ts'

export type AnalyzedTranscript = {
  provider: Provider
  result: TranscriptResult
  /** Why the model failed; `null` when it did not. */
  failure: ModelFailure | null
}

/**
 * Analyses a transcript with the model, with the built-in analysis where there is no model or nothing to ask it about,
 * and with the interface's fallback where the model fails. Always answers; the risk is never below what the crisis check
 * finds in all of the words.
 */
export async function analyzeTranscript(
  ask: AskModel | undefined,
  { transcript, context }: AnalyzeTextRequest,
): Promise<AnalyzedTranscript> {
  const text = analyzeText(transcript)
  const previous = previousOf(context)
  const builtIn = builtInAnalysis(text, previous)
  const spoken = withoutSteering(transcript)
  const answered = (provider: Provider, result: TranscriptResult, failure: ModelFailure | null = null) => ({
    provider,
    result: withCrisis(result, text.crisis.level),
    failure,
  })

  if (!ask || spoken === '') return answered('built-in', builtIn.result)
  try {
    const output = sanitise(await ask(spoken, previous))
    return answered('language-model', safeguard(output, { spoken, text, builtIn, previous }))
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error
    return answered('fallback', fallback(error.summary), error)
  }
}
