import { audioData, visualSummary } from '../unit/sessions/summaries.ts'
import { faces } from './media.ts'
import { type Answer, call, type Project, type Student } from './project.ts'

/** Begins a session as the app does, and returns its id. */
export async function beginSession(student: Student): Promise<string> {
  const { data, error } = await student.client
    .from('assessment_sessions')
    .insert({ assessment_type: 'daily', session_data: { platform: 'ios', widget_type: 'conversation' } })
    .select('id')
    .single()
  if (error) throw error
  return data.id
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
): Promise<Answer> {
  return call(project, student.token, 'POST', name, body)
}

/** Calls it with a valid request and returns the response's body. Throws when it is rejected. */
export async function analyzed(
  project: Project,
  student: Student,
  name: SessionFunction,
  sessionId: string,
): Promise<Record<string, unknown>> {
  const { status, body } = await post(project, student, name, await requests[name](sessionId))
  if (status !== 200) throw new Error(`${name} returned ${status}: ${body.code} ${body.error}`)
  return body
}
