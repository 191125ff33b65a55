import type { Connection, Device, DeviceFiles, DeviceItems } from '../device.ts'

/** What of `expo-file-system` (SDK 54 and later) is used: pass the module as it is. */
export type ExpoFileSystem = {
  File: new (...uris: string[]) => ExpoFile
  Directory: new (
    ...uris: string[]
  ) => {
    exists: boolean
    create(options: { intermediates: boolean; idempotent: boolean }): void
    list(): { uri: string; name: string }[]
  }
  Paths: { document: { uri: string } }
}

type ExpoFile = {
  exists: boolean
  size: number | null
  write(bytes: Uint8Array): void | Promise<void>
  delete(): void
  open(): {
    offset: number | null
    readBytes(length: number): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>
    close(): void
  }
}

/** What of `@react-native-community/netinfo` is used: pass its default export. */
export type NetInfo = {
  addEventListener(listener: (state: { isConnected: boolean | null }) => void): () => void
}

export type ReactNativeOptions = {
  /** `AsyncStorage`, for the records of check-ins. */
  storage: DeviceItems
  /** `import * as fileSystem from 'expo-file-system'`, for recordings and images. */
  fileSystem: ExpoFileSystem
  /** Without it the queue goes on when the app says so, and by its own timers. */
  netInfo?: NetInfo
  /** The folder of the files, below the app's documents. Default: `student-wellbeing`. */
  folder?: string
}

/**
 * A phone's device. What is stored is encrypted by the phone (file protection of iOS, file-based encryption of Android), and not once more.
 *
 * @example
 * const device = reactNativeDevice({ storage: AsyncStorage, fileSystem, netInfo: NetInfo })
 */
export function reactNativeDevice(options: ReactNativeOptions): Device {
  const { storage, fileSystem, netInfo, folder = 'student-wellbeing' } = options
  return {
    items: storage,
    files: filesOf(fileSystem, folder),
    ...(netInfo && { connection: connectionOf(netInfo) }),
  }
}

function filesOf({ File, Directory, Paths }: ExpoFileSystem, folder: string): DeviceFiles {
  // Below the documents: the system empties caches when it likes.
  const place = `${Paths.document.uri.replace(/\/$/, '')}/${folder}`
  const fileOf = (name: string) => new File(`${place}/${name}`)
  const directory = () => {
    const made = new Directory(place)
    made.create({ intermediates: true, idempotent: true })
    return made
  }
  return {
    async write(name, file) {
      directory()
      await fileOf(name).write(new Uint8Array(await file.arrayBuffer()))
    },
    async read(name) {
      const file = fileOf(name)
      return file.exists ? new StoredFile(file, 0, file.size ?? 0) : null
    },
    async remove(name) {
      const file = fileOf(name)
      if (file.exists) file.delete()
    },
    async list() {
      return directory()
        .list()
        .map(({ name }) => name)
    },
  }
}

function connectionOf(netInfo: NetInfo): Connection {
  let online = true
  netInfo.addEventListener(({ isConnected }) => {
    online = isConnected !== false
  })
  return {
    isOnline: () => online,
    subscribe: (listener) => netInfo.addEventListener(({ isConnected }) => listener(isConnected !== false)),
  }
}

/** A part of a file, read when it is needed: React Native's own blobs can't be sliced into bytes. */
class StoredFile implements Blob {
  readonly type = ''
  readonly size: number
  readonly #file: ExpoFile
  readonly #from: number

  constructor(file: ExpoFile, from: number, to: number) {
    this.#file = file
    this.#from = from
    this.size = Math.max(0, to - from)
  }

  slice(from = 0, to = this.size): Blob {
    const within = (at: number) => Math.min(this.size, Math.max(0, at < 0 ? this.size + at : at))
    return new StoredFile(this.#file, this.#from + within(from), this.#from + within(to))
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    const handle = this.#file.open()
    try {
      handle.offset = this.#from
      return await handle.readBytes(this.size)
    } finally {
      handle.close()
    }
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const bytes = await this.bytes()
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes())
  }

  stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return new ReadableStream({
      start: async (controller) => {
        controller.enqueue(await this.bytes())
        controller.close()
      },
    })
  }
}
