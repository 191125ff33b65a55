import type { Word } from './document.ts'

const NEGATORS = new Set(
  "not no never none nobody nothing neither nor without hardly barely scarcely rarely seldom cannot n't ain't isn't aren't wasn't weren't don't doesn't didn't won't wouldn't can't couldn't shouldn't haven't hasn't hadn't dont doesnt didnt wont wouldnt cant couldnt shouldnt isnt arent wasnt werent havent hasnt hadnt aint".split(
    ' ',
  ),
)

/** Words after which a negation no longer holds. */
const ENDS_SCOPE = new Set(
  'but although though because since while whereas except however and so then just'.split(' '),
)

const SUBJECTS = new Set("i i'm i've he she they we you it it's he's she's they're we're".split(' '))

/** "I don't think I'm sad": these verbs carry the negation across a new subject. */
const CARRIES = new Set('think believe feel say suppose guess mean'.split(' '))

/** "It's not that I'm sad", "not like I'm happy": these do so right after the negation. */
const CARRIES_AT_ONCE = new Set(['that', 'like'])

/** "can't stop worrying", "can't help worrying", "not only sad": no denial. */
const CANCELS = new Set('stop help only just even know care sure shake'.split(' '))

const STOPPED = new Set('stopped quit'.split(' '))

/** "never been happier", "couldn't be happier": affirmations. */
const UNSURPASSED = new Set("never couldn't couldnt can't cant cannot".split(' '))
const COMPARATIVE = /^(?:better|worse|prouder|.{2,}ier)$/
const STATES = new Set('be been feel felt'.split(' '))

const JOINS_LIST = new Set(['or', 'nor'])

const REACH = 5

/**
 * Whether the word at a position only makes or cancels a denial and says nothing by itself: "not", the "can't" and the
 * "help" of "can't help worrying".
 */
export function isNegation(words: readonly Word[], at: number): boolean {
  const form = words[at]?.form ?? ''
  return (
    NEGATORS.has(form) || denies(words, at) || (CANCELS.has(form) && NEGATORS.has(words[at - 1]?.form ?? ''))
  )
}

function denies(words: readonly Word[], at: number): boolean {
  const form = words[at]?.form ?? ''
  const next = words[at + 1]?.form ?? ''
  if (NEGATORS.has(form)) return !CANCELS.has(next)
  if (STOPPED.has(form)) return true
  return (form === 'free' && next === 'of') || (form === 'far' && next === 'from')
}

/**
 * Which words are denied, by position: those within five words after a negation in the same clause, and the rest of a
 * list that begins there ("not sad, lonely or tired"). "Can't stop", "not only" and "never been happier" do not deny;
 * "no longer", "stopped" and "far from" do; a new subject ends the scope unless the verb carries it on ("I don't think
 * I'm sad").
 */
export function deniedWords(words: readonly Word[]): boolean[] {
  const denied: boolean[] = new Array(words.length).fill(false)
  words.forEach((word, at) => {
    if (!denies(words, at) || word.breakAfter) return
    let reach = at + REACH
    for (let i = at + 1; i <= reach && i < words.length; i++) {
      const current = words[i]
      const previous = words[i - 1]
      if (current === undefined || previous === undefined || current.sentence !== word.sentence) return
      if (i > at + 1 && ENDS_SCOPE.has(current.form)) return
      if (SUBJECTS.has(current.form) && i > at + 1 && !carries(words, at, i - 1)) return
      if (JOINS_LIST.has(current.form)) reach++
      denied[i] = !isUnsurpassed(word, previous, current)
      if (!current.breakAfter) continue
      if (!listGoesOn(words, i)) return
      reach++
    }
  })
  return denied
}

function carries(words: readonly Word[], negator: number, at: number): boolean {
  const form = words[at]?.form ?? ''
  return CARRIES.has(form) || (at === negator + 1 && CARRIES_AT_ONCE.has(form))
}

function isUnsurpassed(negator: Word, previous: Word, current: Word): boolean {
  return UNSURPASSED.has(negator.form) && STATES.has(previous.form) && COMPARATIVE.test(current.form)
}

/** Whether a comma separates items of one list: an "or" follows within four words, and no new subject before it. */
function listGoesOn(words: readonly Word[], comma: number): boolean {
  for (let i = comma + 1; i <= comma + 4; i++) {
    const word = words[i]
    if (word === undefined || word.sentence !== words[comma]?.sentence || SUBJECTS.has(word.form))
      return false
    if (JOINS_LIST.has(word.form)) return true
    if (ENDS_SCOPE.has(word.form)) return false
  }
  return false
}
