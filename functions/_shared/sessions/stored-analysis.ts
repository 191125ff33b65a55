import * as z from 'zod'
import { RISK_LEVELS } from '../risk-level.ts'

const features = z.record(z.string(), z.number().nullable())

/** The part of each stored analysis that the score is calculated from. */
export const measures = {
  audio: z.object({ features, mood_score: z.number() }),
  visual: z.object({ features }),
  text: z.object({
    features,
    /** Features without one window of the text each, and its words; absent in analyses before they were stored. */
    replicates: z.record(z.string(), z.array(z.number().nullable()).readonly()).optional(),
    words: z.number().optional(),
    themes: z.array(z.string()),
    keywords: z.array(z.string()),
    stated_mood: z.number().nullable(),
    crisis_rule: z.string().nullable(),
  }),
}

export const riskLevel = z.enum(RISK_LEVELS)

/** One analysis of a session as `private.store_session_analysis` takes it; `analysis` goes into the response. */
export type StoredAnalysis<
  Modality extends keyof typeof measures = keyof typeof measures,
  Analysis extends object = object,
> = {
  modality: Modality
  analysis: Analysis
  measures: z.infer<(typeof measures)[Modality]>
  /** 0 unusable to 1; below 0.2 the modality takes no part in a score. */
  quality: number
  quality_reason: string | null
  risk_level: z.infer<typeof riskLevel>
}
