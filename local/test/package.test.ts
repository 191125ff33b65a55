import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, resolve, sep } from 'node:path'
import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }

const folder = resolve(import.meta.dirname, '..')

/** The end of an import from a module, or an import for its effect. */
const importing = /\bfrom '([^']+)'(?: with \{.*\})?$|^import '([^']+)'$/gm

/** What the package's files import, as file and specifier. */
function imports(within: string): { file: string; specifier: string }[] {
  return readdirSync(join(folder, within), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes(`${sep}node_modules${sep}`))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(importing)].map(([, from, bare]) => ({
        file,
        specifier: from ?? bare ?? '',
      })),
    )
}

const packageOf = (specifier: string) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')

test('no file of the package imports a file outside it', () => {
  const relative = imports('.').filter(({ specifier }) => specifier.startsWith('.'))
  expect(relative.length).toBeGreaterThan(100)
  const outside = relative.filter(
    ({ file, specifier }) => !resolve(dirname(file), specifier).startsWith(folder + sep),
  )
  expect(outside).toEqual([])
})

test('what it imports from other packages is in its own package.json', () => {
  const others = (within: string) =>
    imports(within)
      .map(({ specifier }) => specifier)
      .filter((specifier) => !specifier.startsWith('.') && !isBuiltin(specifier))
      .map(packageOf)
  const runtime = Object.keys(manifest.dependencies)
  expect(others('src').filter((name) => !runtime.includes(name))).toEqual([])
  const all = [...runtime, ...Object.keys(manifest.devDependencies)]
  expect(others('test').filter((name) => !all.includes(name))).toEqual([])
})
