import type { Database } from '../database.ts'
import { analyzeText, type TextAnalysis } from '../text/analyze.ts'
import { plausibilityOf } from '../text/plausibility.ts'
import { type Findings, type Job, NonRetryableError, requireConsent } from './job.ts'
import { measuredSpeech } from './measured-speech.ts'

/** Runs a text job: analyses the transcript, but for crisis language, which has a job of its own. */
export function runTextJob(database: Database): (job: Job) => Promise<Findings> {
  return async (job) => {
    await requireConsent(database, job, 'text')
    const [input] = await database<[{ transcript: string | null; transcript_source: string }?]>`
      select transcript, transcript_source from private.check_in_inputs where check_in_id = ${job.check_in_id}`
    if (!input?.transcript) throw new NonRetryableError('not_provided')
    const analysis = analyzeText(input.transcript)
    const { features, replicates, quality, themes, keywords, stated_mood } =
      input.transcript_source === 'transcribed'
        ? asFarAsHeard(analysis, input.transcript, (await measuredSpeech(database, job)).seconds)
        : analysis
    return {
      ...features,
      replicates,
      quality: quality.score,
      quality_reason: quality.reason,
      language: quality.language,
      words: quality.words,
      themes,
      keywords,
      stated_mood,
      transcript_source: input.transcript_source,
    }
  }
}

/** Below this share, what a transcript says of mood and topics is not taken for the student's either. */
const HARDLY_PLAUSIBLE = 0.5

/**
 * What a provider heard is believed as far as speech was measured. Its crisis language, which another job reads, counts all the same: somebody who speaks too fast or
 * pleads in one phrase is not unheard.
 */
function asFarAsHeard(text: TextAnalysis, transcript: string, speechS: number | null): TextAnalysis {
  const { share, reason } = plausibilityOf(transcript, speechS)
  if (reason === null) return text
  const quality = { ...text.quality, score: text.quality.score * share, reason }
  return share < HARDLY_PLAUSIBLE
    ? { ...text, quality, themes: [], keywords: [], stated_mood: null }
    : { ...text, quality }
}
