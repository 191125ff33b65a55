import { asJson, type Database } from '../database.ts'
import { finite } from '../numbers.ts'
import type { Replicates } from '../replicates.ts'
import type { RiskLevel } from '../risk-level.ts'
import { fuse, NothingToScore } from '../scoring/fuse.ts'
import type { Baseline, Calibration, FusionInput, FusionResult } from '../scoring/types.ts'
import type { Findings, Job } from './job.ts'

type AnalysisRow = Record<string, unknown> & {
  quality: number
  quality_reason: string | null
  replicates: Replicates | null
}
type TextRow = AnalysisRow & {
  themes: string[]
  keywords: string[]
  stated_mood: number | null
}

/** All that a fusion reads, as `private.fusion_input` returns it. */
type Snapshot = {
  audio: AnalysisRow | null
  visual: AnalysisRow | null
  text: TextRow | null
  /** What the crisis check found in the check-in's transcript, even where its analysis failed. */
  crisis: { level: RiskLevel; rule: string | null }
  /** The highest risk of the check-in so far, whatever it was found in. */
  known_risk: RiskLevel
  mood_score: number | null
  missing: NonNullable<FusionInput['missing']>
  /** Whether a step of what was sent failed for the service's own reasons, so that sending it again may help. */
  failed_by_service: boolean
  baseline: Baseline | null
  baseline_version: number
  calibrations: Calibration[]
}

/** What `private.store_fusion_result` returns. */
type Outcome = 'stored' | 'baseline_moved' | 'consent_withdrawn' | 'stale'

const MAX_READS = 20

/**
 * Scores a check-in and counts it into the student's baseline, in one transaction.
 *
 * When another check-in of the student has been counted meanwhile, reads and scores again, so that both count once; so it does when a
 * consent was withdrawn, so that nothing of what it covered is in the score.
 */
export function runFusionJob(database: Database): (job: Job) => Promise<Findings | null> {
  return async (job) => {
    for (let read = 0; read < MAX_READS; read++) {
      const [{ snapshot }] = await database<[{ snapshot: Snapshot }]>`
        select private.fusion_input(${job.check_in_id}) as snapshot`
      const result = score(snapshot)
      if (result instanceof NothingToScore) {
        const code = snapshot.failed_by_service ? 'analysis_failed' : 'nothing_to_score'
        await database`
          select private.fail_check_in_for_job(
            ${job.id}, ${job.attempts}::smallint, ${code}, ${result.riskLevel}::checkin.risk_level,
            ${asJson(database, result.components)}
          )`
        return null
      }
      const { next_baseline: next, ...stored } = result
      const counted = {
        check_ins: next.count,
        score_mean: next.score.mean,
        score_sd: next.score.spread,
        state: next,
      }
      const [{ outcome }] = await database<[{ outcome: Outcome }]>`
        select private.store_fusion_result(
          ${job.id}, ${job.attempts}::smallint, ${asJson(database, stored)}, ${asJson(database, counted)},
          ${snapshot.baseline_version}::integer
        ) as outcome`
      if (outcome === 'stored' || outcome === 'stale') return null
    }
    throw new Error('The baseline or the consents kept changing')
  }
}

function score(snapshot: Snapshot): FusionResult | NothingToScore {
  const { text } = snapshot
  try {
    return fuse({
      audio: modality(snapshot.audio, 'speech_s'),
      visual: modality(snapshot.visual, 'images_usable'),
      text: modality(text, 'words'),
      missing: snapshot.missing,
      textDetails: {
        themes: text?.themes ?? [],
        keywords: text?.keywords ?? [],
        crisis: snapshot.crisis,
        stated_mood: text?.stated_mood ?? null,
      },
      moodScore: snapshot.mood_score,
      knownRisk: snapshot.known_risk,
      baseline: snapshot.baseline,
      calibrations: snapshot.calibrations,
    })
  } catch (error) {
    if (error instanceof NothingToScore) return error
    throw error
  }
}

/**
 * All numbers of a row; fusion picks the features that it knows.
 * @param amount column that says how much there was
 */
function modality(
  row: AnalysisRow | null,
  amount: 'speech_s' | 'images_usable' | 'words',
): FusionInput['audio'] {
  if (!row) return null
  const features = Object.entries(row).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  )
  return {
    features: Object.fromEntries(features),
    quality: { score: row.quality, reason: row.quality_reason },
    replicates: row.replicates ?? {},
    amount: finite(row[amount]),
  }
}
