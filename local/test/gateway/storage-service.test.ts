import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dataOf, keys, startStack, type TestStack } from './stack.ts'

// What the real service does is named with each expectation: supabase/storage, its source and migrations.
let stack: TestStack

beforeAll(async () => {
  stack = await startStack(
    `create policy readers on storage.objects for select to authenticated using (bucket_id = 'shelf');`,
    {
      config: {
        storage: {
          file_size_limit: '1MB',
          buckets: {
            shelf: {},
            small: { file_size_limit: '1KB' },
            recordings: { allowed_mime_types: ['audio/webm', 'image/*'] },
          },
        },
      },
    },
  )
  await stack.gateway.seedBuckets()
}, 60_000)
afterAll(() => stack?.stop())

const shelf = () => stack.admin.storage.from('shelf')
const storage = (path: string, init: RequestInit = {}) =>
  fetch(`${stack.url}/storage/v1/${path}`, {
    ...init,
    headers: { apikey: keys.secret, 'content-type': 'application/json', ...init.headers },
  })

describe('a listing', () => {
  beforeAll(async () => {
    for (const name of [
      'b.txt',
      'A.txt',
      'alpha/1.txt',
      'Alpha/2.txt',
      'a_z/1.txt',
      'axz.txt',
      'c/d/e.txt',
      'c.d/x.txt',
    ]) {
      dataOf(await shelf().upload(`list/${name}`, new Blob([name])))
    }
  })
  const names = async (...[folder, options]: Parameters<ReturnType<typeof shelf>['list']>) =>
    dataOf(await shelf().list(folder, options)).map(({ name }) => name)

  // migrations/tenant/0063-fix-search-name-relative-to-prefix.sql, storage.search: lower(name) collate "C".
  it('mixes folders and files by name, without regard to case', async () => {
    const all = ['A.txt', 'a_z', 'Alpha', 'axz.txt', 'b.txt', 'c.d', 'c']
    expect(await names('list')).toEqual(all)
    expect(await names('list', { sortBy: { column: 'name', order: 'desc' } })).toEqual([...all].reverse())
    expect(await names('list', { limit: 2, offset: 1 })).toEqual(['a_z', 'Alpha'])
  })

  it('matches the beginning of names without regard to case, and _ and % as they are', async () => {
    expect(await names('LIST', { search: 'AL' })).toEqual(['Alpha'])
    expect(await names('list/alpha')).toEqual(['1.txt', '2.txt'])
    expect(await names('list', { search: 'a_' })).toEqual(['a_z'])
    expect(await names('list', { search: 'c/' })).toEqual(['c/d'])
  })

  it('puts folders first when it is sorted by a time', async () => {
    const sorted = await names('list', { sortBy: { column: 'created_at', order: 'asc' } })
    expect(sorted).toEqual(['a_z', 'Alpha', 'c.d', 'c', 'b.txt', 'A.txt', 'axz.txt'])
  })
})

describe('an object', () => {
  // src/storage/object.ts, deleteObject: found past the policies, removed within them.
  it('that may not be removed is told from one that is not there', async () => {
    dataOf(await shelf().upload('kept.txt', new Blob(['x'])))
    const { token } = await stack.user('reader')
    const remove = async (name: string) => {
      const headers = { authorization: `Bearer ${token}` }
      const { statusCode } = await (
        await storage(`object/shelf/${name}`, { method: 'DELETE', headers })
      ).json()
      return statusCode
    }
    expect(await remove('kept.txt')).toBe('403')
    expect(await remove('missing.txt')).toBe('404')
    expect((await shelf().exists('kept.txt')).data).toBe(true)
  })

  // src/storage/renderer/renderer.ts, setHeaders, and src/http/routes/object/getSignedObject.ts.
  it('read through a signed address expires with it, and has no Cache-Control', async () => {
    dataOf(await shelf().upload('signed.txt', new Blob(['x'])))
    const { signedUrl } = dataOf(await shelf().createSignedUrl('signed.txt', 60))
    const [, claims = ''] = (new URL(signedUrl).searchParams.get('token') ?? '').split('.')
    const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString())
    const response = await fetch(signedUrl)
    expect(Date.parse(response.headers.get('expires') ?? '')).toBe(exp * 1000)
    expect(response.headers.get('cache-control')).toBeNull()
  })

  // RFC 9110, 13.1.3; the back ends of src/storage/backend pass If-Modified-Since on.
  it('is not sent again to who has it since it changed', async () => {
    dataOf(await shelf().upload('dated.txt', new Blob(['x'])))
    const path = 'object/authenticated/shelf/dated.txt'
    const modified = (await storage(path)).headers.get('last-modified') ?? ''
    const since = (time: string) => storage(path, { headers: { 'if-modified-since': time } })
    expect((await since(modified)).status).toBe(304)
    expect((await since(new Date(0).toUTCString())).status).toBe(200)
  })

  // migrations/tenant/0050-prevent-direct-deletes.sql, storage.protect_delete.
  it('cannot be deleted by SQL, which would leave its content behind', async () => {
    const direct = [stack.sql`delete from storage.objects`, stack.sql`delete from storage.buckets`]
    for (const query of direct) {
      await expect(query).rejects.toMatchObject({ code: '42501', message: /Use the Storage API instead/ })
    }
  })
})

describe('an upload', () => {
  const send = (path: string, length: number, announced: boolean) => {
    return storage(path, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      ...(announced
        ? { body: new Uint8Array(length) }
        : { body: new Blob([new Uint8Array(length)]).stream(), duplex: 'half' as const }),
    })
  }

  // src/storage/uploader.ts, incomingFileInfo: isTruncated compares Content-Length; seen on a run of the service.
  it('is held to the bucket’s limit by the length that it announces, and without one not at all', async () => {
    expect(await (await send('object/small/announced.bin', 1001, true)).json()).toMatchObject({
      statusCode: '413',
    })
    expect((await send('object/small/chunked.bin', 1001, false)).status).toBe(200)
    expect(dataOf(await stack.admin.storage.from('small').info('chunked.bin')).size).toBe(1001)
  })
})

describe('the settings of a bucket', () => {
  const create = async (settings: object) => {
    const body = JSON.stringify({ name: `bucket-${crypto.randomUUID()}`, ...settings })
    const { statusCode = '200', code } = await (await storage('bucket', { method: 'POST', body })).json()
    return [statusCode, code]
  }

  // src/http/routes/bucket/mime-types.test.ts.
  it.each(['garbage*', '*/*', '*/png', 'image/p*', 'image/*/extra', 'image/png;foo=x, application/pdf'])(
    'take no type such as %s',
    async (type) => {
      expect(await create({ allowed_mime_types: [type] })).toEqual(['400', 'InvalidMimeType'])
    },
  )

  it.each(['image/*', 'application/json;profile="a,b;c"', 'text/plain; charset=utf-8'])(
    'take %s',
    async (type) => {
      expect(await create({ allowed_mime_types: [type] })).toEqual(['200', undefined])
    },
  )

  // src/storage/storage.ts, createBucket, and src/storage/limits.ts, parseFileSizeToBytes.
  it('take no size beyond the project’s, and none that is no size', async () => {
    expect(await create({ file_size_limit: '2MB' })).toEqual(['413', 'EntityTooLarge'])
    expect(await create({ file_size_limit: 'large' })).toEqual(['400', 'InvalidRequest'])
    expect(await create({ file_size_limit: '1MB' })).toEqual(['200', undefined])
  })

  // src/http/routes/bucket/getAllBuckets.ts: search, limit, offset, sortColumn, sortOrder.
  it('are listed as asked', async () => {
    const word = crypto.randomUUID().slice(0, 8)
    for (const name of ['a', 'b', 'c'])
      await storage('bucket', { method: 'POST', body: JSON.stringify({ name: `${word}-${name}` }) })
    const found = async (query: string) => {
      const buckets: { name: string }[] = await (await storage(`bucket?search=${word}&${query}`)).json()
      return buckets.map(({ name }) => name.at(-1))
    }
    expect(await found('sortColumn=name&sortOrder=desc')).toEqual(['c', 'b', 'a'])
    expect(await found('limit=1&offset=1')).toEqual(['b'])
    expect((await storage('bucket?limit=none')).status).toBe(400)
  })
})

describe('the type of an upload', () => {
  const codecs = 'audio/webm;codecs=opus'
  const put = async (type: string) => {
    const bucket = stack.admin.storage.from('recordings')
    const { signedUrl } = dataOf(await bucket.createSignedUploadUrl(crypto.randomUUID()))
    const sent = await fetch(signedUrl, { method: 'PUT', body: 'x', headers: { 'content-type': type } })
    const { statusCode = '200' } = await sent.json()
    return statusCode
  }
  const form = async (type: string, fields: Record<string, string> = {}) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
    body.append('', new Blob(['x'], { type }))
    const key = crypto.randomUUID()
    const headers = { apikey: keys.secret }
    const url = `${stack.url}/storage/v1/object/recordings/${key}`
    const { statusCode } = await (await fetch(url, { method: 'POST', body, headers })).json()
    if (statusCode) return statusCode
    return dataOf(await stack.admin.storage.from('recordings').info(key)).contentType
  }

  // validateMimeType in src/storage/uploader.ts
  it('is compared letter by letter with those of the bucket, parameters too, but for an asterisk', async () => {
    expect(await put('audio/webm')).toBe('200')
    expect(await put(codecs)).toBe('415')
    expect(await put('AUDIO/WEBM')).toBe('415')
    expect(await put('image/png; quality=1')).toBe('200')
    expect(await put('IMAGE/png')).toBe('415')
  })

  // @fastify/busboy, and fields.contentType in fileUploadFromRequest of src/storage/uploader.ts
  it('in a form loses its parameters, unless a field before the file says it', async () => {
    expect(await form(codecs)).toBe('audio/webm')
    expect(await form('text/plain', { contentType: 'audio/webm' })).toBe('audio/webm')
    expect(await form('audio/webm', { contentType: codecs })).toBe('415')
  })

  // canUpload in src/storage/uploader.ts, which the routes call with what the headers announce
  it('is what triggers see before the bytes: of a signing, the type of that request', async () => {
    await stack.sql.unsafe(`
      create function public.see() returns trigger language plpgsql security definer as $$
      begin
        raise exception '% %', storage.operation(), new.metadata ->> 'mimetype' using errcode = 'insufficient_privilege';
      end $$;
      create trigger see before insert on storage.objects for each row when (new.name = 'seen') execute function public.see()`)
    const bucket = shelf()
    const message = async (response: PromiseLike<{ error: { message: string } | null }>) =>
      (await response).error?.message
    expect(await message(bucket.createSignedUploadUrl('seen'))).toBe(
      'storage.object.sign_upload_url application/json',
    )
    expect(await message(bucket.upload('seen', 'x', { contentType: codecs }))).toBe(
      `storage.object.upload ${codecs}`,
    )
    expect(await message(bucket.upload('seen', new Blob(['x'], { type: codecs })))).toBe(
      'storage.object.upload audio/webm',
    )
    await stack.sql`drop trigger see on storage.objects`
  })
})
