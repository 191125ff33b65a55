import type { RiskLevel } from '../risk-level.ts'
import type { Component } from './types.ts'

/**
 * No modality was usable, so there is no score. `riskLevel` still holds what the crisis check or the student's own
 * mood gave: the caller must act on it although the check-in failed.
 */
export class NothingToScore extends Error {
  readonly components: Component[]
  readonly riskLevel: RiskLevel

  constructor(components: Component[], riskLevel: RiskLevel) {
    super('No modality was good enough to give a score.')
    this.name = 'NothingToScore'
    this.components = components
    this.riskLevel = riskLevel
  }
}
