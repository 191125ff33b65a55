import { createClient } from '../../../_vendor/supabase.js'
import { type Probe, Report, requireControl, type Target } from '../target.ts'

/** Longest wait for the answer to a join, ms. */
const JOIN_MS = 10_000

type Outcome = 'joined' | 'rejected' | 'unanswered'

/** Another student's live channels, joined with a token, without one, and as public channels. */
export const otherStudentsChannels: Probe = async (target) => {
  const { database, attacker, victim } = target
  const report = new Report(target)
  const [own] = await database<{ check_in: string; session: string }[]>`
    select
      (select id from checkin.check_ins where user_id = ${victim.id} limit 1) as check_in,
      (select id from public.assessment_sessions where user_id = ${victim.id} limit 1) as session`
  const topics = {
    'check-in': `check-in:${own?.check_in}`,
    assessment: `assessment:${own?.session}`,
    support: `support:${victim.id}`,
    account: `account:${victim.id}`,
  }
  const control = await join(target, attacker.token, `account:${attacker.id}`, true)
  requireControl(control === 'joined', 'own_channel_unreachable')

  for (const [kind, topic] of Object.entries(topics)) {
    const attempts = [
      ['token', attacker.token, true],
      ['nobody', null, true],
      ['public', attacker.token, false],
    ] as const
    for (const [name, token, isPrivate] of attempts) {
      const outcome = await join(target, token, topic, isPrivate)
      requireControl(outcome !== 'unanswered', 'channel_unanswered')
      report.attack(
        outcome === 'joined',
        {
          fault: `${kind}:${name}`,
          severity: name === 'public' ? 'medium' : 'critical',
          title:
            name === 'public'
              ? `Channels are joined without authorization, as the project allows public ones: ${kind}`
              : `Another student's channel can be joined: ${kind}`,
        },
        { channel: kind, outcome },
      )
    }
  }
  return report
}

/** Joins a channel and leaves it again; without a token with the publishable key alone. */
async function join(
  { supabaseUrl, publishableKey }: Target,
  token: string | null,
  topic: string,
  isPrivate: boolean,
): Promise<Outcome> {
  const client = createClient(supabaseUrl, publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
  })
  if (token !== null) await client.realtime.setAuth(token)
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    return await new Promise<Outcome>((resolve) => {
      timer = setTimeout(() => resolve('unanswered'), JOIN_MS)
      client.channel(topic, { config: { private: isPrivate } }).subscribe((status) => {
        if (status === 'SUBSCRIBED') resolve('joined')
        if (status === 'CHANNEL_ERROR') resolve('rejected')
      })
    })
  } finally {
    clearTimeout(timer)
    await client.removeAllChannels()
    await client.realtime.disconnect()
  }
}
