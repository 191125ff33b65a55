import type { Database } from '../edge/database.ts'
import { analyzeText } from '../text/index.ts'
import { type Findings, HopelessJob, type Job } from './job.ts'
import { consentHolds } from './queue.ts'

/** Runs a job of the words: the analysis of the transcript, or its making from the recording. */
export function runTextJob(context: {
  database: Database
  /** `null` when no provider is configured. */
  transcribe: ((job: Job) => Promise<string>) | null
}): (job: Job) => Promise<Findings> {
  const { database } = context
  return async (job) => {
    if (!(await consentHolds(database, job, 'text'))) throw new HopelessJob('no_consent')

    if (job.kind === 'transcription') {
      if (!context.transcribe) throw new HopelessJob('transcription_unavailable')
      if (!(await consentHolds(database, job, 'audio'))) throw new HopelessJob('no_consent')
      return { transcript: await context.transcribe(job) }
    }

    const [input] = await database<[{ transcript: string | null; transcript_source: string }?]>`
      select transcript, transcript_source from private.check_in_inputs where check_in_id = ${job.check_in_id}`
    if (!input?.transcript) throw new HopelessJob('not_provided')
    const { features, quality, themes, keywords, stated_mood, crisis } = analyzeText(input.transcript)
    return {
      ...features,
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
