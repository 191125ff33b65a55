export type CrisisLevel = 'none' | 'mild' | 'moderate' | 'high'

/** `rule` is the id of the rule that decided, never a part of the text. */
export type Crisis = { level: CrisisLevel; rule: string | null }

const ORDER: readonly CrisisLevel[] = ['none', 'mild', 'moderate', 'high']

export function isHigher(a: CrisisLevel, b: CrisisLevel): boolean {
  return ORDER.indexOf(a) > ORDER.indexOf(b)
}

export function lower(a: CrisisLevel, b: CrisisLevel): CrisisLevel {
  return isHigher(a, b) ? b : a
}
