import { errors } from './errors.ts'
import type { ObjectFiles } from './files.ts'
import type { ObjectRow } from './objects.ts'

interface ByteRange {
  start: number
  end: number
}

/** The bytes that a Range header asks for; null when it asks for all. @throws StorageError when the object has none of them */
export function parseRange(header: string | null, size: number): ByteRange | null {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  const isEmptyOrReversed = from === '' ? to === '' : to !== '' && Number(to) < Number(from)
  if (isEmptyOrReversed) return null
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (start >= size) throw errors.invalidRange()
  return { start, end }
}

function dispositionOf(request: Request, name: string): string | undefined {
  const download = new URL(request.url).searchParams.get('download')
  if (download === null) return undefined
  const filename = download === '' || download === 'true' ? (name.split('/').at(-1) ?? '') : download
  return `attachment; filename=${encodeURIComponent(filename)}; filename*=UTF-8''${encodeURIComponent(filename)};`
}

/** Answers an object's content, whole or a range of it, or only its headers for HEAD. */
export function contentResponse(request: Request, object: ObjectRow, files: ObjectFiles): Response {
  const { eTag, size, mimetype, cacheControl, lastModified } = object.metadata
  const headers = new Headers({
    'content-type': mimetype,
    'cache-control': cacheControl,
    etag: eTag,
    'last-modified': new Date(lastModified).toUTCString(),
    'accept-ranges': 'bytes',
  })
  const disposition = dispositionOf(request, object.name)
  if (disposition) headers.set('content-disposition', disposition)
  if (request.headers.get('if-none-match') === eTag) return new Response(null, { status: 304, headers })
  // As on the platform, HEAD tells of the whole object.
  const range = request.method === 'HEAD' ? null : parseRange(request.headers.get('range'), size)
  headers.set('content-length', String(range ? range.end - range.start + 1 : size))
  if (range) headers.set('content-range', `bytes ${range.start}-${range.end}/${size}`)
  const status = range ? 206 : 200
  if (request.method === 'HEAD' || size === 0) return new Response(null, { status, headers })
  return new Response(files.read(object.version, range ?? undefined), { status, headers })
}

/** What `storage.from(…).info(path)` reads. */
export function infoOf(object: ObjectRow) {
  const { metadata } = object
  return {
    id: object.id,
    name: object.name,
    version: object.version,
    bucket_id: object.bucket_id,
    size: metadata.size,
    content_type: metadata.mimetype,
    cache_control: metadata.cacheControl,
    etag: metadata.eTag,
    metadata: object.user_metadata ?? {},
    last_modified: metadata.lastModified,
    created_at: object.created_at,
  }
}
