import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../../scripts/root.ts'

const PACKAGE = 'local-supabase'
const importing = /\b(?:from|import\() ?'([^']+)'|^import '([^']+)'/gm

/** Imports of the project's own files, outside `local/`, that reach the local platform, as file and specifier. */
function importsOfLocal(): [file: string, specifier: string][] {
  const folders = readdirSync(ROOT, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !/^(\.|node_modules$|local$)/.test(entry.name),
  )
  return folders.flatMap(({ name }) =>
    readdirSync(join(ROOT, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      .flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(importing)]
          .map(([, from, bare]) => from ?? bare ?? '')
          .filter((specifier) => reachesLocal(file, specifier))
          .map((specifier): [string, string] => [relative(ROOT, file), specifier]),
      ),
  )
}

function reachesLocal(file: string, specifier: string): boolean {
  if (!specifier.startsWith('.')) return specifier === PACKAGE || specifier.startsWith(`${PACKAGE}/`)
  return `${resolve(dirname(file), specifier)}/`.startsWith(join(ROOT, 'local/'))
}

test('the local platform is used through its public entry only', () => {
  const found = importsOfLocal()
  expect(found.length).toBeGreaterThan(5)
  expect(found.filter(([, specifier]) => specifier !== PACKAGE)).toEqual([])
})

test('what is deployed or seeds a database knows nothing of the local platform', () => {
  const product = /^(functions|sql|policies|seed|supabase|types)\//
  expect(importsOfLocal().filter(([file]) => product.test(file))).toEqual([])
})
