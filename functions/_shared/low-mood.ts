/** Up to this mood, of 1 to 10, a student says that they are not well. */
export const LOW_MOOD = 4

/** Up to this one it is of risk, whatever the score. */
export const VERY_LOW_MOOD = 3

/**
 * The theme of a student who says in words, without a number, that their own mood is low. It is stored and passed on with the other
 * themes; to a summary it means what a low number means.
 */
export const LOW_MOOD_THEME = 'low mood'

/** Whether a student's themes say so. */
export function reportsLowMood(themes: readonly string[]): boolean {
  return themes.includes(LOW_MOOD_THEME)
}

/** Whether a low mood was put into words: as such, or as a number. */
export function isLowMoodStated(themes: readonly string[], stated: number | null): boolean {
  return (stated !== null && stated <= VERY_LOW_MOOD) || reportsLowMood(themes)
}
