import type { Word } from './document.ts'

const NEGATORS = new Set(
  "not no never none nobody nothing neither nor without hardly barely scarcely rarely seldom cannot n't ain't isn't aren't wasn't weren't don't doesn't didn't won't wouldn't can't couldn't shouldn't haven't hasn't hadn't dont doesnt didnt wont wouldnt cant couldnt isnt arent wasnt havent hasnt hadnt".split(
    ' ',
  ),
)

/** Words after which a negation no longer holds. */
const ENDS_SCOPE = new Set(
  'but although though because since while whereas except however and so then just'.split(' '),
)

const SUBJECTS = new Set("i i'm i've he she they we you it it's he's she's they're we're".split(' '))

/** "I don't think I'm sad": these verbs hand the negation on across a new subject. */
const HANDS_ON = new Set('think believe feel say suppose guess mean'.split(' '))

/** "can't stop worrying", "can't help worrying", "not only sad": no denial. */
const CANCELS = new Set('stop help only just even know care sure shake'.split(' '))

const STOPPED = new Set('stopped quit'.split(' '))

const REACH = 5

/**
 * Which words are denied, by position: those within five words after a negation in the same clause. "Can't stop" and
 * "not only" do not deny; "no longer" and "stopped" do; a new subject ends the scope unless the verb hands it on
 * ("I don't think I'm sad").
 */
export function deniedWords(words: readonly Word[]): boolean[] {
  const denied: boolean[] = new Array(words.length).fill(false)
  words.forEach((word, at) => {
    const next = words[at + 1]?.form ?? ''
    const isNegator =
      (NEGATORS.has(word.form) && !CANCELS.has(next)) ||
      STOPPED.has(word.form) ||
      (word.form === 'free' && next === 'of')
    if (!isNegator || word.breakAfter) return
    for (let i = at + 1; i <= at + REACH && i < words.length; i++) {
      const current = words[i]
      const previous = words[i - 1]
      if (current === undefined || previous === undefined || current.sentence !== word.sentence) return
      if (i > at + 1 && ENDS_SCOPE.has(current.form)) return
      if (SUBJECTS.has(current.form) && i > at + 1 && !HANDS_ON.has(previous.form)) return
      denied[i] = true
      if (current.breakAfter) return
    }
  })
  return denied
}
