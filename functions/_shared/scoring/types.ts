import type { Direction, Significance } from '../direction-of-change.ts'
import type { Replicates } from '../replicates.ts'
import type { RiskLevel } from '../risk-level.ts'

/** A kind of evidence that a machine reads from what the student sent. */
export type Modality = 'audio' | 'visual' | 'text'

/** A part of the score: a modality, or what the student says about their own mood. */
export type ComponentName = Modality | 'self_report'

/** One modality as its analysis measured it; `null` when there is none. A `null` feature could not be measured. */
export type ModalityInput = {
  features: Record<string, number | null>
  /** `score` 0 (unusable) to 1 (studio quality); `reason` says what lowered it. */
  quality: { score: number; reason: string | null }
  /** Scored features without one part of the evidence each; without them the error of such evidence is assumed. */
  replicates?: Replicates
  /** How much there was: seconds of speech, usable images or words. */
  amount?: number | null
} | null

/** What the analysis of the transcript found besides its features. */
export type TextDetails = {
  /** `low mood` among them: the student says so in words. */
  themes: readonly string[]
  keywords: readonly string[]
  crisis: { level: RiskLevel; rule: string | null }
  /** Mood on a scale of 1 to 10 that the student put into words. */
  stated_mood: number | null
}

export type FusionInput = {
  audio: ModalityInput
  visual: ModalityInput
  text: ModalityInput
  /** Why a modality that is `null` is missing (`no_consent`, `analysis_failed`…); `not_provided` by default. */
  missing?: Partial<Record<Modality, string>>
  textDetails?: TextDetails | null
  /** The mood that the student entered, 1 (worst) to 10 (best). */
  moodScore: number | null
  /** Risk that was found otherwise, which the result is never below; `none` by default. It says nothing about the words. */
  knownRisk?: RiskLevel
  baseline: Baseline | null
  /** Intervals fitted to an operator's labels; none by default. */
  calibrations?: readonly Calibration[]
}

/** An interval fitted to labels of one operator's students, for one version and one set of components. */
export type Calibration = {
  algorithm_version: string
  /** The components that take part, in the order of the result. */
  components: readonly string[]
  /** Label minus score that 5% of the labels lie below, and that 5% lie above; points. */
  low: number
  high: number
}

/** Robust location and spread of one series, in the series' own unit; `count` observations so far. */
export type RobustStat = { mean: number; spread: number; count: number }

/** What is usual for one student. Plain JSON, stored as it is. */
export type Baseline = {
  /** Check-ins counted. */
  count: number
  /** Raised by one with each update, for optimistic locking. */
  version: number
  /** The version of the scoring that made both series; another one starts them anew. */
  algorithm_version: string | null
  score: RobustStat
  /** By `modality.feature`. */
  features: Record<string, RobustStat>
}

/** One check-in as the baseline sees it; `features` by `modality.feature`, usable values only. */
export type Observation = { score: number; features: Record<string, number> }

/** Why a score was compared with nothing. */
export type UncomparedReason = 'too_few_check_ins' | 'other_version'

export type Component = {
  modality: ComponentName
  /** 10 to 90; `null` when the component took no part. */
  score: number | null
  /** Standard error of `score` in points; `null` when the component took no part. */
  standard_error: number | null
  /** Share in the fused score, 0 to 1; the weights add up to 1. */
  weight: number
  /** 0 to 1; `null` when there was nothing to assess. */
  quality: number | null
  /** Why the component is missing, left out, or of lower quality. */
  reason: string | null
}

/** A feature that moved the score, in plain words. `contribution` is in points of the score, before squashing. */
export type Driver = { label: string; modality: ComponentName; feature: string; contribution: number }

export type FusionResult = {
  /** 0 to 100, two decimals; 50 is typical of the reference values, in practice 10 to 90. */
  score: number
  /** 0 (certain) to 1 (nothing known), three decimals. */
  uncertainty: number
  /** Standard error of `score` as a repeated check-in would show it, points. */
  standard_error: number
  /** 90% interval, points: of a repeated check-in around `score`, or of the label where it is `calibrated`, which need not hold `score`. */
  score_interval: [number, number]
  /** Whether the interval was fitted to labels; else it says how far the score can be repeated, not how true it is. */
  calibrated: boolean
  direction_of_change: Direction
  /** How far the change stands out from the student's usual variation. */
  significance: Significance
  risk_level: RiskLevel
  summary: string
  themes: string[]
  drivers_positive: string[]
  drivers_negative: string[]
  drivers: Driver[]
  /** Audio, visual, text and self-report, always all four. */
  components: Component[]
  /** The baseline that this check-in was compared with; `compared` is score minus `score_mean`. */
  baseline: {
    score_mean: number | null
    score_sd: number | null
    check_ins: number
    compared: number | null
    /** Why `compared` is `null`. */
    reason: UncomparedReason | null
  }
  algorithm_version: string
  next_baseline: Baseline
}
