import type { Database } from '../database.ts'
import { analyzeText } from '../text/analyze.ts'
import type { AskForCrisis } from '../textmodel/language-model.ts'
import { secondReading } from '../textmodel/second-reading.ts'
import { type Findings, type Job, NonRetryableError, requireConsent } from './job.ts'

/** Runs a text job: analyses the transcript, and has a language model read it again where the crisis check found anything. */
export function runTextJob(
  database: Database,
  ask: AskForCrisis | undefined,
): (job: Job) => Promise<Findings> {
  return async (job) => {
    await requireConsent(database, job, 'text')
    const [input] = await database<[{ transcript: string | null; transcript_source: string }?]>`
      select transcript, transcript_source from private.check_in_inputs where check_in_id = ${job.check_in_id}`
    if (!input?.transcript) throw new NonRetryableError('not_provided')
    const { features, replicates, quality, themes, keywords, stated_mood, ...text } = analyzeText(
      input.transcript,
    )
    const crisis = await secondReading(ask, input.transcript, text.crisis)
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
      crisis_level: crisis.level,
      crisis_rule: crisis.rule,
      transcript_source: input.transcript_source,
    }
  }
}
