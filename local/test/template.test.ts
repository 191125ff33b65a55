import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { expect, test } from 'vitest'
import { freePorts, makeTemplate, startStack } from '../index.ts'
import { createProject } from './project.ts'

test('stacks begin with a copy of a template, migrated and seeded, and leave it as it is', async () => {
  const project = createProject()
  const template = mkdtempSync(join(tmpdir(), 'template-'))
  await makeTemplate({ root: project.root, dataDir: template })
  for (const name of ['one', 'other']) {
    const [port = 0, dbPort = 0, inboxPort = 0] = await freePorts(3)
    const options = { root: project.root, dataDir: join(template, name), durable: false, template }
    const stack = await startStack({ ...options, port, dbPort, inboxPort })
    const sql = postgres(stack.databaseUrl, { max: 1 })
    const notes = await sql`select body from public.notes`
    await sql`delete from public.notes`
    await sql.end()
    await stack.stop()
    expect(notes).toEqual([{ body: 'a seeded note' }])
    expect(stack.fresh).toBe(true)
  }
  rmSync(template, { recursive: true, force: true })
  project.remove()
})
