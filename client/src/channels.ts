import type { RealtimeChannel } from '@supabase/supabase-js'
import type { Supabase } from './calls.ts'
import { pause } from './pause.ts'

/** How long it waits before it joins a channel again that the service or the device has closed, milliseconds. */
const REJOIN_MS = 5000

/** Ends what was subscribed to. */
export type Unsubscribe = () => void

/** What is told on one private channel, to any number of listeners: joined while there are some. */
export type Feed<Message> = {
  subscribe(listener: (message: Message) => void): Unsubscribe
  close(): Promise<void>
}

/**
 * A feed of a private channel. Where the platform has no WebSocket (Node 20), or the channel refuses, it stays silent: what it tells can
 * always be read too.
 *
 * @param topic of the channel; asked for at each joining, as the person may have changed
 * @param listen binds events of the channel to messages
 * @param joined is called at each joining, and for who comes later: what was missed can be read from then on
 */
export function createFeed<Message>(
  supabase: Supabase,
  topic: () => Promise<string>,
  listen: (channel: RealtimeChannel, tell: (message: Message) => void) => void,
  joined: (tell: (message: Message) => void) => void = () => {},
): Feed<Message> {
  const listeners = new Set<(message: Message) => void>()
  let channel: RealtimeChannel | null = null
  let connected = false
  /** One thing after the other: a channel is left before it is joined again. */
  let last: Promise<void> = Promise.resolve()
  let rejoining = new AbortController()

  const tell = (message: Message) => {
    for (const listener of [...listeners]) listener(message)
  }
  const then = (task: () => Promise<void>) => {
    last = last.then(task).catch(() => {})
    return last
  }

  async function join(): Promise<void> {
    if (channel || listeners.size === 0) return
    const name = await topic()
    await supabase.realtime.setAuth() // joins with the person's token
    const opened = supabase.channel(name, { config: { private: true } })
    listen(opened, tell)
    channel = opened
    try {
      opened.subscribe((status, error) => {
        if (channel !== opened) return
        connected = status === 'SUBSCRIBED'
        if (connected) joined(tell)
        // Another person's, or nobody's: joining again, as supabase-js does after every other error, cannot help.
        if (error?.message.startsWith('Unauthorized')) void then(leave)
        if (status === 'CLOSED') {
          channel = null
          rejoining = new AbortController()
          const { signal } = rejoining
          void pause(REJOIN_MS, signal).then(() => (signal.aborted ? undefined : then(join)))
        }
      })
    } catch {
      await leave()
    }
  }

  async function leave(): Promise<void> {
    rejoining.abort()
    const left = channel
    channel = null
    connected = false
    if (left) await supabase.removeChannel(left)
  }

  return {
    subscribe(listener) {
      // The same function may listen twice.
      const own = (message: Message) => listener(message)
      listeners.add(own)
      void then(async () => {
        if (connected && listeners.has(own)) joined(own)
        else await join()
      })
      return () => {
        listeners.delete(own)
        void then(async () => (listeners.size === 0 ? leave() : undefined))
      }
    },
    close() {
      listeners.clear()
      return then(leave)
    },
  }
}
