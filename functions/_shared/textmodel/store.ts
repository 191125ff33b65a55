import { consentRequired } from '../consent.ts'
import type { CrisisResources } from '../crisis-resources.ts'
import { asJson, type Database } from '../database.ts'
import { accountDeleted, checkInNotFound } from '../errors.ts'
import { currentTraceId } from '../log.ts'
import type { AnalyzedTranscript } from './analyze-transcript.ts'

/**
 * Checks that the student consents to text analysis and owns the check-in. Throws `consent_required` or
 * `check_in_not_found`.
 */
export async function authorize(database: Database, student: string, checkIn: string | null): Promise<void> {
  const [found] = await database<[{ consents: boolean; owned: boolean }]>`
    select
      private.has_consent(${student}, 'text') as consents,
      ${checkIn}::uuid is null
        or exists (select from checkin.check_ins where id = ${checkIn}::uuid and user_id = ${student}) as owned`
  if (!found.consents) throw consentRequired('text')
  if (!found.owned) throw checkInNotFound()
}

/**
 * Stores the result of a transcript, with the clinical review that a high risk or crisis language needs, in one statement, and keeps the
 * transcript until the sentence encoder has read it. Returns the crisis
 * resources to show. Throws `consent_required` or `check_in_not_found`, or `unauthorized` when the account was deleted meanwhile.
 *
 * @param startedAt when the call began, on the clock of `performance.now`
 */
export async function storeTranscript(
  database: Database,
  student: string,
  { transcript, checkIn }: { transcript: string; checkIn: string | null },
  { provider, result, crisis_level }: AnalyzedTranscript,
  startedAt: number,
): Promise<CrisisResources> {
  const stored = {
    transcript_sha256: await sha256(transcript),
    check_in_id: checkIn,
    provider,
    risk_level: result.risk_level,
    crisis_level,
    result,
    analyzed_for_ms: performance.now() - startedAt,
    words: { transcript: transcript.toWellFormed(), trace_id: currentTraceId() },
  }
  const [row] = await database<[{ stored: string | null; resources: CrisisResources }]>`
    select
      private.store_transcript_result(${student}, ${asJson(database, stored)}) as stored,
      private.crisis_resources(${student}) as resources`
  if (row.stored === null) {
    const [account] = await database`select from auth.users where id = ${student}`
    if (account) await authorize(database, student, checkIn)
    throw accountDeleted()
  }
  return row.resources
}

/** SHA-256 of a text in UTF-8, in hex. */
async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
