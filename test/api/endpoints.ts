import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../local/stack/root.ts'

/** A call that a student's app makes, with a body that is right in form. */
export type Endpoint = { method: 'GET' | 'POST'; path: string; body?: object }

const id = crypto.randomUUID()
const sessionId = crypto.randomUUID()

/** Every call of every function that takes a student's access token. */
export const ENDPOINTS: Endpoint[] = [
  { method: 'POST', path: 'checkins/start', body: { type: 'daily' } },
  { method: 'POST', path: `checkins/${id}/complete`, body: { transcript: 'I walked to the lake.' } },
  { method: 'GET', path: `checkins/${id}` },
  {
    method: 'POST',
    path: 'analyze-audio',
    body: {
      sessionId,
      audioData: {
        conversation_duration: 120,
        speech_rate: 1,
        voice_quality: 'clear',
        emotional_tone: 'neutral',
        mood_score_1_10: 6,
        transcript_length: 900,
      },
    },
  },
  {
    method: 'POST',
    path: 'analyze-visual',
    body: {
      sessionId,
      imageData: 'aGVsbG8=',
      visualSummary: {
        samples_captured: 8,
        face_detection_rate: 1,
        avg_brightness: 0.5,
        quality_score: 0.8,
        engagement_level: 'moderate',
      },
    },
  },
  { method: 'POST', path: 'analyze-text', body: { sessionId, conversationText: 'I walked to the lake.' } },
  { method: 'POST', path: 'calculate-wellbeing-score', body: { sessionId } },
  { method: 'POST', path: 'api/textmodel/analyze-text', body: { transcript: 'I walked to the lake.' } },
]

const ring = (table: string) => ({ type: 'INSERT', schema: 'private', table, record: { id } })

/** Every function that only the database calls. */
export const WORKERS: Endpoint[] = [
  { method: 'POST', path: 'pipeline-audio', body: ring('analysis_jobs') },
  { method: 'POST', path: 'pipeline-visual', body: ring('analysis_jobs') },
  { method: 'POST', path: 'pipeline-text', body: ring('analysis_jobs') },
  { method: 'POST', path: 'pipeline-transcription', body: ring('analysis_jobs') },
  { method: 'POST', path: 'pipeline-fusion', body: ring('analysis_jobs') },
  { method: 'POST', path: 'deliver-messages', body: ring('outbox') },
]

/** How many calls each function of `functions/` answers, by name. */
export function callsOfFunctions(): Record<string, number> {
  const folder = join(ROOT, 'functions')
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'index.ts')))
  return Object.fromEntries(
    names.map((name) => {
      const code = readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => readFileSync(join(folder, name, file), 'utf8'))
        .join('\n')
      // A function without routes is one call.
      return [name, code.match(/\.(get|post|put|patch|delete)\(\s*'\//g)?.length ?? 1]
    }),
  )
}
