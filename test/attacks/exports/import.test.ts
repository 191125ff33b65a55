import { randomBytes } from 'node:crypto'
import type { BuiltDatabase } from 'local-supabase'
import postgres, { type Sql } from 'postgres'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  filesOf,
  importConfirmed,
  withRows,
  withText,
  zipOf,
} from '../../../harness/factories/forged-exports.ts'
import { newSession } from '../../../harness/factories/sessions.ts'
import { HOME, newStudent, type Student } from '../../../harness/factories/students.ts'
import { newContact } from '../../../harness/factories/support-contacts.ts'
import { localOnly, migratedDatabase, serviceClient } from '../../../harness/stack/project.ts'
import type { DownloadedFile } from '../../../scripts/import/archive.ts'
import { importFiles } from '../../../scripts/import/files.ts'
import { readExportFiles } from '../../../scripts/import/read.ts'
import { importRows, NotConfirmed, requireImported } from '../../../scripts/import/rows.ts'

const project = inject('project')
const AFTER = '2126-01-01T00:00:00+00:00'

describe('an import of files that somebody changed', localOnly('builds a database'), () => {
  let student: Student
  let other: Student
  let files: DownloadedFile[]
  let built: BuiltDatabase
  let target: Sql

  beforeAll(async () => {
    ;[student, other] = await Promise.all([
      newStudent(project, ['audio', 'support_circle']),
      newStudent(project),
    ])
    await newSession(student.client)
    await newContact(project, student)
    const note = new Blob(['Mine.'], { type: 'text/plain' })
    await student.client.storage
      .from('university-files')
      .upload(`${HOME}/students/${student.id}/note.txt`, note)
    files = await filesOf(project, student)
    built = await migratedDatabase(`forged_${Date.now()}`)
    target = postgres(built.url, { max: 1, onnotice: () => {} })
    await target`
      insert into public.universities (id, name, short_name, domain)
      values (${HOME}, 'Northfield', 'Northfield', 'northfield.example.edu'), ('southbay', 'Southbay', 'Southbay', 'southbay.example.edu')`
    await target`
      insert into private.crisis_contacts (university_id, email) values (${HOME}, 'on-call@northfield.example.edu')`
    await newAccountIn(target, other.id)
  })
  afterEach(() => target`delete from auth.users where id <> ${other.id}`)
  afterAll(async () => {
    await target.end()
    await built.drop()
  })

  const rowsIn = async (table: string) => [
    ...(await target`select t.* from ${target(table)} t where t.user_id = ${student.id}`),
  ]
  const refused = (forged: readonly DownloadedFile[]) =>
    expect(importConfirmed(target, forged).finally(nothingImported)).rejects
  async function nothingImported() {
    expect(await target`select from auth.users where id = ${student.id}`).toHaveLength(0)
  }

  test('waits for somebody to confirm what it is going to do, to the letter', async () => {
    const read = readExportFiles(files)
    const asked = await importRows(target, read, { confirmed: null, operator: null }).catch((error) => error)
    expect(asked).toBeInstanceOf(NotConfirmed)
    for (const line of [
      `address: "${student.email}", which only the files say`,
      'address confirmed: yes, which only the files say',
      'role: student',
      'consents in force: audio 2026-11',
      'public.user_roles: 1, not imported',
      read.sha256,
    ])
      expect(asked.message).toContain(line)
    await nothingImported()
    const changed = readExportFiles(
      withRows(files, 'public.profiles', (rows) => rows.map((row) => ({ ...row, first_name: 'Other' }))),
    )
    const stale = importRows(target, changed, { confirmed: asked.hash, operator: null })
    await expect(stale).rejects.toBeInstanceOf(NotConfirmed)
    await nothingImported()
    await importRows(target, read, { confirmed: asked.hash, operator: 'T-1042' })
    const [contact] = await rowsIn('public.buddy_contacts')
    expect(asked.message).toContain(
      `contacts: 1, none of whom has agreed to anything here; 0 left out\n    "${contact?.name}", "${contact?.phone}", "${contact?.email}": active`,
    )
    const [entry] = await target`
      select actor_id, actor_role, subject_id, university_id, target_type, details
      from private.audit_log where action = 'account_imported' and subject_id = ${student.id} order by id desc limit 1`
    expect(entry).toEqual({
      actor_id: null,
      actor_role: 'postgres',
      subject_id: student.id,
      university_id: HOME,
      target_type: 'users',
      details: {
        files_sha256: read.sha256,
        files: 1,
        confirmed: asked.hash,
        operator: 'T-1042',
        tables: expect.objectContaining({ 'public.profiles': 1, 'public.buddy_contacts': 1 }),
      },
    })
    await expect(requireImported(target, read)).resolves.toBeUndefined()
    await expect(requireImported(target, changed)).rejects.toThrow('were not imported')
  })

  test('gives no role but that of a student', async () => {
    const forged = withRows(files, 'public.user_roles', ([role = {}]) => [
      role,
      { ...role, id: crypto.randomUUID(), role: 'security_admin', university_id: null },
      { ...role, id: crypto.randomUUID(), role: 'counselor' },
    ])
    await importConfirmed(target, forged)
    expect((await rowsIn('public.user_roles')).map(({ role }) => role)).toEqual(['student'])
  })

  test('brings no agreement of contacts, and nobody who declined', async () => {
    const agreed = {
      verified: true,
      verified_at: '2026-01-01T00:00:00Z',
      phone_confirmed_at: '2026-01-01T00:00:00Z',
    }
    const forged = withRows(files, 'public.buddy_contacts', ([contact = {}]) => [
      { ...contact, ...agreed, texts_at_night: true, time_zone: 'Europe/Berlin' },
      {
        ...contact,
        id: crypto.randomUUID(),
        is_active: false,
        priority_rank: null,
        declined_at: '2026-01-01T00:00:00Z',
      },
    ])
    expect(await importConfirmed(target, forged)).toContain(': left out, as they declined')
    expect(await rowsIn('public.buddy_contacts')).toMatchObject([
      {
        verified: false,
        verified_at: null,
        phone_confirmed_at: null,
        verification_token: null,
        declined_at: null,
        texts_at_night: false,
        time_zone: null,
      },
    ])
  })

  test('brings no contact with a number of a country that texts do not go to', async () => {
    const forged = withRows(files, 'public.buddy_contacts', ([contact = {}]) => [
      contact,
      { ...inactive(contact), name: 'Far\u202eaway', phone: '+99912345678' },
    ])
    const listing = await importConfirmed(target, forged)
    expect(listing).toContain('contacts: 1, none of whom has agreed to anything here; 1 left out')
    expect(listing).toContain('    "Far\\u{202e}away", "+99912345678", "')
    expect(listing).toContain(': left out, as texts do not go to the country of the number')
    expect(listing).toContain('public.buddy_contacts: 1\n')
    expect(await rowsIn('public.buddy_contacts')).toMatchObject([{ name: 'Sam' }])
  })

  test.each([
    [
      'contacts',
      'public.buddy_contacts',
      51,
      'public.buddy_contacts: 51, and an account may have 50 (private.support_settings.max_contacts)',
    ],
    [
      'sessions',
      'public.assessment_sessions',
      2001,
      'public.assessment_sessions: 2001, and an account may have 2000 (private.student_limits.sessions)',
    ],
    [
      'consents',
      'public.consents',
      501,
      'public.consents: 501, and an account may have 500 (private.student_limits.consents)',
    ],
  ])('brings no more %s than any account may have', async (_, table, count, message) => {
    const many = (length: number) =>
      withRows(files, table, ([row = {}]) =>
        Array.from({ length }, () =>
          table === 'public.buddy_contacts'
            ? inactive(row)
            : {
                ...row,
                id: crypto.randomUUID(),
                ...(table === 'public.consents' && { withdrawn_at: row.granted_at }),
              },
        ),
      )
    await refused(many(count)).toThrow(message)
    await importConfirmed(target, many(count - 1))
    expect(await rowsIn(table)).toHaveLength(count - 1)
  })

  test('brings no more active contacts than five', async () => {
    const forged = withRows(files, 'public.buddy_contacts', ([contact = {}]) =>
      Array.from({ length: 6 }, (_, index) => ({
        ...contact,
        id: crypto.randomUUID(),
        phone: `+1202555010${index}`,
        priority_rank: index + 1,
      })),
    )
    await refused(forged).toThrow('public.buddy_contacts: 6 are active, at most 5')
  })

  test('brings no more session_data than any account may have', async () => {
    const forged = withRows(files, 'public.assessment_sessions', ([row = {}]) =>
      Array.from({ length: 100 }, () => ({
        ...row,
        id: crypto.randomUUID(),
        session_data: { noise: randomBytes(30_000).toString('hex') },
      })),
    )
    await refused(forged).toThrow('(private.student_limits.session_bytes)')
  })

  test('brings no rows whose files would not be stored after them', async () => {
    const named = (name: string) => `${HOME}/students/${student.id}/${name}`
    const many = withMedia(files, (original) =>
      Array.from({ length: 201 }, (_, index) => ({ ...original, name: named(`${index}.txt`) })),
    )
    await refused(many).toThrow(
      'university-files: 201, and an account may have 200 (private.student_limits.files)',
    )
    await target`
      insert into storage.buckets (id, name, file_size_limit, allowed_mime_types)
      values ('university-files', 'university-files', 4, '{text/plain}')
      on conflict (id) do update set file_size_limit = 4, allowed_mime_types = '{text/plain}'`
    const plain = withMedia(files, (original) => [{ ...original, type: 'text/plain' }])
    await refused(plain).toThrow('has 5 bytes, and the bucket takes 4')
    await target`update storage.buckets set file_size_limit = 5`
    await refused(withMedia(files, (original) => [{ ...original, type: 'text/html' }])).toThrow(
      'is of a type that the bucket does not take',
    )
    await importConfirmed(target, plain)
  })

  test('brings no university, and leaves to the address which one is the account’s', async () => {
    const forged = withRows(
      withText(files, 'manifest.json', (text) => {
        const manifest = JSON.parse(text)
        return JSON.stringify({
          ...manifest,
          universities: [{ id: 'mine', name: 'Mine', short_name: 'Mine', domain: 'mine.example.edu' }],
        })
      }),
      'public.profiles',
      (rows) => rows.map((row) => ({ ...row, university_id: 'southbay' })),
    )
    const access = withRows(forged, 'public.consents', ([consent = {}]) => [
      { ...consent, id: crypto.randomUUID(), kind: 'counselor_access' },
    ])
    expect(await importConfirmed(target, access)).toContain(`university: ${HOME} (the files say "southbay")`)
    expect(await rowsIn('public.profiles')).toMatchObject([{ university_id: HOME }])
    expect(await rowsIn('public.students')).toMatchObject([{ university_id: HOME, counselor_access: false }])
    expect(await rowsIn('public.consents')).toMatchObject([{ withdrawn_at: expect.any(Date) }])
    expect(await target`select from public.universities where id = 'mine'`).toHaveLength(0)
  })

  test.each([
    ['a consent', 'public.consents'],
    ['a profile', 'public.profiles'],
    ['a session', 'public.assessment_sessions'],
    ['a contact', 'public.buddy_contacts'],
  ])('brings %s of nobody else', async (_, table) => {
    const forged = withRows(files, table, (rows) => [
      ...rows,
      ...rows.slice(0, 1).map((row) => ({
        ...row,
        ...(row.id !== undefined && { id: crypto.randomUUID() }),
        user_id: other.id,
      })),
    ])
    await refused(forged).toThrow(table)
  })

  test('takes no id that is somebody else’s', async () => {
    const session = crypto.randomUUID()
    await target`
      insert into public.assessment_sessions (id, user_id, assessment_type) values (${session}, ${other.id}, 'daily')`
    const taken = withRows(files, 'public.assessment_sessions', (rows) =>
      rows.map((row) => ({ ...row, id: session })),
    )
    await refused(taken).toThrow(`Key (id)=(${session}) already exists`)
    const analysis = {
      session_id: session,
      user_id: student.id,
      modality: 'text',
      analysis: {},
      measures: {},
      quality: 1,
      quality_reason: null,
      risk_level: 'none',
      created_at: '2026-01-01T00:00:00Z',
    }
    await refused(withRows(files, 'public.session_analyses', () => [analysis])).toThrow('name rows of others')
    const foreign = withRows(files, 'auth.users', (rows) =>
      rows.map((row) => ({ ...row, email: `${other.id}@EXAMPLE.edu` })),
    )
    await refused(foreign).toThrow('has this account already')
    const [row] = await target`select user_id from public.assessment_sessions where id = ${session}`
    expect(row).toEqual({ user_id: other.id })
  })

  test('brings no table and no column that a person has none of', async () => {
    for (const [schema, table] of [
      ['vault', 'secrets'],
      ['private', 'crisis_contacts'],
      ['public', 'universities'],
    ]) {
      const listed = withText(files, 'manifest.json', (text) => {
        const manifest = JSON.parse(text)
        const entry = { schema, table, file: 'data/public.profiles.json', rows: 1 }
        return JSON.stringify({ ...manifest, tables: [...manifest.tables, entry] })
      })
      await refused(withText(listed, `data/${schema}.${table}.json`, () => '[{"id": "mine"}]')).toThrow(
        `The project knows no table ${schema}.${table}`,
      )
    }
    for (const column of ['verification_token', 'user_id; drop table public.profiles']) {
      const forged = withText(files, 'data/public.buddy_contacts.json', (text) =>
        text.replace('{', `{${JSON.stringify(column)}: "a", `),
      )
      await refused(forged).toThrow('nobody may bring a column')
    }
  })

  test('brings nothing that others decided, measured or answered', async () => {
    const id = crypto.randomUUID()
    const now = '2026-01-01T00:00:00Z'
    const forged = withRows(
      withRows(files, 'public.training_certificates', () => [
        {
          id,
          user_id: student.id,
          module_id: 'trn_hipaa_fundamentals',
          version: 1,
          attempt_id: id,
          score: 100,
          issued_at: now,
          expires_at: AFTER,
        },
      ]),
      'public.buddy_check_in_requests',
      () => [
        { id, user_id: student.id, buddy_contact_id: null, request_type: 'user_initiated', created_at: now },
      ],
    )
    const listing = await importConfirmed(target, forged)
    expect(listing).toContain('public.training_certificates: 1, not imported')
    expect(await rowsIn('public.training_certificates')).toEqual([])
    expect(await rowsIn('public.buddy_check_in_requests')).toEqual([])
  })

  test('loses no review: one that is not closed is opened anew, whoever is said to have claimed it', async () => {
    const review = {
      user_id: student.id,
      source: 'session',
      source_id: crypto.randomUUID(),
      risk_level: 'high',
      status: 'claimed',
      university_id: 'southbay',
    }
    await importConfirmed(
      target,
      withRows(files, 'public.clinical_reviews', () => [review, { ...review, user_id: other.id }]),
    )
    expect(await rowsIn('public.clinical_reviews')).toMatchObject([
      { university_id: HOME, status: 'open', claimed_by: null, risk_level: 'high' },
    ])
    const mails = await target`select recipient from private.outbox where user_id = ${student.id}`
    expect(mails).toEqual([{ recipient: 'on-call@northfield.example.edu' }])
    expect(await target`select from public.clinical_reviews where user_id = ${other.id}`).toHaveLength(0)
  })

  test('brings nothing from a time to come, which no term would ever end', async () => {
    for (const [table, column] of [
      ['public.consents', 'granted_at'],
      ['public.assessment_sessions', 'created_at'],
    ] as const) {
      await refused(
        withRows(files, table, (rows) => rows.map((row) => ({ ...row, [column]: AFTER }))),
      ).toThrow('a time to come')
    }
    const paused = withRows(files, 'public.support_preferences', () => [
      { user_id: student.id, alerts_paused_until: AFTER, pass_on_all_right: true },
    ])
    await refused(paused).toThrow('a time to come')
  })

  test.each([
    ['another student’s folder', () => `${HOME}/students/${other.id}/note.txt`],
    ['the shared folder', () => `${HOME}/shared/note.txt`],
    ['no folder at all', () => student.id],
  ])('stores no file in %s', (_, name) => {
    const forged = withMedia(files, (original) => [{ ...original, name: name() }])
    expect(() => readExportFiles(forged)).toThrow('is not in a folder of the account')
  })

  test('leaves out files whose names no object may have, says which, and stores all others', async () => {
    const unsafe = [
      `../${other.id}/note.txt`,
      `..\\${other.id}\\note.txt`,
      '/note.txt',
      'note\u0000.txt',
      'note\u009b.txt',
      'note#1.txt',
      'é.txt',
      '100%.txt',
      ' /note.txt',
    ]
    const folder = `${HOME}/students/${student.id}`
    const forged = withMedia(files, (original) => [
      original,
      ...unsafe.map((name) => ({ ...original, name: `${folder}/${name}` })),
    ])
    const read = readExportFiles(forged)
    const listing = await importConfirmed(target, read)
    expect(listing).toContain('university-files: 1 files, 5 bytes')
    expect(listing).toContain(`files left out, as no object may have such a name: ${unsafe.length}`)
    for (const name of ['note#1.txt', 'é.txt', '100%.txt', ' /note.txt'])
      expect(listing).toContain(`\n    "university-files/${folder}/${name}"`)
    expect(listing).not.toMatch(/[^\P{Cc}\n]/u)
    await importFiles(serviceClient(project).storage, read)
    await expect(requireImported(target, read)).resolves.toBeUndefined()
  })

  test.each(['exports', 'analysis-assets', 'check-in-media/..', 'unknown'])(
    'stores no file in the bucket %s',
    (bucket) => {
      const forged = withMedia(files, (original) => [{ ...original, bucket }])
      expect(() => readExportFiles(forged)).toThrow('is not in a folder of the account')
    },
  )

  test('names no recording of somebody else', async () => {
    const path = `${other.id}/check-in/audio.m4a`
    const media = withRows(files, 'private.check_in_media', () => [
      { check_in_id: crypto.randomUUID(), kind: 'audio', path },
    ])
    await refused(media).toThrow('names a file of somebody else')
  })

  test('overwrites no file, and goes on where it was interrupted', async () => {
    const { storage } = serviceClient(project)
    const [mine] = readExportFiles(files).originals
    if (!mine) throw new Error('The export has no file')
    await importFiles(storage, { originals: [mine] })
    const changed = { ...mine, bytes: new TextEncoder().encode('Not mine.') }
    await expect(importFiles(storage, { originals: [changed] })).rejects.toThrow('note.txt')
    const { data } = await storage.from(mine.bucket).download(mine.name)
    expect(await data?.text()).toBe('Mine.')
  })

  test('reads no zip that is larger inside than outside, holds a file twice, or one outside its folder', () => {
    const [name = ''] = files.map((file) => file.name)
    const read = (bytes: Uint8Array<ArrayBuffer>) => () => readExportFiles([{ name, bytes }])
    const inside = { 'wellbeing-export/manifest.json': new Uint8Array(5_000_000) }
    expect(read(zipOf(inside, 9))).toThrow('is compressed')
    const twice = zipOf({
      'wellbeing-export/a.json': new Uint8Array(3),
      'wellbeing-export/b.json': new Uint8Array(3),
    })
    expect(read(replaced(twice, 'b.json', 'a.json'))).toThrow('is there twice')
    for (const path of [
      '../manifest.json',
      'wellbeing-export/../../a',
      'wellbeing-export\\a',
      '/etc/a',
      '',
    ]) {
      expect(read(zipOf({ [path]: new Uint8Array(3) }))).toThrow('outside its folder')
    }
    const many = Object.fromEntries(
      Array.from({ length: 10_001 }, (_, index) => [`wellbeing-export/${index}`, new Uint8Array()]),
    )
    expect(read(zipOf(many))).toThrow('more than 10000 files')
    // Every entry says that its content is that of the first: the sum is more than there is.
    const shared = zipOf(
      Object.fromEntries(
        Array.from({ length: 100 }, (_, index) => [
          `wellbeing-export/${index}`,
          new Uint8Array(index === 0 ? 50_000 : 1),
        ]),
      ),
    )
    expect(read(withSizes(shared, 50_000))).toThrow('larger than it is')
    expect(read(new Uint8Array(10))).toThrow('10 bytes')
    expect(read(new Uint8Array(100))).toThrow('no zip')
  })

  test('reads no text that is nested without end', () => {
    const deep = withText(files, 'data/public.profiles.json', () => '['.repeat(100_000))
    expect(() => readExportFiles(deep)).toThrow('levels deep')
  })

  test('puts no volume of one person beside those of another', () => {
    const forged = withText(files, 'manifest.json', (text) =>
      JSON.stringify({ ...JSON.parse(text), user_id: other.id }),
    )
    expect(() => readExportFiles(forged)).toThrow('is not in a folder of the account')
    const two = files.map((file) => file)
    expect(() => readExportFiles([...two, ...two.slice(0, 1)])).toThrow('is there twice')
  })
})

/** An account of the target's own. */
async function newAccountIn(sql: Sql, id: string): Promise<void> {
  await sql`
    insert into auth.users (id, email, aud, role, raw_user_meta_data, email_confirmed_at)
    values (${id}, ${`${id}@example.edu`}, 'authenticated', 'authenticated', '{}', now())`
}

/** Another contact like this one, whom the student has deactivated. */
function inactive(contact: Record<string, unknown>): Record<string, unknown> {
  return { ...contact, id: crypto.randomUUID(), is_active: false, priority_rank: null }
}

type Listed = { path: string; bucket: string; name: string; type: string | null }

/** The files after somebody has changed where their originals are to be stored. */
function withMedia(
  files: readonly DownloadedFile[],
  change: (original: Listed) => Listed[],
): DownloadedFile[] {
  return withText(files, 'media-2.json', (text) => {
    const listed: Listed[] = JSON.parse(text)
    return JSON.stringify(listed.flatMap(change))
  })
}

/** Bytes in which a text of one length is another. */
function replaced(bytes: Uint8Array<ArrayBuffer>, from: string, to: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll(from, to), 'latin1'))
}

/** A zip each of whose entries has this size in the directory. */
function withSizes(zip: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(zip)
  const view = new DataView(copy.buffer)
  for (let at = 0; at < copy.byteLength - 46; at++) {
    if (view.getUint32(at, true) !== 0x02014b50) continue
    view.setUint32(at + 20, size, true)
    view.setUint32(at + 24, size, true)
  }
  return copy
}
