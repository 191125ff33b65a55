import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { route } from '../../../functions/_shared/http/route.ts'
import { openApiDocumentOf } from '../../../functions/_shared/openapi/document.ts'
import {
  curlExample,
  type ShownCall,
  supabaseExample,
} from '../../../functions/_shared/openapi/reference/examples.ts'
import { referencePage } from '../../../functions/_shared/openapi/reference/page.ts'
import { ROUTES } from '../../../functions/api/routes.ts'

const SERVER = 'https://wellbeing.example.edu/functions/v1'
const document = openApiDocumentOf(ROUTES, 'https://wellbeing.example.edu')
const calls = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, call]): [string, ShownCall] => [
    `${method.toUpperCase()} ${path}`,
    { method, path, route: call },
  ]),
)

const borrow = route({
  id: 'borrow',
  method: 'post',
  path: '/shelf/{book}',
  tag: 'Data',
  summary: 'Borrows <a book>',
  security: 'user',
  params: z.object({ book: z.string() }),
  query: z.object({ page: z.int().optional(), by: z.object({ author: z.string() }).optional() }),
  body: z.object({ note: z.string().max(50).describe('A `note`, <b>short</b>'), tags: z.array(z.string()) }),
  response: z.object({ due: z.iso.date().nullable().describe('When it is due') }),
  example: {
    params: { book: 'jane eyre' },
    query: { page: 2, by: { author: 'Brontë' } },
    body: { note: `It's "mine"\n\\o/`, tags: ['a', "b'c"] },
  },
})
const shelf = openApiDocumentOf([borrow], 'https://wellbeing.example.edu')
const shown = { method: 'post', path: borrow.path, route: shelf.paths[borrow.path]?.post }

/** What a line of code asks supabase-js for. */
async function invoked(code: string): Promise<unknown[]> {
  const given: unknown[] = []
  const invoke = (...args: unknown[]) => {
    given.push(...args)
    return {}
  }
  const supabase = { functions: { invoke } }
  const run = new Function('supabase', `return (async () => { ${code} })()`)
  await run(supabase)
  return given
}

describe('an example', () => {
  test('with supabase-js asks for the call, whatever its texts hold', async () => {
    if (!shown.route) throw new Error('The call is not described')
    const code = supabaseExample({ ...shown, route: shown.route }) ?? ''
    expect(await invoked(code)).toEqual([
      'shelf/jane%20eyre?page=2&by%5Bauthor%5D=Bront%C3%AB',
      { body: borrow.example.body },
    ])
  })

  test('with curl is quoted so that a shell takes it whole', () => {
    if (!shown.route) throw new Error('The call is not described')
    expect(curlExample(SERVER, { ...shown, route: shown.route }).split(' \\\n  ')).toEqual([
      `curl -X POST '${SERVER}/shelf/jane%20eyre?page=2&by%5Bauthor%5D=Bront%C3%AB'`,
      "-H 'Authorization: Bearer <access token>'",
      "-H 'Content-Type: application/json'",
      `-d '{"note":"It'\\''s \\"mine\\"\\n\\\\o/","tags":["a","b'\\''c"]}'`,
    ])
  })

  test.each(calls)('of %s is code that runs', async (_, call) => {
    const code = supabaseExample(call)
    if (code === null) return
    const [name, options] = await invoked(code)
    expect(`/${name}`.replace(/\?.*/, '')).toMatch(
      new RegExp(`^${call.path.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`),
    )
    const body = Object.values(call.route.requestBody?.content ?? {})[0]?.example
    expect(options ?? {}).toEqual({
      ...(call.method !== 'post' && { method: call.method.toUpperCase() }),
      ...(body !== undefined && { body }),
    })
  })
})

describe('the page', () => {
  const text = String(referencePage(shelf).body)

  test('escapes what the descriptions hold, and shows code as code', () => {
    expect(text).toContain('Borrows &lt;a book&gt;')
    expect(text).toContain('A <code>note</code>, &lt;b&gt;short&lt;/b&gt;')
    expect(text).not.toContain('<b>')
  })

  test('says of each field its type, its bounds and whether it may be left out', () => {
    expect(text).toMatch(/<code>note<\/code><\/td>\s*<td>string, 50 characters at most<\/td>/)
    expect(text).toMatch(/<code>due<\/code><\/td>\s*<td>string \(date\) or null<\/td>/)
    expect(text).toMatch(/<code>page<\/code> <span class="may">optional<\/span>/)
    expect(text).toMatch(/<td>array of string<\/td>/)
  })

  test('leads from the list to each call', () => {
    expect(text).toContain('<a href="#borrow">POST /shelf/{book}</a>')
    expect(text).toContain('<h3 id="borrow">')
  })
})
