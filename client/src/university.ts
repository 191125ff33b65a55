import type { Calls, Reply } from './calls.ts'
import type { Device } from './device.ts'
import { isRecord } from './explain.ts'

export type OpenUniversity = Reply<'get', '/api/public/universities'>['universities'][number]
export type CrisisResource = Reply<'get', '/api/crisis-resources'>['crisis_resources'][number]

export type Universities = {
  /** Whose sign-up the address leads to; null where there is none, or the text is no address yet. */
  ofEmail(email: string): Promise<OpenUniversity | null>
}

export function createUniversities({ call }: Calls): Universities {
  return {
    async ofEmail(email) {
      const domain = email.slice(email.lastIndexOf('@') + 1).trim()
      if (!/^[^\s@]+\.[^\s@.]{2,}$/.test(domain)) return null
      const { universities } = await call('get', '/api/public/universities', {
        params: { query: { domain } },
      })
      return universities[0] ?? null
    },
  }
}

const KEPT_KEY = 'wellbeing.crisis_resources'

/** Whom to turn to: those of the person's university, or, where nobody is signed in, of all; from the device where there is no network. */
export async function readCrisisResources(
  { supabase, call }: Calls,
  { items }: Device,
): Promise<CrisisResource[]> {
  try {
    const university = await universityOf(supabase)
    const { crisis_resources } = await call('get', '/api/crisis-resources', {
      params: { query: university === null ? {} : { university_id: university } },
    })
    await items.setItem(KEPT_KEY, JSON.stringify(crisis_resources)).catch(() => {})
    return crisis_resources
  } catch (error) {
    const kept = keptResources(await items.getItem(KEPT_KEY).catch(() => null))
    if (kept) return kept
    throw error
  }
}

/** The university of whoever is signed in; null where nobody is, or nobody can say now. */
async function universityOf(supabase: Calls['supabase']): Promise<string | null> {
  const { data } = await supabase.auth.getSession()
  if (!data.session) return null
  const id = data.session.user.id
  const profile = await supabase
    .from('profiles')
    .select('university_id')
    .eq('user_id', id)
    .maybeSingle()
    .retry(false)
  return profile.data?.university_id ?? null
}

function keptResources(text: string | null): CrisisResource[] | null {
  try {
    const kept: unknown = JSON.parse(text ?? 'null')
    return Array.isArray(kept) && kept.every(isResource) ? kept : null
  } catch {
    return null
  }
}

function isResource(value: unknown): value is CrisisResource {
  return isRecord(value) && typeof value.name === 'string'
}
