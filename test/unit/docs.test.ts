import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** What `npm ci` or a developer makes, and a clean checkout does not have. */
const GENERATED = [/^functions\/_vendor\//, /^vendor\/assets(\/|$)/, /^supabase\/functions\/\.env$/]

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...markdownIn('docs'),
  ...markdownIn('local').filter((page) => page.endsWith('README.md')),
]

function markdownIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`)
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** The page without blocks of code, in which brackets and backticks mean something else. */
const proseOf = (page: string) => read(page).replace(/^```.*?^```$/gms, '')

/** Anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): Set<string> {
  const headings = [...proseOf(page).matchAll(/^#+ +(.+)$/gm)].map(([, heading = '']) => heading)
  const seen = new Map<string, number>()
  return new Set(
    headings.map((heading) => {
      const slug = heading
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-')
      const count = seen.get(slug) ?? 0
      seen.set(slug, count + 1)
      return count === 0 ? slug : `${slug}-${count}`
    }),
  )
}

/** Why a link of a page leads nowhere; `null` when it leads somewhere. */
function problemOf(page: string, link: string): string | null {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path))
  if (!existsSync(join(ROOT, target))) return `${link}: there is no ${target}`
  if (anchor === undefined || !target.endsWith('.md')) return null
  return anchorsOf(target).has(anchor) ? null : `${link}: ${target} has no such heading`
}

describe.each(PAGES)('%s', (page) => {
  test('has links that lead somewhere', () => {
    const links = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^[a-z]+:/.test(link))
    expect(links.map((link) => problemOf(page, link)).filter((problem) => problem !== null)).toEqual([])
  })

  test('names npm scripts that exist', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'))
    const named = [...read(page).matchAll(/npm run (?:-s |--silent )?([a-z][\w:-]*)/g)].map(
      ([, name = '']) => name,
    )
    expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([])
  })

  test('names paths that exist', () => {
    const folders = 'functions|sql|policies|supabase|seed|demo|scripts|vendor|local|test|bench|docs|types'
    const path = new RegExp(`^(?:\\.ci|${folders})/[\\w./-]*$`)
    // A package's own README names paths from its own folder, and `supabase/…` of whatever project it runs.
    const base = dirname(page) === 'docs' ? '.' : dirname(page)
    const named = [...proseOf(page).matchAll(/`([^`\n]+)`/g)]
      .map(([, code = '']) => code)
      .filter((code) => path.test(code) && GENERATED.every((generated) => !generated.test(code)))
      .filter((code) => base === '.' || !code.startsWith('supabase/'))
    const missing = (code: string) =>
      !existsSync(join(ROOT, code)) && (base === '.' || !existsSync(join(ROOT, base, code)))
    expect([...new Set(named)].filter(missing)).toEqual([])
  })
})

test('docs/README.md leads to every page', () => {
  const linked = [...read('docs/README.md').matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name]) => `docs/${name}`)
  expect(markdownIn('docs').filter((page) => page !== 'docs/README.md' && !linked.includes(page))).toEqual([])
})

test('docs/scaling.md has the tables that follow from its inputs', () => {
  execFileSync(process.execPath, [join(ROOT, 'scripts', 'scaling.ts'), '--check'], { stdio: 'pipe' })
})

test('.env.example has every variable that the functions read', () => {
  const schema = read('functions/_shared/http/environment.ts')
  const names = [...schema.matchAll(/^ +([A-Z][A-Z\d_]+): (?:z\b|keys\b)/gm)].map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(15)
  const example = read('.env.example')
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(example))).toEqual([])
})
