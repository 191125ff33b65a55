import { createClient } from '@supabase/supabase-js'
import type { Stack } from '../../demo/stack.ts'
import { median, percentile } from '../../harness/measuring/figures.ts'
import { PASSWORD } from '../../seed/accounts.ts'
import { generateUniversities } from '../../seed/people.ts'

export type OverHttp = { call: string; status: number; medianMs: number; p95Ms: number }

/** Fewer than the rate limit allows one person in a minute. */
const CALLS = 40

/** Times the same three queries at a client of the running service; for information, without a limit. */
export async function measureOverHttp(stack: Stack): Promise<OverHttp[]> {
  const [university] = generateUniversities('1', 1)
  if (!university) throw new Error('There is no university')
  const functions = `${stack.apiUrl}/functions/v1/api`
  const select = 'id,type,status,created_at,completed_at,fusion_results(score,uncertainty,risk_level,summary)'
  const requests = [
    { name: 'admin', url: `${functions}/analytics/dashboard?university_id=${university.id}&date_range=1y` },
    { name: 'counselor-1', url: `${functions}/students?university_id=${university.id}&limit=50` },
    {
      name: 'student-000001',
      url: `${stack.apiUrl}/rest/v1/check_ins?select=${select}&order=created_at.desc&limit=50`,
      profile: 'checkin',
    },
  ]
  const measured: OverHttp[] = []
  for (const { name, url, profile } of requests) {
    const headers = {
      apikey: stack.keys.publishable,
      authorization: `Bearer ${await signIn(stack, `${name}@${university.domain}`)}`,
      ...(profile && { 'accept-profile': profile }),
    }
    const times: number[] = []
    let status = 0
    for (let call = -5; call < CALLS; call++) {
      const began = performance.now()
      const response = await fetch(url, { headers })
      await response.text()
      if (call >= 0) times.push(performance.now() - began)
      status = response.status
    }
    const call = `GET ${new URL(url).pathname.replace('/functions/v1', '')}`
    measured.push({ call, status, medianMs: median(times), p95Ms: percentile(times, 0.95) })
  }
  return measured
}

async function signIn(stack: Stack, email: string): Promise<string> {
  const client = createClient(stack.apiUrl, stack.keys.publishable, { auth: { persistSession: false } })
  const { data, error } = await client.auth.signInWithPassword({ email, password: PASSWORD })
  if (error) throw error
  return data.session.access_token
}
