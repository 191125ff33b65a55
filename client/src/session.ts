import type { Body, Calls, Reply, Row } from './calls.ts'
import type { createFeed, Unsubscribe } from './channels.ts'
import type { components } from './generated/api.ts'

type Schemas = components['schemas']

/** What happened in a session, on whichever device; `joined`: connected, or connected again, and its rows can be read now. */
export type SessionEvent =
  | { type: 'analysis_complete'; data: Schemas['AnalysisCompleteEvent'] }
  | { type: 'score_calculated'; data: Schemas['ScoreCalculatedEvent'] }
  | { type: 'error'; data: Schemas['SessionErrorEvent'] }
  | { type: 'joined' }

/** An assessment session: what the app noticed of a conversation. Each call may be repeated: the newest result stands. */
export type Session = {
  id: string
  /** @throws {WellbeingError} `consent_required`, `session_not_found`, `rate_limited` */
  analyzeAudio(audio: Body<'post', '/analyze-audio'>['audioData']): Promise<Reply<'post', '/analyze-audio'>>
  /** One image, best of at most 1080 px, or its base64, and what the app noticed of all its samples. */
  analyzeVisual(
    image: Blob | string,
    summary: Body<'post', '/analyze-visual'>['visualSummary'],
  ): Promise<Reply<'post', '/analyze-visual'>>
  /** What the student said; turns of the app on lines of their own that begin with `Assistant:`. */
  analyzeText(text: string): Promise<Reply<'post', '/analyze-text'>>
  /** @throws {WellbeingError} `analyses_incomplete` */
  score(): Promise<Reply<'post', '/calculate-wellbeing-score'>>
  /** Says that the session is completed, and leaves its channel. */
  end(): Promise<void>
  subscribe(listener: (event: SessionEvent) => void): Unsubscribe
  close(): Promise<void>
}

export type SessionOptions = {
  /** Of a session to go on with; default: a new one. */
  id?: string
  type?: Row<'assessment_sessions'>['assessment_type']
}

export type SessionScore = Row<'session_scores'>['fusion_score']

export async function readSessionScore({ supabase, query }: Calls, id: string): Promise<SessionScore | null> {
  const row = await query(
    () => supabase.from('session_scores').select('fusion_score').eq('session_id', id).maybeSingle(),
    { repeatable: true },
  )
  return row?.fusion_score ?? null
}

/** Begins a session, or goes on with one. Rejects with `session_not_found` where it is not the person's. */
export async function openSession(
  calls: Calls,
  feeds: typeof createFeed,
  { id, type = 'daily' }: SessionOptions,
): Promise<Session> {
  const { supabase, call, query, explain } = calls
  const row = await query(() => {
    const sessions = supabase.from('assessment_sessions')
    return id === undefined
      ? sessions.insert({ assessment_type: type }).select('id').maybeSingle()
      : sessions.select('id').eq('id', id).maybeSingle()
  })
  if (!row) throw await explain({ hint: 'session_not_found', message: 'No such session.' })
  const sessionId = row.id
  const feed = feeds<SessionEvent>(
    supabase,
    async () => `assessment:${sessionId}`,
    (channel, tell) => {
      channel
        .on<Schemas['AnalysisCompleteEvent']>('broadcast', { event: 'analysis_complete' }, ({ payload }) =>
          tell({ type: 'analysis_complete', data: payload }),
        )
        .on<Schemas['ScoreCalculatedEvent']>('broadcast', { event: 'score_calculated' }, ({ payload }) =>
          tell({ type: 'score_calculated', data: payload }),
        )
        .on<Schemas['SessionErrorEvent']>('broadcast', { event: 'error' }, ({ payload }) =>
          tell({ type: 'error', data: payload }),
        )
    },
    (tell) => tell({ type: 'joined' }),
  )
  const repeatable = true
  return {
    id: sessionId,
    analyzeAudio: (audioData) =>
      call('post', '/analyze-audio', { body: { sessionId, audioData }, repeatable }),
    async analyzeVisual(image, visualSummary) {
      const imageData = typeof image === 'string' ? image : await base64Of(image)
      return call('post', '/analyze-visual', { body: { sessionId, imageData, visualSummary }, repeatable })
    },
    analyzeText: (conversationText) =>
      call('post', '/analyze-text', { body: { sessionId, conversationText }, repeatable }),
    score: () => call('post', '/calculate-wellbeing-score', { body: { sessionId }, repeatable }),
    async end() {
      await query(
        () => supabase.from('assessment_sessions').update({ status: 'completed' }).eq('id', sessionId),
        { repeatable },
      )
      await feed.close()
    },
    subscribe: feed.subscribe,
    close: feed.close,
  }
}

async function base64Of(image: Blob): Promise<string> {
  const bytes = new Uint8Array(await image.arrayBuffer())
  let binary = ''
  // As many at once as a call takes arguments everywhere.
  for (let at = 0; at < bytes.length; at += 8192)
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(binary)
}
