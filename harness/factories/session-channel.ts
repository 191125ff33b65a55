import type { RealtimeChannel } from '@supabase/supabase-js'
import type { Client } from '../stack/project.ts'
import type { Session } from './sessions.ts'

/** What a device heard, in the order in which it came. */
export type Heard = {
  event: string
  payload: Record<string, unknown>
  meta?: { id: string; replayed?: boolean }
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

/** Joins a session's channel and collects each message once. Rejects when the channel may not be joined. */
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
export function eventsOf(heard: Heard[]): string[] {
  return heard.map(({ event, payload }) => {
    if (event === 'analysis_complete') return String(payload.analysis_type)
    return event === 'score_calculated' ? `score ${payload.score}` : event
  })
}

/** Resolves when a channel is joined, and rejects with why it is not. */
export function subscribed(channel: RealtimeChannel): Promise<void> {
  return new Promise((resolve, reject) => {
    channel.subscribe((status, error) =>
      status === 'SUBSCRIBED' ? resolve() : reject(error ?? new Error(`The channel: ${status}`)),
    )
  })
}
