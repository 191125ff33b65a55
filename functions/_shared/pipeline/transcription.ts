import OpenAI, { APIError, toFile } from '../../_vendor/openai.js'
import type { Database } from '../database.ts'
import { traceHeaders } from '../log.ts'
import { detectCrisis } from '../text/crisis/detect.ts'
import { refusesService } from '../textmodel/provider-errors.ts'
import { type Findings, type Job, mediaOf, NonRetryableError, recordingInfo, requireConsent } from './job.ts'
import { measuredSpeech } from './measured-speech.ts'

/** How to reach the transcription provider. */
type TranscriptionSettings = {
  apiKey: string
  baseUrl: string | undefined
  model: string
  timeoutMs: number
}

/** The largest recording that the provider accepts in one request, bytes. */
const MAX_TRANSCRIBED_BYTES = 25 * 1024 * 1024

/** Statuses that are about the recording, where they do not say that the account has nothing left. */
const REJECTS_RECORDING = [400, 413, 415, 422]

/**
 * Runs a transcription job: transcribes a check-in's recording with OpenAI's transcription API, when its analysis has ended. What
 * holds nothing but silence or noise is not sent (`no_measured_speech`): a provider makes sentences of it, of which some sound like a crisis.
 *
 * The job fails when the provider rejects the recording (`transcription_rejected`) or refuses the service
 * (`transcription_refused`), also for want of money; the queue retries when the provider is busy or does not respond.
 *
 * Source: https://platform.openai.com/docs/guides/error-codes
 */
export function runTranscriptionJob(context: {
  database: Database
  /** Undefined when no provider is configured. */
  settings: TranscriptionSettings | undefined
  read(path: string): Promise<{ bytes: Uint8Array; etag: string } | null>
}): (job: Job) => Promise<Findings> {
  const { database, settings } = context
  const client =
    settings &&
    new OpenAI({
      apiKey: settings.apiKey,
      baseURL: settings.baseUrl,
      timeout: settings.timeoutMs,
      maxRetries: 0,
    })
  return async (job) => {
    if (!client) throw new NonRetryableError('transcription_unavailable')
    await requireConsent(database, job, 'audio')
    await requireConsent(database, job, 'text')
    const [medium] = await mediaOf(database, job, 'audio')
    if (!medium) throw new NonRetryableError('not_provided')
    if ((await measuredSpeech(database, job)).isNone) throw new NonRetryableError('no_measured_speech')
    if (medium.bytes > MAX_TRANSCRIBED_BYTES) throw new NonRetryableError('transcription_too_large')
    const recording = await context.read(medium.path)
    if (!recording) throw new NonRetryableError('media_missing')
    if (recording.etag !== medium.etag) throw new NonRetryableError('media_changed')
    const { container } = recordingInfo.parse(medium.info)
    try {
      const { text } = await client.audio.transcriptions.create(
        { file: await toFile(recording.bytes, `recording.${container}`), model: settings.model },
        { headers: traceHeaders() },
      )
      const crisis = detectCrisis(text)
      return {
        transcript: text,
        crisis_level: crisis.level,
        crisis_rule: crisis.rule,
        crisis_explicit: crisis.explicit,
      }
    } catch (error) {
      if (refusesService(error)) throw new NonRetryableError('transcription_refused')
      const status = error instanceof APIError ? error.status : undefined
      if (status && REJECTS_RECORDING.includes(status)) throw new NonRetryableError('transcription_rejected')
      if (status && status >= 400 && status < 500 && status !== 408 && status !== 429) {
        throw new NonRetryableError('transcription_refused')
      }
      throw error
    }
  }
}
