/** Small records by key: `AsyncStorage` of React Native is one as it is. */
export type DeviceItems = {
  getItem(key: string): Promise<string | null>
  setItem(key: string, value: string): Promise<void>
  removeItem(key: string): Promise<void>
  getAllKeys(): Promise<readonly string[]>
}

/** Recordings and images by name. `write` replaces; `read` of what is not there is null; `remove` of it does nothing. */
export type DeviceFiles = {
  write(name: string, file: Blob): Promise<void>
  read(name: string): Promise<Blob | null>
  remove(name: string): Promise<void>
  list(): Promise<string[]>
}

/** Whether the device says that it has a network; what it says is a hint, not an answer. */
export type Connection = {
  isOnline(): boolean
  subscribe(listener: (online: boolean) => void): () => void
}

/** What the client needs of a device. */
export type Device = {
  items: DeviceItems
  files: DeviceFiles
  connection?: Connection
  /** Runs a task while no other tab or process of this device runs one of that name. */
  exclusively?<Result>(name: string, task: () => Promise<Result>): Promise<Result>
  /** Tells other tabs of this device that something has changed, and hears it from them. */
  announce?(topic: string): void
  onAnnounced?(topic: string, listener: () => void): () => void
}

/** A device that forgets everything with the process: for servers and tests. */
export function memoryDevice(): Device {
  const items = new Map<string, string>()
  const files = new Map<string, Blob>()
  return {
    items: {
      getItem: async (key) => items.get(key) ?? null,
      setItem: async (key, value) => void items.set(key, value),
      removeItem: async (key) => void items.delete(key),
      getAllKeys: async () => [...items.keys()],
    },
    files: {
      write: async (name, file) => void files.set(name, file),
      read: async (name) => files.get(name) ?? null,
      remove: async (name) => void files.delete(name),
      list: async () => [...files.keys()],
    },
  }
}
