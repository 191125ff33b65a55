import type { RiskLevel } from '../../risk-level.ts'

/** The rule that is named where what the sentences mean, and no rule, decided. */
export const SIMILAR = 'similar-to-crisis-language'

/** A way in which the context of a match can be read. */
export type Reading = 'negated' | 'past' | 'third' | 'quoted' | 'fiction' | 'hyperbole'

/** The level that a reading lowers a match to; readings that are not named change nothing. */
type Readings = Partial<Record<Reading, RiskLevel>>

/** A rule of fixed wording. It stands unless everything around it is plainly harmless. */
export type Rule = {
  /** Stable name, returned with the level and stored. */
  id: string
  level: RiskLevel
  /** Matched on normalised text; all gaps are bounded. */
  regex: RegExp
  readings: Readings
  /** The level where the speaker was asked about it and said yes; else `level`. */
  affirmed?: RiskLevel
  /** The match is dropped when this is found in its sentence. */
  unless?: RegExp
}

/** Unmistakable words: said of others, of fiction, of long ago or in denial they still leave a trace. */
export const EXPLICIT: Readings = {
  negated: 'mild',
  past: 'mild',
  third: 'mild',
  quoted: 'mild',
  fiction: 'none',
  hyperbole: 'moderate',
}

/** A past attempt stays a strong warning. */
export const ATTEMPT: Readings = { ...EXPLICIT, past: 'moderate' }

/** Words that are also said lightly. */
export const CASUAL: Readings = { ...EXPLICIT, hyperbole: 'mild' }

/** Phrases that hold their own negation ("don't want to live"). */
export const OWN_NEGATION: Readings = {
  past: 'mild',
  third: 'mild',
  quoted: 'mild',
  fiction: 'none',
  hyperbole: 'mild',
}

/** Violence by somebody else: the subject is a third person by nature. */
export const HARMED: Readings = { negated: 'mild', quoted: 'mild', fiction: 'none' }

/** Distress without danger in itself. */
export const DISTRESS: Readings = {
  negated: 'none',
  past: 'none',
  third: 'none',
  quoted: 'none',
  fiction: 'none',
  hyperbole: 'none',
}
