import type { Calls, Supabase } from '../calls.ts'
import type { Device } from '../device.ts'
import { WellbeingError } from '../errors.ts'
import { errorOf } from '../explain.ts'
import type { components } from '../generated/api.ts'
import { pause } from '../pause.ts'
import type { Person, Place, QueueContext, Upload } from './context.ts'
import { createQueue } from './queue.ts'
import type { CheckIns } from './types.ts'

type Progress = components['schemas']['CheckInProgressEvent']

/** From so many bytes on an upload is one that resumes; below, it is sent again. */
const RESUMABLE_FROM_BYTES = 256 * 1024
/** An upload that does not move for so long, milliseconds, is interrupted. */
const STALLED_AFTER_MS = 60_000

/**
 * Check-ins that are kept on the device until they have ended.
 *
 * @param options.keepForMs how long what was recorded waits on the device at most, milliseconds. Default: 7 days
 */
export function createCheckIns(
  { supabase, call, explain }: Pick<Calls, 'supabase' | 'call' | 'explain'>,
  device: Device,
  options: { keepForMs?: number | undefined } = {},
): CheckIns {
  return createQueue({
    device,
    explain,
    ...(options.keepForMs !== undefined && { keepForMs: options.keepForMs }),
    person: personOf(supabase),
    upload: uploadWith(supabase),
    listen: listenWith(supabase),
    listStored: listStoredWith(supabase),
    calls: {
      start: (type, signal) => call('post', '/checkins/start', { body: { type }, signal }),
      complete: (id, body, signal) =>
        call('post', '/checkins/{id}/complete', { params: { path: { id } }, body, signal }),
      read: (id, signal) => call('get', '/checkins/{id}', { params: { path: { id } }, signal }),
    },
  })
}

/** Who is signed in with a client of Supabase. */
export function personOf({ auth }: Supabase): Person {
  return {
    async current() {
      const { data, error } = await auth.getSession()
      // Without a network an expired session can't be renewed, and is kept.
      if (error && errorOf(error).retryable) throw error
      return data.session?.user.id ?? null
    },
    subscribe(listener) {
      const { data } = auth.onAuthStateChange((event, session) => {
        if (session) listener(session.user.id)
        else if (event === 'SIGNED_OUT') listener(null)
      })
      return () => data.subscription.unsubscribe()
    },
  }
}

/** Joins the channel of a check-in. */
export function listenWith(supabase: Supabase): QueueContext['listen'] {
  return (checkInId, listener) => {
    let left = false
    const channel = supabase
      .channel(`check-in:${checkInId}`, { config: { private: true } })
      .on<Progress>('broadcast', { event: 'progress' }, ({ payload }) =>
        listener({ type: 'progress', progress: payload.progress }),
      )
      .on('broadcast', { event: 'result' }, () => listener({ type: 'changed' }))
    // Joins with the person's token.
    supabase.realtime
      .setAuth()
      .then(() => {
        if (left) return
        channel.subscribe((status) => listener({ type: status === 'SUBSCRIBED' ? 'joined' : 'lost' }))
      })
      .catch(() => {})
    return () => {
      left = true
      void supabase.removeChannel(channel).catch(() => {})
    }
  }
}

function listStoredWith({ storage }: Supabase): QueueContext['listStored'] {
  return async (folder) => {
    const buckets: Place['bucket'][] = ['check-in-media', 'check-in-images']
    const listed = await Promise.all(buckets.map((bucket) => storage.from(bucket).list(folder)))
    return new Map(
      listed.flatMap(({ data, error }) => {
        if (error) throw errorOf(error)
        return data.map(({ name, updated_at, created_at }) => [name, updated_at ?? created_at ?? ''] as const)
      }),
    )
  }
}

/** Sends a file to its place. */
export function uploadWith(supabase: Supabase): QueueContext['upload'] {
  return (upload) =>
    upload.file.size < RESUMABLE_FROM_BYTES ? sendWhole(supabase, upload) : sendInPieces(supabase, upload)
}

async function sendWhole(
  supabase: Supabase,
  { place, file, type, onProgress, signal }: Upload,
): Promise<void> {
  // As bytes, which go as they are: React Native has no forms of its own files.
  const bytes = await file.arrayBuffer()
  const sending = supabase.storage
    .from(place.bucket)
    .uploadToSignedUrl(place.path, place.token, bytes, { contentType: type })
  const sent = await Promise.race([sending, pause(STALLED_AFTER_MS, signal)])
  if (!sent) throw stalled()
  if (sent.error) throw rejection(errorOf(sent.error))
  onProgress(file.size, true)
}

/** By TUS, whose client is loaded with the first file that is large. */
async function sendInPieces(supabase: Supabase, upload: Upload): Promise<void> {
  const { sendResumably } = await import('./resumable.ts')
  const endpoint = `${storageOf(supabase)}/upload/resumable/sign`
  await sendResumably(endpoint, upload, STALLED_AFTER_MS).catch((error) => {
    throw upload.signal.aborted ? new WellbeingError('aborted', { message: 'Interrupted.' }) : ofTus(error)
  })
}

/** Storage as the app reaches it, which may be behind a proxy of its own. */
function storageOf({ storage }: Supabase): string {
  const { publicUrl } = storage.from('-').getPublicUrl('-').data
  return publicUrl.slice(0, publicUrl.indexOf('/object/public/'))
}

function ofTus(error: Error): WellbeingError {
  const response = 'originalResponse' in error ? error.originalResponse : null
  if (typeof response !== 'object' || response === null || !('getStatus' in response)) {
    return new WellbeingError('offline', { message: error.message, cause: error })
  }
  const status = typeof response.getStatus === 'function' ? response.getStatus() : null
  return rejection(errorOf(Object.assign(error, { status })))
}

/** Storage's errors have no codes that would say more than their status. */
function rejection(error: WellbeingError): WellbeingError {
  const { status } = error
  const isFinal =
    status !== null && status >= 400 && status < 500 && ![401, 408, 409, 423, 429].includes(status)
  return isFinal ? new WellbeingError('upload_rejected', error) : error
}

function stalled(): WellbeingError {
  return new WellbeingError('offline', { message: 'The upload did not move for a minute.' })
}
