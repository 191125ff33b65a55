import { WellbeingError } from '../errors.ts'
import type { Owner } from './owner.ts'
import { type CheckInRecord, type MediumName, newRecord } from './record.ts'
import type { Store } from './store.ts'
import type { CheckInMedia, Draft } from './types.ts'

export type Drafts = Draft & {
  /** The record whose place the check-in that is now sent takes, whatever has become of it; null: this tab has no draft. */
  place(owner: string): Promise<CheckInRecord | null>
}

type DraftContext = { store: Store; owner: Owner; now(): number; keepForMs: number }

/** One draft of each tab, as a record that is neither shown nor sent. */
export function createDrafts({ store, owner, now, keepForMs }: DraftContext): Drafts {
  /** This tab's draft, and its files as they were stored. */
  let id: string | null = null
  let stored = new Map<MediumName, Blob>()
  let last: Promise<unknown> = Promise.resolve()

  /** Runs after what was asked for before. */
  function inTurn<Result>(task: () => Promise<Result>): Promise<Result> {
    const turn = last.then(task)
    last = turn.catch(() => {})
    return turn
  }

  async function own(account: string): Promise<CheckInRecord | null> {
    if (id === null) return null
    return (await store.list(account)).find((record) => record.id === id) ?? null
  }

  function forget(): void {
    id = null
    stored = new Map()
  }

  async function save(media: CheckInMedia): Promise<void> {
    const account = await owner.since(media.durationS ?? 0)
    if (account === null) throw new WellbeingError('session_ended', { message: 'Nobody is signed in.' })
    const found = await own(account)
    if (!found?.isDraft) forget()
    const before = found?.isDraft ? found : null
    const { record, files } = newRecord({ owner: account, type: 'daily', media, now: now(), keepForMs })
    if (record.media.length === 0 && record.transcript === null && record.mood === null) {
      if (before) await store.remove(before)
      return forget()
    }
    const draft = { ...record, id: before?.id ?? record.id, isDraft: true, nextAttemptAt: null }
    const isStored = (name: MediumName, file: Blob) =>
      stored.get(name) === file && before?.media.some((medium) => medium.name === name)
    await store.put(draft, new Map([...files].filter(([name, file]) => !isStored(name, file))))
    id = draft.id
    stored = files
  }

  async function read(): Promise<CheckInMedia | null> {
    const account = await owner.current()
    const drafts = account === null ? [] : (await store.list(account)).filter(({ isDraft }) => isDraft)
    const draft = drafts.find((record) => record.id === id) ?? drafts.at(-1)
    if (!draft || draft.expiresAt < now()) return null
    const files = new Map<MediumName, Blob>()
    for (const { name } of draft.media) {
      const file = await store.readFile(draft, name)
      if (file) files.set(name, file)
    }
    id = draft.id
    stored = files
    const { audio, ...images } = Object.fromEntries(files)
    return {
      ...(audio && { audio }),
      ...(files.size > (audio ? 1 : 0) && { images: Object.values(images) }),
      ...(draft.transcript !== null && { transcript: draft.transcript }),
      ...(draft.mood !== null && { mood: draft.mood }),
      ...(draft.durationS !== null && { durationS: draft.durationS }),
    }
  }

  return {
    save: (media) => inTurn(() => save(media)),
    read: () => inTurn(read),
    place: (account) =>
      inTurn(async () => {
        const found = await own(account)
        forget()
        return found
      }),
  }
}
