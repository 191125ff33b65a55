import type { TransactionSql } from 'postgres'
import { type ImportedOriginal, type ReadExport, rowsOf } from './read.ts'

/** Contacts who may be active: each has one of as many ranks. */
const MAX_ACTIVE = 5

/** What Storage is told of a file without a type. */
const DEFAULT_TYPE = 'text/plain;charset=UTF-8'

/** Something that an account has so much of, and how much of it any account may have. */
type Measure = { what: string; count: number; limit: number; setting: string }

/** Throws with table, count and limit unless at most five contacts are active. Asked before rows are stored: a constraint would say less. */
export function requireFewActive({ tables }: Pick<ReadExport, 'tables'>): void {
  const count = rowsOf(tables, 'public.buddy_contacts').filter(({ is_active }) => is_active === true).length
  if (count > MAX_ACTIVE) throw new Error(`public.buddy_contacts: ${count} are active, at most ${MAX_ACTIVE}`)
}

/**
 * Compares what was stored, while the triggers that would have counted it were off, and the originals with what an account may have in
 * this project. Throws with table or bucket, count, limit and setting.
 */
export async function requireWithinLimits(
  tx: TransactionSql,
  { userId, originals }: Pick<ReadExport, 'userId' | 'originals'>,
): Promise<void> {
  const measures = [...(await measureRows(tx, userId)), ...(await measureFiles(tx, originals))]
  const over = measures.filter(({ count, limit }) => count > limit)
  if (over.length > 0) {
    throw new Error(
      over
        .map(
          ({ what, count, limit, setting }) =>
            `${what}: ${count}, and an account may have ${limit} (${setting})`,
        )
        .join('\n'),
    )
  }
  await requireTakenByBuckets(tx, originals)
}

async function measureRows(tx: TransactionSql, userId: string): Promise<Measure[]> {
  return tx<Measure[]>`
    select 'public.buddy_contacts' as what,
      (select count(*)::int from public.buddy_contacts c where c.user_id = ${userId}) as count,
      max_contacts::int as limit,
      'private.support_settings.max_contacts' as setting
    from private.support_settings
    union all
    select 'public.assessment_sessions', s.sessions, l.sessions, 'private.student_limits.sessions'
    from private.student_limits l
    cross join (select count(*)::int as sessions from public.assessment_sessions where user_id = ${userId}) as s
    union all
    select 'public.assessment_sessions, bytes of session_data', s.bytes::float8, l.session_bytes::float8, 'private.student_limits.session_bytes'
    from private.student_limits l
    cross join (
      select coalesce(sum(pg_column_size(session_data)), 0) as bytes from public.assessment_sessions where user_id = ${userId}
    ) as s
    union all
    select 'public.consents', c.consents, l.consents, 'private.student_limits.consents'
    from private.student_limits l
    cross join (select count(*)::int as consents from public.consents where user_id = ${userId}) as c`
}

/** As `private.has_room_for_file` and `private.has_room_for_check_in` count: the last file, or check-in, may exceed the bytes. */
async function measureFiles(tx: TransactionSql, originals: readonly ImportedOriginal[]): Promise<Measure[]> {
  const [limits] = await tx<[{ files: number; fileBytes: number; checkInBytes: number }]>`
    select files, file_bytes::float8 as "fileBytes", check_in_bytes::float8 as "checkInBytes" from private.student_limits`
  const files = originals.filter(({ bucket }) => bucket === 'university-files')
  const media = originals.filter(({ bucket }) => bucket !== 'university-files')
  const setting = 'private.student_limits'
  return [
    { what: 'university-files', count: files.length, limit: limits.files, setting: `${setting}.files` },
    {
      what: 'university-files, bytes before the last file',
      count: bytesBeforeLast(files, ({ name }) => name),
      limit: limits.fileBytes,
      setting: `${setting}.file_bytes`,
    },
    {
      what: 'check-in-media and check-in-images, bytes before the last check-in',
      count: bytesBeforeLast(media, ({ name }) => name.split('/')[1] ?? ''),
      limit: limits.checkInBytes,
      setting: `${setting}.check_in_bytes`,
    },
  ]
}

/** Bytes of all groups but the largest, which may have been the last. */
function bytesBeforeLast(
  originals: readonly ImportedOriginal[],
  groupOf: (original: ImportedOriginal) => string,
): number {
  const groups = new Map<string, number>()
  for (const original of originals) {
    const group = groupOf(original)
    groups.set(group, (groups.get(group) ?? 0) + original.bytes.byteLength)
  }
  const sizes = [...groups.values()].sort((one, other) => one - other)
  return sizes.slice(0, -1).reduce((sum, size) => sum + size, 0)
}

/** Throws with the first file that its bucket would refuse after the rows are stored: too large, or of a type that it does not take. */
async function requireTakenByBuckets(
  tx: TransactionSql,
  originals: readonly ImportedOriginal[],
): Promise<void> {
  const declared = originals.map(({ bucket, type }) => ({ bucket, type: type ?? DEFAULT_TYPE }))
  const refused = await tx<{ bucket: string; type: string }[]>`
    select distinct bucket, type
    from jsonb_to_recordset(${JSON.stringify(declared)}::text::jsonb) as o (bucket text, type text)
    where not private.takes_type(bucket, type)`
  const buckets = await tx<{ id: string; most: number | null }[]>`
    select id, file_size_limit::float8 as most from storage.buckets`
  for (const { bucket: id, name, type, bytes } of originals) {
    const most = buckets.find((found) => found.id === id)?.most ?? null
    const path = JSON.stringify(`${id}/${name}`)
    if (most !== null && bytes.byteLength > most)
      throw new Error(`${path} has ${bytes.byteLength} bytes, and the bucket takes ${most}`)
    if (refused.some((one) => one.bucket === id && one.type === (type ?? DEFAULT_TYPE)))
      throw new Error(`${path} is of a type that the bucket does not take: ${JSON.stringify(type)}`)
  }
}
