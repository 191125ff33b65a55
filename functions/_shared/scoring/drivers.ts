import { round } from '../numbers.ts'
import type { Evaluation } from './component.ts'
import { SCORE_HALF_WIDTH, SQUASH_GAIN } from './scheme.ts'
import type { Driver } from './types.ts'

/** Labels on each side, and the points that a label has to move the score to be named. */
const MAX_LABELS = 4
const MIN_POINTS = 0.5

type Drivers = { positive: string[]; negative: string[]; drivers: Driver[] }

/**
 * What moved the score, strongest first. A feature's contribution is its share of the component's mean z, times the
 * component's weight, in points of the score before squashing. Features with one label are named once; `drivers` holds
 * the features behind every label that is named.
 */
export function driversOf(components: readonly Evaluation[], weights: ReadonlyMap<string, number>): Drivers {
  const all = components.flatMap(({ name, terms }) =>
    terms.map(({ feature, pull, norm }): Driver => {
      const contribution = pull * SQUASH_GAIN * SCORE_HALF_WIDTH * (weights.get(name) ?? 0)
      return {
        label: contribution >= 0 ? norm.raised : norm.lowered,
        modality: name,
        feature,
        contribution: round(contribution, 2),
      }
    }),
  )
  const positive = strongest(all.filter(({ contribution }) => contribution > 0))
  const negative = strongest(all.filter(({ contribution }) => contribution < 0))
  const drivers = [...positive, ...negative]
    .flatMap((group) => group.drivers)
    .sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution))
  return {
    positive: positive.map(({ label }) => label),
    negative: negative.map(({ label }) => label),
    drivers,
  }
}

function strongest(drivers: readonly Driver[]): Array<{ label: string; drivers: Driver[]; points: number }> {
  const groups = new Map<string, { label: string; drivers: Driver[]; points: number }>()
  for (const driver of drivers) {
    const group = groups.get(driver.label) ?? { label: driver.label, drivers: [], points: 0 }
    group.drivers.push(driver)
    group.points += Math.abs(driver.contribution)
    groups.set(driver.label, group)
  }
  return [...groups.values()]
    .filter(({ points }) => points >= MIN_POINTS)
    .sort((a, b) => b.points - a.points)
    .slice(0, MAX_LABELS)
}
