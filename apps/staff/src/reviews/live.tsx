import type { RealtimeChannel } from '@supabase/supabase-js'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useState } from 'react'
import { done, useRead, useService } from '../../../ui/service.tsx'
import { usePerson } from '../person.tsx'
import type { OpenReview, QueuedReview } from './reads.ts'

/** What the service tells of a review that has changed: what a queue shows of it, and no person. */
type Change = Pick<OpenReview, 'risk_level' | 'opened_at'> & {
  review_id: string
  /** Null: it left the queue of whoever is told, otherwise than by a closing. */
  status: OpenReview['status'] | null
}

/** A review that is open since a moment ago, and whose student is not read yet. */
export type Arrived = Pick<OpenReview, 'id' | 'risk_level' | 'opened_at'> & { arrivedAt: number }

type Live = {
  /** What has arrived by itself, for as long as the lists are older. */
  arrived: readonly Arrived[]
  /** Whether changes arrive by themselves, and not with the next time that the app asks; undefined: it is not known yet. */
  isLive: boolean | undefined
  /** Reviews without their students: asking for them leaves nothing in the audit log. */
  queue: readonly QueuedReview[] | undefined
}

const LiveContext = createContext<Live>({ arrived: [], isLive: undefined, queue: undefined })

/** What is known of the queue at this moment. */
export const useLive = () => useContext(LiveContext)

const POLL_MS = 30_000

/** However much changes, names are read once in so long: a person has 100 calls a minute, and may be about to take a review. */
const READ_EVERY_MS = 3_000

/** More than these stand in no list that is older. */
const MOST_ARRIVED = 100

/** The channel of the screen before, which the server has yet to let go of: a topic is joined once. */
let leaving: Promise<unknown> = Promise.resolve()

/** Asks for reviews anew when the service says that one has changed; and every half minute, in case it could not. */
export function LiveReviews({ children }: { children: ReactNode }) {
  const { client } = useService()
  const queries = useQueryClient()
  const { id: me } = usePerson()
  const [attempt, setAttempt] = useState(0)
  const [isLive, setIsLive] = useState<boolean>()
  const [arrived, setArrived] = useState<readonly Arrived[]>([])
  const { data: queue } = useRead(['queue'], (client) => done(client.rpc('review_queue')), {
    refetchInterval: POLL_MS,
    staleTime: 0,
  })

  useEffect(() => {
    let channel: RealtimeChannel | undefined
    let isOver = false
    let again: ReturnType<typeof setTimeout> | undefined
    let reading: ReturnType<typeof setTimeout> | undefined
    let readAt = 0
    const changed = new Set<string>()
    function follow({ review_id: id, status, risk_level, opened_at }: Change) {
      const now = { id, risk_level, opened_at, arrivedAt: Date.now() }
      setArrived((before) => {
        const others = before.filter((one) => one.id !== id).slice(-MOST_ARRIVED)
        return status === 'open' ? [...others, now] : others
      })
      changed.add(id)
      reading ??= setTimeout(read, Math.max(0, readAt + READ_EVERY_MS - Date.now()))
    }
    function read() {
      readAt = Date.now()
      reading = undefined
      for (const what of ['open', 'closed', ...changed])
        void queries.invalidateQueries({ queryKey: ['reviews', what] })
      changed.clear()
    }
    async function join() {
      await leaving
      await client.realtime.setAuth()
      if (isOver) return
      channel = client.channel(`reviews:${me}`, { config: { private: true } })
      channel.on('broadcast', { event: 'changed' }, ({ payload }: { payload: Change }) => follow(payload))
      channel.subscribe((status) => {
        if (isOver) return
        setIsLive(status === 'SUBSCRIBED')
        // What has changed while nobody was told.
        if (status === 'SUBSCRIBED') void queries.invalidateQueries({ queryKey: ['queue'] })
        // Rejected, or the token expired while the device slept: opened again with the present one.
        if (status === 'CLOSED') again = setTimeout(() => setAttempt(attempt + 1), POLL_MS)
      })
    }
    join().catch(() => setIsLive(false))
    return () => {
      isOver = true
      clearTimeout(again)
      clearTimeout(reading)
      if (channel) leaving = Promise.all([leaving, client.removeChannel(channel)])
    }
  }, [client, queries, me, attempt])

  return <LiveContext value={{ arrived, isLive, queue }}>{children}</LiveContext>
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
