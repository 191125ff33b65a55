import type { WellbeingClient } from '@student-wellbeing/client'
import { useQuery } from '@tanstack/react-query'
import { useService } from './service.tsx'

async function readCircle({ buddies }: WellbeingClient) {
  const read = [buddies.list(), buddies.requests(), buddies.alerts(), buddies.preferences()] as const
  const [contacts, requests, alerts, { alerts_paused_until }] = await Promise.all(read)
  return { contacts, requests, alert: alerts[0], pausedUntil: alerts_paused_until }
}

/** The support circle with the newest alert: it changes together. */
export type Circle = Awaited<ReturnType<typeof readCircle>>

export function useCircle() {
  const { client } = useService()
  return useQuery({ queryKey: ['circle'], queryFn: () => readCircle(client) })
}
