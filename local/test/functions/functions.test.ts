import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createProject, exists, type Project, until } from './project.ts'

const projects: Project[] = []
const project = (...args: Parameters<typeof createProject>): Project => {
  const made = createProject(...args)
  projects.push(made)
  return made
}
afterEach(async () => {
  await Promise.all(projects.splice(0).map((made) => made.dispose()))
})

const hello = `Deno.serve(() => new Response('hello'))`

describe('a function', () => {
  it('is started by its first request and keeps its process for the next', async () => {
    const { call, functions, events } = project({ hello, other: hello })
    expect(functions.pids()).toEqual({})
    expect(await (await call('hello')).text()).toBe('hello')
    const started = functions.pids()
    expect(await (await call('hello')).text()).toBe('hello')
    expect(functions.pids()).toEqual(started)
    expect(Object.keys(started)).toEqual(['hello'])
    expect(events.map(({ type }) => type)).toEqual(['booted'])
    expect(functions.isolates()).toMatchObject([{ name: 'hello', pid: started.hello, requests: 2 }])
  })

  it('is started once by requests that come at the same time', async () => {
    const { call, functions } = project({ hello })
    const responses = await Promise.all(Array.from({ length: 8 }, async () => (await call('hello')).text()))
    expect(responses).toEqual(Array(8).fill('hello'))
    expect(Object.keys(functions.pids())).toHaveLength(1)
  })

  it('finds the packages of deno.json and package.json in node_modules, without the network', async () => {
    const { call } = project({
      packages: `
        import { z } from 'zod'
        import { Hono } from 'hono'
        import { cors } from 'hono/cors'
        import postgres from 'postgres'
        const app = new Hono().use(cors())
        app.get('*', (c) => c.json([z.number().parse(1), typeof postgres]))
        Deno.serve(app.fetch)`,
    })
    expect(await (await call('packages')).json()).toEqual([1, 'function'])
  })

  it('cannot download what is not installed', async () => {
    const { call, logged } = project({
      remote: `import 'npm:left-pad@1.3.0'; Deno.serve(() => new Response())`,
    })
    const response = await call('remote')
    expect(response.status).toBe(503)
    expect(await response.json()).toEqual({
      code: 'BOOT_ERROR',
      message: 'Function failed to start (please check logs)',
    })
    expect(logged.join('\n')).toMatch(/left-pad/)
  })

  it('sees method, path, query, headers and body as sent, and responds with its own', async () => {
    const { call } = project({
      echo: `Deno.serve(async (r) => {
        const { pathname, search } = new URL(r.url)
        const headers = new Headers({ 'x-seen': r.headers.get('x-sent') ?? '' })
        headers.append('set-cookie', 'a=1'); headers.append('set-cookie', 'b=2')
        return new Response(JSON.stringify([r.method, pathname, search, await r.text()]), { status: 418, headers })
      })`,
    })
    const response = await call('echo', '/a/echo/b?x=1&y', {
      method: 'PATCH',
      body: 'grüße',
      headers: { 'x-sent': 'yes' },
    })
    expect(response.status).toBe(418)
    expect(response.headers.get('x-seen')).toBe('yes')
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(await response.json()).toEqual(['PATCH', '/echo/a/echo/b', '?x=1&y', 'grüße'])
  })

  it('streams bodies both ways', async () => {
    const { call } = project({ stream: `Deno.serve((r) => new Response(r.body))` })
    let send: ReadableStreamDefaultController<Uint8Array> | undefined
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        send = controller
      },
    })
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' }
    const responding = call('stream', '', init)
    send?.enqueue(new TextEncoder().encode('first'))
    const reader = (await responding).body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('first')
    send?.enqueue(new TextEncoder().encode('second'))
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('second')
    send?.close()
    expect((await reader?.read())?.done).toBe(true)
  })

  it('gets responses without a body through', async () => {
    const { call } = project({ empty: `Deno.serve(() => new Response(null, { status: 204 }))` })
    const response = await call('empty', '', { method: 'DELETE' })
    expect(response.status).toBe(204)
    expect(await response.text()).toBe('')
  })

  it('learns that the caller went away', async () => {
    const { call, logged } = project({
      waits: `Deno.serve((r) => new Promise((resolve) => {
        console.log('waiting')
        r.signal.addEventListener('abort', () => { console.log('caller left'); resolve(new Response()) })
      }))`,
    })
    const caller = new AbortController()
    const responding = call('waits', '', { signal: caller.signal })
    await until(() => logged.includes('waits: waiting'))
    caller.abort()
    await responding
    await until(() => logged.includes('waits: caller left'))
  })

  it('has the environment it is given and nothing of its parent', async () => {
    process.env.SECRET_OF_THE_PARENT = 'leaked'
    const { call } = project(
      { env: `Deno.serve(() => Response.json(Deno.env.toObject()))` },
      { env: { SUPABASE_URL: 'http://127.0.0.1:54321', NAME: 'given' } },
    )
    const seen = (await (await call('env')).json()) as Record<string, string>
    expect(seen).toMatchObject({ SUPABASE_URL: 'http://127.0.0.1:54321', NAME: 'given' })
    expect(
      Object.keys(seen)
        .filter((name) => !/^DENO_|^NO_COLOR$|^PATH$/.test(name))
        .sort(),
    ).toEqual(['NAME', 'SUPABASE_URL'])
    expect(JSON.stringify(seen)).not.toContain('leaked')
  })

  it('reads the env file at each start, below what the platform sets', async () => {
    const { root, call, functions } = project(
      { env: `Deno.serve(() => Response.json([Deno.env.get('OWN'), Deno.env.get('SUPABASE_URL')]))` },
      { env: { SUPABASE_URL: 'yes' } },
    )
    writeFileSync(join(root, '.env'), 'OWN="from file"\nSUPABASE_URL=no\n')
    expect(await (await call('env')).json()).toEqual(['from file', 'yes'])
    writeFileSync(join(root, '.env'), 'OWN=changed\n')
    functions.reload()
    expect(await (await call('env')).json()).toEqual(['changed', 'yes'])
  })

  it('may not write files, run programs, or read outside the project', async () => {
    const { call } = project({
      curious: `
        const denied = (work) => { try { work(); return 'allowed' } catch (error) { return error.name } }
        Deno.serve(() => Response.json([
          denied(() => Deno.writeTextFileSync('/tmp/written-by-function', 'x')),
          denied(() => new Deno.Command('/bin/true').outputSync()),
          denied(() => Deno.readTextFileSync('/etc/passwd')),
        ]))`,
    })
    expect(await (await call('curious')).json()).toEqual(['NotCapable', 'NotCapable', 'NotCapable'])
  })

  it('has its output in the log, line by line, under its name', async () => {
    const { call, logged } = project({
      talks: `Deno.serve(() => { console.log('one\\ntwo'); console.error('three'); return new Response() })`,
    })
    await call('talks')
    await until(() => logged.includes('talks: three'))
    expect(logged).toEqual(expect.arrayContaining(['talks: one', 'talks: two', 'talks: three']))
  })

  it('goes on after its response with what it handed to EdgeRuntime.waitUntil', async () => {
    const { call, logged } = project({
      later: `Deno.serve(() => {
        EdgeRuntime.waitUntil(Promise.resolve().then(() => { throw new Error('in the background') }))
        return new Response('responded')
      })`,
    })
    expect(await (await call('later')).text()).toBe('responded')
    await until(() => logged.some((line) => line.includes('in the background')))
    expect(await (await call('later')).text()).toBe('responded')
  })
})

describe('when a function fails', () => {
  it('fails the request in flight with 502 and starts it anew for the next', async () => {
    const { call, functions } = project({
      dies: `Deno.serve((r) => r.url.endsWith('/die') ? Deno.exit(3) : new Response('alive'))`,
    })
    expect(await (await call('dies')).text()).toBe('alive')
    const first = functions.pids().dies
    const response = await call('dies', '/die')
    expect(response.status).toBe(502)
    expect(await response.json()).toMatchObject({ code: 'WORKER_ERROR' })
    await until(() => Object.keys(functions.pids()).length === 0)
    expect(await (await call('dies')).text()).toBe('alive')
    expect(functions.pids().dies).not.toBe(first)
  })

  it('starts it anew when it was killed between two requests', async () => {
    const { call, functions } = project({ hello })
    await call('hello')
    const pid = functions.pids().hello ?? 0
    process.kill(pid, 'SIGKILL')
    await until(() => functions.pids().hello !== pid)
    expect(await (await call('hello')).text()).toBe('hello')
  })

  it('stops trying for a while when it keeps failing, and recovers once mended', async () => {
    const { call, write, functions } = project({ broken: `throw new Error('no')` })
    const responses: Response[] = []
    await until(async () => {
      const response = await call('broken')
      responses.push(response)
      return response.headers.has('retry-after')
    })
    expect(responses.every((response) => response.status === 503)).toBe(true)
    expect(responses.length).toBe(4)
    write('broken', hello)
    functions.reload()
    expect(await (await call('broken')).text()).toBe('hello')
  })

  it('responds with 504 when it takes longer than allowed, and serves the next request in the same process', async () => {
    const { call, functions, logged } = project(
      {
        slow: `Deno.serve((r) => r.url.endsWith('/forever') ? new Promise(() => {}) : new Response('quick'))`,
      },
      { limits: { requestMs: 3_000 } },
    )
    await (await call('slow')).text()
    const pid = functions.pids().slow
    const response = await call('slow', '/forever')
    expect(response.status).toBe(504)
    expect(await response.json()).toMatchObject({ code: 'IDLE_TIMEOUT' })
    expect(logged).toContain('slow: GET /slow/forever had no response within 3 s')
    expect(await (await call('slow')).text()).toBe('quick')
    expect(functions.pids().slow).toBe(pid)
  })

  it('says so when a function never listens', async () => {
    const { call, logged } = project({ deaf: `setInterval(() => {}, 1000)` }, { bootTimeoutMs: 500 })
    expect((await call('deaf')).status).toBe(503)
    expect(logged.join('\n')).toContain('does it call Deno.serve?')
  })

  it('responds with 404 for a function that does not exist or is disabled', async () => {
    const { call } = project(
      {},
      { functions: { off: { entrypoint: '../functions/off/index.ts', enabled: false } } },
    )
    expect((await call('off')).status).toBe(404)
    expect(await (await call('nothing')).json()).toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('the processes', { timeout: 60_000 }, () => {
  it('serve the new code after a change when watched', async () => {
    const { call, write } = project({ hello }, { watch: true })
    expect(await (await call('hello')).text()).toBe('hello')
    write('hello', `Deno.serve(() => new Response('changed'))`)
    await until(async () => (await (await call('hello')).text()) === 'changed')
  })

  it('finish the request in flight when outdated', async () => {
    const { call, functions, logged } = project({
      hello: `let go; const gate = new Promise((r) => { go = r })
        Deno.serve(async (r) => { if (r.url.endsWith('/go')) { go(); return new Response('gone') }
          console.log('entered'); await gate; return new Response(String(Deno.pid)) })`,
    })
    await call('hello', '/go')
    const old = functions.pids().hello
    const slow = call('hello')
    await until(() => logged.includes('hello: entered'))
    functions.reload()
    expect(await (await slow).text()).toBe(String(old))
    await until(() => !exists(old ?? 0))
  })

  it('are gone after stop(), and later requests are rejected', async () => {
    const { call, functions } = project({
      hello,
      stubborn: `Deno.addSignalListener('SIGTERM', () => {}); ${hello}`,
    })
    await Promise.all([call('hello'), call('stubborn')])
    const pids = Object.values(functions.pids())
    expect(pids).toHaveLength(2)
    await functions.stop()
    expect(pids.filter(exists)).toEqual([])
    expect((await call('hello')).status).toBe(503)
  })

  it('can be stopped while they start', async () => {
    const { call, functions, logged } = project({
      deaf: `console.log('starting'); setInterval(() => {}, 1000)`,
    })
    const responding = call('deaf')
    await until(() => logged.includes('deaf: starting'))
    await functions.stop()
    expect((await responding).status).toBe(503)
  })

  it('do not outlive a parent that was killed', async () => {
    const { root, dispose } = createProject({ hello })
    const script = join(root, 'parent.ts')
    writeFileSync(
      script,
      `import { createFunctions } from '${new URL('../../src/functions/server.ts', import.meta.url).pathname}'
       const functions = createFunctions({ root: ${JSON.stringify(root)}, env: {}, dataDir: ${JSON.stringify(join(root, '.stack'))},
         functions: { hello: { entrypoint: '../functions/hello/index.ts' } }, log: () => {} })
       const signal = new AbortController().signal
       await functions.handle('hello', { method: 'GET', url: 'http://x/hello', headers: new Headers(), body: null, signal })
       process.stdout.write(String(functions.pids().hello))
       setInterval(() => {}, 1000)`,
    )
    const parent = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
    const pid = await new Promise<number>((resolve) =>
      parent.stdout.once('data', (data) => resolve(Number(data))),
    )
    expect(exists(pid)).toBe(true)
    parent.kill('SIGKILL')
    await until(() => !exists(pid))
    await dispose()
  })
})
