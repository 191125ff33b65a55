import OpenAI, { toFile } from 'openai'
import type { Database } from '../edge/database.ts'
import type { Environment } from '../edge/environment.ts'
import { HopelessJob, type Job } from './job.ts'
import { mediaOf } from './queue.ts'

/** What the provider takes in one request, bytes. */
const MAX_TRANSCRIBED_BYTES = 25 * 1024 * 1024

/**
 * Makes the transcript of a check-in's recording with OpenAI's transcription API.
 *
 * A provider that refuses the recording ends the job; one that is busy or does not answer is asked again by the
 * queue.
 */
export function transcriber(context: {
  database: Database
  settings: NonNullable<Environment['transcription']>
  read(path: string): Promise<{ bytes: Uint8Array; etag: string } | null>
}): (job: Job) => Promise<string> {
  const { database, settings } = context
  const client = new OpenAI({
    apiKey: settings.apiKey,
    baseURL: settings.baseUrl,
    timeout: settings.timeoutMs,
    maxRetries: 0,
  })
  return async (job) => {
    const [medium] = await mediaOf(database, job, 'audio')
    if (!medium) throw new HopelessJob('not_provided')
    if (medium.bytes > MAX_TRANSCRIBED_BYTES) throw new HopelessJob('transcription_too_large')
    const recording = await context.read(medium.path)
    if (!recording) throw new HopelessJob('media_missing')
    if (recording.etag !== medium.etag) throw new HopelessJob('media_changed')
    const { container } = medium.info as { container: string }
    try {
      const { text } = await client.audio.transcriptions.create({
        file: await toFile(recording.bytes, `recording.${container}`),
        model: settings.model,
      })
      return text
    } catch (error) {
      const status = error instanceof OpenAI.APIError ? error.status : undefined
      if (status && status >= 400 && status < 500 && status !== 408 && status !== 429) {
        throw new HopelessJob('transcription_refused')
      }
      throw error
    }
  }
}
