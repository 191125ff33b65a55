import { IDBFactory } from 'fake-indexeddb'
import { createStore, del, entries, get, set } from 'idb-keyval'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { browserDevice } from '../../../client/src/browser/index.ts'

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory())
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const stored = () => createStore('student-wellbeing', 'device')
const recording = () => new Blob(['what I said'], { type: 'audio/webm;codecs=opus' })

test('a browser keeps records and files, for each of its tabs', async () => {
  const one = browserDevice()
  const other = browserDevice()
  await Promise.all([one.items.setItem('a', 'first'), other.files.write('b', recording())])
  await one.items.setItem('a', 'second')
  expect(await other.items.getItem('a')).toBe('second')
  const file = await one.files.read('b')
  expect([file?.type, await file?.text()]).toEqual(['audio/webm;codecs=opus', 'what I said'])
  expect([await other.items.getAllKeys(), await other.files.list()]).toEqual([['a'], ['b']])
  await one.items.removeItem('a')
  await one.files.remove('b')
  expect([await other.items.getItem('a'), await other.files.read('b')]).toEqual([null, null])
  expect([await other.items.getAllKeys(), await other.files.list()]).toEqual([[], []])
})

test('what it keeps is encrypted, with a key that no script can read out', async () => {
  const { items, files } = browserDevice()
  await items.setItem('a', 'my words')
  await files.write('b', recording())
  const kept = await entries<string, unknown>(stored())
  const key = kept.find(([name]) => name === 'key')?.[1]
  expect(key).toMatchObject({ extractable: false, algorithm: { name: 'AES-GCM', length: 256 } })
  const bytes = kept.flatMap(([, value]) =>
    typeof value === 'object' && value !== null && 'bytes' in value && value.bytes instanceof ArrayBuffer
      ? new TextDecoder().decode(value.bytes)
      : [],
  )
  expect(bytes).toHaveLength(2)
  expect(bytes.join()).not.toMatch(/my words|what I said/)
})

test('what was damaged, moved or lost its key is not there', async () => {
  const { items, files } = browserDevice()
  await items.setItem('a', 'my words')
  await items.setItem('b', 'other words')
  await files.write('c', recording())
  await set('item:b', await get('item:a', stored()), stored())
  await set('file:c', { iv: new Uint8Array(12), bytes: new ArrayBuffer(40), type: '' }, stored())
  expect([await items.getItem('b'), await files.read('c')]).toEqual([null, null])
  await del('key', stored())
  const next = browserDevice()
  expect(await next.items.getItem('a')).toBeNull()
  expect(await next.items.getAllKeys()).toEqual(['a', 'b'])
  await next.items.setItem('a', 'new words')
  expect(await next.items.getItem('a')).toBe('new words')
})

test('a browser without a database says so at each use, and again', async () => {
  vi.stubGlobal('indexedDB', {
    open() {
      throw new DOMException('Not in private windows', 'SecurityError')
    },
  })
  const { items, files } = browserDevice()
  await expect(items.setItem('a', 'b')).rejects.toThrow('private')
  await expect(files.list()).rejects.toThrow('private')
})

test('tabs do one thing at a time, and hear from one another', async () => {
  const one = browserDevice({ name: 'tabs' })
  const other = browserDevice({ name: 'tabs' })
  const heard: string[] = []
  const first = Promise.withResolvers<void>()
  const holding = one.exclusively?.('sending', async () => {
    heard.push('one begins')
    await first.promise
    heard.push('one ends')
  })
  const waiting = other.exclusively?.('sending', async () => {
    heard.push('other begins')
  })
  await vi.waitFor(() => expect(heard).toEqual(['one begins']))
  first.resolve()
  await Promise.all([holding, waiting])
  expect(heard).toEqual(['one begins', 'one ends', 'other begins'])

  const told: string[] = []
  one.onAnnounced?.('a', () => told.push('one'))
  const end = other.onAnnounced?.('a', () => told.push('other'))
  other.onAnnounced?.('b', () => told.push('b'))
  one.announce?.('a')
  await vi.waitFor(() => expect(told).toEqual(['other']))
  end?.()
  other.announce?.('a')
  one.announce?.('b')
  await vi.waitFor(() => expect(told).toEqual(['other', 'one', 'b']))
})
