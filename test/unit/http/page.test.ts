import { createHash } from 'node:crypto'
import { html } from 'hono/html'
import { describe, expect, test } from 'vitest'
import { BodyMemory } from '../../../functions/_shared/http/body-memory.ts'
import { type PageOptions, page } from '../../../functions/_shared/http/page.ts'

const CONTENT = { title: 'Calls & more', style: '\n  h1 > b { color: red }\n', body: html`<h1>${'<b>'}</h1>` }

type Given = { address?: string; headers?: Record<string, string>; pagesUrl?: string; options?: PageOptions }

function show({
  address = 'https://project.example.edu/api/docs?a=1',
  headers,
  pagesUrl,
  options,
}: Given = {}) {
  const context = {
    functionName: 'api',
    requestId: 'an-invented-id',
    startedAt: 0,
    headers: new Headers(),
    memory: new BodyMemory(),
  }
  return page(
    CONTENT,
    { request: new Request(address, { headers }), context, environment: { pagesUrl } },
    options,
  )
}

describe('a page', () => {
  test('is a whole document whose contents are escaped', async () => {
    const text = await (await show()).text()
    expect(text).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(text).toContain('<title>Calls &amp; more</title>')
    expect(text).toContain('<h1>&lt;b&gt;</h1>')
  })

  test('lets the browser use its own style sheet and nothing else', async () => {
    const response = await show()
    const [, sheet = ''] = /<style>(.*)<\/style>/s.exec(await response.text()) ?? []
    expect(sheet).toBe('h1 > b { color: red }')
    const policy = response.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(sheet).digest('base64')}'`)
    expect(policy).not.toContain('unsafe')
  })

  test('has the headers of every response, is not kept, and is not framed', async () => {
    const { status, headers } = await show()
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'api-version': '2.0',
      'x-request-id': 'an-invented-id',
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
    })
  })

  test('takes a status and headers', async () => {
    const options = { status: 401, headers: { 'x-more': 'yes' } }
    const { status, headers } = await show({ options })
    expect([status, headers.get('x-more'), headers.getSetCookie()]).toEqual([401, 'yes', []])
  })
})

describe('a page that is seen elsewhere', () => {
  test.each([
    ['https://pages.example.edu', 'https://pages.example.edu/api/docs?a=1'],
    ['https://pages.example.edu/', 'https://pages.example.edu/api/docs?a=1'],
    ['https://www.example.edu/wellbeing', 'https://www.example.edu/wellbeing/api/docs?a=1'],
  ])('with pages at %s is led to under the same path', async (pagesUrl, location) => {
    const response = await show({ pagesUrl })
    expect([response.status, response.headers.get('location'), await response.text()]).toEqual([
      302,
      location,
      '',
    ])
    expect(response.headers.get('api-version')).toBe('2.0')
  })

  test.each([
    ['the address', { address: 'https://pages.example.edu/api/docs' }],
    ['X-Forwarded-Host', { headers: { 'x-forwarded-host': 'pages.example.edu' } }],
    ['X-Pages-Host', { headers: { 'x-pages-host': 'pages.example.edu' } }],
  ])('is shown when %s says that the request came from there', async (_, given) => {
    expect((await show({ ...given, pagesUrl: 'https://pages.example.edu' })).status).toBe(200)
  })

  test('is not shown for another host', async () => {
    const headers = { 'x-forwarded-host': 'pages.example.edu.attacker.example' }
    expect((await show({ headers, pagesUrl: 'https://pages.example.edu' })).status).toBe(302)
  })

  test('is led to again from nowhere else: only the set address is', async () => {
    const headers = { host: 'attacker.example', 'x-forwarded-host': 'attacker.example' }
    const response = await show({ headers, pagesUrl: 'https://pages.example.edu' })
    expect(response.headers.get('location')).toBe('https://pages.example.edu/api/docs?a=1')
  })
})
