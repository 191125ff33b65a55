import type { Device } from '../device.ts'
import { WellbeingError } from '../errors.ts'
import {
  type CheckInRecord,
  lostRecord,
  type MediumName,
  parseRecord,
  storedError,
  timeOf,
} from './record.ts'

const KEY = 'wellbeing.check-in.'
const TOPIC = 'wellbeing.check-ins'
/** A file that no record wants after so long, milliseconds, is of a check-in that is gone; one that is younger may be being added. */
const ORPHANED_AFTER_MS = 60 * 60 * 1000

/** The check-in was removed, in this tab or in another. */
export class Removed extends Error {}

/** Records and files of check-ins on the device; what it has no room for is kept in memory, as long as the app lives. */
export type Store = {
  /** Of one person, or of all, the oldest first. What can't be read any more is among them, as lost. */
  list(owner?: string): Promise<CheckInRecord[]>
  /** Adds a check-in: first its files, so that no record promises what is not there. */
  add(record: CheckInRecord, files: Map<MediumName, Blob>): Promise<void>
  /** Adds or replaces a draft: files, then its record. @throws {WellbeingError} what the device can't keep, it keeps as it was */
  put(record: CheckInRecord, files: Map<MediumName, Blob>): Promise<void>
  /** @throws {Removed} */
  save(record: CheckInRecord): Promise<void>
  remove(record: CheckInRecord): Promise<void>
  /** Null: the device has lost it. Rejects where the device does not say. */
  readFile(record: CheckInRecord, name: MediumName): Promise<Blob | null>
  removeFiles(record: CheckInRecord, names?: MediumName[]): Promise<void>
  /** Deletes what was recorded; the record stays, and says what became of it. @throws {Removed} */
  removeRest(record: CheckInRecord): Promise<void>
  /** Deletes files that no record wants any more. */
  sweep(records: CheckInRecord[]): Promise<void>
  /** Calls when another tab has changed something. */
  onChanged(listener: () => void): () => void
}

export function createStore(
  device: Device,
  { now, explain }: { now(): number; explain(error: unknown): Promise<WellbeingError> },
): Store {
  const { items, files } = device
  const records = new Map<string, string>()
  const media = new Map<string, Blob>()
  /** Check-ins whose files are in memory. */
  const volatile = new Set<string>()
  const storedKeys = (): Promise<readonly string[]> => items.getAllKeys().catch(() => [])
  const announce = () => device.announce?.(TOPIC)
  const keyOf = ({ owner, id }: CheckInRecord) => `${KEY}${owner}.${id}`
  const fileOf = ({ id }: CheckInRecord, name: MediumName) => `${id}.${name}`

  /** Writes to the device, else to memory. */
  async function write(record: CheckInRecord): Promise<void> {
    const key = keyOf(record)
    try {
      record.storageProblem = null
      await items.setItem(key, JSON.stringify(record))
      records.delete(key)
    } catch (error) {
      record.storageProblem = storedError(await explain(storageError(error)))
      records.set(key, JSON.stringify(record))
    }
    announce()
  }

  async function save(record: CheckInRecord): Promise<void> {
    const key = keyOf(record)
    record.savedAt = now()
    const isThere = records.has(key) || (await items.getItem(key).catch(() => '')) !== null
    if (!isThere) throw new Removed()
    if (volatile.has(record.id)) records.set(key, JSON.stringify(record))
    else await write(record)
  }

  async function removeFiles(record: CheckInRecord, names?: MediumName[]): Promise<void> {
    const stored = names?.map((name) => fileOf(record, name)) ?? (await namesOf(record))
    for (const name of stored) {
      media.delete(name)
      await files.remove(name).catch(() => {})
    }
  }

  async function namesOf({ id }: CheckInRecord): Promise<string[]> {
    const names = [...media.keys(), ...(await files.list().catch(() => []))]
    return names.filter((name) => name.startsWith(`${id}.`))
  }

  return {
    async list(owner) {
      const prefix = owner === undefined ? KEY : `${KEY}${owner}.`
      const stored = await storedKeys()
      const keys = new Set([...stored, ...records.keys()].filter((key) => key.startsWith(prefix)))
      const found = await Promise.all(
        [...keys].map(async (key) => {
          const text = records.get(key) ?? (await items.getItem(key).catch(() => undefined))
          // The device does not respond: that says nothing of the record.
          if (text === undefined) return null
          // Another tab may have removed it since the keys were listed.
          if (text === null && !(await storedKeys()).includes(key)) return null
          const [of = '', id = ''] = key.slice(KEY.length).split('.')
          return parseRecord(text) ?? lostRecord(of, id)
        }),
      )
      return found
        .filter((record) => record !== null)
        .sort((one, other) => one.recordedAt - other.recordedAt || (one.id < other.id ? -1 : 1))
    },

    async add(record, given) {
      try {
        for (const [name, file] of given) await files.write(fileOf(record, name), file)
      } catch (error) {
        record.storageProblem = storedError(await explain(storageError(error)))
        for (const [name, file] of given) {
          await files.remove(fileOf(record, name)).catch(() => {})
          media.set(fileOf(record, name), file)
        }
        // A record on the device would outlive files that are in memory.
        volatile.add(record.id)
        records.set(keyOf(record), JSON.stringify(record))
      }
      if (!volatile.has(record.id)) await write(record)
      // Of a draft in whose place it is: it would be offered once more.
      if (record.storageProblem) await items.removeItem(keyOf(record)).catch(() => {})
    },

    async put(record, given) {
      try {
        for (const [name, file] of given) await files.write(fileOf(record, name), file)
        await items.setItem(keyOf(record), JSON.stringify({ ...record, savedAt: now() }))
      } catch (error) {
        throw await explain(storageError(error))
      }
    },

    save,

    async removeRest(record) {
      await removeFiles(record)
      record.media = []
      record.transcript = null
      await save(record)
    },

    async remove(record) {
      records.delete(keyOf(record))
      volatile.delete(record.id)
      await items.removeItem(keyOf(record)).catch(() => {})
      await removeFiles(record)
      announce()
    },

    async readFile(record, name) {
      const kept = media.get(fileOf(record, name))
      if (kept) return kept
      return files.read(fileOf(record, name)).catch((error) => {
        throw storageError(error)
      })
    },

    removeFiles,

    async sweep(known) {
      const stored = await items.getAllKeys().catch(() => null)
      // A device that does not say which records it has does not say which files are of none.
      if (stored === null) return
      const wanted = new Set([
        ...known.map(({ id }) => id),
        ...stored.map((key) => key.slice(key.lastIndexOf('.') + 1)),
      ])
      for (const name of await files.list().catch(() => [])) {
        const [id = ''] = name.split('.')
        const age = Math.abs(now() - timeOf(name))
        if (!wanted.has(id) && age > ORPHANED_AFTER_MS) await files.remove(name).catch(() => {})
      }
    },

    onChanged: (listener) => device.onAnnounced?.(TOPIC, listener) ?? (() => {}),
  }
}

/** Why the device could not keep something. */
function storageError(cause: unknown): WellbeingError {
  if (cause instanceof WellbeingError) return cause
  const name = cause instanceof Error ? `${cause.name} ${cause.message}` : String(cause)
  // Of IndexedDB, of SQLite below AsyncStorage, and of file systems.
  return /quota|full|ENOSPC|no space/i.test(name)
    ? new WellbeingError('device_storage_full', { message: 'The device has no room.', cause })
    : new WellbeingError('device_storage_unavailable', { message: 'The device can’t keep anything.', cause })
}
