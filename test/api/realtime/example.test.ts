import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SupabaseClient } from '@supabase/supabase-js'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { newSession, type Session, storeAnalysis, storeScore } from '../../../harness/factories/sessions.ts'
import { newStudent, type Student, secondDevice } from '../../../harness/factories/students.ts'
import { type Line, startLine } from '../../../harness/stack/breakable-connection.ts'
import { withDatabase } from '../../../harness/stack/project.ts'
import { ROOT } from '../../../scripts/root.ts'

type Message = { type: string; data: Record<string, unknown> }
type OpenSession = (
  supabase: SupabaseClient,
  session: Session,
  on: { message(message: Message): void; ready(): void; closed(): void },
) => Promise<{ send(type: string, data: object): Promise<string>; close(): Promise<unknown> }>

const project = inject('project')
const SOON = { timeout: 30_000 }
const openSession = await documented()
const lines: Line[] = []
const open: { close(): Promise<unknown> }[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((session) => session.close()))
  await Promise.all(lines.splice(0).map((line) => line.close()))
})

/** The example of `docs/realtime.md`, as it stands there. */
async function documented(): Promise<OpenSession> {
  const page = readFileSync(join(ROOT, 'docs', 'realtime.md'), 'utf8')
  const example = page
    .split('```ts\n')
    .map((part) => part.split('```')[0] ?? '')
    .find((code) => code.includes('export async function openSession'))
  const folder = mkdtempSync(join(tmpdir(), 'example-'))
  try {
    const file = join(folder, 'example.mjs')
    writeFileSync(file, stripTypeScriptTypes(example ?? ''))
    const module: { openSession: OpenSession } = await import(/* @vite-ignore */ file)
    return module.openSession
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Opens a session with the example and records what it calls back with. */
async function device(supabase: SupabaseClient, session: Session) {
  const seen = { messages: [] as Message[], ready: 0, closed: 0 }
  const opened = await openSession(supabase, session, {
    message: (message) => seen.messages.push(message),
    ready: () => {
      seen.ready += 1
    },
    closed: () => {
      seen.closed += 1
    },
  })
  open.push(opened)
  return { ...opened, seen }
}

/** The rows, read as the page says. */
async function rows({ client }: Student, session: Session) {
  const analyses = await client
    .from('session_analyses')
    .select('modality, analysis')
    .eq('session_id', session.id)
  const score = await client
    .from('session_scores')
    .select('fusion_score')
    .eq('session_id', session.id)
    .maybeSingle()
  return { analyses: analyses.data?.map(({ modality }) => modality), score: score.data?.fusion_score }
}

describe('the documented lines', () => {
  test('carry messages both ways in the shape of the former websocket', async () => {
    const student = await newStudent(project)
    const session = await newSession(student.client)
    const phone = await device(student.client, session)
    const tablet = await device(await secondDevice(project, student), session)
    await expect.poll(() => phone.seen.ready + tablet.seen.ready, SOON).toBe(2)

    expect(await phone.send('status_update', { status: 'processing' })).toBe('ok')
    expect(await phone.send('progress_update', { progress: 0.5 })).toBe('ok')
    expect(await phone.send('completion', { result: ['done'] })).toBe('ok')
    const of = { session_id: session.id }
    await expect
      .poll(() => tablet.seen.messages, SOON)
      .toEqual([
        { type: 'status_update', data: { ...of, status: 'processing' } },
        { type: 'progress_update', data: { ...of, progress: 0.5 } },
        { type: 'completion', data: { ...of, result: ['done'] } },
      ])

    await withDatabase(project, async (sql) => {
      await storeAnalysis(sql, student, session, 'audio')
      await storeScore(sql, student, session, 61)
      await sql`select private.broadcast_session_error(${session.id}, ${student.id}, '{"error": "Try again."}')`
    })
    await expect
      .poll(() => phone.seen.messages, SOON)
      .toMatchObject([
        { type: 'analysis_complete', data: { ...of, analysis_type: 'audio' } },
        { type: 'score_calculated', data: { ...of, score: 61 } },
        { type: 'error', data: { ...of, error: 'Try again.' } },
      ])
    expect(await rows(student, session)).toEqual({ analyses: ['audio'], score: { final_score: 61 } })
  })

  test('say again that they are ready after a break, with each message once', async () => {
    const line = await startLine(project.apiUrl)
    lines.push(line)
    const student = await newStudent(project)
    const session = await newSession(student.client)
    const phone = await device(await secondDevice({ ...project, apiUrl: line.apiUrl }, student), session)
    await expect.poll(() => phone.seen.ready, SOON).toBe(1)
    await withDatabase(project, async (sql) => {
      await storeAnalysis(sql, student, session, 'audio')
      await expect.poll(() => phone.seen.messages.length, SOON).toBe(1)
      line.cut()
      await storeScore(sql, student, session, 30)
    })
    line.mend()
    await expect.poll(() => phone.seen.ready, SOON).toBe(2)
    await expect
      .poll(() => phone.seen.messages.map(({ type }) => type), SOON)
      .toEqual(['analysis_complete', 'score_calculated'])
    expect(phone.seen.closed).toBe(0)
  })

  test('give up on somebody else’s session', async () => {
    const session = await newSession((await newStudent(project)).client)
    const stranger = await newStudent(project)
    const { seen } = await device(stranger.client, session)
    await expect.poll(() => seen.closed, SOON).toBe(1)
    expect(stranger.client.getChannels()).toEqual([])
    expect(seen).toEqual({ messages: [], ready: 0, closed: 1 })
  })

  test('say when they are closed', async () => {
    const student = await newStudent(project)
    const phone = await device(student.client, await newSession(student.client))
    await expect.poll(() => phone.seen.ready, SOON).toBe(1)
    await phone.close()
    expect(phone.seen.closed).toBe(1)
  })
})
