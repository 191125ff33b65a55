import { strFromU8, unzipSync } from 'fflate'
import { vi } from 'vitest'
import type { ExportDetail } from '../../functions/_shared/exports/requests.ts'
import { call } from '../client/call.ts'
import { type Project, withDatabase } from '../stack/project.ts'

/** Who asks for an export. */
type Person = { id: string; token: string }

/** What the zips of an export hold once they are unpacked into one folder: bytes by path. */
export type Unpacked = ReadonlyMap<string, Uint8Array>

/** A row as JSON has it. */
export type ExportedRow = Record<string, unknown>

/** Asks for an export; its id. */
export async function requestExport(
  project: Project,
  { token }: Person,
  options: { include_name?: boolean } = {},
): Promise<string> {
  const { status, body } = await call(project, token, 'POST', 'api/privacy/exports', options)
  if (status !== 202) throw new Error(`The export: ${status} ${body.code}`)
  return String(body.id)
}

/** Reads an export as its person does. */
export async function readExport(project: Project, { token }: Person, id: string): Promise<ExportDetail> {
  const { status, body } = await call(project, token, 'GET', `api/privacy/exports/${id}`)
  if (status !== 200) throw new Error(`The export: ${status} ${body.code}`)
  return body as ExportDetail
}

/** Waits until an export is in a state. */
export async function exportIs(
  project: Project,
  id: string,
  state: ExportDetail['status'],
  timeout = 120_000,
): Promise<void> {
  await withDatabase(project, (sql) =>
    vi.waitFor(
      async () => {
        const [row] = await sql`select status, error_code from private.exports where id = ${id}`
        if (row?.status !== state) throw new Error(`The export is ${row?.status} ${row?.error_code ?? ''}`)
      },
      { timeout, interval: 50 },
    ),
  )
}

/** Asks for an export and waits until it is ready. */
export async function exportOf(
  project: Project,
  person: Person,
  options: { include_name?: boolean } = {},
): Promise<ExportDetail> {
  const id = await requestExport(project, person, options)
  await exportIs(project, id, 'ready')
  return readExport(project, person, id)
}

/** Downloads every volume of an export that is ready; zips as they came. */
export async function downloaded({ volumes }: ExportDetail): Promise<Uint8Array<ArrayBuffer>[]> {
  return Promise.all(
    volumes.map(async ({ url }) => {
      const response = await fetch(url ?? '')
      if (!response.ok) throw new Error(`The download: ${response.status}`)
      return new Uint8Array(await response.arrayBuffer())
    }),
  )
}

/** Unpacks zips into one folder, as their reader does; no two may have the same file. */
export function unpacked(zips: readonly Uint8Array<ArrayBuffer>[]): Unpacked {
  const files = new Map<string, Uint8Array>()
  for (const zip of zips) {
    for (const [path, bytes] of Object.entries(unzipSync(zip))) {
      if (files.has(path)) throw new Error(`${path} is in two volumes`)
      files.set(path, bytes)
    }
  }
  return files
}

/** The text of an unpacked file. */
export function textOf(files: Unpacked, path: string): string {
  const bytes = files.get(`wellbeing-export/${path}`)
  if (!bytes) throw new Error(`There is no ${path}, only ${[...files.keys()].join(', ')}`)
  return strFromU8(bytes)
}

/** The rows of an export by table, from the JSON of all its volumes. */
export async function exportedRows(exported: ExportDetail): Promise<(table: string) => ExportedRow[]> {
  const files = unpacked(await downloaded(exported))
  return (table) =>
    [...files.keys()]
      .filter((path) => path.endsWith(`/data/${table}.json`))
      .flatMap((path) => JSON.parse(strFromU8(files.get(path) ?? new Uint8Array())) as ExportedRow[])
}
