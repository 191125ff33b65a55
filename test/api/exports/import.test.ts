import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import postgres, { type Sql } from 'postgres'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { faces, scored, speech, startWith } from '../../../harness/factories/check-ins.ts'
import { filesOf } from '../../../harness/factories/forged-exports.ts'
import { newSession } from '../../../harness/factories/sessions.ts'
import { HOME, newStudent, type Student } from '../../../harness/factories/students.ts'
import { startConfiguredStack } from '../../../harness/stack/own-stack.ts'
import { localOnly, type Project, serviceClient, withDatabase } from '../../../harness/stack/project.ts'
import type { DownloadedFile } from '../../../scripts/import/archive.ts'
import { readExportFiles } from '../../../scripts/import/read.ts'
import { ROOT } from '../../../scripts/root.ts'

const project = inject('project')

/** What an import gives back exactly. */
const TABLES = [
  'public.profiles',
  'public.students',
  'public.consents',
  'public.assessment_sessions',
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
  let files: DownloadedFile[]
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
    files = await filesOf(project, student)
  }, 300_000)

  test('gives an empty project identical results, scores, baselines and files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'import-'))
    const empty = await startConfiguredStack({})
    const target = postgres(empty.databaseUrl, { max: 1, onnotice: () => {} })
    try {
      const paths = files.map(({ name }) => join(folder, name))
      for (const [index, { bytes }] of files.entries()) writeFileSync(paths[index] ?? '', bytes)
      await target`
        insert into public.universities (id, name, short_name, domain)
        values (${HOME}, 'Northfield', 'Northfield', 'northfield.example.edu')
        on conflict do nothing`
      const [, hash = ''] = (await importInto(empty, paths)).match(/--confirm ([0-9a-f]{64})/) ?? []
      expect(await target`select from auth.users where id = ${student.id}`).toHaveLength(0)
      await expect(importInto(empty, [...paths, '--only-files'])).rejects.toThrow('were not imported')
      const confirmed = [...paths, '--confirm', hash, '--operator', 'T-1042']
      expect(await importInto(empty, confirmed)).toContain('\n19 files')
      for (const table of TABLES) {
        const before = await withDatabase(project, (sql) => rowsOf(sql, table, student.id))
        expect(before.length, table).toBeGreaterThan(0)
        expect(await rowsOf(target, table, student.id), table).toEqual(before)
      }
      // Scores that the project would count again are not.
      expect(await target`select from private.student_days`).toHaveLength(0)

      const originals = await objectsOf(project, student)
      expect(originals).toHaveLength(19)
      expect(await objectsOf(empty, student)).toEqual(originals)

      await expect(importInto(empty, confirmed)).rejects.toThrow('has this account already')
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
})

/** Runs `npm run import`; what it prints, also when it has to be confirmed. Throws what it writes to the error stream. */
async function importInto({ databaseUrl, apiUrl, secretKey }: Project, args: string[]): Promise<string> {
  const script = join(ROOT, 'scripts', 'import.ts')
  const run = promisify(execFile)(process.execPath, [script, ...args, '--database-url', databaseUrl], {
    env: { ...process.env, SUPABASE_URL: apiUrl, SUPABASE_SECRET_KEY: secretKey },
  })
  const { stdout } = await run.catch((error: { code?: number; stdout: string }) => {
    if (error.code === 3) return error
    throw error
  })
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
