import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { afterAll, expect, inject, test, vi } from 'vitest'
import type { Upload } from '../../../functions/_shared/checkins/start.ts'
import { call } from '../../../harness/client/call.ts'
import { modulesOf } from '../../../harness/documentation.ts'
import { speech, start } from '../../../harness/factories/check-ins.ts'
import { newStudent } from '../../../harness/factories/students.ts'
import type { Client as TestClient } from '../../../harness/stack/project.ts'
import { ROOT } from '../../../scripts/root.ts'

const project = inject('project')

/** What the modules of docs/app-developers.md export, as far as it is called here. */
type Page = {
  'client.ts': { connect(url: string, key: string): { supabase: TestClient; api: object } }
  'account.ts': { signIn(supabase: TestClient, email: string, password: string): Promise<string> }
  'before-sign-in.ts': {
    universityOf(api: object, email: string): Promise<{ id: string } | null>
    consentTexts(
      api: object,
      languages: string,
    ): Promise<{ kind: string; version: string; language: string }[]>
  }
  'profile.ts': { tellWhere(supabase: TestClient, userId: string): Promise<void> }
  'resumable-upload.ts': {
    uploadResumably(
      url: string,
      place: Upload,
      file: object,
      onProgress: (share: number) => void,
    ): Promise<void>
  }
  'open-check-in.ts': {
    openCheckIn(
      supabase: TestClient,
      api: object,
      onProgress: (share: number) => void,
    ): Promise<{ id: string; status: string; uploads?: { audio: object | null } } | null>
  }
  'failure-reasons.ts': {
    failureReasons(
      supabase: TestClient,
      language: string,
    ): Promise<Map<string, { title: string; advice: string }>>
  }
  'history.ts': {
    history(api: object, days: number): Promise<{ id: string; source: string; score: number | null }[]>
  }
  'consents.ts': {
    agree(supabase: TestClient, kinds: string[], version: string): Promise<string[]>
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

test('the code of the page shows what to agree to, sends a recording that resumes, and finds the check-in on another device', async () => {
  const student = await newStudent(project, [])
  const { supabase, api } = (await load('client.ts')).connect(project.apiUrl, project.publishableKey)
  const { universityOf, consentTexts } = await load('before-sign-in.ts')
  expect(await universityOf(api, student.email)).toMatchObject({ id: 'northfield' })
  expect(await universityOf(api, 'robin@example.org')).toBeNull()
  const [text] = await consentTexts(api, 'de-AT,en')
  expect(text).toMatchObject({ kind: 'audio', language: 'de' })

  await (await load('account.ts')).signIn(supabase, student.email, 'invented-password-1')
  await (await load('profile.ts')).tellWhere(supabase, student.id)
  const { agree } = await load('consents.ts')
  expect(await agree(supabase, ['audio', 'camera'], text?.version ?? '')).toEqual(['audio', 'camera'])

  const { openCheckIn } = await load('open-check-in.ts')
  const open = () => openCheckIn(supabase, api, () => {})
  expect(await open()).toBeNull()
  const { id, uploads } = await start(project, student)
  if (!uploads.audio) throw new Error('There is no upload address')
  const shares: number[] = []
  const { bytes, type } = speech('short.m4a')
  // In Node tus-js-client takes a buffer, in browsers a file.
  const file = Object.assign(Buffer.from(bytes), { type })
  const { uploadResumably } = await load('resumable-upload.ts')
  await uploadResumably(project.apiUrl, uploads.audio, file, (share) => shares.push(share))
  expect(shares.at(-1)).toBe(1)
  expect(await open()).toMatchObject({
    id,
    status: 'created',
    uploads: { audio: { bytes: bytes.length, content_type: type } },
  })

  const completed = await call(project, student.token, 'POST', `checkins/${id}/complete`, {})
  expect(completed.status).toBe(200)
  const ended = await open()
  expect(ended === null || ended.status === 'complete').toBe(true)
  await vi.waitFor(async () => expect(await open()).toBeNull(), 20_000)
  const entries = await (await load('history.ts')).history(api, 31)
  expect(entries).toMatchObject([{ id, source: 'check_in', score: expect.any(Number) }])
  const reasons = await (await load('failure-reasons.ts')).failureReasons(supabase, 'de')
  expect(reasons.get('silent')?.advice).toMatch(/Mikrofon/)
})
