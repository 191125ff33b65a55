import { generateKeyPairSync } from 'node:crypto'
import { access, mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket, { WebSocketServer } from 'ws'
import { parseDuration, parseSize, readConfig } from '../../src/config.ts'
import { createTokenSigner } from '../../src/http/jwt.ts'
import { listen, type StreamedRequest, stopServer } from '../../src/http/node.ts'
import { dataOf, keys, startStack, type TestStack } from './stack.ts'

let stack: TestStack
const seen: { name: string; request: StreamedRequest }[] = []
const signingKey = {
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  kid: 'test-key',
}
const sockets = new WebSocketServer({ noServer: true })

beforeAll(async () => {
  stack = await startStack('', {
    ownServer: true,
    keys: { ...keys, signingKey },
    config: { functions: { open: { verify_jwt: false }, closed: { verify_jwt: true } } },
    functions: {
      async handle(name, request) {
        seen.push({ name, request })
        if (request.url.endsWith('/stream')) {
          const headers = new Headers({ 'x-function': name })
          return { status: 200, statusText: '', headers, body: request.body }
        }
        return Response.json({ path: new URL(request.url).pathname, method: request.method })
      },
    },
    realtime: {
      handleUpgrade: (request: IncomingMessage, socket, head) =>
        sockets.handleUpgrade(request, socket, head, (socket) => socket.send('welcome')),
      fetch: async (request) => Response.json({ body: await request.json() }, { status: 202 }),
    },
  })
})
afterAll(async () => {
  sockets.close()
  await stack?.stop()
})

describe('a function', () => {
  it('sees its own path, the method and the query', async () => {
    const response = await fetch(`${stack.url}/functions/v1/open/start/it?x=1`, {
      method: 'POST',
      body: '{}',
    })
    expect(await response.json()).toEqual({ path: '/open/start/it', method: 'POST' })
    expect(new URL(seen.at(-1)?.request.url ?? '').search).toBe('?x=1')
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect(response.headers.get('sb-request-id')).toBe(seen.at(-1)?.request.headers.get('sb-request-id'))
  })

  it('streams requests and responses', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const sent = writer.write(new TextEncoder().encode('first'))
    const response = await fetch(`${stack.url}/functions/v1/open/stream`, {
      method: 'POST',
      body: readable,
      duplex: 'half',
    } as RequestInit)
    const reader = response.body?.getReader()
    await sent
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('first')
    await writer.write(new TextEncoder().encode('second'))
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('second')
    await writer.close()
    expect((await reader?.read())?.done).toBe(true)
  })

  it('with verify_jwt is reached by users only, and handles the preflight itself', async () => {
    const url = `${stack.url}/functions/v1/closed`
    const missing = await fetch(url, { method: 'POST' })
    expect([missing.status, await missing.json()]).toEqual([
      401,
      { code: 401, message: 'Missing authorization header' },
    ])
    const invalid = await fetch(url, { method: 'POST', headers: { authorization: 'Bearer a.b.c' } })
    expect([invalid.status, await invalid.json()]).toEqual([401, { code: 401, message: 'Invalid JWT' }])
    const preflight = await fetch(url, { method: 'OPTIONS' })
    expect(await preflight.json()).toMatchObject({ method: 'OPTIONS' })
    const { client } = await stack.user('function')
    expect(dataOf(await client.functions.invoke('closed', { body: {} }))).toMatchObject({ path: '/closed' })
  })

  it('that does not exist is not found', async () => {
    const response = await fetch(`${stack.url}/functions/v1/unknown`)
    expect([response.status, (await response.json()).code]).toEqual([404, 'NOT_FOUND'])
  })
})

describe('realtime', () => {
  it('gets websockets', async () => {
    const socket = new WebSocket(
      `${stack.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${keys.publishable}`,
    )
    const greeting = await new Promise((resolve) => socket.once('message', (data) => resolve(String(data))))
    expect(greeting).toBe('welcome')
    socket.terminate()
  })

  it('gets broadcasts over HTTP, with a key', async () => {
    const send = (headers: Record<string, string>) =>
      fetch(`${stack.url}/realtime/v1/api/broadcast`, { method: 'POST', headers, body: '{"messages":[]}' })
    expect((await send({})).status).toBe(401)
    expect((await send({ apikey: keys.secret })).status).toBe(202)
  })
})

describe('tokens signed with a key pair', () => {
  it('are verified by anybody with the published key set', async () => {
    const { client, id, token } = await stack.user('es256')
    expect(JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())).toMatchObject({
      alg: 'ES256',
      kid: 'test-key',
    })
    const { keys: published } = await (await fetch(`${stack.url}/auth/v1/.well-known/jwks.json`)).json()
    expect(published).toMatchObject([{ kid: 'test-key', kty: 'EC', crv: 'P-256', alg: 'ES256' }])
    expect(published[0]).not.toHaveProperty('d')
    const { claims, header } = dataOf(await client.auth.getClaims())
    expect([claims.sub, header.alg]).toEqual([id, 'ES256'])
  })

  it('are rejected when they name no algorithm or another key', () => {
    const signer = createTokenSigner({ ...keys, signingKey })
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    for (const header of [{ alg: 'none' }, { alg: 'ES256', kid: 'other' }, { alg: 'RS256' }]) {
      expect(() => signer.verify(`${encode(header)}.${encode({ role: 'service_role' })}.AAAA`)).toThrow()
    }
    const legacy = createTokenSigner(keys).sign({ role: 'anon' })
    expect(signer.verify(legacy)).toEqual({ role: 'anon' })
  })
})

describe('legacy keys', () => {
  it('of anon and service_role are accepted', async () => {
    const signer = createTokenSigner(keys)
    const admin = stack.client(signer.sign({ role: 'service_role', iss: 'supabase' }))
    expect((await admin.auth.admin.listUsers()).error).toBeNull()
    const anon = stack.client(signer.sign({ role: 'anon', iss: 'supabase' }))
    expect((await anon.auth.admin.listUsers()).error?.status).toBe(403)
  })
})

describe('when the database is killed', () => {
  it('every service responds again by itself, and no request waits for ever', async () => {
    const { client, id } = await stack.user('survivor')
    stack.killDatabase()
    const during = await Promise.all([
      client.from('nothing').select(),
      client.auth.getUser(),
      client.storage.from('media').list(id),
    ])
    for (const { error } of during) {
      if (error) expect('status' in error ? error.status : 503).not.toBe(500)
    }
    await expect.poll(async () => (await client.from('nothing').select()).status).toBe(404)
    await expect.poll(async () => (await client.auth.getUser()).data.user?.id).toBe(id)
    await expect.poll(async () => (await client.storage.from('x').list(id)).data).toEqual([])
  })
})

describe('content without an object', () => {
  it('that a killed process left is removed at the next start, and nothing else', async () => {
    const dir = join(stack.dir, 'storage')
    const stray = join(dir, 'objects', '00', '00000000-0000-4000-8000-000000000000')
    dataOf(await stack.admin.storage.createBucket('kept'))
    dataOf(await stack.admin.storage.from('kept').upload('a.txt', new Blob(['a'])))
    await mkdir(dirname(stray), { recursive: true })
    await writeFile(stray, 'stray')
    await writeFile(join(dir, 'incoming', 'half'), 'half')
    await stack.restart()
    await expect(access(stray)).rejects.toThrow('ENOENT')
    expect(await readdir(join(dir, 'incoming'))).toEqual([])
    const blob = dataOf(await stack.client(keys.secret).storage.from('kept').download('a.txt'))
    expect(await blob.text()).toBe('a')
  })
})

describe('stopping', () => {
  it('does not wait for websockets that stay open', async () => {
    const server = createServer()
    const port = await listen(server, 0)
    const open = new WebSocketServer({ noServer: true })
    server.on('upgrade', (request, socket, head) => open.handleUpgrade(request, socket, head, () => {}))
    const socket = new WebSocket(`ws://127.0.0.1:${port}`)
    await new Promise((resolve) => socket.once('open', resolve))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await stopServer(server, 10)
    await closed
  })
})

describe('warnings', () => {
  it('of Node stay as they are', async () => {
    const warned = new Promise((resolve) => process.once('warning', resolve))
    process.emitWarning(Object.assign(new Error('too many'), { name: 'TestWarning' }))
    expect(await warned).toMatchObject({ name: 'TestWarning', message: expect.stringContaining('too many') })
  })
})

describe('settings', () => {
  it('are read with the units of config.toml', () => {
    expect([parseSize('50MiB'), parseSize('1KB'), parseSize(7)]).toEqual([52428800, 1000, 7])
    expect([parseDuration('1m'), parseDuration('1h30m'), parseDuration('500ms')]).toEqual([60, 5400, 0.5])
    expect(() => parseSize('many')).toThrow('is not a size')
    expect(() => readConfig({ auth: { jwt_expiry: 'soon' } })).toThrow('jwt_expiry')
    expect(() => readConfig({ edge_runtime: { policy: 'fair' } })).toThrow('policy')
  })

  it('that name a taken port say so', async () => {
    const server = createServer()
    const port = await listen(server, 0)
    await expect(listen(createServer(), port)).rejects.toThrow(`Port ${port} is already in use`)
    await stopServer(server)
  })
})
