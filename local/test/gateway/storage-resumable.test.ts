import { readdir, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Upload, type UploadOptions } from 'tus-js-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTokenSigner } from '../../src/http/jwt.ts'
import { dataOf, keys, startStack, type TestStack } from './stack.ts'

// What the real service does: src/http/routes/tus and src/storage/uploader.ts of supabase/storage.
let stack: TestStack

beforeAll(async () => {
  stack = await startStack(
    `create policy media_select on storage.objects for select to authenticated
      using (bucket_id = 'media' and (storage.foldername(name))[1] = (select auth.uid())::text);
    create policy media_insert on storage.objects for insert to authenticated
      with check (bucket_id = 'media' and (storage.foldername(name))[1] = (select auth.uid())::text);
    create policy media_update on storage.objects for update to authenticated
      using (bucket_id = 'media' and (storage.foldername(name))[1] = (select auth.uid())::text);
    create function public.refuse_at_the_end() returns trigger language plpgsql as $$
    begin
      if new.metadata ? 'size' then
        raise exception 'The shelf is full.' using errcode = 'insufficient_privilege';
      end if;
      return new;
    end $$;
    grant execute on function public.refuse_at_the_end() to public;
    create trigger refuse_at_the_end before insert or update on storage.objects
    for each row when (new.bucket_id = 'full') execute function public.refuse_at_the_end();`,
    {
      config: {
        storage: {
          file_size_limit: '50MiB',
          buckets: {
            media: { public: false, file_size_limit: '1MiB' },
            typed: { public: false, allowed_mime_types: ['audio/webm', 'image/*'] },
            full: { public: false },
          },
        },
      },
    },
  )
  await stack.gateway.seedBuckets()
})
afterAll(() => stack?.stop())

const endpoint = (suffix = '') => `${stack.url}/storage/v1/upload/resumable${suffix}`
const bytesOf = (length: number) => Buffer.from(Array.from({ length }, (_, i) => i % 251))

/** Runs an upload of the real client to its end. */
function ended(bytes: Buffer, options: UploadOptions): Promise<Upload> {
  return new Promise((resolve, reject) => {
    const upload = new Upload(bytes, {
      endpoint: endpoint(),
      retryDelays: null,
      onError: reject,
      onSuccess: () => resolve(upload),
      ...options,
    })
    upload.start()
  })
}

const metadataOf = (metadata: Record<string, string>) =>
  Object.entries(metadata)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')

/** One request of the protocol. */
async function send(method: string, url: string, headers: Record<string, string>, body?: Buffer) {
  const response = await fetch(url, {
    method,
    headers: { 'tus-resumable': '1.0.0', ...headers },
    ...(body && { body: new Uint8Array(body) }),
  })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

const create = (
  headers: Record<string, string>,
  object: Record<string, string>,
  length: number,
  suffix = '',
) =>
  send('POST', endpoint(suffix), {
    ...headers,
    'upload-length': String(length),
    'upload-metadata': metadataOf(object),
  })

const patch = (url: string, headers: Record<string, string>, offset: number, body: Buffer) =>
  send(
    'PATCH',
    url,
    { ...headers, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
    body,
  )

const locationOf = ({ headers }: { headers: Headers }) => headers.get('location') ?? ''
const partial = async () => (await readdir(join(stack.dir, 'storage', 'resumable'))).sort()

describe('a resumable upload', () => {
  it('goes on after an interruption where it was, and tells how far it is', async () => {
    const { client, id, token } = await stack.user('mobile')
    const key = `${id}/recording one.webm`
    const bytes = bytesOf(300_000)
    const options: UploadOptions = {
      headers: { authorization: `Bearer ${token}` },
      chunkSize: 100_000,
      metadata: {
        bucketName: 'media',
        objectName: key,
        contentType: 'audio/webm;codecs=opus',
        cacheControl: '60',
      },
    }
    const address = await new Promise<string>((resolve, reject) => {
      const upload: Upload = new Upload(bytes, {
        ...options,
        endpoint: endpoint(),
        retryDelays: null,
        onError: reject,
        onChunkComplete: async () => {
          await upload.abort()
          resolve(upload.url ?? '')
        },
      })
      upload.start()
    })
    expect((await client.storage.from('media').exists(key)).data).toBe(false)

    const progress: number[] = []
    await ended(bytes, { ...options, uploadUrl: address, onProgress: (sent) => progress.push(sent) })
    expect(progress[0]).toBeGreaterThanOrEqual(100_000)
    expect(progress.at(-1)).toBe(300_000)
    const stored = dataOf(await client.storage.from('media').download(key))
    expect(Buffer.from(await stored.arrayBuffer()).equals(bytes)).toBe(true)
    expect(dataOf(await client.storage.from('media').info(key))).toMatchObject({
      contentType: 'audio/webm;codecs=opus',
      cacheControl: 'max-age=60',
    })
    const [row] = await stack.sql`select owner_id from storage.objects where name = ${key}`
    expect(row?.owner_id).toBe(id)
    // Who lost the last response asks once more, and is told that all is there.
    expect((await send('HEAD', address, options.headers ?? {})).headers.get('upload-offset')).toBe('300000')
    expect(await partial()).toEqual([])
  })

  it('keeps what came over a connection that broke', async () => {
    const { id, token } = await stack.user('tunnel')
    const headers = { authorization: `Bearer ${token}` }
    const url = locationOf(await create(headers, { bucketName: 'media', objectName: `${id}/cut` }, 100_000))
    const { hostname, port, pathname } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.write(
      `PATCH ${pathname} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ntus-resumable: 1.0.0\r\n` +
        'upload-offset: 0\r\ncontent-type: application/offset+octet-stream\r\ncontent-length: 100000\r\n\r\n',
    )
    socket.write(bytesOf(40_000))
    const name =
      Buffer.from(pathname.split('/').at(-1) ?? '', 'base64url')
        .toString()
        .split('/')
        .at(-1) ?? ''
    const file = join(stack.dir, 'storage', 'resumable', name)
    await expect.poll(async () => (await readFile(file)).length).toBe(40_000)
    socket.destroy()
    const asked = await send('HEAD', url, headers)
    expect(asked.headers.get('upload-offset')).toBe('40000')
    const rest = await patch(url, headers, 40_000, bytesOf(100_000).subarray(40_000))
    expect([rest.status, rest.headers.get('tus-complete')]).toEqual([204, '1'])
  })

  it('with a signed token needs no account, belongs to who asked for it, and replaces as the platform’s does', async () => {
    const { client, id } = await stack.user('signer')
    const media = client.storage.from('media')
    const signed = dataOf(await media.createSignedUploadUrl(`${id}/signed`))
    const upload = (content: string) =>
      ended(Buffer.from(content), {
        endpoint: endpoint('/sign'),
        headers: { 'x-signature': signed.token },
        metadata: { bucketName: 'media', objectName: `${id}/signed`, contentType: 'text/plain' },
      })
    const first = await upload('first')
    expect(first.url).toContain('/storage/v1/upload/resumable/sign/')
    expect(await dataOf(await media.download(`${id}/signed`)).text()).toBe('first')
    const [row] = await stack.sql`select owner_id from storage.objects where name = ${`${id}/signed`}`
    expect(row?.owner_id).toBe(id)
    await upload('second')
    expect(await dataOf(await media.download(`${id}/signed`)).text()).toBe('second')
  })

  it('with a token is bound to its object, its time and its purpose', async () => {
    const { client, id } = await stack.user('bound')
    const media = client.storage.from('media')
    const { token } = dataOf(await media.createSignedUploadUrl(`${id}/a`))
    const object = { bucketName: 'media', objectName: `${id}/a` }
    const begin = (signature: string | null, key = 'a') =>
      create(
        signature === null ? {} : { 'x-signature': signature },
        { ...object, objectName: `${id}/${key}` },
        4,
        '/sign',
      )
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    const tokens = createTokenSigner(keys)
    const outcome = async (response: Promise<{ status: number; text: string }>) => {
      const { status, text } = await response
      return [status, text]
    }
    expect(await outcome(begin(null))).toEqual([400, 'Missing x-signature header'])
    expect(await outcome(begin(token, 'b'))).toEqual([400, 'Invalid signature'])
    expect(await outcome(begin(tokens.sign({ ...claims, scope: 'storage:read' })))).toEqual([
      400,
      'Invalid signature',
    ])
    const late = tokens.sign({ ...claims, exp: claims.iat - 1 })
    expect(await outcome(begin(late))).toEqual([400, '"exp" claim timestamp check failed'])
    // It runs out in the middle too, and no other object's token goes on with it.
    const url = locationOf(await begin(token))
    expect((await patch(url, { 'x-signature': late }, 0, Buffer.from('aaaa'))).status).toBe(400)
    const other = dataOf(await media.createSignedUploadUrl(`${id}/b`)).token
    expect((await patch(url, { 'x-signature': other }, 0, Buffer.from('aaaa'))).status).toBe(400)
    const [, , name = ''] = /^(.*\/)([^/]+)$/.exec(url) ?? []
    const uuid = Buffer.from(name, 'base64url').toString().split('/').at(-1)
    const elsewhere = Buffer.from(`media/${id}/b/${uuid}`).toString('base64url')
    expect(
      (await patch(url.replace(name, elsewhere), { 'x-signature': other }, 0, Buffer.from('aaaa'))).status,
    ).toBe(404)
    expect((await patch(url, { 'x-signature': token }, 0, Buffer.from('aaaa'))).status).toBe(204)
    // Once all is there, nothing more is taken and nothing taken back.
    expect((await patch(url, { 'x-signature': token }, 0, Buffer.from('bbbb'))).status).toBe(409)
    expect((await patch(url, { 'x-signature': token }, 4, Buffer.alloc(0))).status).toBe(410)
    expect((await send('DELETE', url, { 'x-signature': token })).status).toBe(400)
  })

  it('of somebody else is neither begun, continued nor ended', async () => {
    const alice = await stack.user('alice')
    const mallory = await stack.user('mallory')
    const hers = { authorization: `Bearer ${alice.token}` }
    const object = { bucketName: 'media', objectName: `${alice.id}/private` }
    const url = locationOf(await create(hers, object, 4))
    const others: Record<string, string>[] = [
      { authorization: `Bearer ${mallory.token}` },
      { apikey: keys.publishable },
      {},
    ]
    for (const other of others) {
      expect(await create(other, object, 4)).toMatchObject({
        status: 403,
        text: 'new row violates row-level security policy',
      })
      expect((await patch(url, other, 0, Buffer.from('evil'))).status).toBe(403)
      expect((await send('DELETE', url, other)).status).toBe(403)
    }
    expect((await patch(url, hers, 0, Buffer.from('mine'))).status).toBe(204)
    expect(await create(hers, object, 4)).toMatchObject({ status: 409, text: 'The resource already exists' })
    expect((await create({ ...hers, 'x-upsert': 'true' }, object, 4)).status).toBe(201)
  })

  it('is never larger than announced, nor than the bucket takes', async () => {
    const { id, token } = await stack.user('sizes')
    const headers = { authorization: `Bearer ${token}` }
    const object = (key: string) => ({ bucketName: 'media', objectName: `${id}/${key}` })
    expect(await create(headers, object('a'), 1024 ** 2 + 1)).toMatchObject({
      status: 413,
      text: 'Maximum size exceeded\n',
    })
    const url = locationOf(await create(headers, object('a'), 10))
    expect((await patch(url, headers, 0, bytesOf(11))).status).toBe(413)
    expect((await patch(url, headers, 5, bytesOf(5))).status).toBe(409)
    // What nobody reads holds up neither the response nor what comes next.
    expect((await patch(url, headers, 0, Buffer.alloc(20 * 1024 ** 2))).status).toBe(413)
    expect((await send('HEAD', url, headers)).headers.get('upload-offset')).toBe('0')
    const deferred = locationOf(
      await send('POST', endpoint(), {
        ...headers,
        'upload-defer-length': '1',
        'upload-metadata': metadataOf(object('b')),
      }),
    )
    expect((await patch(deferred, headers, 0, bytesOf(1024 ** 2 + 1))).status).toBe(413)
    for (const length of ['-1', '1e3', 'x'])
      expect(
        (
          await send('POST', endpoint(), {
            ...headers,
            'upload-length': length,
            'upload-metadata': metadataOf(object('c')),
          })
        ).status,
      ).toBe(400)
    // An upload of nothing is there at once.
    expect((await create(headers, object('empty'), 0)).status).toBe(201)
    expect(dataOf(await stack.admin.storage.from('media').info(`${id}/empty`)).size).toBe(0)
  })

  it('is asked for its type as other uploads are, where it says one', async () => {
    const headers = { apikey: keys.secret }
    const begin = (contentType?: string) =>
      create(
        headers,
        { bucketName: 'typed', objectName: crypto.randomUUID(), ...(contentType && { contentType }) },
        1,
      )
    expect((await begin('audio/webm')).status).toBe(201)
    expect((await begin('image/png; a=b')).status).toBe(201)
    expect(await begin('audio/webm;codecs=opus')).toMatchObject({
      status: 415,
      text: 'mime type audio/webm;codecs=opus is not supported',
    })
    expect((await begin()).status).toBe(201)
  })

  it('that the database refuses at the end leaves nothing', async () => {
    const headers = { apikey: keys.secret }
    const before = await partial()
    const url = locationOf(await create(headers, { bucketName: 'full', objectName: 'a' }, 4))
    expect(await patch(url, headers, 0, Buffer.from('last'))).toMatchObject({
      status: 403,
      text: 'The shelf is full.',
    })
    expect((await send('HEAD', url, headers)).status).toBe(404)
    expect(await partial()).toEqual(before)
  })

  it('is refused for names that no bucket or object has, and needs its metadata', async () => {
    const headers = { apikey: keys.secret }
    expect(await create(headers, { bucketName: 'nowhere', objectName: 'a' }, 1)).toMatchObject({
      status: 404,
      text: 'Bucket not found',
    })
    for (const objectName of ['', 'schöne Grüße.txt', 'a\0b', '100%.txt', '[1].txt'])
      expect(await create(headers, { bucketName: 'media', objectName }, 1)).toMatchObject({ status: 400 })
    expect(await send('POST', endpoint(), { ...headers, 'upload-length': '1' })).toMatchObject({
      status: 400,
      text: 'Metadata header is required',
    })
    expect((await send('GET', endpoint('/abc'), headers)).status).toBe(404)
    expect(
      (await send('HEAD', endpoint(`/${Buffer.from('media/../x').toString('base64url')}`), headers)).status,
    ).toBe(404)
  })

  it('takes one request at a time: of two, one is told to ask where it is', async () => {
    const { id, token } = await stack.user('twice')
    const headers = { authorization: `Bearer ${token}` }
    const url = locationOf(await create(headers, { bucketName: 'media', objectName: `${id}/twice` }, 8))
    const half = Buffer.from('half')
    const both = await Promise.all([patch(url, headers, 0, half), patch(url, headers, 0, half)])
    expect(both.map(({ status }) => status).sort()).toEqual([204, 409])
    expect((await send('HEAD', url, headers)).headers.get('upload-offset')).toBe('4')
  })

  it('that nobody ended is deleted, by its client at once or after a day', async () => {
    const headers = { apikey: keys.secret }
    const begin = async (key: string) => {
      const created = await create(headers, { bucketName: 'media', objectName: key }, 4)
      const expires = Date.parse(created.headers.get('upload-expires') ?? '')
      expect(Math.round((expires - Date.now()) / 3_600_000)).toBe(24)
      return locationOf(created)
    }
    const abandoned = await begin('deleted')
    expect((await send('DELETE', abandoned, headers)).status).toBe(204)
    expect((await send('HEAD', abandoned, headers)).status).toBe(404)

    const old = await begin('old')
    await patch(old, headers, 0, Buffer.from('ab'))
    const name =
      Buffer.from(old.split('/').at(-1) ?? '', 'base64url')
        .toString()
        .split('/')
        .at(-1) ?? ''
    const record = join(stack.dir, 'storage', 'resumable', `${name}.json`)
    const kept = JSON.parse(await readFile(record, 'utf8'))
    await writeFile(
      record,
      JSON.stringify({ ...kept, creation_date: new Date(Date.now() - 86_401_000).toISOString() }),
    )
    expect((await send('HEAD', old, headers)).status).toBe(410)
    expect((await patch(old, headers, 2, Buffer.from('cd'))).status).toBe(410)
    await Promise.all(['one', 'two', 'three'].map((key) => begin(key)))
    expect((await partial()).filter((file) => file.startsWith(name))).toEqual([])
    expect((await send('HEAD', old, headers)).status).toBe(404)
  })

  it('says what it can do, and lets a browser read what it needs', async () => {
    const asked = await send('OPTIONS', endpoint(), {})
    expect(asked.status).toBe(204)
    expect(asked.headers.get('tus-version')).toBe('1.0.0')
    expect(asked.headers.get('tus-extension')?.split(',').sort()).toEqual([
      'creation',
      'creation-defer-length',
      'creation-with-upload',
      'expiration',
      'termination',
    ])
    const preflight = await fetch(endpoint('/sign'), {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example.edu',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-signature,upload-metadata',
      },
    })
    expect(preflight.headers.get('access-control-allow-headers')).toBe('x-signature,upload-metadata')
    const created = await create(
      { apikey: keys.secret, origin: 'https://app.example.edu' },
      { bucketName: 'media', objectName: 'cors' },
      1,
    )
    expect(created.headers.get('access-control-allow-origin')).toBe('*')
    for (const name of ['Location', 'Upload-Offset', 'Upload-Length'])
      expect(created.headers.get('access-control-expose-headers')).toContain(name)
  })
})
