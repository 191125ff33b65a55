import { afterEach, describe, expect, it } from 'vitest'
import { limitsOf } from '../../src/functions/limits.ts'
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

/** Burns `?cpu=` milliseconds, holds `?mb=`, works on for `?later=` milliseconds of CPU, and tells of `beforeunload`. */
const worker = `
  import process from 'node:process'
  const held = []
  async function burn(ms) {
    // In slices, so that an event can come in between.
    for (let left = ms; left > 0; left -= 20) {
      const from = process.cpuUsage()
      while (process.cpuUsage(from).user + process.cpuUsage(from).system < 20_000);
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }
  addEventListener('beforeunload', (event) => console.log('beforeunload', event.detail.reason))
  let release
  const gate = new Promise((resolve) => { release = resolve })
  Deno.serve(async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    const figure = (name) => Number(searchParams.get(name) ?? 0)
    if (pathname.endsWith('/release')) { release(); return new Response('released') }
    if (figure('mb')) held.push(new Uint8Array(figure('mb') * 1e6).fill(1))
    await burn(figure('cpu'))
    if (searchParams.has('later')) {
      EdgeRuntime.waitUntil(burn(figure('later')).then(() => console.log('later done')))
    }
    if (searchParams.has('gate')) {
      console.log('waiting')
      if (searchParams.has('background')) EdgeRuntime.waitUntil(gate)
      else await gate
    }
    return new Response(String(Deno.pid))
  })`

const text = async (response: Promise<Response>): Promise<string> => (await response).text()
const generous = { cpuMs: 60_000, memoryMb: 1000 }

describe('an isolate', { timeout: 60_000 }, () => {
  it('is measured from its start, boot included, over all its requests', async () => {
    const { call, functions, events } = project({ worker }, { limits: generous })
    await text(call('worker', '?cpu=200'))
    const [first] = functions.isolates()
    await text(call('worker', '?cpu=200'))
    const [second] = functions.isolates()
    expect(events[0]).toMatchObject({ type: 'booted', name: 'worker', requests: 1 })
    expect(events[0]?.cpuMs).toBeGreaterThan(0)
    expect(first?.cpuMs).toBeGreaterThanOrEqual(200)
    expect(second?.cpuMs).toBeGreaterThanOrEqual(400)
    expect(second?.mainThreadMs).toBeGreaterThanOrEqual(400)
    expect(second).toMatchObject({ pid: first?.pid, requests: 2, inFlight: 0 })
  })

  it('is retired at half of its CPU time, finishes its request, and ends; the next request has a new one', async () => {
    const { call, events, functions, logged } = project({ worker }, { limits: { cpuMs: 1200 } })
    const pid = await text(call('worker', '?cpu=700'))
    expect(await text(call('worker'))).not.toBe(pid)
    await until(() => !exists(Number(pid)))
    await until(() => events.some(({ type }) => type === 'ended'))
    expect(events.slice(0, 2)).toMatchObject([{ type: 'booted' }, { type: 'retired', reason: 'cpu' }])
    expect(logged).toContain('worker: beforeunload early_drop')
    expect(logged.join('\n')).toMatch(
      /worker: isolate \d+ retired \(cpu\): \d+ ms of CPU, \d+ MB, [\d.]+ s, 1 requests/,
    )
    expect(functions.counts().worker).toMatchObject({ retired: { cpu: 1 }, ended: { EarlyDrop: 1 } })
  })

  it('gets beforeunload with the reason cpu near its limit, and is killed at it, with 546 for its request', async () => {
    const { call, events, logged } = project({ worker }, { limits: { cpuMs: 1000 } })
    const response = await call('worker', '?cpu=5000')
    expect(response.status).toBe(546)
    expect(await response.json()).toEqual({
      code: 'WORKER_RESOURCE_LIMIT',
      message: 'Function failed due to not having enough compute resources (please check logs)',
    })
    expect(logged).toContain('worker: beforeunload cpu')
    await until(() => events.some(({ type }) => type === 'ended'))
    const ended = events.at(-1)
    expect(ended).toMatchObject({ type: 'ended', reason: 'CPUTime', inFlight: 1 })
    expect(ended?.cpuMs).toBeGreaterThanOrEqual(1000)
    expect(ended?.cpuMs).toBeLessThan(2500)
    expect((await call('worker')).status).toBe(200)
  })

  it('is killed in the middle of what it does after its response', async () => {
    const { call, events, logged } = project({ worker }, { limits: { cpuMs: 1000 } })
    expect((await call('worker', '?later=5000')).status).toBe(200)
    await until(() => events.some(({ type }) => type === 'ended'))
    expect(events.at(-1)).toMatchObject({ reason: 'CPUTime', inFlight: 0 })
    expect(logged).not.toContain('worker: later done')
  })

  it('finishes its background work when it is retired', async () => {
    const { call, events, logged } = project({ worker }, { limits: { cpuMs: 2000 } })
    await text(call('worker', '?cpu=1050&later=200'))
    await until(() => events.some(({ type }) => type === 'ended'))
    expect(events.at(-1)).toMatchObject({ reason: 'EarlyDrop' })
    expect(logged).toContain('worker: later done')
    expect(logged.indexOf('worker: beforeunload early_drop')).toBeGreaterThan(
      logged.indexOf('worker: later done'),
    )
  })

  it('is retired at half of its memory once it has no request, and killed at the whole', async () => {
    const { call, events, functions } = project({ worker }, { limits: { memoryMb: 200, cpuMs: 60_000 } })
    const pid = await text(call('worker', '?mb=110'))
    await until(() => !exists(Number(pid)))
    await until(() => events.at(-1)?.type === 'ended')
    expect(events.at(-1)).toMatchObject({ reason: 'EarlyDrop' })
    expect(events.at(-1)?.memoryMb).toBeGreaterThan(110)
    expect((await call('worker', '?mb=260&gate')).status).toBe(546)
    await until(() => functions.isolates().length === 0)
    expect(functions.counts().worker).toMatchObject({
      retired: { memory: 1 },
      ended: { EarlyDrop: 1, Memory: 1 },
    })
  })

  it('is killed when its heap is full', async () => {
    const { call, events } = project(
      { hoards: `Deno.serve(() => { const all = []; for (;;) all.push({ a: [all.length] }) })` },
      // What V8 has not collected yet counts from outside, so that may come before V8 gives up; both are Memory.
      { limits: { cpuMs: 60_000, memoryMb: 64 } },
    )
    expect((await call('hoards')).status).toBe(546)
    await until(() => events.at(-1)?.type === 'ended')
    expect(events.at(-1)).toMatchObject({ reason: 'Memory' })
  })

  it('is retired at half of its age, warned near the whole, and killed at it', async () => {
    const { call, events, functions, logged } = project({ worker }, { limits: { wallMs: 6000 } })
    expect((await call('worker', '?gate')).status).toBe(546)
    expect(logged).toContain('worker: beforeunload wall_clock')
    await until(() => events.at(-1)?.type === 'ended')
    expect(functions.counts().worker).toEqual({
      booted: 1,
      retired: { wall_clock: 1 },
      ended: { WallClockTime: 1 },
    })
  })

  it('has no limits where they are switched off', async () => {
    expect(limitsOf(false)).toMatchObject({ cpuMs: Infinity, memoryMb: Infinity, wallMs: Infinity })
    const { call, events, functions } = project({ worker }, { limits: false })
    await text(call('worker', '?mb=300'))
    await text(call('worker'))
    expect(events.map(({ type }) => type)).toEqual(['booted'])
    expect(functions.isolates()).toMatchObject([{ retired: false, requests: 2 }])
  })
})

describe('requests that come at the same time', { timeout: 60_000 }, () => {
  it('share one isolate under per_worker', async () => {
    const { call, functions, logged } = project({ worker }, { runtimePolicy: 'per_worker', limits: generous })
    const waiting = [call('worker', '?gate'), call('worker', '?gate')]
    await until(() => logged.filter((line) => line === 'worker: waiting').length === 2)
    expect(functions.isolates()).toMatchObject([{ inFlight: 2 }])
    await text(call('worker', '/release'))
    expect(new Set(await Promise.all(waiting.map(text))).size).toBe(1)
  })

  it('share it with what goes on after a response, in both modes', async () => {
    for (const runtimePolicy of ['per_worker', 'oneshot'] as const) {
      const { call } = project({ worker }, { runtimePolicy, limits: generous })
      const pid = await text(call('worker', '?gate&background'))
      expect(await text(call('worker'))).toBe(pid)
      await text(call('worker', '/release'))
    }
  })

  it('have an isolate each under oneshot, which later ones reuse', async () => {
    const { call, functions, logged } = project({ worker }, { runtimePolicy: 'oneshot', limits: generous })
    const waiting = [call('worker', '?gate'), call('worker', '?gate'), call('worker', '?gate')]
    await until(() => logged.filter((line) => line === 'worker: waiting').length === 3)
    const isolates = functions.isolates()
    expect(isolates.map(({ inFlight }) => inFlight)).toEqual([1, 1, 1])
    functions.end('worker', 'SIGKILL', isolates[0]?.pid)
    functions.end('worker', 'cpu', isolates[1]?.pid)
    expect((await Promise.all(waiting.slice(0, 2))).map(({ status }) => status).sort()).toEqual([502, 546])
    functions.end('worker', 'memory', isolates[2]?.pid)
    await Promise.all(waiting)
    const pid = await text(call('worker'))
    expect(await text(call('worker'))).toBe(pid)
  })

  it('wait for one another under oneshot when there are as many isolates as allowed', async () => {
    const { call, functions, logged } = project(
      { worker },
      { runtimePolicy: 'oneshot', maxParallelism: 1, limits: generous },
    )
    const first = call('worker', '?cpu=300')
    const others = [call('worker'), call('worker'), call('worker')]
    const pids = await Promise.all([first, ...others].map(text))
    expect(new Set(pids).size).toBe(1)
    expect(functions.counts().worker?.booted).toBe(1)
    const blocked = call('worker', '?gate')
    await until(() => logged.includes('worker: waiting'))
    const queued = call('worker')
    functions.end('worker', 'cpu')
    expect((await blocked).status).toBe(546)
    expect(await text(queued)).not.toBe(pids[0])
  })
})

describe('an isolate that a test ends', { timeout: 60_000 }, () => {
  it('as retired gets beforeunload, no new request, and ends with its work', async () => {
    const { call, functions, events, logged } = project({ worker }, { limits: generous })
    const pid = await text(call('worker', '?gate&background'))
    expect(functions.end('worker', 'retire')).toBe(true)
    await until(() => logged.includes('worker: beforeunload cpu'))
    expect(await text(call('worker'))).not.toBe(pid)
    expect(exists(Number(pid))).toBe(true)
    expect(functions.end('worker', 'memory', Number(pid))).toBe(true)
    await until(() => events.some(({ type }) => type === 'ended'))
    expect(functions.counts().worker).toMatchObject({ retired: { cpu: 1 }, ended: { Memory: 1 } })
  })

  it('ends with the reason of each limit, and by a signal as one that ended by itself', async () => {
    const { call, functions } = project({ worker }, { limits: generous })
    const reasons = {
      cpu: 'CPUTime',
      memory: 'Memory',
      wall_clock: 'WallClockTime',
      SIGKILL: 'Exited',
    } as const
    for (const [how, reason] of Object.entries(reasons) as [keyof typeof reasons, string][]) {
      await text(call('worker'))
      expect(functions.end('worker', how)).toBe(true)
      await until(() => functions.isolates().length === 0)
      expect(functions.counts().worker?.ended).toHaveProperty(reason, 1)
    }
    expect(functions.end('worker', 'cpu')).toBe(false)
    expect(functions.end('unknown', 'cpu')).toBe(false)
  })
})
