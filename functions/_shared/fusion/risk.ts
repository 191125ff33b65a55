import { higher, type RiskLevel } from '../risk-level.ts'
import type { Change } from './change.ts'

/**
 * Risk from the score as low as its uncertainty allows (score - 10·uncertainty), from a clear worsening, from the
 * mood that the student reports, and from crisis language, whichever is highest. The score alone gives `high` only when
 * it is clear: below 18 with an uncertainty below 0.6.
 */
export function riskOf(score: number, uncertainty: number, change: Change, floor: RiskLevel): RiskLevel {
  const band = bandOf(score - 10 * uncertainty)
  const isClear = score < 18 && uncertainty < 0.6
  let level = higher(band === 'high' && !isClear ? 'moderate' : band, floor)
  if (change.direction === 'worse' && change.significance === 'high') {
    level = higher(level, score < 40 ? 'moderate' : 'mild')
  }
  return level
}

/** What must be acted on whatever the score: crisis language, or a very low mood that the student reports. */
export function riskFloor(crisis: RiskLevel, mood: number | null): RiskLevel {
  if (mood === null || mood > 3) return crisis
  return higher(crisis, mood <= 2 ? 'moderate' : 'mild')
}

function bandOf(score: number): RiskLevel {
  if (score < 15) return 'high'
  if (score < 27) return 'moderate'
  if (score < 38) return 'mild'
  return 'none'
}
