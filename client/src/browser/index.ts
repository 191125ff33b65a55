import { createStore, del, get, keys, set, update } from 'idb-keyval'
import type { Device } from '../device.ts'

/** What lies in IndexedDB: encrypted, under its name. */
type Sealed = { iv: Uint8Array<ArrayBuffer>; bytes: ArrayBuffer; type: string }

const KEY = 'key'

/**
 * A browser's device: IndexedDB, encrypted with a key that scripts can't read out (AES-GCM), locks and messages between tabs.
 *
 * What can't be decrypted, because its key is gone or it was damaged, is null. Where the browser keeps nothing, as in some private
 * windows, or has no room, calls reject with the error of IndexedDB (`QuotaExceededError`); check-ins go on in memory then.
 *
 * @param options.name of the database, for an app with several. Default: `student-wellbeing`
 */
export function browserDevice({ name = 'student-wellbeing' }: { name?: string } = {}): Device {
  // Opened at the first use, not where the app is rendered on a server.
  let opened: ReturnType<typeof createStore> | undefined
  const store: ReturnType<typeof createStore> = (mode, task) => {
    opened ??= createStore(name, 'device')
    return opened(mode, task)
  }
  let key: Promise<CryptoKey> | undefined

  /** The one key of this browser, whichever tab makes it. */
  function secret(): Promise<CryptoKey> {
    key ??= crypto.subtle
      .generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
      .then(async (made) => {
        let kept = made
        await update<CryptoKey>(
          KEY,
          (before) => {
            kept = before ?? made
            return kept
          },
          store,
        )
        return kept
      })
    key.catch(() => {
      key = undefined
    })
    return key
  }

  async function write(entry: string, bytes: BufferSource, type: string): Promise<void> {
    const iv = crypto.getRandomValues(new Uint8Array(12))
    const sealed: Sealed = {
      iv,
      bytes: await crypto.subtle.encrypt(cipher(iv, entry), await secret(), bytes),
      type,
    }
    await set(entry, sealed, store)
  }

  async function read(entry: string): Promise<{ bytes: ArrayBuffer; type: string } | null> {
    const sealed = await get<Sealed>(entry, store)
    if (!sealed) return null
    const opener = await secret()
    try {
      return {
        bytes: await crypto.subtle.decrypt(cipher(sealed.iv, entry), opener, sealed.bytes),
        type: sealed.type,
      }
    } catch {
      return null
    }
  }

  async function named(prefix: string): Promise<string[]> {
    const all = await keys<string>(store)
    return all.filter((entry) => entry.startsWith(prefix)).map((entry) => entry.slice(prefix.length))
  }

  let channel: BroadcastChannel | undefined
  const tabs = () => {
    channel ??= new BroadcastChannel(name)
    return channel
  }

  return {
    items: {
      async getItem(item) {
        const found = await read(`item:${item}`)
        return found && new TextDecoder().decode(found.bytes)
      },
      setItem: (item, value) => write(`item:${item}`, new TextEncoder().encode(value), 'text/plain'),
      removeItem: (item) => del(`item:${item}`, store),
      getAllKeys: () => named('item:'),
    },
    files: {
      write: async (file, blob) => write(`file:${file}`, await blob.arrayBuffer(), blob.type),
      async read(file) {
        const found = await read(`file:${file}`)
        return found && new Blob([found.bytes], { type: found.type })
      },
      remove: (file) => del(`file:${file}`, store),
      list: () => named('file:'),
    },
    connection: {
      isOnline: () => navigator.onLine,
      subscribe(listener) {
        const online = () => listener(true)
        const offline = () => listener(false)
        addEventListener('online', online)
        addEventListener('offline', offline)
        return () => {
          removeEventListener('online', online)
          removeEventListener('offline', offline)
        }
      },
    },
    async exclusively(lock, task) {
      if (!('locks' in navigator)) return task()
      return navigator.locks.request(`${name}.${lock}`, task)
    },
    announce: (topic) => tabs().postMessage(topic),
    onAnnounced(topic, listener) {
      const hear = ({ data }: MessageEvent) => {
        if (data === topic) listener()
      }
      tabs().addEventListener('message', hear)
      return () => tabs().removeEventListener('message', hear)
    },
  }
}

/** The name is authenticated too: no entry passes for another. */
function cipher(iv: Uint8Array<ArrayBuffer>, entry: string): AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(entry) }
}
