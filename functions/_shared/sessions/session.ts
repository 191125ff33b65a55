import type { ConsentKind } from '../consent.ts'
import type { CrisisResources } from '../crisis-resources.ts'
import { asJson, type Database } from '../database.ts'
import { ServiceError } from '../errors.ts'
import { type ScoreInput, type SessionScore, scoreInput } from './score.ts'
import type { StoredAnalysis } from './stored-analysis.ts'

/** A session of the student who calls. */
export type Session = { id: string; student: string }

function notFound(): ServiceError {
  return new ServiceError('session_not_found', 'There is no such session of yours.')
}

/**
 * Finds the student's session, and whether a consent is in force for it (`true` when none is asked for).
 * Throws `session_not_found`, also for somebody else's.
 */
export async function findSession(
  database: Database,
  { id, student }: Session,
  consent: ConsentKind | null,
): Promise<{ agreed: boolean }> {
  const [row] = await database<[{ agreed: boolean }?]>`
    select ${consent}::text is null or private.has_consent(user_id, ${consent}::public.consent_kind) as agreed
    from public.assessment_sessions
    where id = ${id} and user_id = ${student}`
  if (!row) throw notFound()
  return row
}

/**
 * Stores an analysis in place of the session's earlier one, with the review and the announcement that follow from it, in
 * one statement. Throws `session_not_found` when the session was deleted meanwhile.
 */
export async function storeAnalysis(
  database: Database,
  { id, student }: Session,
  analysis: StoredAnalysis,
): Promise<CrisisResources> {
  const [row] = await database<[{ stored: boolean; resources: CrisisResources }]>`
    select private.store_session_analysis(${id}, ${student}, ${asJson(database, analysis)}) as stored,
      private.crisis_resources(${student}) as resources`
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

/** Stores a score in place of the session's earlier one, as `storeAnalysis` does. Throws `session_not_found`. */
export async function storeScore(
  database: Database,
  { id, student }: Session,
  { fusion_score, algorithm_version, risk_level }: SessionScore,
): Promise<void> {
  const { final_score, confidence } = fusion_score
  const score = { final_score, confidence, risk_level, fusion_score, algorithm_version }
  const [row] = await database<[{ stored: boolean }]>`
    select private.store_session_score(${id}, ${student}, ${asJson(database, score)}) as stored`
  if (!row.stored) throw notFound()
}

/** Tells the student's devices that a call of the session failed; `error` is the answer's message. */
export async function announceError(
  database: Database,
  { id, student }: Session,
  failure: { error: string; analysis_type?: string },
): Promise<void> {
  await database`
    select private.broadcast_session_error(${id}, ${student}, ${asJson(database, failure)})`
}
