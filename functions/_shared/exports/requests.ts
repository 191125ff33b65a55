import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { Database } from '../database.ts'
import { accountDeleted, ServiceError } from '../errors.ts'
import type { ProjectClient } from '../platform/clients.ts'
import { objectPath } from '../platform/object-address.ts'
import { expiryOf, reachable } from '../platform/storage.ts'
import { downloadName } from './names.ts'
import { EXPORTS_BUCKET } from './volume.ts'

/** How long an address that downloads a volume works, seconds, at most: a new one can be asked for as long as the export is there. */
const ADDRESS_VALID_S = 3600

const when = z.iso.datetime()

const volume = z.strictObject({
  number: z.int().describe('From 1; the first one has the page to read.'),
  content: z
    .enum(['documents', 'media', 'file'])
    .describe(
      '`documents`: tables, dictionary, FHIR and the page to read. `media`: recordings, images and files. `file`: one original that is too large for a zip.',
    ),
  file_name: z.string().describe('The name that it is downloaded under.'),
  bytes: z.int().nullable().describe('Its size; null until it is built.'),
  left_out: z
    .int()
    .nullable()
    .describe(
      'Originals that are not in it: removed after the export was asked for, or under a name that could lead elsewhere.',
    ),
  url: z.url().nullable().describe('Downloads it; null unless the export is ready.'),
  url_expires_at: when.nullable().describe('Until when `url` works; ask again for a new one.'),
})

/** An export without its volumes. */
export const exportSummary = z.strictObject({
  id: z.uuid().describe('The export.'),
  status: z
    .enum(['queued', 'building', 'ready', 'failed', 'cancelled', 'expired'])
    .describe('Only one that is `ready` can be downloaded.'),
  error_code: z.string().nullable().describe('Why it failed.'),
  include_name: z.boolean().describe('Whether the FHIR Patient has the name.'),
  progress: z.number().min(0).max(1).describe('Share of the volumes that are built.'),
  created_at: when.describe('When it was asked for; what was stored later is not in it.'),
  ready_at: when.nullable().describe('When it became ready.'),
  expires_at: when.nullable().describe('Until when it can be downloaded; its files are removed then.'),
})

/** An export with its volumes. */
export const exportDetail = exportSummary.extend({
  volumes: z.array(volume).describe('Its files, each complete of its own.'),
})

export type ExportDetail = z.infer<typeof exportDetail>

const stored = z.object({
  id: z.uuid(),
  status: exportSummary.shape.status,
  error_code: z.string().nullable(),
  include_name: z.boolean(),
  created_at: z.string(),
  ready_at: z.string().nullable(),
  expires_at: z.string().nullable(),
  volumes: z.array(
    z.object({
      number: z.int(),
      content: volume.shape.content,
      status: z.string(),
      bytes: z.int().nullable(),
      left_out: z.int().nullable(),
      object_name: z.string(),
      original: z
        .object({ bucket: z.string(), name: z.string(), bytes: z.int(), type: z.string().nullable() })
        .nullable(),
    }),
  ),
})

type StoredExport = z.infer<typeof stored>

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('requested'), id: z.uuid() }),
  z.object({ outcome: z.literal('export_running'), id: z.uuid() }),
  z.object({ outcome: z.literal('export_limit'), retry_after_s: z.int() }),
  z.object({ outcome: z.literal('account_deleted') }),
])

/** Where a request came from, for the audit log. */
type Origin = { address: string | null; userAgent: string | null; requestId: string }

/**
 * Asks for an export of everything that is stored of an account; returns its id.
 *
 * Throws `export_running` and `export_limit`.
 */
export async function requestExport(
  database: Database,
  userId: string,
  includeName: boolean,
  { address, userAgent, requestId }: Origin,
): Promise<string> {
  const [row] = await database`
    select private.request_export(${userId}, ${includeName}, now(), ${address}::inet, ${userAgent}, ${requestId}) as outcome`
  const result = outcome.parse(row?.outcome)
  switch (result.outcome) {
    case 'requested':
      return result.id
    case 'export_running':
      throw new ServiceError('export_running', 'An export is being prepared. Wait for it, or cancel it.', {
        id: result.id,
      })
    case 'export_limit':
      throw new ServiceError('export_limit', 'You have asked for as many exports as a day allows.', {
        retry_after_s: result.retry_after_s,
      })
    case 'account_deleted':
      throw accountDeleted()
  }
}

/** The exports of an account, the newest first. */
export async function listExports(database: Database, userId: string) {
  const rows = await database`select private.read_exports(${userId}) as export`
  return rows.map((row) => summaryOf(stored.parse(row.export)))
}

/** An export of an account with addresses to download it from. Throws `export_not_found`. */
export async function readExport(
  database: Database,
  supabase: ProjectClient,
  publicUrl: string,
  userId: string,
  id: string,
): Promise<ExportDetail> {
  const [row] = await database`select private.read_exports(${userId}, ${id}) as export`
  if (!row) throw exportNotFound()
  const found = stored.parse(row.export)
  const volumes = await Promise.all(
    found.volumes.map(async (part) => {
      const { number, content, bytes, left_out } = part
      const file_name = downloadName(found.created_at, part)
      const seconds = secondsLeft(found)
      const address = seconds > 0 ? await signVolume(supabase, publicUrl, part, file_name, seconds) : null
      return {
        number,
        content,
        file_name,
        bytes,
        left_out,
        url: address?.url ?? null,
        url_expires_at: address?.expires ?? null,
      }
    }),
  )
  return { ...summaryOf(found), volumes }
}

/** Ends an export of an account and removes its files. Throws `export_not_found`. */
export async function cancelExport(database: Database, userId: string, id: string): Promise<void> {
  const [row] = await database<
    [{ cancelled: boolean }]
  >`select private.cancel_export(${userId}, ${id}) as cancelled`
  if (!row.cancelled) throw exportNotFound()
}

/** Whose export a link in an email leads to; null where it leads nowhere any more. */
export async function exportOfLink(
  database: Database,
  token: string,
): Promise<{ userId: string; id: string } | null> {
  const hash = createHash('sha256').update(token).digest('hex')
  const [row] = await database<[{ student: string; export: string }?]>`
    select student, export from private.export_of_link(${hash})`
  return row ? { userId: row.student, id: row.export } : null
}

function exportNotFound(): ServiceError {
  return new ServiceError('export_not_found', 'There is no such export of yours.')
}

/** How long an address may work, whole seconds: not beyond the time of the export. 0 where there is nothing to download. */
function secondsLeft({ status, expires_at }: StoredExport): number {
  if (status !== 'ready' || expires_at === null) return 0
  return Math.max(0, Math.min(ADDRESS_VALID_S, Math.floor((Date.parse(expires_at) - Date.now()) / 1000)))
}

/** Signs an address for one volume. Null once the file is gone. */
async function signVolume(
  supabase: ProjectClient,
  publicUrl: string,
  { object_name }: StoredExport['volumes'][number],
  download: string,
  seconds: number,
): Promise<{ url: string; expires: string } | null> {
  const { data, error } = await supabase.storage
    .from(EXPORTS_BUCKET)
    .createSignedUrl(objectPath(object_name), seconds, { download })
  if (error && 'statusCode' in error && Number(error.statusCode) === 404) return null
  if (error) throw error
  const token = new URL(data.signedUrl).searchParams.get('token') ?? ''
  return { url: reachable(data.signedUrl, publicUrl), expires: expiryOf(token) }
}

function summaryOf({ volumes, created_at, ready_at, expires_at, ...found }: StoredExport) {
  const built = volumes.filter(({ status }) => status === 'done').length
  return {
    ...found,
    progress: ['ready', 'expired'].includes(found.status) ? 1 : built / volumes.length,
    created_at: isoTime(created_at),
    ready_at: ready_at && isoTime(ready_at),
    expires_at: expires_at && isoTime(expires_at),
  }
}

/** The database writes an offset, where clients expect Z. */
function isoTime(time: string): string {
  return new Date(time).toISOString()
}
