import { higher, type RiskLevel } from '../risk-level.ts'
import { builtInAnalysis, readTranscript } from './built-in.ts'
import type { AskModel } from './language-model.ts'
import { ModelFailure } from './model-output.ts'
import { previousOf, visibleText } from './prompt.ts'
import type { AnalyzeTextRequest } from './requests.ts'
import type { Provider, TranscriptResult } from './result.ts'
import { saysHighRisk } from './risk-said.ts'
import { isHeavyOrShort, isUnwell, safeguard } from './safeguards.ts'
import { acceptableSummary, sanitise } from './sanitise.ts'

export type AnalyzedTranscript = {
  provider: Provider
  result: TranscriptResult
  /** What the crisis check found in the whole transcript. */
  crisis_level: RiskLevel
  /** Why the model failed; `null` when it did not. */
  failure: ModelFailure | null
}

/**
 * Analyses a transcript with the model, with the built-in analysis where there is no model or nothing to read, and with
 * the interface's fallback where the model fails. Always gives a result, whose risk is never below what the crisis check
 * finds in the whole transcript.
 */
export async function analyzeTranscript(
  ask: AskModel | undefined,
  { transcript, context }: AnalyzeTextRequest,
): Promise<AnalyzedTranscript> {
  const text = readTranscript(transcript)
  const previous = previousOf(context)
  const builtIn = builtInAnalysis(text, previous)
  const visible = visibleText(transcript)
  const analyzedBy = (provider: Provider, result: TranscriptResult, failure: ModelFailure | null = null) => ({
    provider,
    result,
    crisis_level: text.crisis.level,
    failure,
  })

  if (!ask || visible === '') return analyzedBy('built-in', builtIn.result)
  try {
    const output = sanitise(await ask(visible, previous))
    return analyzedBy('language-model', safeguard(output, { transcript: visible, text, builtIn, previous }))
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error
    const risk = higher(text.crisis.level, saysHighRisk(error.answer) ? 'high' : 'none')
    const supplied = acceptableSummary(error.summary)
    const isDoubtful = supplied !== '' && isHeavyOrShort(text, builtIn)
    const inOwnWords = isUnwell(text, text.stated_mood) || isDoubtful
    const summary =
      risk === 'high'
        ? builtIn.summaryWith({ risk, uncertainty: FALLBACK_UNCERTAINTY, mood: text.stated_mood })
        : inOwnWords
          ? builtIn.result.conversation_summary
          : supplied
    return analyzedBy('fallback', fallback(summary, risk), error)
  }
}

const FALLBACK_UNCERTAINTY = 0.9

/** The result when the model failed, as the interface gives it, but for the risk of crisis language or of what the model still said. */
function fallback(summary: string, risk_level: RiskLevel): TranscriptResult {
  return {
    text_score: 50,
    mood_score: 5,
    uncertainty: FALLBACK_UNCERTAINTY,
    themes: [],
    keywords: [],
    risk_level,
    direction_of_change: 'same',
    conversation_summary: summary || 'Assessment completed.',
    drivers_positive: [],
    drivers_negative: [],
  }
}
