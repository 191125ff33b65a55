import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildPlatformDatabase } from 'local-supabase'
import postgres, { type Sql } from 'postgres'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { importRows, readExportFiles } from '../../scripts/import-export.ts'
import { ROOT } from '../../scripts/root.ts'
import { pushMigrations } from '../../scripts/schema.ts'
import { faces, scored, speech, startWith } from '../factories/check-ins.ts'
import { downloaded, exportOf } from '../factories/exports.ts'
import { newSession } from '../factories/sessions.ts'
import { HOME, newStudent, type Student } from '../factories/students.ts'
import { startConfiguredStack } from '../stack/own-stack.ts'
import { localOnly, localStack, type Project, serviceClient, withDatabase } from '../stack/project.ts'

const project = inject('project')

type Downloaded = { name: string; bytes: Uint8Array<ArrayBuffer> }[]

/** What an import gives back exactly. */
const TABLES = [
  'public.profiles',
  'public.students',
  'public.consents',
  'public.assessment_sessions',
  'public.user_roles',
  'checkin.check_ins',
  'checkin.audio_analysis',
  'checkin.visual_analysis',
  'checkin.text_analysis',
  'checkin.fusion_results',
  'checkin.user_baselines',
  'private.check_in_inputs',
  'private.check_in_media',
]

describe('an export', localOnly('builds a database'), () => {
  let student: Student
  let files: Downloaded
  beforeAll(async () => {
    student = await newStudent(project)
    await newSession(student.client)
    for (const transcript of ['I slept well, and I feel calm.', 'I am tired, and I worry about the exams.']) {
      const { id } = await startWith(project, student, {
        audio: speech('neutral.m4a'),
        images: await faces(),
      })
      await scored(project, student, id, { transcript, mood_score: 6 })
    }
    const note = new Blob(['Mine.'], { type: 'text/plain' })
    await student.client.storage
      .from('university-files')
      .upload(`${HOME}/students/${student.id}/note.txt`, note)
    const exported = await exportOf(project, student)
    const zips = await downloaded(exported)
    files = exported.volumes.map(({ file_name: name }, index) => ({
      name,
      bytes: zips[index] ?? new Uint8Array(),
    }))
  }, 300_000)

  test('gives an empty project identical results, scores, baselines and files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'import-'))
    const empty = await startConfiguredStack({})
    const target = postgres(empty.databaseUrl, { max: 1, onnotice: () => {} })
    try {
      const paths = files.map(({ name }) => join(folder, name))
      for (const [index, { bytes }] of files.entries()) writeFileSync(paths[index] ?? '', bytes)
      const printed = await importInto(empty, paths)
      expect(printed.match(/^\S+(?=: not imported)/gm)).toEqual([
        'private.buddy_refusals',
        'private.buddy_verification_sends',
      ])
      expect(printed).toContain('\n19 files')
      for (const table of TABLES) {
        const before = await withDatabase(project, (sql) => rowsOf(sql, table, student.id))
        expect(before.length, table).toBeGreaterThan(0)
        expect(await rowsOf(target, table, student.id), table).toEqual(before)
      }
      // Scores that the project would count again are not.
      const [counted] = await target`select count(*)::int as days from private.student_days`
      const [own] = await withDatabase(
        project,
        (sql) => sql`select count(*)::int as days from private.student_days where user_id = ${student.id}`,
      )
      expect(counted).toEqual(own)

      const originals = await objectsOf(project, student)
      expect(originals).toHaveLength(19)
      expect(await objectsOf(empty, student)).toEqual(originals)

      await expect(importInto(empty, paths)).rejects.toThrow('has this account already')
      const [{ bucket = '', name = '' } = {}] = originals
      await serviceClient(empty).storage.from(bucket).remove([name])
      expect(await importInto(empty, [...paths, '--only-files'])).toBe('19 files\n')
      expect(await objectsOf(empty, student)).toEqual(originals)
    } finally {
      await target.end()
      await empty.stop()
      rmSync(folder, { recursive: true })
    }
  }, 300_000)

  test('is read whole or not at all', () => {
    expect(readExportFiles(files).originals.map(({ name }) => name)).toHaveLength(19)
    expect(() => readExportFiles(files.slice(0, 1))).toThrow('The export has 2 files, and 1 were given')
    expect(() => readExportFiles(files.slice(1))).toThrow('No file is the first volume')
    expect(() => readExportFiles([])).toThrow('No file is the first volume')
  })

  test('cannot bring in rows of somebody else', async () => {
    const read = readExportFiles(files)
    const other = await newStudent(project, [])
    const forged = new Map(read.rows)
    const consent = {
      user_id: other.id,
      kind: 'audio',
      version: 'forged',
      granted_at: '2026-11-22T10:00:00Z',
    }
    forged.set('public.consents', [
      JSON.stringify([{ id: crypto.randomUUID(), withdrawn_at: null, ...consent }]),
    ])
    const built = await buildPlatformDatabase(localStack().adminUrl, `forged_${Date.now()}`)
    const target = postgres(built.url, { max: 1, onnotice: () => {} })
    try {
      await pushMigrations(built)
      await expect(importRows(target, { ...read, rows: forged })).rejects.toThrow()
      expect(await target`select from auth.users`).toHaveLength(0)
      expect(await target`select from public.universities where id = ${HOME}`).toHaveLength(0)
    } finally {
      await target.end()
      await built.drop()
    }
  }, 300_000)
})

/** Runs `npm run import`; what it prints. Throws what it writes to the error stream. */
async function importInto({ databaseUrl, apiUrl, secretKey }: Project, args: string[]): Promise<string> {
  const script = join(ROOT, 'scripts', 'import.ts')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [script, ...args, '--database-url', databaseUrl],
    { env: { ...process.env, SUPABASE_URL: apiUrl, SUPABASE_SECRET_KEY: secretKey } },
  )
  return stdout
}

/** A person's files as a project serves them: type and SHA-256 by bucket and name. */
async function objectsOf(of: Project, { id }: Student) {
  const objects = await withDatabase(
    of,
    (sql) => sql<{ bucket: string; name: string }[]>`
      select bucket_id as bucket, name from storage.objects
      where bucket_id <> 'exports' and name like ${`%${id}%`}
      order by bucket_id, name collate "C"`,
  )
  return Promise.all(
    objects.map(async ({ bucket, name }) => {
      const { data, error } = await serviceClient(of).storage.from(bucket).download(name)
      if (error) throw error
      const sha256 = createHash('sha256')
        .update(new Uint8Array(await data.arrayBuffer()))
        .digest('hex')
      return { bucket, name, type: data.type, sha256 }
    }),
  )
}

/** A person's rows of a table with every digit. */
async function rowsOf(sql: Sql, table: string, person: string): Promise<string[]> {
  const [schema = '', name = ''] = table.split('.')
  const rows = await sql<{ content: string }[]>`
    select content from private.exported_rows(${person}, ${schema}, ${name}, null, 'infinity') as content`
  return rows.map(({ content }) => content)
}
