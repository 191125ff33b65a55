import { strFromU8, unzipSync } from 'fflate'
import { vi } from 'vitest'
import type { Database } from '../../functions/_shared/database.ts'
import { buildVolume } from '../../functions/_shared/exports/build.ts'
import type { ExportDetail } from '../../functions/_shared/exports/requests.ts'
import { type BuiltVolume, finishVolume, type Volume } from '../../functions/_shared/exports/volume.ts'
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

/** Asks for an export whose first volume is this test's to build: no worker claims it. */
export async function heldExport(project: Project, { id }: { id: string }): Promise<Volume> {
  return withDatabase(project, (sql) =>
    sql.begin(async (tx) => {
      const [row] = await tx`
        select (private.request_export(${id}, false, now(), null, null, null) ->> 'id')::uuid as export`
      await tx`update private.exports set status = 'building' where id = ${row?.export}`
      await tx`
        update private.export_volumes set status = 'running', attempts = 1, due_at = now() + interval '1 hour'
        where export_id = ${row?.export}`
      const [volume] = await tx<Volume[]>`
        select v.export_id, v.ordinal, v.attempts, v.content, v.object_name, v.since::text, v.until::text, v.objects,
          60000::float8 as lease_ms, e.user_id, e.include_name, e.created_at::text
        from private.export_volumes v
        join private.exports e on e.id = v.export_id
        where v.export_id = ${row?.export} and v.ordinal = 1`
      if (!volume) throw new Error('The export has no volume')
      return volume
    }),
  )
}

/** Builds a volume as the worker does. */
export function build(project: Project, volume: Volume): Promise<BuiltVolume> {
  const store = { supabaseUrl: project.apiUrl, secretKey: project.secretKey }
  return withDatabase(project, (sql) => buildVolume(sql as Database, store, volume))
}

/** Stores that a volume was built, as the worker does; false when the attempt is no longer the current one. */
export function finish(project: Project, volume: Volume, built: BuiltVolume): Promise<boolean> {
  return withDatabase(project, (sql) => finishVolume(sql as Database, volume, built))
}
