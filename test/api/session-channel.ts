import type { RealtimeChannel } from '@supabase/supabase-js'
import type postgres from 'postgres'
import { type Client, type Student, subscribed } from './project.ts'

/** A session as the app has it. */
export type Session = { id: string; created_at: string }

/** What a device heard, in the order in which it came. */
export type Heard = {
  event: string
  payload: Record<string, unknown>
  meta?: { id: string; replayed?: boolean }
}

export type Modality = 'audio' | 'visual' | 'text'

/** Begins a session as the app does. */
export async function newSession(client: Client): Promise<Session> {
  const { data, error } = await client
    .from('assessment_sessions')
    .insert({ assessment_type: 'baseline', session_data: { platform: 'ios', widget_type: 'conversation' } })
    .select('id, created_at')
    .single()
  if (error) throw error
  return data
}

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

/** The channel of a session, as `docs/realtime.md` asks for it. */
export function channelOf(client: Client, session: Session): RealtimeChannel {
  return client.channel(`assessment:${session.id}`, {
    config: {
      private: true,
      broadcast: { ack: true, replay: { since: Date.parse(session.created_at), limit: 25 } },
    },
  })
}

/** Joins a session's channel and records each message once. Rejects when the channel may not be joined. */
export async function listen(
  client: Client,
  session: Session,
  onMessage: (message: Heard) => void = () => {},
): Promise<{ heard: Heard[]; channel: RealtimeChannel }> {
  const heard: Heard[] = []
  const channel = channelOf(client, session)
  channel.on('broadcast', { event: '*' }, ({ event, payload, meta }) => {
    if (meta && heard.some((message) => message.meta?.id === meta.id)) return
    const message: Heard = { event, payload, meta }
    heard.push(message)
    onMessage(message)
  })
  await subscribed(channel)
  return { heard, channel }
}

/** What was heard, in a word each: `audio`, `score 61`, `error`. */
export function words(heard: Heard[]): string[] {
  return heard.map(({ event, payload }) => {
    if (event === 'analysis_complete') return String(payload.analysis_type)
    return event === 'score_calculated' ? `score ${payload.score}` : event
  })
}
