import { pattern } from '../../pattern.ts'
import type { Word } from './reading.ts'

/** Words of a closing at most: who says more says something. */
const MOST_WORDS = 40

/** What is said to an audience, as a recogniser that learnt from videos hears it in noise. */
const TO_AN_AUDIENCE = pattern`
  (?:many )?thanks?(?: you)?(?: (?:all|so|very|much))* for (?:watching|viewing|listening|tuning in|joining(?: (?:me|us))?)
  |(?:please )?(?:dont forget to )?(?:like|subscribe)(?: (?:to|and|this|my|the|our|video|channel|like|share|subscribe))*
  |(?:(?:i|we)(?:ll| will) )?see (?:you|ya)(?: (?:guys|all))? (?:in|on) the next (?:one|video|episode)
  |i hope you(?: all| guys)? (?:liked|enjoyed) (?:this|the|my|our) (?:video|episode|stream)
`

/** What ends a conversation. Nobody is named, nothing is given away, and nothing is for ever. */
const TO_ANYBODY = pattern`
  (?:ok|okay|alright|all right|right|so|well|and|um|uh|anyway|yeah|yes|hello|hi|just|now|you|cheers|ciao|peace out|so long|farewell)
  |(?:many )?thanks?(?: you)?(?: (?:so|very|much|again|a lot|indeed))*(?: for (?:coming|your time|your attention|having me|asking|today))?
  |(?:good)?bye(?: bye)*(?: for now)?
  |good (?:night|day|evening|afternoon|luck)
  |(?:(?:i|we)(?:ll| will) )?(?:see|catch|talk to|speak to) (?:you|ya)(?: (?:later|soon|then|around|tomorrow|next (?:time|week)))*
  |(?:until )?next time
  |(?:please )?(?:take care(?: of yoursel(?:f|ves))?|look after yoursel(?:f|ves)|stay safe)
  |have a (?:very )?(?:good|great|nice|lovely|wonderful) (?:day|night|evening|weekend|week|one|time)
  |that(?:s| is) (?:it|all)(?: for (?:today|now))?
`

const CLOSING = new RegExp(
  pattern`
    ^(?:
      (?:${TO_AN_AUDIENCE}|${TO_ANYBODY})
      (?: (?:everyone|everybody|all|guys|folks|friends|there|again|of you))*
      (?: |$)
    )+$
  `,
)
const AUDIENCE = new RegExp(pattern`\b(?:${TO_AN_AUDIENCE})\b`)

/**
 * The words of a text without a closing that says nothing: one that is all of the text ("Thank you. Goodbye."), or that ends it and is
 * said to an audience ("Thanks for watching. Bye."). People say the first at the end of a recording; speech recognition makes both of
 * noise (Koenecke et al. 2024, "Careless Whisper: Speech-to-Text Hallucination Harms", FAccT '24). A farewell with anything else in it is left
 * as it is.
 */
export function withoutClosing(words: readonly Word[]): readonly Word[] {
  const last = words.slice(-MOST_WORDS)
  const text = last.map(({ word }) => word).join(' ')
  if (words.length <= MOST_WORDS && CLOSING.test(text)) return []
  const at = text.search(AUDIENCE)
  if (at === -1 || !CLOSING.test(text.slice(at))) return words
  const before = text.slice(0, at).split(' ').length - 1
  return words.slice(0, words.length - last.length + before)
}
