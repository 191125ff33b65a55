import { readFile } from 'node:fs/promises'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { StartedCheckIn, Upload } from '../functions/_shared/checkins/start.ts'
import type { Database } from '../types/database.ts'

export type ConsentKind = Database['public']['Enums']['consent_kind']

/** A check-in as the API returns it. */
export type CheckIn = {
  id: string
  status: 'created' | 'processing' | 'complete' | 'failed' | 'expired'
  progress: number
  result?: CheckInResult
  error?: {
    code: string
    message: string
    /** The leading one of `reasons`. */
    reason: string
    reasons: { modality: string; reason: string; title: string; advice: string }[]
  }
  crisis_resources?: CrisisResource[]
}

type CrisisResource = { name: string; phone: string | null; website: string | null }

export type CheckInResult = {
  score: number
  uncertainty: number
  score_interval: [number, number] | null
  calibrated: boolean
  direction_of_change: 'better' | 'same' | 'worse'
  significance: 'low' | 'medium' | 'high'
  risk_level: 'none' | 'mild' | 'moderate' | 'high'
  summary: string
  themes: string[]
  drivers_positive: string[]
  drivers_negative: string[]
  components: {
    modality: string
    score: number | null
    weight: number
    quality: number | null
    reason: string | null
  }[]
  baseline: { score_mean: number | null; check_ins: number; compared: number | null; reason: string | null }
  crisis_resources: CrisisResource[]
  algorithm_version: string
}

export type MediaFile = { path: string; contentType: string }

/** What the phone submits. */
export type Recording = {
  audio: MediaFile | null
  images: MediaFile[]
  transcript: string | null
  moodScore: number | null
}

export type Progress = { status: string; progress: number }

const CONSENT_VERSION = '2026-11'

/** Signs a student in, as the app does. Throws an error with Auth's own message. */
export async function signIn(
  apiUrl: string,
  publishableKey: string,
  account: { email: string; password: string },
): Promise<SupabaseClient<Database>> {
  const supabase = createClient<Database>(apiUrl, publishableKey, { auth: { persistSession: false } })
  const { error } = await supabase.auth.signInWithPassword(account)
  if (error) throw error
  return supabase
}

/** Records what the student agreed to; what is in force already stays. */
export async function grantConsents(supabase: SupabaseClient<Database>, kinds: ConsentKind[]): Promise<void> {
  const { error } = await supabase.rpc('grant_consents', { kinds, version: CONSENT_VERSION })
  if (error) throw error
}

/**
 * Checks in: start, upload, complete, follow the live channel, read the result.
 *
 * The channel tells each step; a poll now and then covers a phone that was offline meanwhile.
 */
export async function checkIn(
  supabase: SupabaseClient<Database>,
  recording: Recording,
  onProgress: (progress: Progress) => void,
): Promise<CheckIn> {
  const started = await call<StartedCheckIn>(supabase, 'checkins/start', { type: 'daily' })
  const media = await upload(supabase, started, recording)

  // Joining a private channel needs the student's token, not the key.
  await supabase.realtime.setAuth()
  const ended = Promise.withResolvers<void>()
  const channel = supabase.channel(`check-in:${started.id}`, { config: { private: true } })
  channel.on('broadcast', { event: 'progress' }, ({ payload }) => onProgress(payload as Progress))
  channel.on('broadcast', { event: 'result' }, () => ended.resolve())
  const poll = setInterval(() => {
    read(supabase, started.id).then((seen) => {
      if (seen.status !== 'processing' && seen.status !== 'created') ended.resolve()
    }, ended.reject)
  }, 3000)
  try {
    await subscribed(channel)
    await call(supabase, `checkins/${started.id}/complete`, {
      transcript: recording.transcript,
      media,
      mood_score: recording.moodScore,
    })
    await ended.promise
    return await read(supabase, started.id)
  } finally {
    clearInterval(poll)
    await supabase.removeChannel(channel)
  }
}

/** Sends the media of a check-in to the addresses that its start returned; their names, which complete takes as `media`. */
export async function upload(
  supabase: SupabaseClient<Database>,
  { uploads }: StartedCheckIn,
  { audio, images }: Recording,
): Promise<string[]> {
  const sends: [MediaFile, Upload | null | undefined][] = images.map((file, index) => [
    file,
    uploads.images[index],
  ])
  if (audio) sends.push([audio, uploads.audio])
  return Promise.all(
    sends.map(async ([file, address]) => {
      if (!address) throw new Error(`There is no upload address for ${file.path}: is the consent given?`)
      const body = new Blob([await readFile(file.path)], { type: file.contentType })
      const { error } = await supabase.storage
        .from(address.bucket)
        .uploadToSignedUrl(address.path, address.token, body, { contentType: file.contentType })
      if (error) throw error
      return address.path.slice(address.path.lastIndexOf('/') + 1)
    }),
  )
}

/** Joins a channel. Rejects where that is not allowed. */
export function subscribed(channel: ReturnType<SupabaseClient['channel']>): Promise<void> {
  return new Promise((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (status === 'SUBSCRIBED') resolve()
      if (status === 'CHANNEL_ERROR' || status === 'TIMED_OUT')
        reject(error ?? new Error(`The channel: ${status}`))
    })
  })
}

function read(supabase: SupabaseClient<Database>, id: string): Promise<CheckIn> {
  return call<CheckIn>(supabase, `checkins/${id}`)
}

/** Calls a function: POST with a body, else GET. Throws its message and code. */
export async function call<Body>(
  supabase: SupabaseClient<Database>,
  path: string,
  body?: object,
): Promise<Body> {
  const { data, error } = await supabase.functions.invoke(path, body ? { body } : { method: 'GET' })
  if (!error) return data
  const failure = error.context instanceof Response ? await error.context.json().catch(() => null) : null
  throw new Error(failure?.error ? `${failure.error} (${failure.code})` : error.message)
}
