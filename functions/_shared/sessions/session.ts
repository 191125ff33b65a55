import { type ConsentKind, consentRequired } from '../consent.ts'
import type { CrisisResources } from '../crisis-resources.ts'
import { asJson, type Database } from '../database.ts'
import { ServiceError } from '../errors.ts'
import { currentTraceId, describeError, log } from '../log.ts'
import { type ScoreInput, type SessionScore, scoreInput } from './score.ts'
import type { StoredAnalysis } from './stored-analysis.ts'

/** A session of the calling student. */
export type Session = { id: string; student: string }

function notFound(): ServiceError {
  return new ServiceError('session_not_found', 'There is no such session of yours.')
}

/**
 * Does the work of a call for the caller's own session, once the consent that it needs is in force, and returns its result
 * with the session's id. A failure is broadcast on the session's channel, then thrown.
 *
 * `consent` is `null` when the work checks consents itself; `analysisType` is named in the broadcast. Throws
 * `session_not_found`, also for somebody else's session, and `consent_required`.
 */
export async function withSession<Result extends object>(
  database: Database,
  session: Session,
  { consent, analysisType }: { consent: ConsentKind | null; analysisType?: StoredAnalysis['modality'] },
  work: () => Promise<Result>,
): Promise<Result & { sessionId: string }> {
  const { id, student } = session
  const [row] = await database<[{ agreed: boolean }?]>`
    select ${consent}::text is null or private.has_consent(user_id, ${consent}::public.consent_kind) as agreed
    from public.assessment_sessions
    where id = ${id} and user_id = ${student}`
  if (!row) throw notFound()
  try {
    if (!row.agreed && consent) throw consentRequired(consent)
    return { sessionId: id, ...(await work()) }
  } catch (error) {
    await broadcastError(database, session, error, analysisType)
    throw error
  }
}

/** Says in the session that nothing of it can be scored; another analysis takes that back. */
export async function failSession(database: Database, { id, student }: Session): Promise<void> {
  await database`select private.fail_session(${id}, ${student})`
}

/** Adds to each `{modality, reason}` what to tell the student: `title` and `advice`, in their language. */
export async function reasonsInWords(
  database: Database,
  { student }: Session,
  reasons: unknown,
): Promise<unknown> {
  const [row] = await database<[{ words: unknown }]>`
    select private.reasons_in_words(${asJson(database, reasons)}, ${student}) as words`
  return row.words
}

/** Broadcasts a failure on the session's channel; the response reports it even if this fails. */
async function broadcastError(
  database: Database,
  { id, student }: Session,
  failure: unknown,
  analysisType: string | undefined,
): Promise<void> {
  const error =
    failure instanceof ServiceError ? failure.message : 'Something went wrong on our side. Try again.'
  const payload = { error, ...(analysisType && { analysis_type: analysisType }) }
  try {
    await database`
      select private.broadcast_session_error(${id}, ${student}, ${asJson(database, payload)})`
  } catch (cause) {
    log('warn', 'broadcast_failed', describeError(cause))
  }
}

/**
 * Stores an analysis in place of the session's earlier one, with the review and the broadcast that follow from it, in
 * one statement; `transcript` is what the student said, which the sentence encoder reads afterwards. Returns the crisis resources. Throws
 * `session_not_found` when the session was deleted meanwhile, and
 * `consent_required` when the consent was withdrawn.
 *
 * @param startedAt when the call began, on the clock of `performance.now`
 */
export async function storeAnalysis(
  database: Database,
  { id, student }: Session,
  analysis: StoredAnalysis,
  startedAt: number,
  transcript: string | null = null,
): Promise<CrisisResources> {
  const stored = {
    ...analysis,
    analyzed_for_ms: performance.now() - startedAt,
    words: { transcript, trace_id: currentTraceId() },
  }
  const [row] = await database<[{ stored: boolean | null; resources: CrisisResources }]>`
    select private.store_session_analysis(${id}, ${student}, ${asJson(database, stored)}) as stored,
      private.crisis_resources(${student}) as resources`
  if (row.stored === null)
    throw consentRequired(analysis.modality === 'visual' ? 'camera' : analysis.modality)
  if (!row.stored) throw notFound()
  return row.resources
}

/** Reads all that a score needs, in one snapshot. Throws `session_not_found`. */
export async function readScoreInput(
  database: Database,
  { id, student }: Session,
): Promise<{ input: ScoreInput; resources: CrisisResources }> {
  const [row] = await database<[{ input: unknown; resources: CrisisResources }]>`
    select private.session_score_input(${id}, ${student}) as input,
      private.crisis_resources(${student}) as resources`
  if (row.input === null) throw notFound()
  return { input: scoreInput.parse(row.input), resources: row.resources }
}

/**
 * Stores a score in place of the session's earlier one, as `storeAnalysis` does; `false` when a consent was withdrawn since
 * its input was read, so that it has to be made again. Throws `session_not_found`.
 */
export async function storeScore(
  database: Database,
  { id, student }: Session,
  { fusion_score, algorithm_version, risk_level }: SessionScore,
): Promise<boolean> {
  const { final_score, confidence } = fusion_score
  const score = { final_score, confidence, risk_level, fusion_score, algorithm_version }
  const [row] = await database<[{ stored: boolean | null }]>`
    select private.store_session_score(${id}, ${student}, ${asJson(database, score)}) as stored`
  if (row.stored === false) throw notFound()
  return row.stored !== null
}
