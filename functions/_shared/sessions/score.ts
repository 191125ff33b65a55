import * as z from 'zod'
import type { CrisisResources } from '../crisis-resources.ts'
import { ServiceError } from '../errors.ts'
import { isLowMoodStated, LOW_MOOD, reportsLowMood, VERY_LOW_MOOD } from '../low-mood.ts'
import { round } from '../numbers.ts'
import type { RiskLevel } from '../risk-level.ts'
import { comparable, readBaseline } from '../scoring/baseline.ts'
import { scoreOfFeatures } from '../scoring/component.ts'
import { fuse, NothingToScore } from '../scoring/fuse.ts'
import { CHECK_IN_SCHEME, type Scheme, textCeiling } from '../scoring/scheme.ts'
import type { FusionResult, Modality, ModalityInput } from '../scoring/types.ts'
import type { fusionScore } from './analyses.ts'
import { SUMMARY_AUDIO_NORMS } from './audio-analysis.ts'
import { crisisIndicator, recommendationsFor } from './risk-wording.ts'
import { measures, riskLevel } from './stored-analysis.ts'

const MODALITIES = ['audio', 'visual', 'text'] as const

/**
 * How scoring a session differs from scoring a check-in: audio from a summary instead of a recording, visual from one
 * image instead of 8 to 12, both trusted less. Engineering priors.
 */
const SESSION_SCHEME: Scheme = {
  norms: { ...CHECK_IN_SCHEME.norms, audio: SUMMARY_AUDIO_NORMS },
  reliability: { ...CHECK_IN_SCHEME.reliability, audio: 0.2, visual: 0.15 },
  version: `${CHECK_IN_SCHEME.version}+session-1.0.0`,
}

const analysisOf = <Measures extends z.ZodType>(measured: Measures) =>
  z
    .object({
      measures: measured,
      quality: z.number(),
      quality_reason: z.string().nullable(),
      risk_level: riskLevel,
    })
    .optional()

/** All that a score reads, as `private.session_score_input` returns it. */
export const scoreInput = z.object({
  consents: z.record(z.enum(MODALITIES), z.boolean()),
  analyses: z.object({
    audio: analysisOf(measures.audio),
    visual: analysisOf(measures.visual),
    text: analysisOf(measures.text),
  }),
  baseline: z.unknown().transform(readBaseline),
})

export type ScoreInput = z.infer<typeof scoreInput>

type FusionScore = z.infer<typeof fusionScore>

export type SessionScore = {
  fusion_score: FusionScore
  algorithm_version: string
  /** Mean quality of the modalities that the student agreed to, 0 to 1. */
  data_quality_score: number
  /** The finer level that is stored. */
  risk_level: RiskLevel
}

/**
 * Scores a session from its stored analyses, one at least, with the fusion of the check-ins: what is missing makes the score less
 * certain. Reads the student's baseline and does not change it. A modality without consent in force is left out; crisis language counts nevertheless.
 *
 * Throws `consent_required` when no consent is in force, and `analyses_incomplete` with what is `missing` when there is none, or with what is
 * `unusable` and why when no analysis was good enough.
 */
export function scoreSession(input: ScoreInput, crisis_resources: CrisisResources): SessionScore {
  const agreed = MODALITIES.filter((modality) => input.consents[modality])
  if (agreed.length === 0) {
    throw new ServiceError(
      'consent_required',
      'The student has not agreed to the analysis of audio, images or text.',
      {
        kind: 'text',
        kinds: ['audio', 'camera', 'text'],
      },
    )
  }
  if (agreed.every((modality) => input.analyses[modality] === undefined)) {
    throw new ServiceError(
      'analyses_incomplete',
      `Request one of these analyses of the session first: ${agreed.join(', ')}.`,
      { missing: agreed, crisis_resources },
    )
  }
  const result = fuseSession(input, crisis_resources)
  return {
    fusion_score: {
      final_score: result.score,
      confidence: round(1 - result.uncertainty),
      score_interval: result.score_interval,
      calibrated: result.calibrated,
      component_scores: {
        audio_score: shownScore(input, result, 'audio'),
        visual_score: shownScore(input, result, 'visual'),
        text_score: shownScore(input, result, 'text'),
      },
      risk_assessment: {
        level: LEVELS[result.risk_level],
        indicators: indicatorsOf(input, result),
        recommendations: recommendationsFor(result.risk_level, {
          ...result,
          isUnwell: isUnwell(input),
          isRead: scoreOf(result, 'text') !== null,
        }),
      },
      ...trendOf(result),
    },
    algorithm_version: result.algorithm_version,
    data_quality_score: round(
      agreed.reduce((sum, modality) => sum + (input.analyses[modality]?.quality ?? 0), 0) / agreed.length,
    ),
    risk_level: result.risk_level,
  }
}

const LEVELS = { none: 'low', mild: 'low', moderate: 'medium', high: 'high' } as const
const TRENDS = { better: 'improving', same: 'stable', worse: 'declining' } as const

function fuseSession(input: ScoreInput, crisis_resources: CrisisResources): FusionResult {
  const { text } = input.analyses
  try {
    return fuse(
      {
        audio: modality(input, 'audio'),
        visual: modality(input, 'visual'),
        text: modality(input, 'text'),
        missing: Object.fromEntries(
          MODALITIES.filter((name) => !input.consents[name]).map((name) => [name, 'no_consent']),
        ),
        textDetails: {
          themes: usedText(input)?.themes ?? [],
          keywords: usedText(input)?.keywords ?? [],
          crisis: { level: crisisLevel(input), rule: text?.measures.crisis_rule ?? null },
          stated_mood: usedText(input)?.stated_mood ?? null,
        },
        moodScore: moodsOf(input).entered,
        baseline: input.baseline,
      },
      SESSION_SCHEME,
    )
  } catch (error) {
    if (error instanceof NothingToScore) throw nothingUsable(error, crisis_resources)
    throw error
  }
}

function modality(input: ScoreInput, name: Modality): ModalityInput {
  const analysis = input.consents[name] ? input.analyses[name] : undefined
  if (analysis === undefined) return null
  return {
    features: analysis.measures.features,
    quality: { score: analysis.quality, reason: analysis.quality_reason },
    ...(name === 'text' && resamplingOf(input)),
  }
}

function resamplingOf(input: ScoreInput) {
  const { replicates = {}, words = null } = input.analyses.text?.measures ?? {}
  return { replicates, amount: words }
}

function usedText(input: ScoreInput) {
  return input.consents.text ? input.analyses.text?.measures : undefined
}

function nothingUsable({ components }: NothingToScore, crisis_resources: CrisisResources): ServiceError {
  const unusable = components.flatMap(({ modality, reason }) =>
    modality === 'self_report' || reason === 'no_consent' || reason === 'not_provided'
      ? []
      : [{ modality, reason }],
  )
  return new ServiceError(
    'analyses_incomplete',
    'Nothing that was analysed could be used for a score. Analyse again with more speech, a clearer image or more text.',
    { missing: [], unusable, crisis_resources },
  )
}

function scoreOf(result: FusionResult, name: Modality): number | null {
  return result.components.find(({ modality }) => modality === name)?.score ?? null
}

/**
 * The score of a modality, also of one that was too poor to take part: whatever was measured is shown as a number. Null where nothing
 * was, and without consent.
 */
function shownScore(input: ScoreInput, result: FusionResult, name: Modality): number | null {
  const score = scoreOf(result, name)
  const measured = modality(input, name)
  if (score !== null || measured === null) return score
  const poor = scoreOfFeatures(name, measured.features, comparable(input.baseline), SESSION_SCHEME)
  if (poor === null) return null
  const found = { level: crisisLevel(input), rule: input.analyses.text?.measures.crisis_rule ?? null }
  return round(name === 'text' ? Math.min(poor, textCeiling(found)) : poor, 2)
}

const crisisLevel = (input: ScoreInput): RiskLevel => input.analyses.text?.risk_level ?? 'none'

function indicatorsOf(input: ScoreInput, result: FusionResult): string[] {
  const { text } = input.analyses
  const { entered, stated } = moodsOf(input)
  const isLow = entered !== null && entered <= VERY_LOW_MOOD
  const isWorse = result.direction_of_change === 'worse'
  const indicators = [
    text ? crisisIndicator(text.risk_level, text.measures.crisis_rule) : null,
    isLow ? 'a low mood reported' : null,
    isLowMoodStated(themesOf(input), stated) ? 'a low mood put into words' : null,
    isWorse ? 'lower than your usual check-ins' : null,
    // Already named above, in plainer words.
    ...result.drivers_negative.filter((label) => !isLow || label !== 'the mood you reported'),
  ]
  return indicators.filter((indicator) => indicator !== null)
}

/** Whether the student says so, whatever the score. */
function isUnwell(input: ScoreInput): boolean {
  const { entered, stated } = moodsOf(input)
  return (
    Math.min(entered ?? 10, stated ?? 10) <= LOW_MOOD ||
    reportsLowMood(themesOf(input)) ||
    crisisLevel(input) !== 'none'
  )
}

const themesOf = (input: ScoreInput): readonly string[] => usedText(input)?.themes ?? []

/** The moods that the student entered and put into words, as far as agreed to. */
function moodsOf(input: ScoreInput): { entered: number | null; stated: number | null } {
  return {
    entered: (input.consents.audio ? input.analyses.audio?.measures.mood_score : null) ?? null,
    stated: usedText(input)?.stated_mood ?? null,
  }
}

function trendOf(result: FusionResult): Pick<FusionScore, 'trend_analysis'> {
  if (result.baseline.compared === null) return {}
  return {
    trend_analysis: {
      compared_to_baseline: result.baseline.compared,
      trend_direction: TRENDS[result.direction_of_change],
      significance: result.significance,
    },
  }
}
