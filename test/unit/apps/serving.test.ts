import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type AppName, hasApp, serveApp } from '../../../demo/apps.ts'

const SERVICE = { apiUrl: 'http://127.0.0.1:54321', publishableKey: 'sb_publishable_invented' }

function builtApp(): string {
  const dist = mkdtempSync(join(tmpdir(), 'app-'))
  onTestFinished(() => rmSync(dist, { recursive: true }))
  mkdirSync(join(dist, 'assets'))
  writeFileSync(join(dist, 'index.html'), '<!doctype html><title>App</title>')
  writeFileSync(join(dist, 'sw.js'), '')
  writeFileSync(join(dist, 'assets', 'index-a1b2c3d4.js'), '')
  return dist
}

async function serve(dist: string, port = 0, app: AppName = 'student') {
  const server = await serveApp(app, SERVICE, { port, dist })
  onTestFinished(() => void server.close())
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return { port: address.port, get: (path: string) => fetch(`http://127.0.0.1:${address.port}${path}`) }
}

describe("the students' app on a stack", () => {
  test('is told which service it is for', async () => {
    const { get } = await serve(builtApp())
    const response = await get('/config.json')
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toEqual({
      url: SERVICE.apiUrl,
      publishableKey: SERVICE.publishableKey,
    })
  })

  test.each(['/', '/config.json', '/assets/index-a1b2c3d4.js', '/nowhere'])(
    'runs no script, style or frame but its own, and calls its service alone: %s',
    async (path) => {
      const { headers } = await (await serve(builtApp())).get(path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
      expect(policy).toContain("connect-src 'self' http://127.0.0.1:54321 ws://127.0.0.1:54321;")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('permissions-policy')).toContain('camera=(self), microphone=(self)')
    },
  )

  test('staff record nothing: their app may use no camera and no microphone', async () => {
    const { headers } = await (await serve(builtApp(), 0, 'staff')).get('/')
    expect(headers.get('permissions-policy')).toContain('camera=(), microphone=()')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  })

  test('is kept by browsers where a name says what is in the file, and is asked for again otherwise', async () => {
    const { get } = await serve(builtApp())
    const cachingOf = async (path: string) => (await get(path)).headers.get('cache-control')
    expect(await cachingOf('/assets/index-a1b2c3d4.js')).toContain('immutable')
    for (const path of ['/', '/sw.js', '/config.json']) expect(await cachingOf(path)).toBe('no-cache')
    expect((await get('/assets/nowhere.js')).status).toBe(404)
  })

  test('is served as it is built anew meanwhile', async () => {
    const dist = builtApp()
    const { get } = await serve(dist)
    writeFileSync(join(dist, 'assets', 'index-e5f6a7b8.js'), 'new')
    expect(await (await get('/assets/index-e5f6a7b8.js')).text()).toBe('new')
  })

  test('says what to do when its port is in use, or it was never built', async () => {
    const dist = builtApp()
    const { port } = await serve(dist)
    await expect(serve(dist, port)).rejects.toThrow(`Port ${port} is in use`)
    await expect(serve(dist, port)).rejects.toThrow('--app-port')
    expect(hasApp('student', dist)).toBe(true)
    expect(hasApp('student', join(dist, 'nowhere'))).toBe(false)
  })
})
