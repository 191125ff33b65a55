import { isDrowned } from '../audio/quality.ts'
import type { Database } from '../database.ts'
import { finite } from '../numbers.ts'
import type { Job } from './job.ts'

type Speech = {
  /** Seconds that were measured; null where the recording's analysis failed. */
  seconds: number | null
  /** Whether there is nothing but silence or noise. A bang that hides what is said beside it leaves this false. */
  isNone: boolean
}

/** What was measured of speech in the recording of a job's check-in. */
export async function measuredSpeech(database: Database, job: Job): Promise<Speech> {
  const [analysis] = await database<[{ speech_s: number | null; snr_db: number | null }?]>`
    select speech_s, snr_db from checkin.audio_analysis where check_in_id = ${job.check_in_id}`
  const seconds = finite(analysis?.speech_s)
  return { seconds, isNone: seconds === 0 && isDrowned(finite(analysis?.snr_db)) }
}
