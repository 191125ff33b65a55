import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApiDocumentOf } from '../../../functions/_shared/openapi/document.ts'
import { CHANNELS } from '../../../functions/api/channels.ts'
import { ROUTES } from '../../../functions/api/routes.ts'
import { modulesOf } from '../../../harness/documentation.ts'
import { ROOT } from '../../../scripts/root.ts'
import { generateApiTypes } from '../../../scripts/types/api-types.ts'
import { NULLABLE } from '../../../scripts/types/declared.ts'
import { generateShapes } from '../../../scripts/types/shapes.ts'

/** Where modules of the project are found, and git sees nothing. */
const CACHE = join(ROOT, 'node_modules', '.cache')

/** As strict as an app may be; the types of what it imports are checked too. */
const OPTIONS = {
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  // supabase-js names types of Node.
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: false,
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const types = read('types/database.ts')

let folder = ''
let api = ''

beforeAll(async () => {
  mkdirSync(CACHE, { recursive: true })
  folder = mkdtempSync(join(CACHE, 'client-'))
  const document = openApiDocumentOf(ROUTES, 'https://wellbeing.example.edu', CHANNELS)
  api = await generateApiTypes(JSON.parse(JSON.stringify(document)))
})

afterAll(() => rmSync(folder, { recursive: true }))

test('a client of the generated types compiles, that of the pages too, without leaving out what libraries declare', async () => {
  const files: Record<string, string> = {
    'package.json': '{"type": "module"}',
    'tsconfig.json': JSON.stringify({ compilerOptions: OPTIONS, include: ['.'] }),
    'api.ts': api,
    'types/database.ts': types,
    'types/shapes.ts': read('types/shapes.ts'),
    'use.ts': read('test/unit/types/client.txt'),
    ...modulesOf('app-developers.md'),
    ...modulesOf('checkins.md'),
    ...modulesOf('errors.md'),
  }
  mkdirSync(join(folder, 'types'))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  const compiled = await promisify(execFile)('tsc', ['--project', folder]).catch((error) => error)
  const faults = String(compiled.stdout).match(/^\S+\(\d+,\d+\): error .*$/gm) ?? []
  // auth-js has a fault of its own with the DOM of TypeScript 7.
  expect(faults.filter((fault) => !fault.startsWith('node_modules/@supabase/auth-js/'))).toEqual([])
})

/** Of the first app that was written on the service without the package: 624 lines. */
const MOST_LINES = 310

test(`an app's side of the service is written in at most ${MOST_LINES} lines with the package, and the page says in how many`, () => {
  const modules = Object.entries(modulesOf('app-developers.md'))
  const lines = modules.flatMap(([name, code]) => [`// ${name}`, ...code.split('\n')]).filter(Boolean)
  expect(lines.length).toBeLessThanOrEqual(MOST_LINES)
  const [, said] = read('docs/app-developers.md').match(/, (\d+) lines,/) ?? []
  expect(said).toBe(`${lines.length}`)
})

test('what is left to the reader has a name', () => {
  // What openapi-typescript writes of headers, which are many more than those that are described.
  const described = api.replaceAll('[name: string]: unknown', '').replaceAll(/\/\*.*?\*\/|"[^"]*"/gs, '')
  // Lists within free lists: a type may refer to itself through members alone.
  expect(described.match(/\bunknown\b.{0,2}/g)).toEqual(['unknown[]'])
  expect(described.match(/\bany;|\{\};|__schema\d/g)).toBeNull()
})

test('the tables and functions have a type for all that they hold', () => {
  const untyped = types
    .split('\n')
    .filter((line) => /^\s+\w+\??: (?:Json|unknown)\b|Returns: Json/.test(line))
  expect(untyped, 'say in scripts/types/declared.ts what it holds').toEqual([])
})

test('what a function or view returns says what of it may be null', () => {
  const functions = [...types.matchAll(/^ {12}(\w+): \{\n(?:(?! {12}\w).*\n)*?.*Returns: \{/gm)]
  const undeclared = functions.filter(([, name]) => !Object.hasOwn(NULLABLE, `public.${name}()`))
  expect(
    undeclared.map(([, name]) => name),
    'say in scripts/types/declared.ts what may be null',
  ).toEqual([])
  expect(functions.length).toBeGreaterThan(8)
})

test('what a function returns the rows of says what of them may be null', () => {
  const rows = new Set([...types.matchAll(/\["CompositeTypes"\]\["(\w+)"\]/g)].map(([, name]) => name))
  expect([...rows].filter((name) => !Object.hasOwn(NULLABLE, `public.${name}`))).toEqual([])
  expect(rows.size).toBeGreaterThan(1)
})

test('types/shapes.ts is what the descriptions of the calls say', async () => {
  expect(await generateShapes()).toBe(read('types/shapes.ts'))
})

test('every event that the database sends is described', () => {
  const sql = [
    'sessions/results',
    'realtime/channels',
    'pipeline/results',
    'scoring/tables',
    'checkins/submission',
  ]
  const sent = sql.flatMap((file) =>
    [...read(`sql/${file}.sql`).matchAll(/broadcast_(?:check_in|session)\(\s*\w+, '(\w+)'/g)].map(
      ([, event]) => event,
    ),
  )
  const described = CHANNELS.flatMap(({ receive }) => Object.keys(receive))
  expect([...new Set(sent)].filter((event) => !described.includes(event ?? ''))).toEqual([])
  expect(sent.length).toBeGreaterThan(5)
})
