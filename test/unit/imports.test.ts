import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const FUNCTIONS = join(import.meta.dirname, '../../functions')
const SHARED = '_shared/'

/** Folders of `_shared` that are no domain: what meets HTTP, describes it, and reaches the project's own services. */
const INFRASTRUCTURE = ['http', 'openapi', 'supabase']

type Import = { from: string; to: string; typeOnly: boolean }

const modules = globSync(['**/*.ts', '_shared/**/*.js'], { cwd: FUNCTIONS }).map((file) =>
  file.replaceAll('\\', '/'),
)
const imports: Import[] = modules.flatMap(importsOf)

/** Static and dynamic imports of a module within `functions/`, types too. */
function importsOf(from: string): Import[] {
  const code = readFileSync(join(FUNCTIONS, from), 'utf8')
  const found = code.matchAll(
    /(?:^|\n)(?:import|export)( type)?\b[^'"`;=]*?from '(\.[^']+)'|\bimport\('(\.[^']+)'\)|(?:^|\n)import '(\.[^']+)'/g,
  )
  return [...found].map(([, type, named, dynamic, bare]) => ({
    from,
    to: relative(FUNCTIONS, resolve(FUNCTIONS, dirname(from), named ?? dynamic ?? bare ?? '')),
    typeOnly: type !== undefined,
  }))
}

/** The folder of `_shared` that a module is in; null for its loose files and for the functions. */
function folderOf(module: string): string | null {
  return module.startsWith(SHARED) ? (module.slice(SHARED.length).match(/^[^/]+(?=\/)/)?.[0] ?? null) : null
}

function isDomain(module: string): boolean {
  const folder = folderOf(module)
  return folder !== null && !INFRASTRUCTURE.includes(folder)
}

const told = (wrong: Import[]) => wrong.map(({ from, to }) => `${from} imports ${to}`)

test('the imports of the functions are read', () => {
  expect(imports.length).toBeGreaterThan(500)
  expect(imports).toContainEqual({
    from: 'api/index.ts',
    to: '_shared/http/serve.ts',
    typeOnly: false,
  })
  const unknown = imports.filter(({ to }) => !to.startsWith('..') && !/_vendor\//.test(to))
  expect(told(unknown.filter(({ to }) => !modules.includes(to)))).toEqual([])
})

describe('imports go one way', () => {
  test('nothing shared imports a function', () => {
    const wrong = imports.filter(({ from, to }) => from.startsWith('_') && !/^(?:_|\.\.)/.test(to))
    expect(told(wrong)).toEqual([])
  })

  test('nothing shared imports what is outside but the types of the database', () => {
    const wrong = imports.filter(
      ({ to, typeOnly }) => to.startsWith('..') && !(typeOnly && to === '../types/database.ts'),
    )
    expect(told(wrong)).toEqual([])
  })

  test('http, the clients of the project and the description know no domain', () => {
    const wrong = imports.filter(
      ({ from, to }) => INFRASTRUCTURE.includes(folderOf(from) ?? '') && isDomain(to),
    )
    expect(told(wrong)).toEqual([])
  })

  test('the description builds on http, never the reverse, and the clients on neither', () => {
    const order = ['openapi', 'http', 'supabase']
    const wrong = imports.filter(({ from, to }) => {
      const [first, second] = [order.indexOf(folderOf(from) ?? ''), order.indexOf(folderOf(to) ?? '')]
      return first >= 0 && second >= 0 && second < first
    })
    expect(told(wrong)).toEqual([])
  })

  test('a domain imports neither http nor the description', () => {
    const wrong = imports.filter(
      ({ from, to }) => isDomain(from) && ['http', 'openapi'].includes(folderOf(to) ?? ''),
    )
    expect(told(wrong)).toEqual([])
  })

  test('what all share imports no folder', () => {
    const wrong = imports.filter(({ from, to }) => /^_shared\/[^/]+$/.test(from) && folderOf(to) !== null)
    expect(told(wrong)).toEqual([])
  })

  test('a function imports of another one its routes alone', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        !from.startsWith('_') &&
        !/^(?:_|\.\.)/.test(to) &&
        from.split('/')[0] !== to.split('/')[0] &&
        !(from === 'api/routes.ts' && /\/routes\.ts$/.test(to)),
    )
    expect(told(wrong)).toEqual([])
  })

  test('the routes of a function, which the description loads, import none of its handlers', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        /^(?!_|api\/)[^/]+\/routes\.ts$/.test(from) &&
        (!to.startsWith(SHARED) || /\/http\/(?!route\.ts)/.test(to)),
    )
    expect(told(wrong)).toEqual([])
  })

  test('and never in a circle, types and lazy imports included', () => {
    expect(circles()).toEqual([])
  })
})

/** Every circle of imports that a walk from each module finds, as a path. */
function circles(): string[] {
  const next = new Map<string, string[]>()
  for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to])
  const done = new Set<string>()
  const found: string[] = []
  function walk(module: string, path: string[]): void {
    if (path.includes(module)) {
      found.push([...path.slice(path.indexOf(module)), module].join(' → '))
      return
    }
    if (done.has(module)) return
    for (const to of next.get(module) ?? []) walk(to, [...path, module])
    done.add(module)
  }
  for (const module of modules) walk(module, [])
  return found
}
