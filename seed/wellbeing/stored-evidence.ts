import type { Driver, FusionResult } from '../../functions/_shared/fusion/index.ts'
import { riskFloor } from '../../functions/_shared/fusion/interpretation.ts'
import type { RiskLevel } from '../../functions/_shared/risk-level.ts'
import { arrayText, copyText } from '../load/copy-text.ts'
import type { Evidence } from './evidence.ts'

/** Reasons named on each side. The service names up to four, with every feature behind them; this keeps rows small. */
const REASONS = 1

/** What of a check-in's result doesn't depend on whose it is, written as COPY takes it. */
export type StoredEvidence = {
  score: number
  uncertainty: number
  crisis: RiskLevel
  /** The least risk that the crisis check and the mood allow. */
  floor: RiskLevel
  /** Columns themes, drivers_positive, drivers_negative, drivers, components, with tabs between. */
  columns: string
  algorithmVersion: string
}

export function storedEvidence({ result, moodScore, crisis }: Evidence): StoredEvidence {
  const positive = strongest(result, ({ contribution }) => contribution > 0)
  const negative = strongest(result, ({ contribution }) => contribution < 0)
  const labels = (drivers: Driver[]) => arrayText(drivers.map(({ label }) => label))
  return {
    score: result.score,
    uncertainty: result.uncertainty,
    crisis,
    floor: riskFloor(crisis, moodScore),
    columns: [
      arrayText(result.themes),
      labels(positive),
      labels(negative),
      JSON.stringify([...positive, ...negative]),
      JSON.stringify(result.components),
    ]
      .map(copyText)
      .join('\t'),
    algorithmVersion: result.algorithm_version,
  }
}

function strongest({ drivers }: FusionResult, isOnSide: (driver: Driver) => boolean): Driver[] {
  const byLabel = new Map<string, Driver>()
  for (const driver of drivers.filter(isOnSide)) {
    if (!byLabel.has(driver.label)) byLabel.set(driver.label, driver)
  }
  return [...byLabel.values()].slice(0, REASONS)
}
