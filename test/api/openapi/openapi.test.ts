import { expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import { servedDocument } from '../../../harness/client/described-response.ts'
import { newStudent } from '../../../harness/factories/students.ts'

const project = inject('project')
const ADDRESS = `${project.apiUrl}/functions/v1/api`

test('the document is served to everybody, and from any page', async () => {
  const answer = await fetch(`${ADDRESS}/openapi.json`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
  expect(await answer.json()).toMatchObject({
    openapi: '3.1.1',
    servers: [{ url: `${project.apiUrl}/functions/v1` }],
  })
})

test('a reader who has the document is not sent it again', async () => {
  const first = await fetch(`${ADDRESS}/openapi.json`)
  await first.body?.cancel()
  const tag = first.headers.get('etag') ?? ''
  expect(tag).toMatch(/^"[0-9a-f]{64}"$/)
  for (const known of [tag, `W/${tag}`, `"another", ${tag}`]) {
    const again = await fetch(`${ADDRESS}/openapi.json`, { headers: { 'if-none-match': known } })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag])
  }
  const other = await fetch(`${ADDRESS}/openapi.json`, { headers: { 'if-none-match': '"another"' } })
  expect([other.status, (await other.text()).length > 1000]).toEqual([200, true])
})

test('every described call is there, and every other method is refused with the ones that are', async () => {
  const { token } = await newStudent(project, [])
  const { paths } = await servedDocument(project)
  for (const [template, item] of Object.entries(paths)) {
    // The calls that are functions by themselves take one method, whoever calls.
    const path = template.slice(1).replace(/\{\w+\}/g, crypto.randomUUID())
    if (!path.startsWith('api/') && !path.startsWith('checkins/')) continue
    const refused = await call(project, token, 'PATCH', path)
    expect(refused, template).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } })
    const allowed = refused.headers.get('allow')?.toLowerCase().split(', ')
    expect(allowed, template).toEqual(expect.arrayContaining(Object.keys(item)))
  }
})

test('an address that is not described has nothing', async () => {
  for (const path of ['api/auth', 'api/nothing', 'api/database/select/all', 'checkins', 'checkins/a/b/c']) {
    const answer = await call(project, null, 'POST', path, {})
    expect(answer, path).toMatchObject({ status: 404, body: { code: 'not_found' } })
  }
})

test('an address with a slash at its end is the same address', async () => {
  const answer = await fetch(`${ADDRESS}/openapi.json/`)
  await answer.body?.cancel()
  expect(answer.status).toBe(200)
})

test('who asks for the headers alone gets them', async () => {
  const answer = await fetch(`${ADDRESS}/openapi.json`, { method: 'HEAD' })
  expect([answer.status, await answer.text()]).toEqual([200, ''])
  expect(answer.headers.get('etag')).toMatch(/^"/)
})

test('a browser may ask from any page, with what the calls take', async () => {
  const answer = await fetch(`${ADDRESS}/database/select`, { method: 'OPTIONS' })
  expect(answer.status).toBe(204)
  expect(answer.headers.get('access-control-allow-methods')?.split(', ')).toEqual(
    expect.arrayContaining(['GET', 'POST', 'PUT', 'OPTIONS']),
  )
})

test('the pages show every call, run nothing and load nothing', async () => {
  const { paths, tags } = await servedDocument(project)
  const contents = await referencePage('')
  for (const call of Object.values(paths).flatMap((item) => Object.values(item))) {
    expect(contents).toContain(`#${call.operationId}"`)
  }
  const pages = await Promise.all(
    tags.map(({ name }) => referencePage(`?of=${name.toLowerCase().replace(/\W+/g, '-')}`)),
  )
  for (const call of Object.values(paths).flatMap((item) => Object.values(item))) {
    expect(
      pages.some((page) => page.includes(`<h2 id="${call.operationId}">`)),
      call.operationId,
    ).toBe(true)
  }
  expect(await referencePage('?q=%3Cscript%3Ealert(1)%3C%2Fscript%3E')).toContain('Nothing found')
})

async function referencePage(query: string): Promise<string> {
  const answer = await fetch(`${ADDRESS}/docs${query}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(answer.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-\S+'; /,
  )
  const page = await answer.text()
  expect(page).not.toMatch(/<script|\son\w+=|<(?:img|iframe|object|embed)\b|\ssrc=|@import|url\(/i)
  return page
}
