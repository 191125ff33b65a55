import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import type { ApiResponse } from '../../../harness/client/call.ts'
import { type ApiClient, apiClient } from '../../../harness/client/openapi-client.ts'
import { HOME, newStaff, newStudent, type Student } from '../../../harness/factories/students.ts'
import { localOnly, localStack, withDatabase } from '../../../harness/stack/project.ts'
import { bytesOf, mp4, png, taken } from '../../unit/files/samples.ts'

const project = inject('project')
const UPLOAD = `${project.apiUrl}/functions/v1/api/storage/upload`

let student: Student
let counselor: Student

beforeAll(async () => {
  student = await newStudent(project)
  counselor = await newStaff(project, 'counselor')
})

type Sent = {
  bytes?: Uint8Array<ArrayBuffer>
  name?: string
  type?: string
  university_id?: string
  folder?: string
}

function formOf({
  bytes = png(),
  name = 'photo.png',
  type = 'image/png',
  university_id = HOME,
  folder,
}: Sent) {
  const form = new FormData()
  form.append('university_id', university_id)
  if (folder !== undefined) form.append('folder', folder)
  form.append('file', new File([bytes], name, { type }))
  return form
}

const api = (person: Student): ApiClient => apiClient(project, person.token)
const upload = (person: Student, sent: Sent = {}) =>
  api(person).POST('/api/storage/upload', { body: formOf(sent) })
const download = (person: Student, key: string, more: { university_id?: string; expires?: number } = {}) =>
  api(person).GET('/api/storage/download', { params: { query: { key, university_id: HOME, ...more } } })

/** Stores a file and returns its key and address. */
async function stored(person: Student, sent: Sent = {}): Promise<{ key: string; url: string }> {
  const { data } = await upload(person, sent)
  if (!data) throw new Error('The upload was refused')
  return data
}

/** Sends a body that no client would. */
async function raw(person: Student, body: string, contentType: string | null): Promise<ApiResponse> {
  const response = await fetch(UPLOAD, {
    method: 'POST',
    headers: {
      apikey: project.publishableKey,
      authorization: `Bearer ${person.token}`,
      ...(contentType !== null && { 'content-type': contentType }),
    },
    body: new Blob([body]),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

describe('an upload', () => {
  test('of a student is theirs alone', async () => {
    const { key, url } = await stored(student, { folder: 'Portfolio/Erstes Jahr', name: 'Übung 1.png' })
    expect(key).toMatch(
      new RegExp(`^northfield/students/${student.id}/Portfolio/Erstes-Jahr/[0-9a-f-]{36}-Ubung-1\\.png$`),
    )
    expect(url.startsWith(project.apiUrl)).toBe(true)
    const file = await fetch(url)
    expect(file.headers.get('content-type')).toBe('image/png')
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(png())

    expect((await download(student, key)).data?.success).toBe(true)
    const other = await newStudent(project)
    for (const person of [other, counselor]) {
      expect((await download(person, key)).error?.code).toBe('file_not_found')
      expect((await person.client.storage.from('university-files').download(key)).error).not.toBeNull()
    }
  })

  test.each(['counselor', 'university_admin'] as const)(
    'of a %s is for the whole university, and for no other',
    async (role) => {
      const { key } = await stored(await newStaff(project, role), { folder: 'guides' })
      expect(key).toMatch(/^northfield\/shared\/guides\/[0-9a-f-]{36}-photo\.png$/)
      expect((await download(student, key)).data?.success).toBe(true)
      const stranger = await newStaff(project, role, 'eastbrook')
      expect((await download(stranger, key)).error?.code).toBe('file_not_found')
    },
  )

  test('for a university of others, or none, is refused', async () => {
    const securityAdmin = await newStaff(project, 'security_admin', 'eastbrook')
    for (const person of [student, counselor]) {
      for (const university_id of ['eastbrook', 'nowhere']) {
        const { response, error } = await upload(person, { university_id })
        expect([response.status, error?.code, error?.success]).toEqual([403, 'forbidden', false])
      }
    }
    expect((await upload(securityAdmin)).error?.code).toBe('forbidden')
  })

  test('of the same file twice keeps both', async () => {
    const uploader = await newStudent(project)
    const [first, second] = [await stored(uploader), await stored(uploader)]
    expect(first.key).not.toBe(second.key)
  })

  test.each(taken())('of %s is stored as what it is', async (extension, bytes, contentType) => {
    const uploader = await newStudent(project)
    const name = extension === 'csv' ? 'table.csv' : 'file.exe'
    const { key, url } = await stored(uploader, { bytes, name, type: '' })
    expect(key.endsWith(`.${extension}`)).toBe(true)
    const file = await fetch(url)
    expect(file.headers.get('content-type')).toBe(contentType)
    expect(Buffer.compare(Buffer.from(await file.arrayBuffer()), bytes)).toBe(0)
  })

  test.each<[string, Sent, string]>([
    [
      'of a page',
      { bytes: bytesOf('<!doctype html><p>'), name: 'a.txt', type: 'text/plain' },
      'file_type_not_allowed',
    ],
    [
      'of a drawing',
      { bytes: bytesOf('<svg/>'), name: 'a.svg', type: 'image/svg+xml' },
      'file_type_not_allowed',
    ],
    ['of a program', { bytes: bytesOf('#!/bin/sh'), name: 'a', type: '' }, 'file_type_not_allowed'],
    ['declared to be what it is not', { type: 'application/pdf' }, 'file_type_mismatch'],
    ['of an empty file', { bytes: bytesOf('') }, 'file_empty'],
    ['into the folder above', { folder: '../eastbrook' }, 'invalid_parameters'],
    ['into a folder with NUL', { folder: 'a\0b' }, 'invalid_parameters'],
    ['for a university with a path in its name', { university_id: '../x' }, 'invalid_parameters'],
  ])('%s is refused', async (_, sent, code) => {
    const uploader = await newStudent(project)
    const { response, error } = await upload(uploader, sent)
    expect([response.status, error?.code, error?.success]).toEqual([400, code, false])
  })

  test.each<[string, (form: FormData) => void, string]>([
    ['without a file', (form) => form.delete('file'), 'file'],
    ['with two files', (form) => form.append('file', new File([png()], 'b.png')), 'file'],
    ['with a text in place of the file', (form) => form.set('file', 'photo.png'), 'file'],
    ['without a university', (form) => form.delete('university_id'), 'university_id'],
    ['with a university twice', (form) => form.append('university_id', 'eastbrook'), 'university_id'],
    ['with a file in a field', (form) => form.set('folder', new File(['x'], 'x')), 'folder'],
    ['with a field of no meaning', (form) => form.set('owner', counselor.id), ''],
  ])('%s is refused and says which field', async (_, change, field) => {
    const uploader = await newStudent(project)
    const form = formOf({})
    change(form)
    const { response, error } = await api(uploader).POST('/api/storage/upload', { body: form })
    expect([response.status, error?.code]).toEqual([400, 'invalid_parameters'])
    expect(error?.details).toMatchObject({ issues: [{ field }] })
  })

  test.each<[string, string, string | null]>([
    ['JSON', '{}', 'application/json'],
    ['nothing', '', null],
    ['a form of another kind', 'university_id=northfield', 'application/x-www-form-urlencoded'],
    ['a form without a boundary', '--a\r\n', 'multipart/form-data'],
    [
      'a form that ends early',
      '--a\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\nhel',
      'multipart/form-data; boundary=a',
    ],
    ['no form', 'hello', 'multipart/form-data; boundary=a'],
  ])('of %s is refused', async (_, body, contentType) => {
    const { status, body: error } = await raw(await newStudent(project), body, contentType)
    expect([status, error.code, error.success]).toEqual([400, 'invalid_form', false])
  })

  test('leaves nothing when it is refused', async () => {
    const uploader = await newStudent(project)
    await upload(uploader, { bytes: bytesOf('<html>'), type: 'text/plain' })
    await upload(uploader, { university_id: 'eastbrook' })
    const objects = await withDatabase(
      project,
      (sql) => sql`select name from storage.objects where name like ${`%${uploader.id}%`}`,
    )
    expect(objects).toEqual([])
  })

  test('is one of ten within a minute, however many come at once', async () => {
    const uploader = await newStudent(project)
    const answers = await Promise.all(Array.from({ length: 14 }, () => upload(uploader)))
    const statuses = answers.map(({ response }) => response.status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(4)
    const refused = answers.find(({ response }) => response.status === 429)
    expect(refused?.error).toMatchObject({ success: false, code: 'rate_limited' })
    expect(Number(refused?.response.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('needs a token', async () => {
    const { response, error } = await apiClient(project, null).POST('/api/storage/upload', {
      body: formOf({}),
    })
    expect([response.status, error?.success]).toEqual([401, false])
  })

  test('works with supabase-js', async () => {
    const { client, id } = await newStudent(project)
    const { data, error } = await client.functions.invoke('api/storage/upload', { body: formOf({}) })
    expect(error).toBeNull()
    expect(data).toMatchObject({ success: true, key: expect.stringContaining(id) })
  })
})

describe('a file of 50 MB', () => {
  const film = (size: number) => {
    const bytes = new Uint8Array(size)
    bytes.set(mp4())
    return { bytes, name: 'film.mp4', type: 'video/mp4' }
  }

  test('is taken', async () => {
    const { url } = await stored(await newStudent(project), film(50 * 1024 * 1024))
    const head = await fetch(url, { headers: { range: 'bytes=0-23' } })
    expect(head.headers.get('content-range')).toBe('bytes 0-23/52428800')
  })

  test('and one byte is refused', async () => {
    const { response, error } = await upload(await newStudent(project), film(50 * 1024 * 1024 + 1))
    expect([response.status, error?.code]).toEqual([400, 'body_too_large'])
    expect(error?.details).toEqual({ max_bytes: 50 * 1024 * 1024 })
  })

  test('is refused while it arrives when no length was told', async () => {
    const person = await newStudent(project)
    let sent = 0
    const endless = new ReadableStream({
      pull(controller) {
        sent += 1024 * 1024
        if (sent > 400 * 1024 * 1024) controller.close()
        else controller.enqueue(new Uint8Array(1024 * 1024))
      },
    })
    const answer = await fetch(UPLOAD, {
      method: 'POST',
      headers: {
        apikey: project.publishableKey,
        authorization: `Bearer ${person.token}`,
        'content-type': 'multipart/form-data; boundary=a',
      },
      body: endless,
      duplex: 'half',
    } as RequestInit)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ success: false, code: 'body_too_large' })
    expect(sent).toBeLessThan(200 * 1024 * 1024)
  })
})

describe('a download', () => {
  let owner: Student
  let key: string

  beforeAll(async () => {
    owner = await newStudent(project)
    key = (await stored(owner)).key
  })

  const lifetime = (expires: string | undefined) => (Date.parse(expires ?? '') - Date.now()) / 1000

  test('is good for an hour, or as long as is asked', async () => {
    const usual = await download(owner, key)
    expect(Math.abs(lifetime(usual.data?.expires) - 3600)).toBeLessThan(60)
    const week = await download(owner, key, { expires: 604_800 })
    expect(Math.abs(lifetime(week.data?.expires) - 604_800)).toBeLessThan(60)
    const moment = await download(owner, key, { expires: 1 })
    expect(lifetime(moment.data?.expires)).toBeLessThan(30)
    const file = await fetch(week.data?.url ?? '')
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(png())
  })

  test('is for one file: its address opens no other', async () => {
    const { data } = await download(owner, key)
    const other = (await stored(owner)).key
    expect((await fetch((data?.url ?? '').replace(key, other))).status).toBe(400)
  })

  test.each([604_801, 0, -1, 3600.5, Number.NaN])('for %d seconds is refused', async (expires) => {
    const { response, error } = await download(owner, key, { expires })
    expect([response.status, error?.code, error?.success]).toEqual([400, 'invalid_parameters', false])
  })

  test('of what is not there, or not theirs, or not of that university, is refused alike', async () => {
    const shared = (
      await stored(await newStaff(project, 'counselor', 'eastbrook'), { university_id: 'eastbrook' })
    ).key
    const asked: [string, string][] = [
      [`${key}x`, HOME],
      [key, 'eastbrook'],
      [shared, 'eastbrook'],
      [shared, HOME],
      ['northfield/../eastbrook/shared/a.png', HOME],
      [`${key}?download=1`, HOME],
      ['northfield', HOME],
    ]
    for (const [name, university_id] of asked) {
      const { response, error } = await download(owner, name, { university_id })
      expect([name, response.status, error?.code, error?.error]).toEqual([
        name,
        404,
        'file_not_found',
        'There is no such file, or you may not read it.',
      ])
    }
  })

  test('finds whatever Storage took from an app, by any name', async () => {
    const owner = await newStudent(project)
    const names = [
      'First week.txt',
      "Ada's notes (2).txt",
      'a+b & c=d, e; f: g@h!.txt',
      '$5 * 3 - 1.txt',
      'what?.txt',
      'a?token=b.txt',
      '.hidden',
      '..a/..b',
    ]
    for (const name of names) {
      const path = `${HOME}/students/${owner.id}/${name}`
      const encoded = path.split('/').map(encodeURIComponent).join('/')
      const files = owner.client.storage.from('university-files')
      const content = new Blob([name], { type: 'text/plain' })
      expect([name, (await files.upload(encoded, content)).error]).toEqual([name, null])
      const { data } = await download(owner, path)
      const found = await fetch(data?.url ?? 'missing:')
      expect([name, found.status, await found.text()]).toEqual([name, 200, name])
      expect((await download(student, path)).error?.code).toBe('file_not_found')
      expect((await files.remove([path])).data).toHaveLength(1)
    }
  })

  test.each([
    'Übung.png',
    'U\u0308bung.png',
    '[1].png',
    '100%.png',
    'a%20b.png',
    'a#b.png',
    '成绩.png',
    'a~b.png',
  ])('of what Storage takes from nobody, %j, finds what the upload made of it', async (name) => {
    const owner = await newStudent(project)
    const path = `${HOME}/students/${owner.id}/${name}`
    const encoded = path.split('/').map(encodeURIComponent).join('/')
    const taken = await owner.client.storage.from('university-files').upload(encoded, new Blob(['x']))
    expect(taken.error).toMatchObject({ statusCode: '400' })
    expect((await download(owner, path)).error?.code).toBe('file_not_found')
    const { data } = await download(owner, (await stored(owner, { name })).key)
    expect((await fetch(data?.url ?? 'missing:')).status).toBe(200)
  })

  test('ends with the membership', async () => {
    const mover = await newStudent(project)
    const kept = (await stored(mover)).key
    await withDatabase(project, async (sql) => {
      await sql`update public.profiles set university_id = 'eastbrook' where user_id = ${mover.id}`
    })
    expect((await download(mover, kept)).error?.code).toBe('file_not_found')
  })
})

describe('without the function', () => {
  const bucket = (person: Student) => person.client.storage.from('university-files')
  const file = () => new Blob(['x'], { type: 'text/plain' })
  const key = (...levels: string[]) => [...levels, `${crypto.randomUUID()}.txt`].join('/')

  test('a student writes, reads, lists and removes in their own folder', async () => {
    const owner = await newStudent(project)
    const path = key(HOME, 'students', owner.id, 'notes')
    expect((await bucket(owner).upload(path, file())).error).toBeNull()
    expect((await bucket(owner).createSignedUrl(path, 60)).error).toBeNull()
    expect((await bucket(owner).list(`${HOME}/students/${owner.id}/notes`)).data).toHaveLength(1)
    expect((await bucket(counselor).list(`${HOME}/students/${owner.id}/notes`)).data).toEqual([])
    expect((await bucket(counselor).remove([path])).data).toEqual([])
    expect((await bucket(owner).remove([path])).data).toHaveLength(1)
  })

  test('a student writes nowhere else, nor do staff in the folder of a student or another university', async () => {
    const other = await newStudent(project)
    const refused: [Student, string][] = [
      [student, key(HOME, 'shared')],
      [student, key(HOME, 'students', other.id)],
      [student, key('eastbrook', 'students', student.id)],
      [student, key(HOME)],
      [student, key(HOME, 'other')],
      [student, key('')],
      [counselor, key(HOME, 'students', student.id)],
      [counselor, key('eastbrook', 'shared')],
    ]
    for (const [person, path] of refused) {
      const { error } = await bucket(person).upload(path, file())
      expect([path, error === null]).toEqual([path, false])
    }
  })

  test.each(['text/html', 'image/svg+xml', 'application/xhtml+xml', 'text/javascript', 'TEXT/HTML'])(
    'nothing is stored as %s, which a browser would run',
    async (contentType) => {
      const page = new Blob(['<script>1</script>'], { type: contentType })
      const path = key(HOME, 'students', student.id)
      expect((await bucket(student).upload(path, page, { contentType })).error).not.toBeNull()
      expect((await bucket(student).upload(path, await page.bytes(), { contentType })).error).not.toBeNull()
      const signed = await bucket(student).createSignedUploadUrl(path)
      const late = await bucket(student).uploadToSignedUrl(path, signed.data?.token ?? '', page, {
        contentType,
      })
      expect(late.error).not.toBeNull()
      expect((await bucket(student).info(path)).error).not.toBeNull()
    },
  )

  test.each(['text/plain;charset=UTF-8', 'TEXT/CSV; charset="utf-8"', 'audio/mp4;codecs=mp4a.40.2'])(
    'a type is taken with its parameters, and in letters of either case: %s',
    async (contentType) => {
      const owner = await newStudent(project)
      const path = () => key(HOME, 'students', owner.id)
      const bytes = new Uint8Array([120])
      const sent = new Blob([bytes], { type: contentType })
      expect((await bucket(owner).upload(path(), sent)).error).toBeNull()
      expect((await bucket(owner).upload(path(), bytes, { contentType })).error).toBeNull()
      const signed = await bucket(owner).createSignedUploadUrl(path())
      const put = { method: 'PUT', headers: { 'content-type': contentType }, body: bytes }
      expect((await fetch(signed.data?.signedUrl ?? '', put)).status).toBe(200)
    },
  )

  test('shared files are removed by administrators, and overwritten by nobody', async () => {
    const admin = await newStaff(project, 'university_admin')
    const path = key(HOME, 'shared')
    expect((await bucket(counselor).upload(path, file())).error).toBeNull()
    for (const person of [student, counselor]) {
      expect((await bucket(person).remove([path])).data).toEqual([])
    }
    expect((await bucket(counselor).update(path, file())).error).not.toBeNull()
    expect((await bucket(admin).remove([path])).data).toHaveLength(1)
  })
})

test('no name of a file is in the log', localOnly('reads the log'), async () => {
  await stored(await newStudent(project), { name: 'Zanzibarquokka.png', folder: 'Quokkazanzibar' })
  expect(readFileSync(localStack().logFile, 'utf8')).not.toMatch(/zanzibarquokka|quokkazanzibar/i)
})
