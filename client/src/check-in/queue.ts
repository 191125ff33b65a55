import { PERSON_KEY } from '../calls.ts'
import { WellbeingError } from '../errors.ts'
import { errorOf } from '../explain.ts'
import { pause } from '../pause.ts'
import { isDue, nextAttempt } from './attempts.ts'
import type { QueueContext } from './context.ts'
import { follow } from './follow.ts'
import { isOwn } from './own.ts'
import {
  type CheckInRecord,
  detach,
  hasRest,
  isOver,
  newRecord,
  type StoredError,
  storedError,
  viewOf,
} from './record.ts'
import { send } from './send.ts'
import { createStore, Removed } from './store.ts'
import type {
  CheckInMedia,
  CheckInOptions,
  CheckInStep,
  CheckIns,
  EndedCheckIn,
  QueuedCheckIn,
} from './types.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const LOCK = 'wellbeing.check-ins'
/** How long the session may take to say whose it is before the device's own memory is asked, milliseconds. */
const SESSION_WITHIN_MS = 1500
/** Between two times that the progress of an upload is stored, milliseconds. */
const STORE_PROGRESS_EVERY_MS = 1000
/** Until a check-in that could not be read is followed again, milliseconds. */
const FOLLOW_AGAIN_AFTER_MS = 15_000
/** A record that was stored so long after now, milliseconds, was stored by another clock. */
const CLOCK_TOLERANCE_MS = 60_000
/** Longest timer, milliseconds: a device that slept, or whose clock was set, looks again. */
const LONGEST_TIMER_MS = 60_000

type Waiter = { see(record: CheckInRecord | null): void; fail(error: unknown): void }

/**
 * Check-ins that wait on the device, and are sent one after the other by one tab at a time. The record on the device is what counts:
 * each step is stored before the next begins, so that any process can go on from there.
 */
export function createQueue(context: QueueContext): CheckIns {
  const { device, person, explain, now = Date.now, keepForMs = 7 * DAY_MS } = context
  const store = createStore(device, { now, explain })
  const closing = new AbortController()
  const listeners = new Set<(waiting: QueuedCheckIn[]) => void>()
  const waiters = new Map<string, Waiter>()
  /** What this tab is sending or following, as it is in memory. */
  const active = new Map<string, { record: CheckInRecord; ending: AbortController }>()
  let shown: CheckInRecord[] = []
  let working: Promise<void> | null = null
  let woken = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Who was signed in last, and until when; null: not known yet. */
  let last: { account: string | null; until: number | null } | null = null

  // --- whose -------------------------------------------------------------------------------------------------------------

  /** The person, also of a device without a network whose token has expired; null: nobody is signed in. */
  async function whoIs(): Promise<string | null> {
    const current = person.current().then(
      (account) => ({ account }),
      () => 'unknown' as const,
    )
    const said = await Promise.race([current, pause(SESSION_WITHIN_MS, closing.signal)])
    if (typeof said === 'object') {
      if (said.account === null) await signedOut()
      else await signedIn(said.account)
      return said.account
    }
    return last?.until === null ? last.account : device.items.getItem(PERSON_KEY).catch(() => null)
  }

  async function signedIn(account: string): Promise<void> {
    if (last?.account === account && last.until === null) return
    last = { account, until: null }
    await device.items.setItem(PERSON_KEY, account).catch(() => {})
  }

  async function signedOut(): Promise<void> {
    if (last && last.until !== null) return
    last = { account: last?.account ?? null, until: now() }
    await device.items.removeItem(PERSON_KEY).catch(() => {})
  }

  /** Whoever was signed in when the recording began: the session may have ended while they spoke. */
  async function ownerOf({ durationS = 0 }: CheckInMedia): Promise<string | null> {
    const account = await whoIs()
    if (account !== null) return account
    return last?.until && last.until > now() - durationS * 1000 ? last.account : null
  }

  // --- what is shown -----------------------------------------------------------------------------------------------------

  async function refresh(): Promise<void> {
    const account = await whoIs()
    const stored = account === null ? [] : await store.list(account)
    shown = stored.map((record) => active.get(record.id)?.record ?? record)
    show()
    for (const [id, { see }] of waiters) {
      if (!shown.some((record) => record.id === id) && account !== null) see(null)
    }
  }

  function show(): void {
    schedule()
    const views = shown.map(viewOf)
    for (const listener of listeners) listener(views)
    for (const record of shown) waiters.get(record.id)?.see(record)
  }

  function schedule(): void {
    clearTimeout(timer)
    const times = shown.flatMap(({ step, nextAttemptAt }) =>
      step === 'waiting' ? (nextAttemptAt ?? []) : [],
    )
    if (times.length === 0 || closing.signal.aborted) return
    const waitMs = Math.max(0, Math.min(...times) - now())
    timer = setTimeout(wake, Math.min(waitMs, LONGEST_TIMER_MS))
  }

  // --- what is done ------------------------------------------------------------------------------------------------------

  /** Looks at the queue, as soon as no other tab works on it. */
  function wake(): void {
    woken.abort()
    if (working || closing.signal.aborted) return
    const run = device.exclusively ?? ((_name, task) => task())
    working = run(LOCK, work)
      .catch(() => {})
      .finally(() => {
        working = null
        schedule()
      })
  }

  async function work(): Promise<void> {
    await purge()
    const followed = new Map<string, Promise<void>>()
    while (!closing.signal.aborted) {
      woken = new AbortController()
      await refresh()
      for (const record of shown) {
        if (record.step === 'analysing' && !followed.has(record.id)) {
          const following = followOne(record).finally(() => {
            followed.delete(record.id)
            woken.abort()
          })
          followed.set(record.id, following)
        }
      }
      const due = shown.find((record) => isDue(record, now()))
      if (due) await sendOne(due)
      else if (followed.size > 0) await pause(LONGEST_TIMER_MS, woken.signal)
      else return
    }
    await Promise.all(followed.values())
  }

  async function sendOne(record: CheckInRecord): Promise<void> {
    await asActive(record, async (signal, save, showProgress) => {
      const before = record.problem
      try {
        record.problem = null
        record.nextAttemptAt = null
        if (device.connection?.isOnline() === false)
          throw new WellbeingError('offline', { message: 'No network.' })
        await requireOwner(record)
        await send(record, { ...context, store, signal, save, show: showProgress })
      } catch (caught) {
        if (caught instanceof Removed || signal.aborted) throw caught
        await failed(record, errorOf(caught), before)
        await save()
      }
    })
  }

  async function followOne(record: CheckInRecord): Promise<void> {
    await asActive(record, async (signal, save, showProgress) => {
      const { checkInId } = record
      try {
        if (checkInId === null)
          throw new WellbeingError('check_in_not_found', { message: 'It was never started.' })
        record.problem = null
        const ended = await follow(context, checkInId, {
          signal,
          onProgress(share) {
            record.progress = Math.max(record.progress, share)
            showProgress()
          },
        })
        if (ended.status !== 'expired' && (await isOwn(record, ended, context))) await end(record, ended)
        else requeue(record)
      } catch (caught) {
        if (caught instanceof Removed || signal.aborted) throw caught
        const error = await explain(caught)
        record.problem = storedError(error)
        if (error.code === 'check_in_not_found') await over(record, 'failed', false)
        else await pause(FOLLOW_AGAIN_AFTER_MS, signal)
      }
      await save()
    })
  }

  /** Works on a record in memory: what it has come to is shown here, and stored for everybody else. */
  async function asActive(
    record: CheckInRecord,
    task: (signal: AbortSignal, save: () => Promise<void>, showProgress: () => void) => Promise<void>,
  ): Promise<void> {
    const ending = new AbortController()
    const end = () => ending.abort()
    closing.signal.addEventListener('abort', end)
    active.set(record.id, { record, ending })
    let storedAt = 0
    const save = async () => {
      if (ending.signal.aborted) throw new Removed()
      storedAt = now()
      await store.save(record)
      if (shown.includes(record)) show()
    }
    const showProgress = () => {
      if (shown.includes(record)) show()
      if (Math.abs(now() - storedAt) < STORE_PROGRESS_EVERY_MS) return
      storedAt = now()
      store.save(record).catch(end)
    }
    try {
      await task(ending.signal, save, showProgress)
    } catch (error) {
      if (!(error instanceof Removed) && !ending.signal.aborted) throw error
    } finally {
      closing.signal.removeEventListener('abort', end)
      active.delete(record.id)
    }
  }

  /** @throws {WellbeingError} `session_ended`, or `offline` where the session can't be renewed now */
  async function requireOwner({ owner }: CheckInRecord): Promise<void> {
    const account = await person.current()
    if (account !== owner) throw new WellbeingError('session_ended', { message: 'Nobody is signed in.' })
  }

  async function failed(
    record: CheckInRecord,
    caught: WellbeingError,
    before: StoredError | null,
  ): Promise<void> {
    // Nobody ended it here: the call took too long.
    const error = await explain(caught.code === 'aborted' ? new WellbeingError('offline', caught) : caught)
    record.problem = storedError(error)
    record.progress = 0
    // A device without a network says nothing of the service.
    const isOffline = error.code === 'offline'
    record.attempts = before && (before.code === 'offline') !== isOffline ? 1 : record.attempts + 1
    if (error.details.file !== undefined || (error.status === 400 && !error.retryable)) {
      await over(record, 'failed')
      return
    }
    // The service may be right where the device's clock is wrong: a session that is still there may be renewed.
    const isStale =
      error.code === 'session_ended' && (await person.current().catch(() => null)) === record.owner
    record.step = 'waiting'
    record.nextAttemptAt = nextAttempt(record, isStale ? new WellbeingError('busy', error) : error, now())
  }

  /** What was analysed is of another device: this one's is still to be sent. */
  function requeue(record: CheckInRecord): void {
    detach(record)
    record.step = 'waiting'
    record.nextAttemptAt = now()
  }

  async function end(record: CheckInRecord, ended: EndedCheckIn): Promise<void> {
    record.ended = ended
    record.progress = 1
    if (ended.status === 'complete') {
      await over(record, 'complete')
      return
    }
    const { code, message = '', reason, reasons = [] } = ended.error ?? {}
    const [words = { title: message, advice: '' }] = reasons.map(({ title, advice }) => ({ title, advice }))
    const isOfService = code === 'analysis_failed'
    record.problem = {
      code: isOfService ? code : 'nothing_to_score',
      message,
      details: { reason, reasons },
      words,
    }
    // What failed for the service's own reasons may be sent once more; what it can't score is of no use any more.
    await over(record, 'failed', isOfService)
  }

  /** Ends a check-in. What was recorded is deleted, unless the person may try it again. */
  async function over(
    record: CheckInRecord,
    step: CheckInStep,
    keepsRest = step === 'failed',
  ): Promise<void> {
    record.step = step
    record.nextAttemptAt = null
    record.endedAt = now()
    if (keepsRest) return
    record.media = []
    record.transcript = null
    await store.removeFiles(record)
  }

  /** Deletes what is too old, of whomever. */
  async function purge(): Promise<void> {
    const records = await store.list()
    for (const record of records) {
      try {
        if (record.savedAt === 0) await replaceLost(record)
        // The clock was set back: what waited until a time of before does not, and is kept no longer than from now on.
        if (record.savedAt > now() + CLOCK_TOLERANCE_MS) {
          record.expiresAt = Math.min(record.expiresAt, now() + keepForMs)
          if (record.nextAttemptAt !== null) record.nextAttemptAt = now()
          await store.save(record)
        }
        if (isOver(record) && now() > Math.max(record.expiresAt, (record.endedAt ?? 0) + DAY_MS)) {
          await store.remove(record)
        } else if (now() > record.expiresAt && hasRest(record)) await expire(record)
      } catch (error) {
        if (!(error instanceof Removed)) throw error
      }
    }
    await store.sweep(records)
  }

  /** In place of a record that can't be read one that tells the person, for a day. */
  async function replaceLost(record: CheckInRecord): Promise<void> {
    if (record.problem)
      record.problem = storedError(await explain(new WellbeingError(record.problem.code, record.problem)))
    record.endedAt = now()
    await store.removeFiles(record)
    await store.save(record)
  }

  async function expire(record: CheckInRecord): Promise<void> {
    if (record.step === 'analysing') {
      // It is with the service, and still followed.
      record.media = []
      record.transcript = null
      await store.removeFiles(record)
    } else {
      const error = new WellbeingError('check_in_too_old', { message: 'It waited too long on the device.' })
      if (!isOver(record)) record.problem = storedError(await explain(error))
      await over(record, isOver(record) ? record.step : 'expired', false)
    }
    await store.save(record)
  }

  // --- what apps call ----------------------------------------------------------------------------------------------------

  async function checkIn(media: CheckInMedia, options: CheckInOptions = {}): Promise<EndedCheckIn> {
    const { type = 'daily', onProgress, signal } = options
    try {
      if (!media.audio && !media.images?.length && !media.transcript?.trim()) {
        throw new WellbeingError('nothing_uploaded', {
          message: 'There is no recording, no image and no text.',
        })
      }
      const owner = await ownerOf(media)
      if (owner === null) throw new WellbeingError('session_ended', { message: 'Nobody is signed in.' })
      const { record, files } = newRecord({ owner, type, media, now: now(), keepForMs })
      const ended = untilEnded(record.id, onProgress, signal)
      await store.add(record, files)
      await refresh()
      wake()
      return await ended
    } catch (error) {
      throw await explain(error)
    }
  }

  function untilEnded(
    id: string,
    onProgress: CheckInOptions['onProgress'],
    signal: AbortSignal | undefined,
  ): Promise<EndedCheckIn> {
    return new Promise<EndedCheckIn>((resolve, reject) => {
      let before = ''
      const fail = (error: unknown) => stop(() => reject(error))
      const abort = () => fail(new WellbeingError('aborted', { message: 'The wait was ended.' }))
      const stop = (settle: () => void) => {
        waiters.delete(id)
        signal?.removeEventListener('abort', abort)
        closing.signal.removeEventListener('abort', abort)
        settle()
      }
      waiters.set(id, {
        fail,
        see(record) {
          if (record === null) {
            if (before !== '') abort()
            return
          }
          const view = viewOf(record)
          const seen = JSON.stringify([view.step, view.progress, view.problem?.code, view.nextAttemptAt])
          if (seen !== before) onProgress?.(view)
          before = seen
          const { ended, problem, step, nextAttemptAt } = view
          if (ended) stop(() => resolve(ended))
          else if (problem && isOver(record)) fail(problem)
          // It waits for the person, in the queue.
          else if (record.problem && problem && step === 'waiting' && nextAttemptAt === null) fail(problem)
        },
      })
      signal?.addEventListener('abort', abort)
      closing.signal.addEventListener('abort', abort)
      if (signal?.aborted || closing.signal.aborted) abort()
    })
  }

  /** Tries records at once that wait; which, by their state. */
  async function tryAgain(which: (record: CheckInRecord) => boolean): Promise<void> {
    const account = await whoIs()
    for (const record of account === null ? [] : await store.list(account)) {
      if (active.has(record.id) || !which(record)) continue
      if (isOver(record)) detach(record)
      record.ended = null
      record.endedAt = null
      record.step = 'waiting'
      record.attempts = 0
      record.nextAttemptAt = now()
      await store.save(record).catch(ignoreRemoved)
    }
    await refresh()
    wake()
  }

  /** Not before the service lets it: where that asked to wait, it waits. */
  const waits = ({ step, problem }: CheckInRecord) => step === 'waiting' && problem?.code !== 'rate_limited'

  const endings = [
    person.subscribe((account) => {
      if (account === null) {
        for (const { ending } of active.values()) ending.abort()
        const error = new WellbeingError('session_ended', { message: 'Nobody is signed in any more.' })
        for (const { fail } of waiters.values()) fail(error)
        void signedOut()
          .then(refresh)
          .catch(() => {})
      } else
        void signedIn(account)
          .then(() => tryAgain(waits))
          .catch(() => {})
    }),
    store.onChanged(() => {
      void refresh()
        .then(() => {
          const gone = [...active].filter(([id]) => !shown.some((record) => record.id === id))
          for (const [, { ending }] of gone) ending.abort()
          if (shown.some((record) => !isOver(record))) wake()
        })
        .catch(() => {})
    }),
    device.connection?.subscribe((online) => {
      if (online) void tryAgain(waits).catch(() => {})
    }),
  ]

  return {
    checkIn,
    queue: {
      async list() {
        await refresh()
        return shown.map(viewOf)
      },
      resume: () => tryAgain(waits),
      retry: (id) => tryAgain((record) => record.id === id && viewOf(record).canRetry),
      async remove(id) {
        active.get(id)?.ending.abort()
        const account = await whoIs()
        const found = account === null ? [] : await store.list(account)
        for (const record of found) if (record.id === id) await store.remove(record)
        await refresh()
      },
      subscribe(listener) {
        listeners.add(listener)
        void refresh().catch(() => {})
        return () => listeners.delete(listener)
      },
      close() {
        closing.abort()
        clearTimeout(timer)
        listeners.clear()
        for (const end of endings) end?.()
      },
    },
  }
}

function ignoreRemoved(error: unknown): void {
  if (!(error instanceof Removed)) throw error
}
