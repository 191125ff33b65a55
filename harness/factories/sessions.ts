import type postgres from 'postgres'
import { type ApiResponse, call } from '../client/call.ts'
import type { Client, Project } from '../stack/project.ts'
import { faces } from './check-ins.ts'
import { audioData, visualSummary } from './session-summaries.ts'
import type { Student } from './students.ts'

/** A session as the app has it. */
export type Session = { id: string; created_at: string }

/** Begins a session as the app does. */
export async function newSession(
  client: Client,
  assessmentType: 'baseline' | 'daily' = 'baseline',
): Promise<Session> {
  const { data, error } = await client
    .from('assessment_sessions')
    .insert({
      assessment_type: assessmentType,
      session_data: { platform: 'ios', widget_type: 'conversation' },
    })
    .select('id, created_at')
    .single()
  if (error) throw error
  return data
}

/** Begins a session as the app does, and returns its id. */
export async function newSessionId({ client }: Student): Promise<string> {
  return (await newSession(client, 'daily')).id
}

export type Modality = 'audio' | 'visual' | 'text'

/** Stores an analysis as the functions do; `round` tells it from an earlier one. */
export async function storeAnalysis(
  sql: postgres.ISql,
  student: Student,
  session: Session,
  modality: Modality,
  { round = 0, risk = 'none' } = {},
): Promise<void> {
  const stored = { modality, analysis: { round }, measures: {}, quality: 1, risk_level: risk }
  await sql`select private.store_session_analysis(${session.id}, ${student.id}, ${sql.json(stored)})`
}

/** Stores a score as the functions do. */
export async function storeScore(
  sql: postgres.ISql,
  student: Student,
  session: Session,
  score: number,
): Promise<void> {
  const stored = {
    final_score: score,
    confidence: 0.5,
    risk_level: 'none',
    fusion_score: { final_score: score },
    algorithm_version: 'test',
  }
  await sql`select private.store_session_score(${session.id}, ${student.id}, ${sql.json(stored)})`
}

/** A good request to each function that analyses. */
export const requests = {
  'analyze-audio': async (sessionId: string) => ({ sessionId, audioData: audioData() }),
  'analyze-visual': async (sessionId: string) => ({
    sessionId,
    imageData: await imageBase64(),
    visualSummary: visualSummary(),
  }),
  'analyze-text': async (sessionId: string) => ({
    sessionId,
    conversationText:
      'I had lectures and a lab this week. I slept well, cooked with a friend, and went for a run on Sunday.',
  }),
  'calculate-wellbeing-score': async (sessionId: string) => ({ sessionId }),
} as const

export type SessionFunction = keyof typeof requests

export const SESSION_FUNCTIONS = Object.keys(requests) as SessionFunction[]

/** An image of one face, in base64. */
export async function imageBase64(): Promise<string> {
  const [image] = await faces()
  if (!image) throw new Error('There is no image')
  return Buffer.from(image.bytes).toString('base64')
}

/** Calls a session function with plain `fetch`. */
export async function post(
  project: Project,
  student: Student,
  name: SessionFunction,
  body: unknown,
): Promise<ApiResponse> {
  return call(project, student.token, 'POST', name, body)
}

/** Calls it with a good request and returns the response's body. Throws when it is rejected. */
export async function analyzed(
  project: Project,
  student: Student,
  name: SessionFunction,
  sessionId: string,
): Promise<Record<string, unknown>> {
  const { status, body } = await post(project, student, name, await requests[name](sessionId))
  if (status !== 200) throw new Error(`${name} responded ${status}: ${body.code} ${body.error}`)
  return body
}
