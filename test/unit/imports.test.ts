import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const FUNCTIONS = 'functions/'
const SHARED = '_shared/'

/** Folders of `_shared` that are no domain: what meets HTTP, describes it, and reaches the project's own services. */
const INFRASTRUCTURE = ['http', 'openapi', 'platform']

type Import = { from: string; to: string; typeOnly: boolean }

/** Every module of the project, from its root. */
const everyModule = globSync(['**/*.{ts,tsx}', `${FUNCTIONS}${SHARED}**/*.js`], {
  cwd: ROOT,
  exclude: (name) => name === 'node_modules' || name === 'dist',
}).map((file) => file.replaceAll('\\', '/'))
const everyImport = everyModule.flatMap(importsOf).filter(({ to }) => !to.endsWith('.css'))

/** Those of the functions, from `functions/`. */
const imports: Import[] = everyImport
  .filter(({ from }) => from.startsWith(FUNCTIONS))
  .map(({ from, to, typeOnly }) => ({ from: fromFunctions(from), to: fromFunctions(to), typeOnly }))

function fromFunctions(module: string): string {
  return relative(FUNCTIONS, module)
}

/** Static and dynamic imports of a module from others of the project, types too. */
function importsOf(from: string): Import[] {
  const code = readFileSync(join(ROOT, from), 'utf8')
  const found = code.matchAll(
    /(?:^|\n)(?:import|export)( type)?\b[^'"`;=]*?from '(\.[^']+|local-supabase)'|\bimport\('(\.[^']+)'\)|(?:^|\n)import '(\.[^']+)'/g,
  )
  return [...found].map(([, type, named, dynamic, bare]) => ({
    from,
    to: moduleOf(dirname(from), named ?? dynamic ?? bare ?? ''),
    typeOnly: type !== undefined,
  }))
}

/** The module that a specifier names. AssemblyScript's leave out the end of the name. */
function moduleOf(folder: string, specifier: string): string {
  if (specifier === 'local-supabase') return 'local/index.ts'
  const path = join(folder, specifier)
  return /\.\w+$/.test(path) ? path : `${path}.ts`
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

test('the imports of the project are read', () => {
  expect(imports.length).toBeGreaterThan(500)
  expect(imports).toContainEqual({
    from: 'api/index.ts',
    to: '_shared/http/serve.ts',
    typeOnly: false,
  })
  const unknown = everyImport.filter(({ to }) => !everyModule.includes(to) && !/_vendor\/|\.json$/.test(to))
  expect(told(unknown)).toEqual([])
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
    const order = ['openapi', 'http', 'platform']
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
        !(/^api\/(routes|channels)\.ts$/.test(from) && /\/routes\.ts$/.test(to)),
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

  test.each([
    ['bench', 'test'],
    ['test', 'bench'],
    ['harness', 'test'],
    ['harness', 'bench'],
    ['demo', 'scripts'],
  ])('%s/ imports nothing from %s/', (tree, other) => {
    const wrong = everyImport.filter(
      ({ from, to }) => from.startsWith(`${tree}/`) && to.startsWith(`${other}/`),
    )
    expect(told(wrong)).toEqual([])
  })

  test('and never in a circle, of files nor of folders, types and lazy imports included', () => {
    expect(circles()).toEqual([])
  })
})

/**
 * Circles among what stands in one folder, files and folders alike: of each, an import that makes each step. Where there is
 * none, no files anywhere import each other in a circle either, since in the folder that holds them all it would show.
 */
function circles(): string[] {
  const next = new Map<string, Map<string, Import>>()
  for (const found of everyImport) {
    const [from, to] = siblingsOf(found)
    const steps = next.get(from) ?? new Map<string, Import>()
    next.set(from, steps.set(to, found))
  }
  const done = new Set<string>()
  const wrong: string[] = []
  function walk(place: string, path: { place: string; step: Import }[]): void {
    const start = path.findIndex((earlier) => earlier.place === place)
    if (start >= 0) {
      wrong.push(told(path.slice(start).map(({ step }) => step)).join(', '))
      return
    }
    if (done.has(place)) return
    for (const [to, step] of next.get(place) ?? []) walk(to, [...path, { place, step }])
    done.add(place)
  }
  for (const place of next.keys()) walk(place, [])
  return wrong
}

/** Where an import leaves and where it arrives, in the deepest folder that has both. */
function siblingsOf({ from, to }: Import): [string, string] {
  const [start, end] = [from.split('/'), to.split('/')]
  const depth = start.findIndex((name, i) => name !== end[i]) + 1
  return [start.slice(0, depth).join('/'), end.slice(0, depth).join('/')]
}
