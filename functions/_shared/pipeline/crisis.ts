import type { Database } from '../database.ts'
import { describeError, log } from '../log.ts'
import { round } from '../numbers.ts'
import { AssetMissing } from '../platform/storage.ts'
import { isHigher } from '../risk-level.ts'
import { decideCrisis } from '../text/crisis/decide.ts'
import {
  CRISIS_ASSET,
  type CrisisModel,
  loadCrisisModel,
  readSentences,
  type SentenceReading,
} from '../text/crisis/encoder.ts'
import type { AskForCrisis } from '../textmodel/language-model.ts'
import { thirdReading } from '../textmodel/third-reading.ts'
import { type Findings, type Job, NonRetryableError, requireConsent } from './job.ts'

/** Reads the sentences of a text; `null` where there is nothing to read them with. */
type ReadSentences = (text: string) => Promise<SentenceReading | null>

/** Attempts that are made again where a reading fails or takes too long, as in another isolate it may not; the next decides without it. */
const RETRIES = 3

/**
 * Runs a job that reads a transcript, of a check-in or without one: rules and the sentence encoder decide together, and a language model
 * may raise what they find. Without the encoder, and where it has failed four times, what the rules find stands.
 *
 * Passages are kept where there is crisis language, as offsets in UTF-16 units of the stored transcript, never as words.
 */
export function runCrisisJob(context: {
  database: Database
  read: ReadSentences
  /** Undefined when no language model is configured. */
  ask: AskForCrisis | undefined
}): (job: Job) => Promise<Findings> {
  const { database, read } = context
  return async (job) => {
    await requireConsent(database, job, 'text')
    const transcript = await transcriptOf(database, job)
    if (!transcript) throw new NonRetryableError('not_provided')
    const reading = await read(transcript).catch((error: unknown) => {
      if (job.attempts <= RETRIES) throw error
      log('warn', 'crisis_model_unavailable', describeError(error))
      return null
    })
    const decided = decideCrisis(transcript, reading)
    // Of words without a check-in, the call that sent them has asked. What the encoder found is not lost to a slow provider.
    const ask = job.check_in_id === null || job.attempts > RETRIES ? undefined : context.ask
    const crisis = await thirdReading(ask, transcript, decided)
    return {
      crisis_level: crisis.level,
      crisis_rule: crisis.rule,
      probability: reading && round(reading.probability, 2),
      passages:
        reading && (isHigher(crisis.level, 'mild') ? reading.passages.map(({ from, to }) => [from, to]) : []),
    }
  }
}

async function transcriptOf(database: Database, job: Job): Promise<string | null> {
  const [row] = await database<[{ transcript: string | null }?]>`
    select transcript from private.check_in_inputs where check_in_id = ${job.check_in_id}
    union all
    select transcript from private.unread_transcripts where id = ${job.unread_id}`
  return row?.transcript ?? null
}

/**
 * Reads with the encoder of the bucket's `crisis.pack`, which is loaded with the first text and kept. Without the file, warns
 * (`crisis_model_unavailable`) and reads nothing; throws when Storage cannot be reached, the file is damaged, or memory runs out, so that
 * the queue tries again.
 */
export function sentenceReader(loadAsset: (name: string) => Promise<Uint8Array>): ReadSentences {
  let model: CrisisModel | null = null
  return async (text) => {
    const pack = model ? null : await loadAsset(CRISIS_ASSET).catch(unlessMissing)
    if (pack instanceof AssetMissing) {
      log('warn', 'crisis_model_unavailable', describeError(pack))
      return null
    }
    model ??= pack && loadCrisisModel(pack)
    return model && readSentences(model, text)
  }
}

function unlessMissing(error: unknown): AssetMissing {
  if (error instanceof AssetMissing) return error
  throw error
}
