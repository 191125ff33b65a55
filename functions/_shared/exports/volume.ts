import type { Database } from '../database.ts'

/** Private bucket of exports. */
export const EXPORTS_BUCKET = 'exports'

/** An object of the person, as it was listed when the export was asked for. */
export type ListedOriginal = { bucket: string; name: string; bytes: number; type: string | null }

/** A volume as a worker claims it: one object to build, complete of its own. */
export type Volume = {
  export_id: string
  /** From 1. */
  ordinal: number
  attempts: number
  content: 'documents' | 'media' | 'file'
  object_name: string
  /** Of documents: the rows that began after `since` and up to `until`; null in the first volume. ISO 8601. */
  since: string | null
  until: string | null
  /** Of media: what it holds. */
  objects: ListedOriginal[]
  /** How long this attempt may take, ms. */
  lease_ms: number
  user_id: string
  include_name: boolean
  /** When the export was asked for, ISO 8601. */
  created_at: string
}

/**
 * What a volume became: bytes of the object, and how many objects are not in it: removed since the export was asked for, or under a name
 * that could lead elsewhere.
 */
export type BuiltVolume = { bytes: number; leftOut: number }

/** Claims the next volume for one attempt; null when there is none, or enough are being built. */
export async function claimVolume(database: Database): Promise<Volume | null> {
  const [volume] = await database<Volume[]>`
    select export_id, ordinal, attempts, content, object_name, since::text, until::text, objects, lease_ms, user_id, include_name,
      to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at
    from private.claim_export_volume()`
  return volume ?? null
}

/** Stores that a volume was built; false when this attempt is no longer the current one. */
export async function finishVolume(
  database: Database,
  { export_id, ordinal, attempts }: Volume,
  { bytes, leftOut }: BuiltVolume,
): Promise<boolean> {
  const [row] = await database<[{ stored: boolean }]>`
    select private.finish_export_volume(${export_id}, ${ordinal}::smallint, ${attempts}::smallint, ${bytes}, ${leftOut}) as stored`
  return row.stored
}

/** Ends an attempt that failed: the volume is queued again with backoff, or the export has failed. */
export async function failVolume(
  database: Database,
  { export_id, ordinal, attempts }: Volume,
  code: string,
): Promise<void> {
  await database`select private.fail_export_volume(${export_id}, ${ordinal}::smallint, ${attempts}::smallint, ${code})`
}

/** Gives a claimed volume back; another worker claims it at once. */
export async function releaseVolume(
  database: Database,
  { export_id, ordinal, attempts }: Volume,
): Promise<void> {
  await database`select private.release_export_volume(${export_id}, ${ordinal}::smallint, ${attempts}::smallint)`
}

/** Every original of an export, and the volume that it is alone in because it is too large for a zip. */
export async function originalsOf(
  database: Database,
  exportId: string,
): Promise<(ListedOriginal & { alone: number | null })[]> {
  return await database<(ListedOriginal & { alone: number | null })[]>`
    select o.bucket, o.name, o.bytes::float8 as bytes, o.type, case when v.content = 'file' then v.ordinal end as alone
    from private.export_volumes v
    cross join jsonb_to_recordset(v.objects) as o (bucket text, name text, bytes bigint, type text)
    where v.export_id = ${exportId}
    order by v.ordinal`
}

/** How many volumes an export has, and how many of them hold documents. */
export async function countVolumes(
  database: Database,
  exportId: string,
): Promise<{ all: number; documents: number }> {
  const [row] = await database<[{ all: number; documents: number }]>`
    select count(*)::int as all, count(*) filter (where content = 'documents')::int as documents
    from private.export_volumes
    where export_id = ${exportId}`
  return row
}
