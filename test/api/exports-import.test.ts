import { buildPlatformDatabase } from 'local-supabase'
import postgres, { type Sql } from 'postgres'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { importRows, readExportFiles } from '../../scripts/import-export.ts'
import { pushMigrations } from '../../scripts/schema.ts'
import { faces, scored, speech, startWith } from '../factories/check-ins.ts'
import { downloaded, exportOf } from '../factories/exports.ts'
import { newSession } from '../factories/sessions.ts'
import { HOME, newStudent, type Student } from '../factories/students.ts'
import { localOnly, localStack, withDatabase } from '../stack/project.ts'

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
    const exported = await exportOf(project, student)
    const zips = await downloaded(exported)
    files = exported.volumes.map(({ file_name: name }, index) => ({
      name,
      bytes: zips[index] ?? new Uint8Array(),
    }))
  }, 300_000)

  test('gives an empty project identical results, scores and baselines', async () => {
    const built = await buildPlatformDatabase(localStack().adminUrl, `import_${Date.now()}`)
    const target = postgres(built.url, { max: 1, onnotice: () => {} })
    try {
      await pushMigrations(built)
      const imported = await importRows(target, readExportFiles(files))
      expect(imported.filter(({ skipped }) => skipped !== null).map(({ table }) => table)).toEqual([
        'private.buddy_refusals',
        'private.buddy_verification_sends',
      ])
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
      await expect(importRows(target, readExportFiles(files))).rejects.toThrow('has this account already')
    } finally {
      await target.end()
      await built.drop()
    }
  }, 300_000)

  test('is read whole or not at all', () => {
    expect(readExportFiles(files).originals.map(({ name }) => name)).toHaveLength(18)
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

/** A person's rows of a table with every digit. */
async function rowsOf(sql: Sql, table: string, person: string): Promise<string[]> {
  const [schema = '', name = ''] = table.split('.')
  const rows = await sql<{ content: string }[]>`
    select content from private.exported_rows(${person}, ${schema}, ${name}, null, 'infinity') as content`
  return rows.map(({ content }) => content)
}
