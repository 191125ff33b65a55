import { IDENTITY_WORDS } from '../../lexicons/identity.ts'

/** Words of that list that are mostly said of something else ("an old flat", "straight away", "this guy"). */
const EVERYDAY = new Set(
  'adopted boy brown fat girl international man men native old poor rich straight woman women young'.split(
    ' ',
  ),
)

/** Stands for every word of who somebody is, so that none of them weighs anything of its own. */
export const WHO = '&'

/** The word that a word is weighed as. */
export function alike(word: string): string {
  return IDENTITY_WORDS.has(word) && !EVERYDAY.has(word) ? WHO : word
}
