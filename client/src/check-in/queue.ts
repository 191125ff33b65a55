import { WellbeingError } from '../errors.ts'
import { errorOf } from '../explain.ts'
import { pause } from '../pause.ts'
import type { QueueContext } from './context.ts'
import type { Drafts } from './draft.ts'
import { follow } from './follow.ts'
import { ended, failedAttempt, isBehind, isDue, keepsRest, over, requeue } from './outcome.ts'
import { isOwn } from './own.ts'
import { createOwner } from './owner.ts'
import { purge } from './purge.ts'
import { type CheckInRecord, hasRest, isOver, newRecord, storedError, viewOf } from './record.ts'
import { createStore, Removed } from './store.ts'
import type { CheckIns, QueuedCheckIn } from './types.ts'
import { createWaiting } from './waiting.ts'

const WEEK_MS = 7 * 24 * 60 * 60 * 1000
const LOCK = 'wellbeing.check-ins'
/** Between two times that the progress of an upload is stored, milliseconds. */
const STORE_PROGRESS_EVERY_MS = 1000
/** Until a check-in that could not be read is followed again, milliseconds. */
const FOLLOW_AGAIN_AFTER_MS = 15_000
/** Longest timer, milliseconds: a device that slept, or whose clock was set, looks again. */
const LONGEST_TIMER_MS = 60_000

/** A check-in that this tab works on, as it is in memory. */
type Task = {
  record: CheckInRecord
  ending: AbortController
  /** Shows and stores it. @throws {Removed} */
  save(): Promise<void>
  /** Shows it, and stores it at times. */
  show(): void
}

/**
 * Check-ins that wait on the device, and are sent one after the other by one tab at a time. The record on the device is what counts:
 * each step is stored before the next begins, so that any process can go on from there.
 */
export function createQueue(context: QueueContext): CheckIns {
  const { device, person, explain, now = Date.now, keepForMs = WEEK_MS } = context
  const closing = new AbortController()
  const store = createStore(device, { now, explain })
  const owner = createOwner(person, device, { now, signal: closing.signal })
  const waiting = createWaiting(closing.signal)
  const listeners = new Set<(checkIns: QueuedCheckIn[]) => void>()
  const tasks = new Map<string, Task>()
  let shown: CheckInRecord[] = []
  let working: Promise<void> | null = null
  let woken = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined

  let drafts: Promise<Drafts> | undefined

  /** Loaded with the first draft. */
  function openDrafts(): Promise<Drafts> {
    drafts ??= import('./draft.ts').then(({ createDrafts }) => createDrafts({ store, owner, now, keepForMs }))
    return drafts
  }

  /** The person's records, as they are stored, or in memory where this tab works on them. */
  async function read({ drafts = false } = {}): Promise<CheckInRecord[]> {
    const account = await owner.current()
    const stored = account === null ? [] : await store.list(account)
    const wanted = stored.filter(({ isDraft }) => drafts || !isDraft)
    return wanted.map((record) => tasks.get(record.id)?.record ?? record)
  }

  async function refresh(): Promise<void> {
    shown = await read()
    show()
    waiting.keep(shown)
  }

  function show(): void {
    schedule()
    const views = shown.map(viewOf)
    for (const listener of listeners) listener(views)
    waiting.see(shown)
  }

  function schedule(): void {
    clearTimeout(timer)
    const times = shown.flatMap((record) =>
      record.step === 'waiting' && !isBehind(record, shown) ? (record.nextAttemptAt ?? []) : [],
    )
    if (times.length === 0 || closing.signal.aborted) return
    const waitMs = Math.max(0, Math.min(...times) - now())
    timer = setTimeout(wake, Math.min(waitMs, LONGEST_TIMER_MS))
  }

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

  /** Sends what is due, one after the other, and follows what was submitted meanwhile. */
  async function work(): Promise<void> {
    await purge({ store, explain, now, keepForMs })
    const followed = new Map<string, Promise<void>>()
    while (!closing.signal.aborted) {
      woken = new AbortController()
      await refresh()
      for (const record of shown) {
        if (record.step !== 'analysing' || followed.has(record.id)) continue
        const following = perform(record, followOne).finally(() => {
          followed.delete(record.id)
          woken.abort()
        })
        followed.set(record.id, following)
      }
      const due = shown.find((record) => isDue(record, now()) && !isBehind(record, shown))
      if (due) await perform(due, sendOne)
      else if (followed.size > 0) await pause(LONGEST_TIMER_MS, woken.signal)
      else return
    }
    await Promise.all(followed.values())
  }

  /** Works on a record until it has come to something, is removed, or the app ends. */
  async function perform(record: CheckInRecord, work: (task: Task) => Promise<void>): Promise<void> {
    const ending = new AbortController()
    const end = () => ending.abort()
    closing.signal.addEventListener('abort', end)
    let storedAt = 0
    const task: Task = {
      record,
      ending,
      async save() {
        if (ending.signal.aborted) throw new Removed()
        storedAt = now()
        await store.save(record)
        if (shown.includes(record)) show()
      },
      show() {
        if (shown.includes(record)) show()
        if (Math.abs(now() - storedAt) < STORE_PROGRESS_EVERY_MS) return
        storedAt = now()
        store.save(record).catch(end)
      },
    }
    tasks.set(record.id, task)
    try {
      await work(task)
      if (isOver(record) && !keepsRest(record)) await store.removeRest(record)
      await task.save()
    } catch (error) {
      if (!(error instanceof Removed) && !ending.signal.aborted) throw error
    } finally {
      closing.signal.removeEventListener('abort', end)
      tasks.delete(record.id)
    }
  }

  async function sendOne({ record, ending: { signal }, save, show }: Task): Promise<void> {
    const before = record.problem
    try {
      if (device.connection?.isOnline() === false)
        throw new WellbeingError('offline', { message: 'No network.' })
      const requireOwner = () => owner.require(record)
      await requireOwner()
      // Until here it is shown why it waits: without a network a session takes its time to say whose it is.
      record.problem = null
      record.nextAttemptAt = null
      // With the first check-in that is sent: what only shows the queue does not need it.
      const { send } = await import('./send.ts')
      await send(record, { ...context, store, signal, requireOwner, save, show })
    } catch (caught) {
      if (caught instanceof Removed || signal.aborted) throw caught
      const thrown = errorOf(caught)
      // Nobody ended it here: the call took too long.
      const error = await explain(thrown.code === 'aborted' ? new WellbeingError('offline', thrown) : thrown)
      const isSignedIn =
        error.code === 'session_ended' && (await person.current().catch(() => null)) === record.owner
      failedAttempt(record, error, { before, isSignedIn, now: now() })
    }
  }

  async function followOne({ record, ending: { signal }, show }: Task): Promise<void> {
    try {
      if (record.checkInId === null) return requeue(record, now())
      const seen = await follow(context, record.checkInId, {
        signal,
        onProgress(share) {
          if (share > record.progress) record.progress = Math.min(share, 1)
          show()
        },
      })
      // What another device has submitted says nothing of what waits here.
      const isThis = seen.status !== 'expired' && (await isOwn(record, seen, context))
      record.problem = null
      if (isThis) ended(record, seen, now())
      else requeue(record, now())
    } catch (caught) {
      if (caught instanceof Removed || signal.aborted) throw caught
      const error = await explain(caught)
      record.problem = storedError(error)
      if (error.code === 'check_in_not_found') over(record, 'failed', now())
      else await pause(FOLLOW_AGAIN_AFTER_MS, signal)
    }
  }

  /** Tries records at once that wait or have failed; which, by their state. */
  async function tryAgain(which: (record: CheckInRecord) => boolean): Promise<void> {
    for (const record of await read()) {
      if (tasks.has(record.id) || !which(record)) continue
      if (isOver(record)) requeue(record, now())
      record.attempts = 0
      record.nextAttemptAt = now()
      await store.save(record).catch((error) => {
        if (!(error instanceof Removed)) throw error
      })
    }
    await refresh()
    wake()
  }

  async function leaveOut(kind: string): Promise<void> {
    for (const record of await read({ drafts: true })) {
      const covered = record.media.filter(({ name }) => kind === (name === 'audio' ? 'audio' : 'camera'))
      if (covered.length === 0 && (kind !== 'text' || record.transcript === null)) continue
      // It goes on with what is left.
      tasks.get(record.id)?.ending.abort()
      record.media = record.media.filter((medium) => !covered.includes(medium))
      if (kind === 'text') record.transcript = null
      if (!hasRest(record) && record.step !== 'analysing') await store.remove(record)
      else {
        await store.removeFiles(
          record,
          covered.map(({ name }) => name),
        )
        await store.save(record)
      }
    }
    await refresh()
    wake()
  }

  /** Not before the service lets it: where that asked to wait, it waits. */
  const waits = ({ step, problem }: CheckInRecord) => step === 'waiting' && problem?.code !== 'rate_limited'
  const resume = () => tryAgain(waits)
  const inBackground = (task: Promise<void>) => void task.catch(() => {})

  async function onChanged(): Promise<void> {
    await refresh()
    for (const [id, { ending }] of tasks) if (!shown.some((record) => record.id === id)) ending.abort()
    if (shown.some((record) => !isOver(record))) wake()
  }

  async function onPerson(account: string | null): Promise<void> {
    // Calls would be made as whoever is signed in now.
    for (const { record, ending } of tasks.values()) if (record.owner !== account) ending.abort()
    if (account === null) {
      const error = new WellbeingError('session_ended', { message: 'Nobody is signed in any more.' })
      waiting.failAll(await explain(error))
    }
    await owner.became(account)
    await (account === null ? refresh() : resume())
  }

  const endings = [
    person.subscribe((account) => inBackground(onPerson(account))),
    store.onChanged(() => inBackground(onChanged())),
    device.connection?.subscribe((online) => {
      if (online) inBackground(resume())
    }),
  ]

  return {
    async checkIn(media, options = {}) {
      try {
        if (!media.audio && !media.images?.length && !media.transcript?.trim()) {
          throw new WellbeingError('nothing_uploaded', {
            message: 'There is no recording, no image and no text.',
          })
        }
        const account = await owner.since(media.durationS ?? 0)
        if (account === null) throw new WellbeingError('session_ended', { message: 'Nobody is signed in.' })
        const given = { owner: account, type: options.type ?? 'daily', media, now: now(), keepForMs }
        const { record, files } = newRecord(given)
        const draft = drafts && (await (await drafts).place(account))
        if (draft) record.id = draft.id
        // Where another tab has sent the draft, this is the same check-in.
        if (!draft || draft.isDraft) await store.add(record, files)
        const end = waiting.forEnd(record.id, options)
        inBackground(refresh().then(wake))
        return await end
      } catch (error) {
        throw await explain(error)
      }
    },
    leaveOut,
    draft: {
      save: async (media) => (await openDrafts()).save(media),
      read: async () => (await openDrafts()).read(),
    },
    queue: {
      async list() {
        await refresh()
        return shown.map(viewOf)
      },
      resume,
      retry: (id) => tryAgain((record) => record.id === id && viewOf(record).canRetry),
      async remove(id) {
        tasks.get(id)?.ending.abort()
        for (const record of await read()) if (record.id === id) await store.remove(record)
        await refresh()
      },
      subscribe(listener) {
        listeners.add(listener)
        inBackground(refresh())
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
