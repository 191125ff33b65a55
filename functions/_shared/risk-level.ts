/** Levels of risk, the lowest first, as `checkin.risk_level` has them. */
export const RISK_LEVELS = ['none', 'mild', 'moderate', 'high'] as const

export type RiskLevel = (typeof RISK_LEVELS)[number]

/** Whether the first level is above the second. */
export function isHigher(level: RiskLevel, other: RiskLevel): boolean {
  return RISK_LEVELS.indexOf(level) > RISK_LEVELS.indexOf(other)
}

/** The higher of two levels. */
export function higher(a: RiskLevel, b: RiskLevel): RiskLevel {
  return isHigher(b, a) ? b : a
}

/** The lower of two levels. */
export function lower(a: RiskLevel, b: RiskLevel): RiskLevel {
  return isHigher(a, b) ? b : a
}
