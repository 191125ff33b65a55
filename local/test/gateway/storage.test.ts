import { createHash } from 'node:crypto'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTokenSigner } from '../../src/http/jwt.ts'
import { dataOf, keys, startStack, type TestStack } from './stack.ts'

let stack: TestStack

const schema = `
  create policy media_select on storage.objects for select to authenticated
    using (bucket_id = 'media' and (storage.foldername(name))[1] = (select auth.uid())::text);
  create policy media_insert on storage.objects for insert to authenticated
    with check (bucket_id = 'media' and (storage.foldername(name))[1] = (select auth.uid())::text);
  create policy media_update on storage.objects for update to authenticated
    using (bucket_id = 'media' and (storage.foldername(name))[1] = (select auth.uid())::text);
  create policy media_delete on storage.objects for delete to authenticated
    using (bucket_id = 'media' and (storage.foldername(name))[1] = (select auth.uid())::text);
`
const insertOnly = `
  create policy drop_insert on storage.objects for insert to authenticated with check (bucket_id = 'drop');
`
const megabyte = 1024 ** 2
const filePart =
  '--b\r\ncontent-disposition: form-data; name=""; filename="a"\r\ncontent-type: text/plain\r\n\r\n'

beforeAll(async () => {
  stack = await startStack(schema + insertOnly, {
    config: {
      storage: {
        file_size_limit: '50MiB',
        buckets: {
          media: { public: false, allowed_mime_types: ['text/plain', 'image/*', 'audio/mp4'] },
          small: { public: false, file_size_limit: '1KiB' },
          open: { public: true },
          drop: { public: false },
        },
      },
    },
  })
  await stack.gateway.seedBuckets()
})
afterAll(() => stack?.stop())

const text = (content: string) => new Blob([content], { type: 'text/plain' })

async function contentFiles(): Promise<string[]> {
  const entries = await readdir(join(stack.dir, 'storage'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

describe('an object', () => {
  it('comes back as it was uploaded, whole and in ranges', async () => {
    const { client, id } = await stack.user('owner')
    const media = client.storage.from('media')
    const path = `${id}/notes/hello world.txt`
    const uploaded = dataOf(await media.upload(path, text('hello storage'), { cacheControl: '60' }))
    expect(uploaded).toMatchObject({ path, fullPath: `media/${path}` })
    expect(uploaded.id).toMatch(/^[0-9a-f-]{36}$/)
    const blob = dataOf(await media.download(path))
    expect(await blob.text()).toBe('hello storage')
    expect(blob.type).toBe('text/plain')

    const token = dataOf(await client.auth.getSession()).session?.access_token
    const part = await fetch(`${stack.url}/storage/v1/object/authenticated/media/${encodeURI(path)}`, {
      headers: { authorization: `Bearer ${token}`, range: 'bytes=6-' },
    })
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toBe('bytes 6-12/13')
    expect(part.headers.get('cache-control')).toBe('max-age=60')
    expect(await part.text()).toBe('storage')
  })

  it('that is not there, or has nothing of a range, is rejected with a body that says why', async () => {
    dataOf(await stack.admin.storage.from('open').upload('empty.bin', new Blob([])))
    dataOf(await stack.admin.storage.from('open').upload('five.bin', new Blob(['12345'])))
    const read = async (path: string, range: string, method = 'GET') => {
      const response = await fetch(`${stack.url}/storage/v1/object/authenticated/open/${path}`, {
        method,
        headers: { apikey: keys.secret, range },
      })
      return { status: response.status, body: await response.text() }
    }
    const missing = await read('missing.bin', 'bytes=0-9')
    expect(missing.status).toBe(400)
    expect(JSON.parse(missing.body)).toEqual({
      statusCode: '404',
      code: 'NoSuchKey',
      error: 'not_found',
      message: 'Object not found',
    })
    for (const [path, range] of [
      ['five.bin', 'bytes=3-2'],
      ['five.bin', 'five'],
      ['empty.bin', 'bytes=0-9'],
      ['five.bin', 'bytes=5-'],
      ['five.bin', 'bytes=-0'],
    ] as const) {
      const { status, body } = await read(path, range)
      expect(status).toBe(416)
      expect(JSON.parse(body)).toMatchObject({ statusCode: '416', code: 'InvalidRange' })
    }
    expect(await read('empty.bin', '')).toEqual({ status: 200, body: '' })
    expect(await read('five.bin', 'bytes=3-99')).toEqual({ status: 206, body: '45' })
    expect(await read('five.bin', 'bytes=9-', 'HEAD')).toEqual({ status: 200, body: '' })
  })

  it('tells its size, type, version and md5', async () => {
    const { client, id } = await stack.user('info')
    const media = client.storage.from('media')
    const path = `${id}/a.txt`
    dataOf(await media.upload(path, text('abc'), { metadata: { kind: 'note' } }))
    const info = dataOf(await media.info(path))
    expect(info).toMatchObject({ name: path, size: 3, contentType: 'text/plain', metadata: { kind: 'note' } })
    expect(info.etag).toBe(`"${createHash('md5').update('abc').digest('hex')}"`)
    expect(info.version).toMatch(/^[0-9a-f-]{36}$/)
    expect((await media.exists(path)).data).toBe(true)
    expect((await media.exists(`${id}/b.txt`)).data).toBe(false)
  })

  it('is replaced only when that was asked for, and the former content is gone', async () => {
    const { client, id } = await stack.user('upsert')
    const media = client.storage.from('media')
    const path = `${id}/a.txt`
    dataOf(await media.upload(path, text('one')))
    const first = dataOf(await media.info(path))
    const again = await media.upload(path, text('two'))
    expect(again.error).toMatchObject({
      status: 400,
      statusCode: '409',
      message: 'The resource already exists',
    })
    dataOf(await media.upload(path, text('three'), { upsert: true }))
    const second = dataOf(await media.info(path))
    expect(second.version).not.toBe(first.version)
    expect(await dataOf(await media.download(path)).text()).toBe('three')
    const files = await contentFiles()
    expect(files).toContain(second.version)
    expect(files).not.toContain(first.version)
  })

  it('can be uploaded by somebody who may insert but not read', async () => {
    const { client, id } = await stack.user('dropper')
    const drop = client.storage.from('drop')
    dataOf(await drop.upload(`${id}.txt`, text('letter')))
    const { token, path } = dataOf(await drop.createSignedUploadUrl(`${id}-2.txt`))
    dataOf(await drop.uploadToSignedUrl(path, token, text('letter')))
    expect((await drop.download(`${id}.txt`)).error).not.toBeNull()
    expect(await dataOf(await stack.admin.storage.from('drop').download(`${id}.txt`)).text()).toBe('letter')
  })

  it('is listed in its folder, moved, copied and removed', async () => {
    const { client, id } = await stack.user('folders')
    const media = client.storage.from('media')
    for (const name of ['b.txt', 'a.txt', 'sub/c.txt'])
      dataOf(await media.upload(`${id}/${name}`, text(name)))
    const names = async (folder: string) =>
      dataOf(await media.list(folder)).map(({ name, id: object }) => [name, object !== null])
    expect(await names(id)).toEqual([
      ['a.txt', true],
      ['b.txt', true],
      ['sub', false],
    ])
    expect(await names(`${id}/sub`)).toEqual([['c.txt', true]])

    dataOf(await media.move(`${id}/a.txt`, `${id}/moved.txt`))
    dataOf(await media.copy(`${id}/moved.txt`, `${id}/copied.txt`))
    expect(await dataOf(await media.download(`${id}/copied.txt`)).text()).toBe('a.txt')
    const { version } = dataOf(await media.info(`${id}/moved.txt`))
    expect(dataOf(await media.remove([`${id}/moved.txt`, `${id}/none.txt`])).map(({ name }) => name)).toEqual(
      [`${id}/moved.txt`],
    )
    expect(await contentFiles()).not.toContain(version)
    expect(await dataOf(await media.download(`${id}/copied.txt`)).text()).toBe('a.txt')
  })

  it('is read through a signed address until that expires, and only it', async () => {
    const { client, id } = await stack.user('signed')
    const media = client.storage.from('media')
    dataOf(await media.upload(`${id}/a.txt`, text('signed')))
    dataOf(await media.upload(`${id}/b.txt`, text('other')))
    const { signedUrl } = dataOf(await media.createSignedUrl(`${id}/a.txt`, 60))
    expect(await (await fetch(signedUrl)).text()).toBe('signed')
    expect((await fetch(signedUrl.replace('a.txt', 'b.txt'))).status).toBe(400)
    const many = dataOf(await media.createSignedUrls([`${id}/b.txt`, `${id}/none.txt`], 60))
    expect(many.map(({ error }) => error === null)).toEqual([true, false])
    expect(await (await fetch(many[0]?.signedUrl ?? '')).text()).toBe('other')

    const url = `media/${id}/a.txt`
    const expired = createTokenSigner(keys).sign({
      url,
      scope: 'storage:read',
      exp: Math.floor(Date.now() / 1000) - 1,
    })
    const late = await fetch(`${stack.url}/storage/v1/object/sign/${url}?token=${expired}`)
    expect(await late.json()).toMatchObject({ statusCode: '400', error: 'InvalidJWT' })
  })
})

describe('somebody else', () => {
  it('can neither read, list, sign, overwrite, move, copy nor remove it', async () => {
    const alice = await stack.user('alice')
    const mallory = await stack.user('mallory')
    const path = `${alice.id}/secret.txt`
    dataOf(await alice.client.storage.from('media').upload(path, text('secret')))

    for (const other of [mallory.client, stack.client()]) {
      const media = other.storage.from('media')
      expect((await media.download(path)).error).not.toBeNull()
      expect((await media.info(path)).error).not.toBeNull()
      expect((await media.exists(path)).data).toBe(false)
      expect(dataOf(await media.list(alice.id))).toEqual([])
      expect((await media.createSignedUrl(path, 60)).error?.message).toBe('Object not found')
      expect(dataOf(await media.createSignedUrls([path], 60))[0]?.signedUrl).toBeNull()
      for (const upsert of [false, true]) {
        const { error } = await media.upload(path, text('forged'), { upsert })
        expect(error).toMatchObject({
          statusCode: '403',
          message: 'new row violates row-level security policy',
        })
        expect((await media.createSignedUploadUrl(path, { upsert })).error).toMatchObject({
          statusCode: '403',
        })
      }
      expect((await media.update(path, text('forged'))).error).toMatchObject({ statusCode: '403' })
      expect((await media.move(path, `${mallory.id}/stolen.txt`)).error).not.toBeNull()
      expect((await media.copy(path, `${mallory.id}/stolen.txt`)).error).not.toBeNull()
      expect(dataOf(await media.remove([path]))).toEqual([])
      expect((await media.upload(`${mallory.id}/../${alice.id}/x.txt`, text('x'))).error).not.toBeNull()
    }
    expect(await dataOf(await alice.client.storage.from('media').download(path)).text()).toBe('secret')
    expect((await fetch(`${stack.url}/storage/v1/object/public/media/${path}`)).status).toBe(400)
  })

  it('cannot place an object in a folder of somebody else by moving its own', async () => {
    const alice = await stack.user('target')
    const mallory = await stack.user('mover')
    const media = mallory.client.storage.from('media')
    dataOf(await media.upload(`${mallory.id}/a.txt`, text('a')))
    expect((await media.move(`${mallory.id}/a.txt`, `${alice.id}/a.txt`)).error).toMatchObject({
      statusCode: '403',
    })
  })

  it('reads a public bucket without any key, but cannot write to it', async () => {
    dataOf(await stack.admin.storage.from('open').upload('logo.txt', text('logo')))
    const { publicUrl } = stack.client().storage.from('open').getPublicUrl('logo.txt').data
    expect(await (await fetch(publicUrl)).text()).toBe('logo')
    expect((await stack.client().storage.from('open').upload('x.txt', text('x'))).error).toMatchObject({
      statusCode: '403',
    })
  })
})

describe('a signed upload', () => {
  it('stores through storage-js and through a plain PUT, and belongs to who asked for it', async () => {
    const { client, id } = await stack.user('uploader')
    const media = client.storage.from('media')
    const one = dataOf(await media.createSignedUploadUrl(`${id}/one.txt`))
    const device = stack.client().storage.from('media')
    const stored = dataOf(await device.uploadToSignedUrl(one.path, one.token, text('one')))
    expect(stored).toEqual({ path: `${id}/one.txt`, fullPath: `media/${id}/one.txt` })

    const two = dataOf(await media.createSignedUploadUrl(`${id}/two.txt`))
    const put = await fetch(two.signedUrl, {
      method: 'PUT',
      body: 'two',
      headers: { 'content-type': 'text/plain' },
    })
    expect(put.status).toBe(200)
    expect(await put.json()).toEqual({ Key: `media/${id}/two.txt` })
    expect(await dataOf(await media.download(`${id}/two.txt`)).text()).toBe('two')
    const [row] = await stack.sql`select owner_id from storage.objects where name = ${`${id}/one.txt`}`
    expect(row?.owner_id).toBe(id)
  })

  it('is bound to its path, its time and its purpose', async () => {
    const { client, id } = await stack.user('bound')
    const media = client.storage.from('media')
    const { token, signedUrl } = dataOf(await media.createSignedUploadUrl(`${id}/a.txt`))
    const elsewhere = await media.uploadToSignedUrl(`${id}/b.txt`, token, text('x'))
    expect(elsewhere.error).toMatchObject({ statusCode: '400', message: 'Invalid signature' })
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    expect(claims.exp - claims.iat).toBe(7200)

    const late = createTokenSigner(keys).sign({ ...claims, exp: claims.iat - 1 })
    const expired = await media.uploadToSignedUrl(`${id}/a.txt`, late, text('x'))
    expect(expired.error).toMatchObject({ status: 400, message: '"exp" claim timestamp check failed' })

    dataOf(await media.uploadToSignedUrl(`${id}/a.txt`, token, text('first')))
    const replay = await media.uploadToSignedUrl(`${id}/a.txt`, token, text('second'))
    expect(replay.error).toMatchObject({ statusCode: '409' })
    const readToken = new URL(
      dataOf(await media.createSignedUrl(`${id}/a.txt`, 60)).signedUrl,
    ).searchParams.get('token')
    expect((await media.uploadToSignedUrl(`${id}/a.txt`, readToken ?? '', text('x'))).error).toMatchObject({
      message: 'Invalid signature',
    })
    expect((await fetch(signedUrl.replace('/upload/sign/', '/sign/'))).status).toBe(400)
  })

  it('replaces when it was signed with upsert', async () => {
    const { client, id } = await stack.user('replacer')
    const media = client.storage.from('media')
    dataOf(await media.upload(`${id}/a.txt`, text('old')))
    expect((await media.createSignedUploadUrl(`${id}/a.txt`)).error).toMatchObject({ statusCode: '409' })
    const { token, path } = dataOf(await media.createSignedUploadUrl(`${id}/a.txt`, { upsert: true }))
    dataOf(await media.uploadToSignedUrl(path, token, text('new')))
    expect(await dataOf(await media.download(path)).text()).toBe('new')
  })
})

describe('limits', () => {
  it('reject what is too large for the bucket, leaving nothing behind', async () => {
    const before = (await contentFiles()).length
    const { error } = await stack.admin.storage
      .from('small')
      .upload('big.bin', new Blob([new Uint8Array(1025)]))
    expect(error).toMatchObject({
      status: 400,
      statusCode: '413',
      message: 'The object exceeded the maximum allowed size',
    })
    expect((await stack.admin.storage.from('small').exists('big.bin')).data).toBe(false)
    expect((await contentFiles()).length).toBe(before)
    expect(
      (await stack.admin.storage.from('small').upload('fits.bin', new Blob([new Uint8Array(1024)]))).error,
    ).toBeNull()
  })

  it('reject a type that the bucket does not take', async () => {
    const { client, id } = await stack.user('types')
    const media = client.storage.from('media')
    const rejected = await media.upload(`${id}/a.html`, new Blob(['<p>'], { type: 'text/html' }))
    expect(rejected.error).toMatchObject({
      statusCode: '415',
      message: 'mime type text/html is not supported',
    })
    expect((await media.upload(`${id}/a.png`, new Blob(['x'], { type: 'image/png' }))).error).toBeNull()
    const raw = await media.upload(`${id}/a.m4a`, new Uint8Array([1, 2, 3]), { contentType: 'audio/mp4' })
    expect(raw.error).toBeNull()
  })

  it('reject keys that the platform rejects, and paths cannot leave the folder', async () => {
    const bucket = stack.admin.storage.from('open')
    expect((await bucket.upload('ключ.txt', text('x'))).error).toMatchObject({ statusCode: '400' })
    const tried = await fetch(`${stack.url}/storage/v1/object/open/%2e%2e%2f%2e%2e%2fescaped.txt`, {
      method: 'POST',
      headers: { apikey: keys.secret, 'content-type': 'text/plain' },
      body: 'x',
    })
    await tried.text()
    expect(await readdir(stack.dir)).not.toContain('escaped.txt')
    expect(await contentFiles()).not.toContain('escaped.txt')
  })

  it('a name with a NUL is rejected as invalid, not as an error of the server', async () => {
    const headers = { apikey: keys.secret, 'content-type': 'application/json' }
    const read = await fetch(`${stack.url}/storage/v1/object/open/a%00b`, { headers })
    expect([read.status, await read.json()]).toMatchObject([400, { code: 'InvalidKey' }])
    const listed = await fetch(`${stack.url}/storage/v1/object/list/open`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ prefix: 'a\0b' }),
    })
    expect([listed.status, await listed.json()]).toMatchObject([400, { code: 'InvalidKey' }])
  })

  it('an unknown bucket is an error of its own', async () => {
    const { error } = await stack.admin.storage.from('nowhere').upload('a.txt', text('x'))
    expect(error).toMatchObject({ statusCode: '404', message: 'Bucket not found' })
  })

  it('50 MB pass through in a stream', async () => {
    const block = new Uint8Array(megabyte).fill(7)
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (let i = 0; i < 50; i++) controller.enqueue(block)
        controller.close()
      },
    })
    dataOf(
      await stack.admin.storage
        .from('open')
        .upload('large.bin', body, { duplex: 'half', contentType: 'audio/mp4' }),
    )
    expect(dataOf(await stack.admin.storage.from('open').info('large.bin')).size).toBe(50 * megabyte)
    const { error } = await stack.admin.storage
      .from('open')
      .upload('larger.bin', new Blob(Array(51).fill(block)))
    expect(error).toMatchObject({ statusCode: '413' })
  })

  it.each([
    ['a plain body', 'audio/mp4', ''],
    ['a form', 'multipart/form-data; boundary=b', filePart],
  ])('an upload that breaks off leaves neither row nor file: %s', async (_, type, opening) => {
    const before = (await contentFiles()).length
    const { hostname, port } = new URL(stack.url)
    const socket = connect(Number(port), hostname)
    socket.write(
      `POST /storage/v1/object/open/broken.bin HTTP/1.1\r\nhost: x\r\napikey: ${keys.secret}\r\n` +
        `content-type: ${type}\r\ncontent-length: ${megabyte}\r\n\r\n${opening}${'x'.repeat(1000)}`,
    )
    await expect.poll(async () => (await contentFiles()).length).toBe(before + 1)
    socket.destroy()
    await expect.poll(async () => (await contentFiles()).length).toBe(before)
    expect((await stack.admin.storage.from('open').exists('broken.bin')).data).toBe(false)
  })

  it.each([
    ['ends early', 'multipart/form-data; boundary=b', `${filePart}cut off`],
    ['has no boundary', 'multipart/form-data', filePart],
    ['has no file', 'multipart/form-data; boundary=b', '--b--\r\n'],
    ['is something else', 'multipart/form-data; boundary=b', 'not a form'],
    [
      'has metadata that is no JSON',
      'multipart/form-data; boundary=b',
      `${filePart}x\r\n--b\r\ncontent-disposition: form-data; name="metadata"\r\n\r\n{\r\n--b--\r\n`,
    ],
  ])('a form that %s is rejected and leaves nothing behind', async (_, type, body) => {
    const before = (await contentFiles()).length
    const headers = { apikey: keys.secret, 'content-type': type }
    const response = await fetch(`${stack.url}/storage/v1/object/open/malformed.bin`, {
      method: 'POST',
      headers,
      body,
    })
    expect(response.status).toBe(400)
    expect((await contentFiles()).length).toBe(before)
  })

  it('of two that upload the same new key at once, one succeeds', async () => {
    const bucket = stack.admin.storage.from('open')
    const responses = await Promise.all(
      ['a', 'b', 'c'].map((content) => bucket.upload('race.txt', text(content))),
    )
    expect(responses.filter(({ error }) => error === null)).toHaveLength(1)
    const { version } = dataOf(await bucket.info('race.txt'))
    expect(await contentFiles()).toContain(version)
  })
})

describe('buckets', () => {
  it('are made, changed, listed and deleted with the secret key only', async () => {
    const storage = stack.admin.storage
    dataOf(
      await storage.createBucket('made', {
        public: false,
        fileSizeLimit: '1KB',
        allowedMimeTypes: ['image/png'],
      }),
    )
    expect(dataOf(await storage.getBucket('made'))).toMatchObject({
      file_size_limit: 1000,
      allowed_mime_types: ['image/png'],
    })
    dataOf(await storage.updateBucket('made', { public: true, allowedMimeTypes: null, fileSizeLimit: null }))
    expect(dataOf(await storage.listBuckets()).map(({ id }) => id)).toContain('made')
    dataOf(await storage.from('made').upload('a.txt', text('a')))
    expect((await storage.deleteBucket('made')).error).toMatchObject({ statusCode: '409' })
    dataOf(await storage.emptyBucket('made'))
    dataOf(await storage.deleteBucket('made'))
    const { client } = await stack.user('buckets')
    expect((await client.storage.createBucket('theirs')).error).toMatchObject({ statusCode: '403' })
    expect(dataOf(await client.storage.listBuckets())).toEqual([])
  })

  it('are filled from the folder that config.toml names, once', async () => {
    const seeded = await startStack('', {
      config: { storage: { buckets: { assets: { objects_path: './assets' } } } },
      supabaseDir: join(stack.dir, 'storage', 'supabase'),
    })
    try {
      const folder = join(stack.dir, 'storage', 'supabase', 'assets')
      await mkdir(join(folder, 'models'), { recursive: true })
      await writeFile(join(folder, 'models', 'face.json'), '{}')
      await seeded.gateway.seedBuckets()
      const assets = seeded.admin.storage.from('assets')
      const first = dataOf(await assets.info('models/face.json'))
      expect(first.contentType).toBe('application/json')
      await seeded.gateway.seedBuckets()
      expect(dataOf(await assets.info('models/face.json')).version).toBe(first.version)
      await writeFile(join(folder, 'models', 'face.json'), '{"v":2}')
      await seeded.gateway.seedBuckets()
      expect(await dataOf(await assets.download('models/face.json')).text()).toBe('{"v":2}')
    } finally {
      await seeded.stop()
      await rm(join(stack.dir, 'storage', 'supabase'), { recursive: true })
    }
  })
})
