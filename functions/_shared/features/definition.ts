/** What a feature measures, and what is ordinary of it. */
export type FeatureDefinition = {
  unit: string
  /** Least value that it can have; null where nothing bounds it. */
  least: number | null
  /** Greatest value that it can have; null where nothing bounds it. */
  greatest: number | null
  /** How it is measured, for whoever reads an export: range, method, and paper or tool. */
  method: string
  norm: FeatureNorm
}

/**
 * Reference of one feature. `mean` and `sd` are in the feature's unit and describe ordinary speech, faces and language
 * of young adults; they are engineering priors chosen near published ranges and **not validated** on students.
 */
export type FeatureNorm = {
  mean: number
  sd: number
  /** 1: more is better, -1: less is better, 0: followed in the baseline but not scored. */
  direction: 1 | -1 | 0
  /** Share within its modality, relative to its neighbours. */
  weight: number
  /** Up to this many SD on the good side count, so that an extreme does not look like health. */
  cap: number
  /** Greatest weight of the student's own baseline, 0 to 1; small where "usual for me" may itself be distress. */
  personal: number
  /** Plain words when the feature raised the score, and when it lowered it. */
  raised: string
  lowered: string
}

/** A feature that is followed in the baseline but has no agreed good direction. */
export function unscored(mean: number, sd: number): FeatureNorm {
  return { mean, sd, direction: 0, weight: 0, cap: 0, personal: 0, raised: '', lowered: '' }
}

/** What measures each feature: its value, or null where what was sent does not allow it to be measured. */
export type Extractors<Name extends string, Measures> = Record<Name, (measures: Measures) => number | null>

/** The features' names, in the order in which they are stored. */
export function namesOf<Name extends string>(definitions: Record<Name, FeatureDefinition>): Name[] {
  return Object.keys(definitions) as Name[]
}

/** The reference of each feature. */
export function normsOf(
  definitions: Readonly<Record<string, FeatureDefinition>>,
): Readonly<Record<string, FeatureNorm>> {
  return Object.fromEntries(Object.entries(definitions).map(([name, { norm }]) => [name, norm]))
}
