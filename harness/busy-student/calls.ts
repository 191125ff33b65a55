import { setTimeout as pause } from 'node:timers/promises'
import type postgres from 'postgres'
import { type Recording, upload } from '../../demo/mobile-client.ts'
import type { StartedCheckIn } from '../../functions/_shared/checkins/start.ts'
import { send } from '../client/call.ts'
import { start } from '../factories/check-ins.ts'
import { analyzed, newSessionId, requests } from '../factories/sessions.ts'
import type { Student } from '../factories/students.ts'
import type { Project } from '../stack/project.ts'

/** One kind of call that a student can make. */
export type Call = {
  name: string
  /** How many of them a minute allows. */
  perMinute: number
  /** Makes one; its status. */
  make(): Promise<number>
}

/**
 * Calls a minute straight to the Data API and to Storage, which have no limit of the product's own: what `/api/database/*`
 * allows for the same.
 */
const DIRECT_PER_MINUTE = 100

/** Every analysis of it finds a crisis. */
const CRISIS = 'I cannot go on like this. I want to kill myself tonight, and I have written the note already.'

/** All calls of a student, each with the limit that the project has for it. */
export async function callsOf(
  project: Project,
  student: Student,
  recording: Recording,
  sql: postgres.Sql,
): Promise<Call[]> {
  const { client, token, id } = student
  const rules = await sql<{ scope: string; a_minute: number }[]>`
    select scope, (requests * 60 / extract(epoch from period))::integer as a_minute from private.rate_limit_rules`
  const limitOf = (scope: string): number => {
    const rule = rules.find((found) => found.scope === scope)
    if (!rule) throw new Error(`There is no rate limit ${scope}`)
    return rule.a_minute
  }
  const request = async (method: string, path: string, body?: unknown) => {
    const response = await send(project, token, method, path, body)
    await response.body?.cancel()
    return response.status
  }
  const limited = (scope: string, name: string, make: () => Promise<number>): Call => ({
    name,
    perMinute: limitOf(scope),
    make,
  })
  const direct = (name: string, make: () => PromiseLike<{ status: number }>): Call => ({
    name,
    perMinute: DIRECT_PER_MINUTE,
    make: async () => (await make()).status,
  })
  const session = await newSessionId(student)
  for (const name of ['analyze-audio', 'analyze-visual', 'analyze-text'] as const) {
    await analyzed(project, student, name, session)
  }
  let newest = (await start(project, student)).id
  const folder = `northfield/students/${id}`
  const note = () => new Blob(['%PDF-1.4\n', new Uint8Array(100_000)], { type: 'application/pdf' })

  return [
    limited('check-in-start', 'check-ins with crisis words', async () => {
      const response = await send(project, token, 'POST', 'checkins/start', { type: 'daily' })
      if (response.status !== 200) return response.status
      const started: StartedCheckIn = await response.json()
      newest = started.id
      await upload(client, started, recording)
      return request('POST', `checkins/${started.id}/complete`, { transcript: CRISIS, mood_score: 1 })
    }),
    limited('check-in-get', 'GET check-in', () => request('GET', `checkins/${newest}`)),
    limited('analyze-audio', 'analyze-audio', async () =>
      request('POST', 'analyze-audio', await requests['analyze-audio'](session)),
    ),
    limited('analyze-visual', 'analyze-visual', async () =>
      request('POST', 'analyze-visual', await requests['analyze-visual'](session)),
    ),
    // A new session each time: a source of risk that is not known yet.
    limited('analyze-text', 'analyze-text, crisis', async () => {
      const started = await client
        .from('assessment_sessions')
        .insert({ assessment_type: 'daily' })
        .select('id')
        .single()
      if (started.error) return started.status
      return request('POST', 'analyze-text', { sessionId: started.data.id, conversationText: CRISIS })
    }),
    limited('calculate-wellbeing-score', 'calculate-wellbeing-score', () =>
      request('POST', 'calculate-wellbeing-score', { sessionId: session }),
    ),
    limited('textmodel', 'api/textmodel, crisis', () =>
      request('POST', 'api/textmodel/analyze-text', { transcript: `${CRISIS} ${crypto.randomUUID()}` }),
    ),
    limited('data-api', 'api/database/select', () =>
      request('POST', 'api/database/select', { table: 'checkin.check_ins', limit: 1000 }),
    ),
    limited('bulk', 'api/database/insert, 2 rows', () =>
      request('POST', 'api/database/insert', {
        table: 'assessment_sessions',
        data: [{ assessment_type: 'daily' }, { assessment_type: 'daily' }],
      }),
    ),
    limited('file-upload', 'api/storage/upload', async () => {
      const form = new FormData()
      form.set('file', note(), `${crypto.randomUUID()}.pdf`)
      form.set('university_id', 'northfield')
      const response = await fetch(`${project.apiUrl}/functions/v1/api/storage/upload`, {
        method: 'POST',
        headers: { apikey: project.publishableKey, authorization: `Bearer ${token}` },
        body: form,
      })
      await response.body?.cancel()
      return response.status
    }),
    direct('REST, check-ins with results', () =>
      client.schema('checkin').from('check_ins').select('*, fusion_results(*)').limit(1000),
    ),
    direct('REST, a new session', () =>
      client.from('assessment_sessions').insert({ assessment_type: 'daily' }),
    ),
    direct('REST, the own name', () =>
      client.from('profiles').update({ first_name: 'Busy' }).eq('user_id', id),
    ),
    limited('privacy', 'api/privacy/exports', () => request('POST', 'api/privacy/exports', {})),
    direct('RPC, review_queue', () => client.rpc('review_queue')),
    direct('Storage, a file', async () => {
      const { error } = await client.storage
        .from('university-files')
        .upload(`${folder}/${crypto.randomUUID()}.pdf`, note(), { contentType: 'application/pdf' })
      return { status: error ? Number(error.statusCode ?? 0) : 200 }
    }),
    direct('Storage, the list of files', async () => {
      const { error } = await client.storage.from('university-files').list(folder)
      return { status: error ? Number(error.statusCode ?? 0) : 200 }
    }),
  ]
}

/** Responses by status. */
export type Responses = Record<number, number>

/** How many of one kind of call are under way at most. */
const AT_ONCE = 10

/** Makes all calls that each minute allows, as fast as they go at its beginning, until the signal; the responses to each kind. */
export async function makeAll(calls: readonly Call[], until: AbortSignal): Promise<Map<string, Responses>> {
  const made = new Map<string, Responses>(calls.map(({ name }) => [name, {}]))
  await Promise.all(
    calls.map(async ({ name, perMinute, make }) => {
      const responses = made.get(name) ?? {}
      while (!until.aborted) {
        // It rejects when the signal comes, before its time.
        const over = pause(60_000, undefined, { signal: until }).catch(() => {})
        let begun = 0
        await Promise.all(
          Array.from({ length: AT_ONCE }, async () => {
            while (begun++ < perMinute && !until.aborted) {
              // 0: no response, as supabase-js says it.
              const status = await make().catch(() => 0)
              responses[status] = (responses[status] ?? 0) + 1
            }
          }),
        )
        await over
      }
    }),
  )
  return made
}
