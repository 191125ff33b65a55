import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { memoryDevice } from '../../../client/src/device.ts'
import { type ExpoFileSystem, reactNativeDevice } from '../../../client/src/react-native/index.ts'
import { CheckInService, queueOf } from '../../../harness/client/check-in-service.ts'

let documents: string
beforeEach(() => {
  documents = mkdtempSync(join(tmpdir(), 'phone-'))
})
afterEach(() => {
  rmSync(documents, { recursive: true })
})

/** `expo-file-system` on this machine's disk, as far as it is used. */
function fileSystem(): ExpoFileSystem {
  return {
    Paths: { document: { uri: `${pathToFileURL(documents).href}/` } },
    Directory: class {
      readonly #path: string
      constructor(uri: string) {
        this.#path = fileURLToPath(uri)
      }
      get exists() {
        return existsSync(this.#path)
      }
      create() {
        mkdirSync(this.#path, { recursive: true })
      }
      list() {
        return readdirSync(this.#path).map((name) => ({
          uri: pathToFileURL(join(this.#path, name)).href,
          name,
        }))
      }
    },
    File: class {
      readonly name: string
      readonly #path: string
      constructor(uri: string) {
        this.#path = fileURLToPath(uri)
        this.name = basename(this.#path)
      }
      get exists() {
        return existsSync(this.#path)
      }
      get size() {
        return this.exists ? statSync(this.#path).size : null
      }
      write(bytes: Uint8Array) {
        writeFileSync(this.#path, bytes)
      }
      delete() {
        rmSync(this.#path)
      }
      open() {
        const handle = openSync(this.#path, 'r')
        return {
          offset: 0,
          readBytes(length: number) {
            const bytes = new Uint8Array(length)
            return bytes.subarray(0, readSync(handle, bytes, 0, length, this.offset))
          },
          close: () => closeSync(handle),
        }
      }
    },
  }
}

function phone() {
  const listeners = new Set<(state: { isConnected: boolean | null }) => void>()
  const netInfo = {
    addEventListener(listener: (state: { isConnected: boolean | null }) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const { items: storage } = memoryDevice()
  return {
    start: () => reactNativeDevice({ storage, fileSystem: fileSystem(), netInfo }),
    network(isConnected: boolean) {
      for (const listener of listeners) listener({ isConnected })
    },
  }
}

test('files of a phone are written, read in pieces, listed and removed', async () => {
  const { files } = phone().start()
  expect(await files.list()).toEqual([])
  expect(await files.read('a')).toBeNull()
  await files.remove('a')
  await files.write('a', new Blob(['first']))
  await files.write('a', new Blob(['the second']))
  const read = await files.read('a')
  expect([read?.size, await read?.text()]).toEqual([10, 'the second'])
  const piece = read?.slice(4, 8)
  expect([piece?.size, await piece?.text(), await piece?.slice(1, -1).text()]).toEqual([4, 'seco', 'ec'])
  expect(new TextDecoder().decode(await piece?.arrayBuffer())).toBe('seco')
  expect(await new Response(read?.stream()).text()).toBe('the second')
  expect(await files.list()).toEqual(['a'])
  await files.remove('a')
  expect(await files.list()).toEqual([])
})

test('a check-in of a phone without a network is sent by the next start of the app, once there is one', async () => {
  const service = new CheckInService()
  const { start, network } = phone()
  const before = start()
  network(false)
  const first = queueOf(service, { device: before })
  const lost = first.checkIn({ audio: new Blob(['my voice']), transcript: 'my words' })
  await vi.waitFor(async () =>
    expect(await first.queue.list()).toMatchObject([{ problem: { code: 'offline' } }]),
  )
  first.queue.close()
  await expect(lost).rejects.toMatchObject({ code: 'aborted' })
  expect(readdirSync(join(documents, 'student-wellbeing'))).toEqual([
    expect.stringMatching(/^\d+-\w+\.audio$/),
  ])

  const { queue } = queueOf(service, { device: start() })
  network(true)
  await vi.waitFor(async () => expect(await queue.list()).toMatchObject([{ step: 'analysing' }]))
  service.finish()
  await vi.waitFor(async () => expect(await queue.list()).toMatchObject([{ step: 'complete' }]))
  expect(service.scored()).toEqual([['my words', 'my voice']])
  expect(readdirSync(join(documents, 'student-wellbeing'))).toEqual([])
  queue.close()
})
