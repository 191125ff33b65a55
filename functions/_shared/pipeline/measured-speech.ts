import type { Database } from '../database.ts'
import { finite } from '../numbers.ts'
import type { Job } from './job.ts'

/** Seconds of speech that were measured in the recording of a job's check-in; null where its analysis failed. */
export async function measuredSpeechS(database: Database, job: Job): Promise<number | null> {
  const [analysis] = await database<[{ speech_s: number | null }?]>`
    select speech_s from checkin.audio_analysis where check_in_id = ${job.check_in_id}`
  return finite(analysis?.speech_s)
}
