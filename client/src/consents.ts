import type { Calls, Reply } from './calls.ts'
import type { Database } from './generated/database.ts'
import type { Wording } from './wording.ts'

export type ConsentKind = Database['public']['Enums']['consent_kind']

export type Consents = {
  /** The newest text of each kind in the person's language, to be shown before `grant`. */
  texts(): Promise<Reply<'get', '/api/consent-texts'>['texts']>
  /** Of each kind, whether it is in force; where one is not and has a `version`, ask again. */
  status(): Promise<Database['public']['Functions']['consent_status']['Returns']>
  /**
   * Records that the person agreed to the texts of this version.
   *
   * @throws {WellbeingError} `consent_version_unknown`, `consent_version_outdated`
   */
  grant(kinds: ConsentKind[], version: string): Promise<void>
  /** Ends a consent, and deletes what it covered, what still waits on the device included: how many of what the service had. */
  withdraw(kind: ConsentKind): Promise<Record<string, number>>
}

/** @param leaveOut deletes on the device what a consent covered that has ended */
export function createConsents(
  { supabase, call, query }: Calls,
  wording: Wording,
  leaveOut: (kind: ConsentKind) => Promise<void>,
): Consents {
  return {
    async texts() {
      const languages = wording.language()
      const { texts } = await call('get', '/api/consent-texts', { params: { query: { languages } } })
      return texts
    },
    status() {
      return query(() => supabase.rpc('consent_status'), { repeatable: true })
    },
    async grant(kinds, version) {
      await query(() => supabase.rpc('grant_consents', { kinds, version }), { repeatable: true })
    },
    async withdraw(kind) {
      const withdrawn = await query(() => supabase.rpc('withdraw_consent', { kind }), { repeatable: true })
      await leaveOut(kind)
      return { ...withdrawn?.deleted }
    },
  }
}
