import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { route } from '../../../functions/_shared/http/route.ts'
import { openApiDocumentOf } from '../../../functions/_shared/openapi/document.ts'
import type { OpenApiDocument } from '../../../functions/_shared/openapi/openapi.ts'
import {
  curlExample,
  type ShownCall,
  supabaseExample,
} from '../../../functions/_shared/openapi/reference/examples.ts'
import { type Asked, referencePage } from '../../../functions/_shared/openapi/reference/page.ts'
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

describe('the page of a heading', () => {
  const text = textOf(shelf, { of: 'data' })

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

  test('has its calls in the contents at its side', () => {
    expect(text).toContain('<a href="#borrow">Borrows &lt;a book&gt;</a>')
    expect(text).toContain('<h2 id="borrow">')
  })

  test('is one that there is: another one is told from it by its status', () => {
    expect(referencePage(shelf, { of: 'data', q: '' }).status).toBe(200)
    expect(referencePage(shelf, { of: 'date', q: '' }).status).toBe(404)
    expect(textOf(shelf, { of: 'date' })).toContain('There is no such heading.')
  })
})

describe('the contents', () => {
  test('lead to each call', () => {
    expect(textOf(shelf)).toContain('<li id="borrow"><a href="?of=data#borrow">POST /shelf/{book}</a>')
  })

  test('have the calls of the database apart, after all others', () => {
    const text = textOf(document)
    const headings = [...text.matchAll(/<section class="([^"]*)" aria-labelledby="calls-([^"]+)">/g)]
    expect(headings.at(-1)?.slice(1)).toEqual(['apart', 'workers'])
    expect(headings.slice(0, -1).every(([, apart]) => apart === '')).toBe(true)
    const ofDatabase = calls.filter(([, { route }]) => route.security.some((one) => 'databaseSecret' in one))
    expect(ofDatabase.map(([name, { route }]) => [name, route.tags])).toEqual(
      ofDatabase.map(([name]) => [name, ['Workers']]),
    )
  })

  test('and the pages of all headings have each link that another page has, and no text twice', () => {
    const pages = new Map(
      ['', ...namesOfHeadings(textOf(document))].map((of) => [of, textOf(document, { of })]),
    )
    const links = [...pages].flatMap(([of, text]) =>
      [...text.matchAll(/href="(?:\?of=([^"#]*))?(?:#([^"]+))?"/g)].map(([, to = of, anchor]) => ({
        to,
        anchor,
      })),
    )
    const dead = links.filter(({ to, anchor }) => {
      const text = pages.get(to)
      return text === undefined || (anchor !== undefined && !text.includes(`id="${anchor}"`))
    })
    expect(dead).toEqual([])
    for (const text of pages.values()) {
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
      expect(new Set(ids).size).toBe(ids.length)
    }
  })
})

describe('a search', () => {
  test.each([
    ['a path', '/shelf/{book}'],
    ['a summary, whatever its case', 'BORROWS'],
    ['the name of a call', 'borrow'],
    ['a parameter', 'author'],
    ['a field of the body', 'note'],
    ['a field of the response', 'due'],
    ['an error', 'body_too_large'],
    ['words of different places', 'borrows short'],
  ])('finds %s', (_, q) => {
    expect(textOf(shelf, { q })).toContain('<a href="?of=data#borrow">')
  })

  test('says which field or error it was that has the words', () => {
    expect(textOf(shelf, { q: 'due' })).toContain('field <code>due</code>: When it is due')
    expect(textOf(shelf, { q: 'body_too_large' })).toContain('error <code>body_too_large</code>')
  })

  test('finds nothing where one of the words is missing, and shows words as they were written', () => {
    const text = textOf(shelf, { q: '<b>"borrows" elsewhere' })
    expect(text).toContain('Nothing found for “&lt;b&gt;&quot;borrows&quot; elsewhere”')
    expect(text).not.toContain('<b>')
    expect(text).not.toContain('#borrow')
  })

  test('has first what says the word itself, and the calls of the database last', () => {
    const text = textOf(document, { q: 'analyses' })
    const [others = '', ofDatabase = ''] = text.split('Called by the database alone')
    expect(ofDatabase).toContain('POST /pipeline-audio')
    expect(others).not.toContain('POST /pipeline-audio')
    expect(others.indexOf('POST /analyze-audio')).toBeLessThan(others.indexOf('class="part"'))
  })
})

function textOf(of: OpenApiDocument, asked: Partial<Asked> = {}): string {
  return String(referencePage(of, { of: '', q: '', ...asked }).body)
}

function namesOfHeadings(contents: string): string[] {
  return [...contents.matchAll(/aria-labelledby="calls-([^"]+)"/g)].map(([, of = '']) => of)
}
