/**
 * The theme of a student who says in words, without a number, that their own mood is low. It is stored and passed on with the other
 * themes; to a summary it means what a low number means.
 */
export const LOW_MOOD_THEME = 'low mood'
