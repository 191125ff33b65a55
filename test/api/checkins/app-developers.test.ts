import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { modulesOf } from '../../../harness/documentation.ts'
import { newStudent } from '../../../harness/factories/students.ts'
import type { Client as TestClient } from '../../../harness/stack/project.ts'
import { ROOT } from '../../../scripts/root.ts'

const project = inject('project')

/** What the modules of docs/app-developers.md export, as far as it is called here. */
type Page = {
  'client.ts': { connect(url: string, key: string): { supabase: TestClient; api: object } }
  'account.ts': { signIn(supabase: TestClient, email: string, password: string): Promise<string> }
  'consents.ts': {
    askAgain(supabase: TestClient): Promise<string[]>
    withdraw(supabase: TestClient, kind: string): Promise<Record<string, number> | undefined>
  }
  'check-in.ts': {
    checkIn(
      supabase: TestClient,
      api: object,
      recorded: { audio?: Blob; images: Blob[]; transcript?: string; mood?: number },
      onProgress: (share: number) => void,
    ): Promise<{ status: string; result?: { score: number } }>
  }
  'support-circle.ts': { iAmAllRight(supabase: TestClient): Promise<number | null> }
}

// Where the packages are found that an app has.
mkdirSync(join(ROOT, 'node_modules', '.cache'), { recursive: true })
const folder = mkdtempSync(join(ROOT, 'node_modules', '.cache', 'app-'))
afterAll(() => rmSync(folder, { recursive: true }))

for (const [name, code] of Object.entries(modulesOf('app-developers.md'))) {
  const runnable = stripTypeScriptTypes(code).replaceAll(/from '(\.\/[\w-]+)\.ts'/g, "from '$1.mjs'")
  writeFileSync(join(folder, name.replace('.ts', '.mjs')), runnable)
}

function load<Name extends keyof Page>(name: Name): Promise<Page[Name]> {
  return import(/* @vite-ignore */ join(folder, name.replace('.ts', '.mjs')))
}

test('the code of the page signs in, checks in by text, reads the result and withdraws', async () => {
  const student = await newStudent(project, ['text'])
  const { supabase, api } = (await load('client.ts')).connect(project.apiUrl, project.publishableKey)
  expect(await (await load('account.ts')).signIn(supabase, student.email, 'invented-password-1')).toBe(
    student.id,
  )

  const progress: number[] = []
  const transcript =
    'I walked to the lake with a friend this morning, and slept well for the first time in a week. '.repeat(3)
  const seen = await (await load('check-in.ts')).checkIn(
    supabase,
    api,
    { images: [], transcript, mood: 7 },
    (share) => progress.push(share),
  )
  expect(seen).toMatchObject({ status: 'complete', result: { score: expect.any(Number) } })
  expect(progress.at(-1)).toBe(1)

  const consents = await load('consents.ts')
  expect(await consents.askAgain(supabase)).toEqual([])
  expect(await consents.withdraw(supabase, 'text')).toMatchObject({ transcripts: 1 })
  expect(await (await load('support-circle.ts')).iAmAllRight(supabase)).toBeNull()
})
