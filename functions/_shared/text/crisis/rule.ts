import type { Harmless } from './harmless.ts'
import type { CrisisLevel } from './level.ts'

/** A way in which the context of a match can be read. */
export type Reading = 'negated' | 'past' | 'third' | 'quoted' | 'fiction' | 'hyperbole'

export type CrisisRule = {
  /** Stable name, returned with the level and stored. */
  id: string
  level: CrisisLevel
  /** Matched on normalised text; all gaps are bounded. */
  pattern: RegExp
  /** The level that a reading lowers a match to; readings that are not named change nothing. */
  readings: Partial<Record<Reading, CrisisLevel>>
  /** The match is dropped when this is found in its sentence. */
  unless?: RegExp
}

/** A rule put together from classes of words and concepts (see `pattern.ts`). */
export type ComposedRule = {
  id: string
  level: CrisisLevel
  patterns: readonly string[]
  readings: Partial<Record<Reading, CrisisLevel>>
  /** What near a match takes the harm out of it. */
  unless: Harmless
}

/** Unmistakable words: said of others, of fiction, of long ago or in denial they still leave a trace. */
export const EXPLICIT: CrisisRule['readings'] = {
  negated: 'mild',
  past: 'mild',
  third: 'mild',
  quoted: 'mild',
  fiction: 'none',
  hyperbole: 'moderate',
}

/** A past attempt stays a strong warning. */
export const ATTEMPT: CrisisRule['readings'] = { ...EXPLICIT, past: 'moderate' }

/** Words that are also thrown about lightly. */
export const LOOSE: CrisisRule['readings'] = { ...EXPLICIT, hyperbole: 'mild' }

/** Phrases that hold their own negation ("don't want to live"). */
export const FIXED: CrisisRule['readings'] = {
  past: 'mild',
  third: 'mild',
  quoted: 'mild',
  fiction: 'none',
  hyperbole: 'mild',
}

/** Violence by somebody else: the subject is a third person by nature. */
export const HARMED: CrisisRule['readings'] = { negated: 'mild', quoted: 'mild', fiction: 'none' }

/** Distress without danger in itself. */
export const DISTRESS: CrisisRule['readings'] = {
  negated: 'none',
  past: 'none',
  third: 'none',
  quoted: 'none',
  fiction: 'none',
  hyperbole: 'none',
}
