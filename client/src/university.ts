import type { Calls, Reply } from './calls.ts'
import type { Device } from './device.ts'
import { isRecord } from './explain.ts'
import { pause } from './pause.ts'
import { readStored } from './stored.ts'

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
/** How long a slow network may keep somebody from what the device has, milliseconds. */
const FRESH_WITHIN_MS = 2000

type Kept = { university: string | null; resources: CrisisResource[] }

/**
 * Whom to turn to: those of the person's university, or, where nobody is signed in, of all; from the device where there is no network, or
 * a slow one.
 */
export async function readCrisisResources(calls: Calls, { items }: Device): Promise<CrisisResource[]> {
  const kept = readStored(await items.getItem(KEPT_KEY).catch(() => null), isKept)
  async function read(): Promise<CrisisResource[]> {
    const university = await universityOf(calls).catch(() => kept?.university ?? null)
    const { crisis_resources: resources } = await calls.call('get', '/api/crisis-resources', {
      params: { query: university === null ? {} : { university_id: university } },
    })
    await items.setItem(KEPT_KEY, JSON.stringify({ university, resources })).catch(() => {})
    return resources
  }
  const fresh = read()
  if (!kept) return fresh
  const ending = new AbortController()
  const known = pause(FRESH_WITHIN_MS, ending.signal).then(() => kept.resources)
  return Promise.race([fresh.catch(() => kept.resources), known]).finally(() => ending.abort())
}

/** The university of whoever is signed in; null where nobody is, or they have none. Throws where it cannot be read. */
async function universityOf({ supabase }: Calls): Promise<string | null> {
  const { data, error } = await supabase.auth.getSession()
  if (error) throw error
  if (!data.session) return null
  const id = data.session.user.id
  const profile = await supabase
    .from('profiles')
    .select('university_id')
    .eq('user_id', id)
    .maybeSingle()
    .retry(false)
  if (profile.error) throw profile.error
  return profile.data?.university_id ?? null
}

function isKept(value: unknown): value is Kept {
  return isRecord(value) && Array.isArray(value.resources) && value.resources.every(isRecord)
}
