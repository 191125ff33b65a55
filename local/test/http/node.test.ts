import { describe, expect, it } from 'vitest'
import { addressOf, rejectionOf } from '../../src/http/node.ts'

const statusOf = (method: string, url: string, ...host: string[]) =>
  rejectionOf({ method, url, headersDistinct: { host }, rawHeaders: [] })?.[0] ?? null

describe('the front of the gateway', () => {
  it.each([
    ['GET', '/functions/v1/api/docs', '127.0.0.1:54321'],
    ['POST', '//functions/v1', 'project.example.edu'],
    ['GET', 'http://elsewhere.example.edu/rest/v1/', '[::1]:54321'],
  ])('lets %s %s for %s through', (method, url, host) => {
    expect(statusOf(method, url, host)).toBeNull()
  })

  it('rejects methods that echo or tunnel', () => {
    expect(statusOf('TRACE', '/', '127.0.0.1')).toBe(405)
    expect(statusOf('CONNECT', '/', '127.0.0.1')).toBe(405)
  })

  it.each(['', 'a b', 'a/b', 'ada@example.edu', '<script>', 'host:port', '\u00ff'])(
    'rejects the host %j',
    (host) => {
      expect(statusOf('GET', '/', host)).toBe(400)
    },
  )

  it('rejects no host and two', () => {
    expect(statusOf('GET', '/')).toBe(400)
    expect(statusOf('GET', '/', '127.0.0.1', '127.0.0.1')).toBe(400)
  })

  it('rejects more headers than a function takes', () => {
    const rawHeaders = Array.from({ length: 101 }, (_, index) => [`x-${index}`, '']).flat()
    const request = { method: 'GET', url: '/', headersDistinct: { host: ['127.0.0.1'] } }
    expect(rejectionOf({ ...request, rawHeaders })?.[0]).toBe(431)
    expect(rejectionOf({ ...request, rawHeaders: rawHeaders.slice(0, 40) })).toBeNull()
  })

  it('rejects an address that is none', () => {
    expect(statusOf('GET', 'http://[::1', '127.0.0.1')).toBe(400)
  })

  it('takes two slashes for a path, not for a host', () => {
    expect(new URL(addressOf('//evil.example.edu/x', 'http://127.0.0.1')).host).toBe('127.0.0.1')
  })
})
