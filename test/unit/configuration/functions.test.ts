import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { ROOT } from '../../../scripts/root.ts'

const { functions } = z
  .object({
    functions: z.record(
      z.string(),
      z.object({ verify_jwt: z.literal(false), entrypoint: z.string(), import_map: z.string() }),
    ),
  })
  .parse(parse(readFileSync(join(ROOT, 'supabase', 'config.toml'), 'utf8')))

test('every function folder is declared in config.toml, and nothing else', () => {
  const folders = readdirSync(join(ROOT, 'functions'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('_') && entry.name !== 'node_modules')
    .map(({ name }) => name)
  expect(Object.keys(functions).sort()).toEqual(folders.sort())
})

test.each(Object.entries(functions))(
  '%s has its entrypoint and import map where config.toml says',
  (name, paths) => {
    expect(paths.entrypoint).toBe(`../functions/${name}/index.ts`)
    for (const path of [paths.entrypoint, paths.import_map])
      expect(existsSync(join(ROOT, 'supabase', path))).toBe(true)
  },
)

test('what a quarantine can name is every function, and nothing else', () => {
  const declared = readFileSync(join(ROOT, 'sql', 'incidents', 'refused-calls.sql'), 'utf8')
  const [list = ''] = declared.split('private.is_edge_function(name text)')[1]?.split('])') ?? []
  expect([...list.matchAll(/'([a-z-]+)'/g)].map(([, name]) => name)).toEqual(Object.keys(functions).sort())
})
