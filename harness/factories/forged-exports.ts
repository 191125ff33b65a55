import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import type { Sql } from 'postgres'
import type { DownloadedFile } from '../../scripts/import/archive.ts'
import { type ReadExport, readExportFiles } from '../../scripts/import/read.ts'
import { importRows, NotConfirmed } from '../../scripts/import/rows.ts'
import type { Project } from '../stack/project.ts'
import { downloaded, exportOf } from './exports.ts'
import type { Student } from './students.ts'

/** Files of a zip, by path. */
export type Folder = Record<string, Uint8Array<ArrayBuffer>>

/** A student's export as they download it. */
export async function filesOf(project: Project, student: Student): Promise<DownloadedFile[]> {
  const exported = await exportOf(project, student)
  const zips = await downloaded(exported)
  return exported.volumes.map(({ file_name: name }, index) => ({
    name,
    bytes: zips[index] ?? new Uint8Array(),
  }))
}

/** The files after somebody has changed a text in the first volume that has it, or added it to the first. */
export function withText(
  files: readonly DownloadedFile[],
  path: string,
  change: (text: string) => string,
): DownloadedFile[] {
  const entry = `wellbeing-export/${path}`
  const folders = files.map(({ bytes }) => unzipSync(bytes))
  const place = Math.max(
    folders.findIndex((folder) => entry in folder),
    0,
  )
  return files.map((file, index) => {
    if (index !== place) return file
    const folder: Folder = {}
    for (const [name, content] of Object.entries(folders[place] ?? {})) folder[name] = new Uint8Array(content)
    const text = change(strFromU8(folder[entry] ?? new Uint8Array()))
    return { name: file.name, bytes: zipOf({ ...folder, [entry]: new Uint8Array(strToU8(text)) }) }
  })
}

/** The files after somebody has changed the rows of a table, each as JSON has it. */
export function withRows(
  files: readonly DownloadedFile[],
  table: string,
  change: (rows: Record<string, unknown>[]) => Record<string, unknown>[],
): DownloadedFile[] {
  return withText(files, `data/${table}.json`, (text) => JSON.stringify(change(JSON.parse(text))))
}

/** A zip without compression, as an export is. */
export function zipOf(folder: Folder, level: 0 | 9 = 0): Uint8Array<ArrayBuffer> {
  return new Uint8Array(zipSync(folder, { level }))
}

/** Imports what an operator has confirmed, whatever it says; what it said. */
export async function importConfirmed(
  sql: Sql,
  files: readonly DownloadedFile[] | ReadExport,
  operator: string | null = null,
): Promise<string> {
  const read = 'userId' in files ? files : readExportFiles(files)
  const asked = await importRows(sql, read, { confirmed: null, operator }).catch((error: unknown) => error)
  if (!(asked instanceof NotConfirmed)) throw asked
  return (await importRows(sql, read, { confirmed: asked.hash, operator })).join('\n')
}
