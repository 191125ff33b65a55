import type { Calls, Supabase } from '../calls.ts'
import type { Device } from '../device.ts'
import { errorOf } from '../explain.ts'
import type { components } from '../generated/api.ts'
import type { Person, Place, QueueContext } from './context.ts'
import { createQueue } from './queue.ts'
import type { CheckIns } from './types.ts'
import { uploadWith } from './upload.ts'

type Progress = components['schemas']['CheckInProgressEvent']

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Check-ins that are kept on the device until they have ended.
 *
 * @param options.keepForDays how many days what was recorded waits on the device at most. Default: 7
 */
export function createCheckIns(
  { supabase, call, explain }: Pick<Calls, 'supabase' | 'call' | 'explain'>,
  device: Device,
  options: { keepForDays?: number | undefined } = {},
): CheckIns {
  return createQueue({
    device,
    explain,
    ...(options.keepForDays !== undefined && { keepForMs: options.keepForDays * DAY_MS }),
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
