import { normalForm } from '../../unicode.ts'
import { clean } from '../clean.ts'
import { FOR_LETTERS, undisguise } from './disguise.ts'
import { asMeant } from './mishearings.ts'

/** A mark between sentences and one for a double quote, as words of their own. */
export const STOP = '.'
export const QUOTE = '"'

/**
 * The text as the crisis rules read it: lower-case words without apostrophes, accents, commas or disguises, single
 * spaces between; sentence ends and double quotes are words of their own.
 */
export function normalise(text: string): string {
  const spelledOut = clean(text)
    // "OD'd", "ODed", "od-ing": before its apostrophe goes, and with it what it means
    .replace(
      /(?<![\p{L}\p{N}])(?:(?:OD|O\.D\.)['-]?|od['-])(ed|d|ing|s)(?![\p{L}\p{N}])/gu,
      (_, ending: string) => (ending === 'ing' ? 'overdosing' : 'overdosed'),
    )
    // "d.i.e." and "kill.my.self" have no sentence ends, unless a capital follows
    .replace(
      /(?<![\p{L}\p{N}])(?:[\p{L}\p{N}]\.){2,}(\s+(?=\p{Lu}))?/gu,
      (run, next: string | undefined) => run.replaceAll('.', ' ') + (next === undefined ? '' : '. '),
    )
    .toLowerCase()
  const withoutAccents = normalForm(spelledOut, 'NFD').replace(/[\u0300-\u036f]/g, '')
  const tokens = normalForm(withoutAccents, 'NFC')
    .replace(/'/g, '')
    .replace(/(?<=\p{L})[./](?=\p{L})/gu, ' ')
    .match(TOKEN)
  const words: string[] = []
  let letters: string[] = []
  let stops = 0
  const flush = () => {
    if (letters.length > 0) words.push(...(split(letters.join(''))?.map(undisguise) ?? letters))
    // "d.i.e." ends no sentence, "d i e." does
    if (stops > 0 && stops < letters.length) words.push(STOP)
    letters = []
    stops = 0
  }
  for (const token of tokens ?? []) {
    if (SENTENCE_END.test(token)) {
      // a stop inside a spelled-out run ("d. i. e.") is part of it; three dots are a hesitation
      if (letters.length > 0 && token === '.' && stops < letters.length) {
        stops++
        continue
      }
      flush()
      if (!/^(?:\.{2,}|…)$/.test(token) && words.at(-1) !== STOP) words.push(STOP)
    } else if (token === QUOTE) {
      flush()
      words.push(QUOTE)
    } else if (SINGLE.test(token)) {
      // "d i e. i mean it": after the stop of a run that had none, a new sentence begins
      if (stops === 1 && letters.length > 1) flush()
      letters.push(token)
    } else {
      flush()
      words.push(...splitGlued(undisguise(token)).map(undisguise))
    }
  }
  flush()
  return asMeant(joinFragments(words).join(' '))
}

const TOKEN = /[\p{L}\p{N}][\p{L}\p{M}\p{N}*#@$!|€_]*(?<!!)|[.!?…。！？]+|\n|"|\p{Extended_Pictographic}/gu
const SENTENCE_END = /^[.!?…。！？\n]+$/
const SINGLE = /^[a-z013457@$]$/

/** Words that show that a run of letters is crisis language. */
const TELLING = new Set(
  'wrists arms pills rope bridge jump hope gone forever goodbye scared hits beats bleed blade razor cutter kill killing die dying dead death suicide suicidal myself live living alive harm hurt cut cutting end ending overdose unalive rape raped hang kms exist disappear jump bleed goodbye hate pills help'.split(
    ' ',
  ),
)

/** Small words that occur beside them. */
const SMALL = new Set(
  'i im ill ive a want to wanna going gonna my self me it all life no more not dont cant wont will be is am are was of in on the this anymore any so just feel feeling think thinking about and or need please wish were gone over again tonight now never wake up really had enough out here with pain stop by have had do did day every off bridge he she hits beats they should could would like'.split(
    ' ',
  ),
)

const LONGEST_WORD = 9
const LONGEST_RUN = 60

/**
 * The words of a run without spaces ("idontwanttolive"), when all of it is known words and one of them is in `TELLING`;
 * a run that has up to three other letters before or after them keeps those letters.
 */
function split(run: string): readonly string[] | null {
  if (run.length < 3 || run.length > LONGEST_RUN) return null
  const letters = Array.from(run, (letter) => FOR_LETTERS[letter] ?? letter).join('')
  for (let cut = 0; cut + 3 <= letters.length && cut <= 3; cut++) {
    for (let end = letters.length; end >= letters.length - 3 && end - cut >= 3; end--) {
      const words = wordsOf(letters.slice(cut, end))
      if (words === null) continue
      return [...letters.slice(0, cut), ...words, ...letters.slice(end)]
    }
  }
  return null
}

/** The parts of a glued word; any other word unchanged. */
function splitGlued(word: string): readonly string[] {
  if (word.includes(' ')) return word.split(' ')
  if (!/^[a-z0-9_]+$/.test(word)) return [word]
  if (word.includes('_')) return word.split('_').filter((part) => part !== '')
  if (word.length < 7 || word.length > LONGEST_RUN || TELLING.has(word)) return [word]
  const words = wordsOf(word.replace(/2/g, 'to'))
  return words !== null && words.length > 1 ? words : [word]
}

/** The fewest known words that make up a run, when one of them is in `TELLING`. */
function wordsOf(run: string): readonly string[] | null {
  const best: Array<readonly string[] | null> = [[]]
  for (let end = 1; end <= run.length; end++) {
    let shortest: readonly string[] | null = null
    for (let start = Math.max(0, end - LONGEST_WORD); start < end; start++) {
      const before = best[start]
      if (before === null || before === undefined) continue
      const word = run.slice(start, end)
      if (!TELLING.has(word) && !SMALL.has(word)) continue
      if (shortest === null || before.length + 1 < shortest.length) shortest = [...before, word]
    }
    best[end] = shortest
  }
  const words = best[run.length] ?? null
  return words?.some((word) => TELLING.has(word)) ? words : null
}

/** What a "self" before it belongs to, so that "my self-esteem" is nobody that is hurt. */
const OF_SELF = new Set(
  'esteem confidence image worth respect doubt belief discipline control study care help assessment employed isolation portrait talk pity awareness reflection evaluation harm harmed harming injury'.split(
    ' ',
  ),
)

/** Words that fragments are joined to. */
const JOINED = new Set(
  'suicide suicidal myself kill killing die dying dead death overdose overdosed unalive'.split(' '),
)

/** "su icide", "my self", "ki ll": neighbouring fragments joined to one word. */
function joinFragments(words: readonly string[]): readonly string[] {
  const joined: string[] = []
  for (let i = 0; i < words.length; i++) {
    let word = words[i] ?? ''
    if (word.length <= 6) {
      let whole = word
      for (let length = 1; length < 5 && whole.length < 10; length++) {
        whole += words[i + length] ?? ''
        if (!JOINED.has(whole) || (words[i + length] === 'self' && OF_SELF.has(words[i + length + 1] ?? '')))
          continue
        word = whole
        i += length
        break
      }
    }
    joined.push(word)
  }
  return joined
}
