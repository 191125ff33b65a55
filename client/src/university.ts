import type { Calls, Reply } from './calls.ts'
import type { Device } from './device.ts'
import { isRecord } from './explain.ts'
import { pause } from './pause.ts'

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
/** A response that takes longer, milliseconds, is not waited for where the device has an earlier one. */
const KEPT_AFTER_MS = 2000

type Kept = { university: string | null; resources: CrisisResource[] }

/**
 * Whom to turn to: those of the person's university, or, where nobody is signed in, of all; from the device where there is no network, or
 * a slow one.
 */
export async function readCrisisResources(calls: Calls, device: Device): Promise<CrisisResource[]> {
  const kept = keptResources(await device.items.getItem(KEPT_KEY).catch(() => null))
  const current = currentResources(calls, device, kept)
  if (kept === null) return current
  const known = new AbortController()
  const late = pause(KEPT_AFTER_MS, known.signal).then(() => kept.resources)
  const shown = await Promise.race([current.catch(() => kept.resources), late])
  known.abort()
  return shown
}

/** As the service has them now; the device keeps them, also where nobody waits for them any more. */
async function currentResources(
  calls: Calls,
  { items }: Device,
  kept: Kept | null,
): Promise<CrisisResource[]> {
  const university = await universityOf(calls).catch(() => kept?.university ?? null)
  const { crisis_resources: resources } = await calls.call('get', '/api/crisis-resources', {
    params: { query: university === null ? {} : { university_id: university } },
  })
  await items.setItem(KEPT_KEY, JSON.stringify({ university, resources })).catch(() => {})
  return resources
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

/** What was kept, unless something else has been written there. */
function keptResources(text: string | null): Kept | null {
  try {
    const kept: unknown = JSON.parse(text ?? 'null')
    return isKept(kept) ? kept : null
  } catch {
    return null
  }
}

function isKept(value: unknown): value is Kept {
  return isRecord(value) && Array.isArray(value.resources) && value.resources.every(isRecord)
}
