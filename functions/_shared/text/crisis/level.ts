import type { RiskLevel } from '../../risk-level.ts'

/** How grave the words are. */
export type CrisisLevel = RiskLevel

/** `rule` is the id of the rule that decided, never a part of the text. */
export type Crisis = { level: CrisisLevel; rule: string | null }
