import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useState } from 'react'
import { done, useRead, useService } from '../../../ui/service.tsx'
import { useUniversitiesOf } from '../person.tsx'
import type { QueuedReview } from './reads.ts'

type Live = {
  /** Whether changes arrive by themselves, and not with the next time that the app asks; undefined: it is not known yet. */
  isLive: boolean | undefined
  /** Reviews without their students: asking for them leaves nothing in the audit log. */
  queue: readonly QueuedReview[] | undefined
}

const LiveContext = createContext<Live>({ isLive: undefined, queue: undefined })

/** What is known of the queue at this moment. */
export const useLive = () => useContext(LiveContext)

const POLL_MS = 30_000

/** Channels of screens before, which the server has yet to let go of: a topic is joined once. */
let leaving: Promise<unknown> = Promise.resolve()

/** Asks for reviews anew when the service says that one has changed; and every half minute, in case it could not. */
export function LiveReviews({ children }: { children: ReactNode }) {
  const { client } = useService()
  const queries = useQueryClient()
  const universities = useUniversitiesOf('counselor').join(' ')
  const [attempt, setAttempt] = useState(0)
  const [joined, setJoined] = useState<Record<string, boolean>>({})
  const { data: queue } = useRead(['queue'], (client) => done(client.rpc('review_queue')), {
    refetchInterval: POLL_MS,
    staleTime: 0,
  })

  useEffect(() => {
    const names = universities.split(' ').filter(Boolean)
    const channels = new Set<ReturnType<typeof client.channel>>()
    let isOver = false
    let again: ReturnType<typeof setTimeout> | undefined
    function ask(review: unknown) {
      for (const what of ['open', 'closed', review])
        void queries.invalidateQueries({ queryKey: ['reviews', what] })
    }
    async function join() {
      await leaving
      await client.realtime.setAuth()
      if (isOver) return
      for (const name of names) {
        const channel = client.channel(`reviews:${name}`, { config: { private: true } })
        channels.add(channel)
        channel.on('broadcast', { event: 'changed' }, ({ payload }) => ask(payload.review_id))
        channel.subscribe((status) => {
          if (isOver) return
          const isJoined = status === 'SUBSCRIBED'
          setJoined((before) => ({ ...before, [name]: isJoined }))
          // What has changed while nobody was told.
          if (isJoined) void queries.invalidateQueries({ queryKey: ['queue'] })
          // Rejected, or the token expired while the device slept: opened again with the present one.
          if (status === 'CLOSED') again = setTimeout(() => setAttempt(attempt + 1), POLL_MS)
        })
      }
    }
    join().catch(() => setJoined(Object.fromEntries(names.map((name) => [name, false]))))
    return () => {
      isOver = true
      clearTimeout(again)
      leaving = Promise.all([leaving, ...[...channels].map((channel) => client.removeChannel(channel))])
    }
  }, [client, queries, universities, attempt])

  const states = universities.split(' ').map((name) => joined[name])
  const isLive = states.every(Boolean) || (states.includes(false) ? false : undefined)
  return <LiveContext value={{ isLive, queue }}>{children}</LiveContext>
}

/** What of a review can be compared with the queue. */
type Known = Pick<QueuedReview, 'id' | 'status' | 'claimed_by' | 'last_risk_at' | 'risk_level'>

const markOf = ({ id, status, claimed_by, last_risk_at, risk_level }: Known) =>
  JSON.stringify([id, status, claimed_by, Date.parse(last_risk_at), risk_level])

/** Whether reviews are as the queue has them: none more, none less. */
export function areAsQueued(known: readonly Known[], queue: readonly Known[]): boolean {
  const marks = new Set(known.map(markOf))
  return marks.size === queue.length && queue.every((review) => marks.has(markOf(review)))
}

/** Looks at the queue each time that it has changed. */
export function useOnQueue(look: (queue: readonly QueuedReview[]) => void) {
  const { queue } = useLive()
  const looked = useEffectEvent(look)
  useEffect(() => {
    if (queue) looked(queue)
  }, [queue])
}
