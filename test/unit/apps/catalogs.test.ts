import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  isDateElement,
  isLiteralElement,
  isNumberElement,
  isPluralElement,
  isPoundElement,
  isSelectElement,
  isTagElement,
  isTimeElement,
  type MessageFormatElement,
  parse,
} from '@formatjs/icu-messageformat-parser'
import { parseSync } from 'vite'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../../../scripts/root.ts'

const LANGUAGES = ['en', 'de', 'es', 'fr', 'ar'] as const

type Catalog = Record<string, string>
type Source = { path: string; text: string }

const readJson = (path: string): Catalog => JSON.parse(readFileSync(path, 'utf8'))

function sourcesIn(...path: string[]): Source[] {
  const folder = join(ROOT, 'apps', ...path)
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('generated'))
    .map((file) => ({ path: join(...path, file), text: readFileSync(join(folder, file), 'utf8') }))
}

/** The folders of catalogs, one of the elements and of each area of an app. */
function foldersOf(app: string): string[] {
  if (app === 'ui') return [join(ROOT, 'apps', 'ui', 'catalogs')]
  const catalogs = join(ROOT, 'apps', app, 'src', 'catalogs')
  const areas = readdirSync(catalogs, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return areas.length === 0 ? [catalogs] : areas.map(({ name }) => join(catalogs, name))
}

const SOURCES = {
  ui: sourcesIn('ui'),
  student: sourcesIn('student', 'src'),
  staff: sourcesIn('staff', 'src'),
}
const FOLDERS = (['ui', 'student', 'staff'] as const).flatMap((app) =>
  foldersOf(app).map((folder) => ({ app, folder, name: folder.slice(ROOT.length + 1) })),
)

/** Name and kind of every argument of a message, such as `name: argument` and `files: plural`. */
function argumentsOf(elements: readonly MessageFormatElement[]): string[] {
  return elements.flatMap((element) => {
    if (isLiteralElement(element) || isPoundElement(element)) return []
    if (isTagElement(element)) return [`${element.value}: tag`, ...argumentsOf(element.children)]
    if (isPluralElement(element) || isSelectElement(element)) {
      const choices = Object.entries(element.options)
      const kind = isSelectElement(element) ? `select ${choices.map(([name]) => name).sort()}` : 'plural'
      return [`${element.value}: ${kind}`, ...choices.flatMap(([, { value }]) => argumentsOf(value))]
    }
    const isTime = isDateElement(element) || isTimeElement(element)
    return [`${element.value}: ${isNumberElement(element) ? 'number' : isTime ? 'time' : 'argument'}`]
  })
}

type Node = { type: string; [member: string]: unknown }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Every node of a file's syntax tree, with the one above. */
function* nodesOf(node: Node, parent: Node | null = null): Generator<[node: Node, parent: Node | null]> {
  yield [node, parent]
  for (const member of Object.values(node).flat()) if (isNode(member)) yield* nodesOf(member, node)
}

function* nodesIn({ path, text }: { path: string; text: string }) {
  const { program } = parseSync(path, text)
  if (isNode(program)) yield* nodesOf(program)
}

/** Whether a key could be meant by a text of the code: one with a period, or the fixed parts of one that is put together. */
function mentionsIn(sources: readonly Source[]): (key: string) => boolean {
  const mentioned = new Set<string>()
  const composed: RegExp[] = []
  for (const source of sources) {
    for (const [node] of nodesIn(source)) {
      if (node.type === 'Literal' && typeof node.value === 'string') mentioned.add(node.value)
      if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis)) continue
      const fixed = node.quasis.map(({ value }) => String(value.cooked).replaceAll('.', String.raw`\.`))
      if (fixed[0]?.includes('\\.')) composed.push(new RegExp(`^${fixed.join('.+')}$`))
    }
  }
  return (key) => mentioned.has(key) || composed.some((pattern) => pattern.test(key))
}

const isMentioned = mentionsIn(Object.values(SOURCES).flat())

/** Attributes whose text people read or hear: those of the app's own elements name a message. */
const READ =
  /^(aria-(label|description|roledescription|valuetext)|alt|placeholder|description|id|title|label|hint|question|submit|done|pending)$/

describe.each(FOLDERS)('the messages of $name', ({ app, folder }) => {
  const catalogOf = (language: string) => readJson(join(folder, `${language}.json`))
  const keys = Object.keys(catalogOf('en'))

  test.each(LANGUAGES)('%s has every message, in order, and nothing empty', (language) => {
    const catalog = catalogOf(language)
    expect(Object.keys(catalog)).toEqual(keys.toSorted())
    expect(Object.entries(catalog).filter(([, message]) => message.trim() === '')).toEqual([])
  })

  test.each(LANGUAGES)('%s has the arguments of English', (language) => {
    const argumentsIn = (catalog: Catalog) =>
      Object.fromEntries(
        Object.entries(catalog).map(([key, message]) => [
          key,
          [...new Set(argumentsOf(parse(message)))].sort(),
        ]),
      )
    expect(argumentsIn(catalogOf(language))).toEqual(argumentsIn(catalogOf('en')))
  })

  test('are all shown', () => {
    const isUsed = app === 'ui' ? isMentioned : mentionsIn([...SOURCES[app], ...SOURCES.ui])
    expect(keys.filter((key) => !isUsed(key))).toEqual([])
  })
})

describe.each(['student', 'staff'] as const)('the %s app', (app) => {
  const sources = [...SOURCES.ui, ...SOURCES[app]]
  const keys = [...foldersOf('ui'), ...foldersOf(app)].flatMap((folder) =>
    Object.keys(readJson(join(folder, 'en.json'))),
  )

  // The compiler checks those too that are put together: `npm run check`.
  test('has every message that it asks for, and each once', () => {
    const asked = sources.flatMap((source) =>
      [...nodesIn(source)].flatMap(([node]) => {
        const isMessage = node.type === 'CallExpression' && isNode(node.callee) && node.callee.name === 't'
        const [key] = isMessage && Array.isArray(node.arguments) ? node.arguments : []
        return isNode(key) && key.type === 'Literal' ? [String(key.value)] : []
      }),
    )
    expect(asked.length).toBeGreaterThan(0)
    expect(asked.filter((key) => !keys.includes(key))).toEqual([])
    expect(keys.length).toBe(new Set(keys).size)
  })

  test('has everything that people read from a catalog, by a key that is there', () => {
    const texts = sources.flatMap((source) =>
      [...nodesIn(source)].flatMap(([node, parent]) => {
        const text = typeof node.value === 'string' ? node.value : ''
        if (!/\p{L}/u.test(text)) return []
        if (node.type === 'JSXText') return [`${source.path}: ${text.trim()}`]
        if (node.type !== 'Literal') return []
        if (parent?.type !== 'JSXAttribute' || !isNode(parent.name)) {
          const isSentence = /\p{L} .*\p{L}/u.test(text) && parent?.type !== 'NewExpression'
          return isSentence ? [`${source.path}: ${text}`] : []
        }
        const isFault = READ.test(String(parent.name.name)) && !keys.includes(text)
        return isFault ? [`${source.path}: ${text}`] : []
      }),
    )
    expect(texts).toEqual([])
  })
})
