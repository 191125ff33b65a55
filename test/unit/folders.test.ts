import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../../scripts/root.ts'

/** Imports between the folders at the top, types too: "bench → harness" with one example each. */
const arrows = new Map<string, string>()
for (const file of execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts'], {
  cwd: ROOT,
  encoding: 'utf8',
}).split('\n')) {
  if (file === '' || !existsSync(join(ROOT, file))) continue
  const code = readFileSync(join(ROOT, file), 'utf8')
  for (const [, path = ''] of code.matchAll(/(?:\bfrom|\bimport\(|^import) ?'(\.[^']+)'/gm)) {
    const target = normalize(join(dirname(file), path))
    const [from, to] = [topOf(file), topOf(target)]
    if (from !== to) arrows.set(`${from} → ${to}`, `${file} imports ${target}`)
  }
}

function topOf(path: string): string {
  return path.split('/', 1)[0] ?? path
}

test('no two folders at the top import each other', () => {
  expect(arrows.size).toBeGreaterThan(20)
  const both = [...arrows].filter(([arrow]) => arrows.has(arrow.split(' → ').reverse().join(' → ')))
  expect(both).toEqual([])
})

test('what tests and benchmarks share lies in harness/, which knows neither', () => {
  expect([...arrows.keys()]).not.toContain('bench → test')
  expect([...arrows.keys()]).not.toContain('harness → test')
  expect([...arrows.keys()]).not.toContain('harness → bench')
})
