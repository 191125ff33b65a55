import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import fc from 'fast-check'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signUpload } from '../../../functions/_shared/checkins/media.ts'
import { tableName } from '../../../functions/_shared/data-api/names.ts'
import { selectRows } from '../../../functions/_shared/data-api/rows.ts'
import type { Database } from '../../../functions/_shared/database.ts'
import { buildVolume } from '../../../functions/_shared/exports/build.ts'
import { openOriginal, storeVolume } from '../../../functions/_shared/exports/storage.ts'
import type { Volume } from '../../../functions/_shared/exports/volume.ts'
import { signFile, storeFile } from '../../../functions/_shared/files/bucket.ts'
import { isFileKey } from '../../../functions/_shared/files/keys.ts'
import {
  isObjectName,
  objectAddress,
  UnsafeObjectName,
} from '../../../functions/_shared/platform/object-address.ts'
import { openObject, readObject } from '../../../functions/_shared/platform/storage.ts'
import { type Manifest, readManifest, writeManifest } from '../../../scripts/backup/manifest.ts'
import { dumpObjects, restoreObjects } from '../../../scripts/backup/objects.ts'
import { importFiles } from '../../../scripts/import/files.ts'
import { dose } from '../../depth.ts'

const BUCKET = 'university-files'
const OWN = 'northfield/students/5b0f2d0e-0d0c-4c0e-9d6e-0f6d1d7a1c11'
const SHA256 = 'f'.repeat(64)

/** What a name can be put together from to lead elsewhere: dots, encodings of encodings, separators, look-alikes, ends of addresses. */
const PIECES = [
  ...['.', '..', '...', '/', '//', '\\', ' ', '\0', '\n', '\t', '\u007f', '\u0085'],
  ...['%2e', '%2E%2e', '%2f', '%2F..%2F', '%5c', '%00', '%252e%252e', '%25252f', '%', '%zz'],
  ...['․', '．', '‥', '∕', '／', '⁄', '＼', '﹨', '∖', 'é', 'e\u0301', '💙', '\u202e', '\ufeff', '\ud800'],
  ...['?', '?token=x', '#', '#x', '&', ';', ':', '@', '=', '+', ',', "'", '(', ')', '*', '!', '$'],
  ...['//other.example.edu', 'https://other.example.edu/', 'rest/v1/buddy_contacts', 'auth/v1/admin/users'],
  ...['../../../../../../../../rest/v1/rpc/read_audit_log', 'a', 'letter.txt', 'x'.repeat(600)],
]

const hostileName = fc
  .tuple(fc.constantFrom('', OWN, `${OWN}/`), fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }))
  .map(([folder, pieces]) => folder + pieces.join(''))
const plainLevel = fc
  .string({ unit: fc.constantFrom(..."aZ09_!-.*'() &$@=;:+,?"), minLength: 1, maxLength: 12 })
  .filter((level) => !/^[. ]+$/.test(level))
const plainName = fc.array(plainLevel, { minLength: 1, maxLength: 5 }).map((levels) => levels.join('/'))
const anyName = fc.oneof(hostileName, plainName, fc.string({ unit: 'binary' }))

/** Raw paths of the requests that came. */
let asked: string[] = []
let server: Server
let supabaseUrl: string

const ANSWERS: [path: RegExp, answer: object][] = [
  [/^\/storage\/v1\/object\/sign\//, [{ signedURL: '/object/sign/b/n?token=h.eyJleHAiOjF9.s' }]],
  [/^\/storage\/v1\/object\/upload\/sign\//, { url: '/object/upload/sign/b/n?token=h.eyJleHAiOjF9.s' }],
  [/^\/rest\/v1\//, []],
]

beforeAll(async () => {
  for (const within of ['objects', 'tables']) mkdirSync(join(folder, within))
  writeFileSync(join(folder, 'secrets.json'), '{}')
  writeFileSync(join(folder, 'objects', SHA256), 'x')
  server = createServer((request, response) => {
    asked.push(request.url ?? '')
    request.resume()
    request.on('end', () => {
      const [, answer = { Key: 'b/n', Id: '1' }] =
        ANSWERS.find(([path]) => path.test(request.url ?? '')) ?? []
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  supabaseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const signal = () => AbortSignal.timeout(60_000)
const store = () => ({ supabaseUrl, secretKey: 'invented' })
const client = () => createClient(supabaseUrl, 'invented', { auth: { persistSession: false } })
const original = (name: string) => ({ bucket: BUCKET, name, bytes: 1, type: 'text/plain' })
const stored = (name: string) => ({
  ...{ id: '5b0f2d0e-0d0c-4c0e-9d6e-0f6d1d7a1c11', bucket: BUCKET, name, owner: null, owner_id: null },
  ...{ created_at: '', updated_at: '', last_accessed_at: null, user_metadata: null, type: null },
  cache_control: null,
})
const volume = (name: string): Volume => ({
  ...{ export_id: SHA256, ordinal: 2, attempts: 1, content: 'media', object_name: 'a/b/2', since: null },
  ...{ until: null, objects: [original(name)], lease_ms: 60_000, user_id: 'a', include_name: false },
  created_at: '2026-11-22T10:00:00.000Z',
})

/** No statement is sent where no volume of an export is restored, but the last one. */
const noDatabase = { begin: async () => undefined } as unknown as Sql & Database

const folder = mkdtempSync(join(tmpdir(), 'object-names-'))
afterAll(() => rmSync(folder, { recursive: true }))

const READ = [`object/authenticated/${BUCKET}`]
const WHOLE = [`object/${BUCKET}`]

/** Every place that puts the name of an object into an address, and what comes before bucket and name there. */
const PLACES: [place: string, routes: string[], ask: (name: string) => Promise<unknown>][] = [
  ['an analysis that reads in ranges', READ, (name) => openObject(store(), BUCKET, name)],
  ['an analysis that reads at once', READ, (name) => readObject(store(), BUCKET, name)],
  [
    'an original of an export',
    READ,
    async (name) => {
      const content = await openOriginal(store(), original(name), signal())
      await content?.cancel()
    },
  ],
  [
    'a volume of an export',
    ['object/exports'],
    (name) => storeVolume(store(), { name: name, type: 'application/zip' }, new Blob([]).stream(), signal()),
  ],
  [
    'a file of a university',
    WHOLE,
    (name) => storeFile(client(), name, new Uint8Array(1), { extension: 'txt', contentType: 'text/plain' }),
  ],
  [
    'an address to upload to',
    ['object/upload/sign/check-in-media', 'object/upload/sign/check-in-images'],
    (name) => signUpload(client(), supabaseUrl, name),
  ],
  ['a backup', WHOLE, (name) => dumpObjects(client().storage, folder, [stored(name)])],
  [
    'a restored backup',
    WHOLE,
    (name) =>
      restoreObjects(noDatabase, client().storage, folder, {
        objects: [{ ...stored(name), sha256: SHA256 }],
      } as Manifest),
  ],
  [
    'an import',
    WHOLE,
    (name) =>
      importFiles(client().storage, {
        originals: [{ bucket: BUCKET, name, type: null, bytes: Buffer.alloc(1) }],
      }),
  ],
]

/** A text decoded once more and once more, until nothing changes. */
function decodings(text: string): string[] {
  const found = [text]
  for (let before = ''; before !== found.at(-1); ) {
    before = found.at(-1) ?? ''
    found.push(
      before.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) =>
        Buffer.from(encoded.replaceAll('%', ''), 'hex').toString(),
      ),
    )
  }
  return found
}

describe('whatever an object is called,', () => {
  test.each(PLACES)('%s asks for exactly it, or for nothing', async (_, routes, ask) => {
    await fc.assert(
      fc.asyncProperty(anyName, async (name) => {
        asked = []
        const failure = await ask(name).then(
          () => null,
          (error: unknown) => error,
        )
        if (!isObjectName(name)) {
          expect(asked).toEqual([])
          if (failure) expect(failure).toBeInstanceOf(UnsafeObjectName)
          return
        }
        expect(asked.length).toBeGreaterThan(0)
        const encoded = name.split('/').map(encodeURIComponent).join('/')
        for (const path of asked) {
          expect(routes.map((route) => `/storage/v1/${route}/${encoded}`)).toContain(path)
          expect(decodeURIComponent(path).endsWith(`/${name}`)).toBe(true)
          for (const text of decodings(path)) {
            for (const level of text.split('/').slice(1)) expect(level).toMatch(/^(?![. ]*$)[^\\\p{Cc}]+$/u)
          }
        }
      }),
      { numRuns: dose(80, 5000) },
    )
  })

  test('a signed address is that of its file, or there is none', async () => {
    await fc.assert(
      fc.asyncProperty(anyName, async (name) => {
        const signed = signFile(client(), supabaseUrl, name, 60)
        if (!isObjectName(name)) {
          await expect(signed).rejects.toBeInstanceOf(UnsafeObjectName)
          return
        }
        const { pathname, search } = new URL((await signed).url)
        expect(decodeURIComponent(pathname)).toBe(`/storage/v1/object/sign/${BUCKET}/${name}`)
        expect(search).toBe('?token=h.eyJleHAiOjF9.s')
      }),
      { numRuns: dose(80, 5000) },
    )
  })

  test('its address has its levels, and nothing else', () => {
    fc.assert(
      fc.property(
        anyName,
        fc.constantFrom('object', 'object/authenticated', 'object/sign'),
        (name, route) => {
          if (!isObjectName(name)) {
            expect(() => objectAddress(supabaseUrl, route, { bucket: BUCKET, name })).toThrow(
              UnsafeObjectName,
            )
            expect(() => objectAddress(supabaseUrl, route, { bucket: name, name: 'a' })).toThrow(
              UnsafeObjectName,
            )
            return
          }
          const address = objectAddress(supabaseUrl, route, { bucket: BUCKET, name })
          const { origin, pathname, search, hash } = new URL(address)
          expect([origin + pathname, search, hash]).toEqual([address, '', ''])
          expect(
            pathname
              .split('/')
              .slice(5 + route.split('/').length - 1)
              .map(decodeURIComponent),
          ).toEqual(name.split('/'))
        },
      ),
      { numRuns: dose(1000, 200_000) },
    )
  })

  test('a volume of an export is built, without what could lead elsewhere, which is counted', async () => {
    await fc.assert(
      fc.asyncProperty(anyName, async (name) => {
        const { leftOut } = await buildVolume(noDatabase, store(), volume(name))
        expect(leftOut).toBe(isObjectName(name) ? 0 : 1)
      }),
      { numRuns: dose(80, 5000) },
    )
  })

  test('a backup is made, without what could lead elsewhere, which is named', async () => {
    await fc.assert(
      fc.asyncProperty(anyName, async (name) => {
        const { objects, unsafe_names } = await dumpObjects(client().storage, folder, [stored(name)])
        expect(objects.map((object) => object.name)).toEqual(isObjectName(name) ? [name] : [])
        expect(unsafe_names).toEqual(isObjectName(name) ? [] : [`${BUCKET}/${name}`])
      }),
      { numRuns: dose(80, 5000) },
    )
  })

  test('a key that a download takes is one of them', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        if (isFileKey(name, 'northfield')) expect(isObjectName(name)).toBe(true)
      }),
      { numRuns: dose(1000, 200_000) },
    )
  })

  test('a table that is called like it is asked for by exactly its name, or not at all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyName, fc.stringMatching(/^[a-z_]{1,8}$/)), async (name) => {
        asked = []
        const parsed = tableName.safeParse(name)
        if (!parsed.success) return
        const { table, ...rest } = { table: parsed.data, filters: {}, orderBy: [], limit: 1, offset: 0 }
        await selectRows(client(), { table, columns: '*', ...rest }).catch(() => {})
        for (const path of asked) expect(path.split('?')[0]).toBe(`/rest/v1/${name.split('.').at(-1)}`)
      }),
      { numRuns: dose(80, 5000) },
    )
  })
})

describe('of the manifest of a backup', () => {
  const manifest = (change: Partial<Manifest>): Omit<Manifest, 'files'> => ({
    ...{ format: 2, taken_at: '2026-11-22T10:00:00.000Z', migrations: [], tables: [], sequences: [] },
    ...{ objects: [], without_content: [], unsafe_names: [], ...change },
  })
  const readBack = (change: Partial<Manifest>) => {
    writeManifest(folder, manifest(change))
    return readManifest(folder)
  }
  const object = (name: string) => ({ ...stored(name), sha256: SHA256 })

  test('an object whose name could lead elsewhere is not restored, but named; the others are', () => {
    const read = readBack({
      objects: [object(`${OWN}/a.txt`), object(`${OWN}/../b.txt`), { ...object('a'), bucket: '..' }],
      unsafe_names: ['b/../c'],
    })
    expect(read.objects.map(({ name }) => name)).toEqual([`${OWN}/a.txt`])
    expect(read.unsafe_names).toEqual(['b/../c', `${BUCKET}/${OWN}/../b.txt`, '../a'])
  })

  test('content is found in its folder alone, and tables have names', () => {
    expect(() => readBack({ objects: [{ ...object('a'), sha256: '../../etc/passwd' }] })).toThrow('sha256')
    const table = { name: 'public.profiles', columns: ['user_id', '"order"'], rows: 1, hash: '1' }
    expect(readBack({ tables: [table] }).tables).toEqual([table])
    for (const name of ['../../x', 'public.profiles; drop table x', 'public."../x"']) {
      expect(() => readBack({ tables: [{ ...table, name }] })).toThrow('tables')
    }
    expect(() => readBack({ tables: [{ ...table, columns: ['a) to stdout; --'] }] })).toThrow('columns')
  })
})
