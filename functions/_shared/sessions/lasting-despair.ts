import { pattern } from '../pattern.ts'
import { readText } from '../text/crisis/reading.ts'

/** The rule that is named where it is heard, and nothing worse. */
export const LASTING_DESPAIR = 'distress.lasting'

/** Rules of despair whose words say that there is no hope. What is denied, past, quoted or said of others they leave out themselves. */
const HOPELESS =
  /^(?:distress\.(?:hopeless|pointless|trapped|cannot_go_on)|passive\.(?:no_reason_to_live|not_want_to_live))$/

/** How often or how long, as the PHQ-9 asks; the text is normalised, without punctuation and apostrophes. */
const LASTS = new RegExp(pattern`
  \b(?:
    (?:nearly |almost |practically )?(?:every (?:single )?(?:day|night|morning|evening)|each day)
    |(?:most|many|all) (?:of )?(?:the )?(?:days|nights|time)|more than half (?:of )?the days
    |all day|day (?:in|after) day|constantly|the whole time|always
    |for (?:(?:the )?(?:last|past) )?(?:a |so |nearly |almost |over |about |at least )?
      (?:few |couple of |two |2 |three |3 |four |4 |five |5 |six |6 |several |many )?(?:weeks|months|years)
    |for (?:a|the (?:last|past|whole)) (?:month|year|term|semester)|for (?:ages|a long time|so long)
    |(?:these|the) (?:last|past) (?:few |couple of |two |three |four |several )?(?:weeks|months)
    |weeks on end|weeks now|months now
  )\b
`)

/** Who is hopeless, right before: the speaker, or life as it is to them. */
const OF_ONESELF = new RegExp(pattern`
  (?:^|\ )(?:
    (?:i|im|ive|id|ill|me|myself)(?: (?!(?:
      the|this|that|he|hes|she|shes|they|theyre|we|you|youre|his|her|their|your|our|its|it|my
    )\ )\w+){0,6}
    |(?:everything|life|my life|my future|the future|my situation|it all|nothing|theres|there)(?: \w+){0,4}
  )\ $
`)

/** A time that is over, and a change for the better. */
const OVER = new RegExp(pattern`
  \b(?:
    used to|back then|last (?:year|term|semester|summer|winter|spring|autumn)|years ago|when i was|in the past|no longer|anymore but
    |not (?:any ?more|now)|but (?:now|today|lately|these days)? ?(?:i(?:m| am| feel)|its|it is|things are)(?: \w+){0,2} (?:better|fine|good|ok|okay|great|happy)
  )\b
`)

/** A sentence that goes on about the one before it: "It has been like this for weeks.", "Nearly every day." */
const GOES_ON = /^(?:(?:and )?(?:it|its|this|thats|that|like this)\b|(?:\w+ ){1,4}$)/

/** Sentences that are looked at most: half an hour of talk. */
const MOST_SENTENCES = 1000

/**
 * Whether a student says that they have been without hope for long: words of despair about themselves, and beside them, in the same
 * sentence or in one that goes on about it, that this lasts. English only.
 */
export function isLastinglyDespairing(transcript: string): boolean {
  const { found, words } = readText(transcript)
  const hopeless = found.filter(({ rule, place }) => place !== undefined && HOPELESS.test(rule))
  if (hopeless.length === 0) return false
  const sentences = new Map<number, string>()
  for (const { word, sentence } of words) {
    if (sentence < MOST_SENTENCES) sentences.set(sentence, `${sentences.get(sentence) ?? ''}${word} `)
  }
  return hopeless.some(({ place = 0, length }) => {
    const at = words[place]?.sentence
    if (at === undefined) return false
    const said = sentences.get(at) ?? ''
    const next = sentences.get(at + 1) ?? ''
    const begins = words.findIndex(({ sentence }) => sentence === at)
    const before = words
      .slice(begins, place)
      .map(({ word }) => `${word} `)
      .join('')
    const phrase = words
      .slice(place, place + length)
      .map(({ word }) => word)
      .join(' ')
    const isOwn =
      OF_ONESELF.test(` ${before}`) || /\b(?:i|im|me|my|life|everything|cant|theres|there is)\b/.test(phrase)
    const isLasting = LASTS.test(said) || (GOES_ON.test(next) && LASTS.test(next))
    return isOwn && isLasting && !OVER.test(said)
  })
}
