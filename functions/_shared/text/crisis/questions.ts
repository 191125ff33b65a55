import { everyMatch, pattern } from '../../pattern.ts'
import type { Context } from './context.ts'

/** Thoughts about something. */
const THOUGHTS_OF = pattern`
  (?:
    (?:think|thinking|thought|wonder|dream\w*|fantasi\w+|daydream\w*) (?:about|of) |imagin\w+ |pictur\w+ |consider\w* |plan\w* )
`

/** Yes and no, as an answer begins. */
const ANSWERS = pattern`
  (?:
    (?<yes>yes|yeah|yep|yup|sometimes(?= *$| \.)|once(?= *$| (?:\.|or|last|in|before))|twice)
    |(?<no>no|nope|never|none|not (?:really|at all|always|ever|once))
  )
`

/** What somebody else believes of the student. */
const OTHERS_BELIEVE = pattern`
  (?:
    (?:thinks|believes|assumes|reckons|suspects|fears)
    |(?<!\b(?:i|im|ive|id|we|am) (?:\w+ ){0,4})(?:
      think|thought|believe|believed|assume|assumed|reckon|suspected|worried|afraid|convinced
    )
  )
`

/** An answer that is taken back. */
const NOT_TRUE = pattern`
  (?:
    (?:that|this|it) (?:is|was) (?:a lie|not true|untrue)|(?:that|it) (?:isnt|wasnt) (?:the truth|true)
    |none of (?:it|that) (?:is|was) true
    |(?:i|im|ive|i was|i am|i have)(?: been)? (?:just |only )?(?:lying|lied)
    |i (?:really |actually |still |already |secretly |kind of |sort of ){0,2}(?:do|am|did|have)(?= (?:
      \.|now|every|most days|sometimes|often|again|once|twice|already
      |(?:last|this) (?:night|week|weekend|morning)
    )
    | *$
    )
    |i (?:dont know|cant (?:say|promise)|am not sure|im not sure) (?:how (?:long|much longer)|if|whether) (?:i|id|ill|that|it)
    (?= )
  )
`

/** What the speaker says that they answered when they were asked about a crisis. */
export type Answer = 'yes' | 'no'

const YES = pattern`
  yes|yeah|yea|yep|yup|sometimes|often|always|maybe|probably|daily|weekly|kind of|kinda|sort of
  |a few times|once or twice|several days|more than half(?: the days)?
  |(?:nearly |almost |pretty much )?(?:every|most) (?:single )?(?:day|night|week|time)s?|all the time
  |not sure|i dont know|true|agree|strongly agree|(?:absolutely|definitely|of course)(?! not\b)
  |its something i (?!dont|never|wouldnt)\w+
  |i (?:do|did|am|was|have|had|might|think so|guess)(?! (?:
    not
    |(?:(?:just|only|so|very|really|too|actually|absolutely|completely|perfectly|totally|a bit) ){0,2}(?:
      tired|exhausted|fine|ok|okay|alright|good|great|well|better|safe|stressed|busy|sad|upset|joking
      |kidding|hungover|ill|sleeping|homesick|bored|anxious|worried|nervous|unhappy
    )(?! (?:and|but) i (?:do|did|am|have)\b)
  )\b
  )
`
/** After "I don't" or "I'm not", what makes it no answer: "I don't know", "I'm not telling anyone". */
const UNANSWERED = pattern`
  (?! (?:
    know|sure|certain|able|ready|allowed|honest|feel (?:able|ready|safe|comfortable|like)
    |(?:(?:going|want|wanting|trying|planning|willing|about) to )?(?:
      tell|say|admit|lie|talk|deny|pretend|explain|answer|reply|respond|mention|act|do|upset|worry
      |burden|scare|bother
    )
    |(?:tell|say|ly|jok|do|try|gett|cop|admitt|pretend)ing
  )\b
  )
`
const I_DO_NOT = `(?:(?:i (?:dont|didnt|havent|wasnt|never|do not|did not|have not|am not|was not)|im not)${UNANSWERED})`
const NO = pattern`
  (?:
    no(?! (?:one|body|way|more|longer|reason|point|hope|idea|brainer)\b)|nope|not(?! (?:sure|certain)\b)
    |never|none|zero|0|(?:of course|absolutely|definitely|certainly) not|its (?:not something|nothing)
    |${I_DO_NOT}
  )
`
const HONESTLY =
  '(?:honestly|well|um|uh|erm|truthfully|to be honest|actually|and|the (?:\\w+ )?answer (?:is|was)) '

/** A reply that says yes to a question, in part or sometimes. */
const AGREES = new RegExp(`^\\W*(?:${HONESTLY})*(?:${YES}|a bit|a little|a lot)\\b`, 'i')

/** Whether a reply says yes to what was asked. */
export function agrees(reply: string): boolean {
  return AGREES.test(reply.replace(/['’]/g, '').replace(/[^\p{L}\p{N}]+/gu, ' '))
}

/** A question to "you" as somebody who says yes to it would say it: "Are you thinking of it?" is "I am thinking of it." */
export function asStatement(question: string): string {
  return question
    .replace(/\byourself\b/gi, 'myself')
    .replace(/\byour\b/gi, 'my')
    .replace(/\b(?:are|were) you\b/gi, 'I am')
    .replace(/\b(?:do|did|have|had) you\b|\byou\b/gi, 'I')
    .replace(/\?\s*$/, '.')
}

/** How far after what was asked its answer and what takes it back are looked for, in characters. */
const REACH = 140

/** Up to ten words, none of them one of these. */
const upTo = (none: string) => `(?: (?!(?:${none})\\b)[^ .]+){0,10} ?`

/** What asks in writing. */
const FORM = pattern`(?:
  questions?|questionnaires?|forms?|surveys?|screening|checklists?|phq(?: ?\d)?|items?|box(?:es)?
  |number (?:nine|\d)|the (?:\w+ )?one
)`
/** Asking, up to a verb. */
const ASKED_WHETHER = pattern`(?:
  (?:ask|check)(?:s|ed|ing)?(?: \w+){0,4}?|wanted to know
  |(?:talk|talked|talking|spoke|chatted) about|discuss(?:ed|ing)?
) (?:if|whether|do|are|have|did)`
/** Asking, up to a noun. */
const ASKED_ABOUT = pattern`(?:
  ask(?:s|ed|ing)?(?: \w+){0,4}?|wanted to know|${FORM}(?: \w+){0,3}?
) (?:on|about|of|for)`
/** Where another clause begins. */
const NEXT_CLAUSE = 'and|but|because|so|then|said|told|answered|replied'
/** Up to what was asked: "the nurse asked me if I had thoughts of …", "an item on …". No other clause may stand between. */
const QUESTION_BEFORE = new RegExp(pattern`
  \b(?:${ASKED_WHETHER}${upTo(NEXT_CLAUSE)}|${ASKED_ABOUT}${upTo(`${NEXT_CLAUSE}|i|im|ive`)})$
`)
/** The same where the question itself is said, to "you". */
const SAID_QUESTION_BEFORE = new RegExp(
  `\\b(?:are|were|do|did|have|had) you${upTo('i|im|ive|id|my|me|and|but|because|so')}$`,
)
/** "She said any thoughts of …": a question without a verb. */
const ANY_BEFORE = new RegExp(pattern`
  \b(?:said|says|like|goes|asks?|asked) (?:so )?(?:any|ever)(?: [^ .]+){0,4} ?$
  |(?<!\b(?:have|had|having|got|get|getting|without|not|dont|havent|didnt|never) )\bany $
`)
/** A question that is a match itself: "is anyone hurting you", "do you feel safe at home". */
const IS_QUESTION =
  /^(?:(?:is|are|was|were|do|does|did|has|have) (?!not\b)(?:\w+ ){0,8}?you\b|(?:if|whether) i (?:\w+ )?safe )/
/** Where a no is what is alarming. */
const ASKS_IF_SAFE = /^(?:(?:do|did|are) you|(?:if|whether) i) (?:\w+ )?safe\b/
/** An item of a questionnaire as it is read out: "thoughts that you would be …", whose answer follows at once. */
const ITEM_BEFORE =
  /\bthoughts? (?:that|of|about)(?: (?!(?:i|im|ive|my|me|and|but|because|so|no|yes)\b)[^ .]+){0,10} ?$/
const OF_THE_SPEAKER = /\b(?:i|ive|id|im|my) (?:\w+ ){0,6}$/
/** What others take to be so: "my mum thinks …", "people were worried that …". */
const ASSUMED_BEFORE = new RegExp(pattern`
  \b${OTHERS_BELIEVE}(?: that)? (?:
    (?:i|im|ive|am|was|been|be|might|could|feel|felt|feeling|still|really|actually|secretly) ){0,4}$
`)
const ASKED_BY_SPEAKER = /\bi (?:\w+ )?ask(?:ed)? (?:him|her|them|my|the|a|if (?:he|she|they))\b/

const SAID = pattern`
  (?:
    said|say|saying|(?:told|telling) (?:him|her|them|mum|mom|the \w+)|answered|replied|tick(?:ed)?|put
    |marked|circled|wrote|typed|entered|chose|picked|scored|rated|selected|clicked|pressed|tapped
    |checked|went (?:with|for)|gave
    |(?:go|went|(?:was|am) like)(?= (?:yes|yeah|yep|no|nope|never|not) )
  )
`
const GAVE = pattern`
  (?:
    \bthe (?:\w+ )?answer (?:is|was|has been)(?: (?:always|still|usually|just))? |\b(?:(?:that|mine|it|which) (?:is|was)|its|thats) an? |\b
    i (?:(?:\w+ ){0,3}?|(?:\w+ ){1,6}?and )${SAID}(?: (?:
      that|it|down|a|an|the|just|her|him|them|with|as|honestly|to
    )
    ){0,3} )(?:an? )?(?:(?:firm|clear|big|definite|flat|straight|quiet) )?
`
const GIVEN = pattern`
  ${GAVE}(?:
    (?<yes>
      ${YES}|a bit|a little|a few|(?:top|highest|worst) (?:one|box|option|answer|score)
      |(?:[123]|one|two|three)(?= *$| (?:\.|on|for|and|out))
    )
    |(?<no>${NO})
  )(?= )
`
/** Of what follows a question: what the speaker says that they answered, or an answer in a clause of its own. */
const ANSWER_AFTER = new RegExp(
  pattern`
   ^(?: [^ .]+){0,8}?(?: \.)?(?: (?:and|but|so|then))*(?: (?:
     (?<nod>
       i (?:\w+ ){0,2}(?:nodded|admitted|confirmed|(?:couldnt|didnt) (?:\w+ )?(?:deny|say no))
       |(?:he|she|they) (?:is|was|are|were)(?: \w+)? right
     )
     |${GIVEN}|(?<shake>i (?:\w+ )?shook my head)
   )
   | (?:(?<=\. )|(?<=(?:and|but|so) ))(?:${HONESTLY})*(?:
     (?<bareYes>
       yes|yeah|yep|yup|i (?:have|did)(?= (?:in|since|last|once|twice|again|recently))
       |i (?:dont|didnt) know|(?:im|i am|i was) not sure|i wasnt sure
       |i (?:do|did|am|was|have|had|have been)(?= (?:\.|and|but|a lot|every|most|sometimes|often))
     )
     |(?<bareNo>
       (?:no|nope|never)(?= (?:\.|i|im|ive|not|never|no|of|thanks?|but|and|$))|not at all|${I_DO_NOT}
     )
   )(?= )
   )
 `,
)
/** The answer to a question in its own words, or to an item, said right after it. */
const ANSWER_AT_ONCE = new RegExp(pattern`
  ^(?: (?!(?:i|im|ive|and|but|so|because|yes|yeah|no|not|never)\b)[^ .]+){0,6}?(?: \.)?
  (?: (?:well|um|uh|erm|honestly|actually))? ${ANSWERS}(?= )
`)
const END_OF_ANSWER = '(?= *$| (?:\\.|and|but|so|then|i|if|total|which|question|item|number|[0-9])(?: |$))'
const FREQUENCY_AT_ONCE = new RegExp(
  pattern`
   ^(?: (?:
     or|of|that|you|would|be|being|were|better|off|dead|hurting|harming|killing|yourself|in|some|way|at
     |all|any
   )
   ){0,12}?(?: \.)? (?:
     (?<yes>
       (?:several|some|most|many|a few) days|more than half(?: the days)?
       |(?:nearly |almost |pretty much )?every day
       |(?:sometimes|often|occasionally|a bit|a little|a lot|[123]|one|two|three)${END_OF_ANSWER}
     )
     |(?<no>not (?:at all|really|once)|never|none|no|0|zero)
   )(?! (?:a week|are|is|can|may|means?)\b)(?= )
 `,
)
/** An answer that is told before its question: "I ticked never for the item on …". */
const ANSWER_BEFORE = new RegExp(
  `${GIVEN} (?:at all |the days )?(?:for|on|to|about|next to|under|when|at) (?:(?!(?:and|but|because|so|im|ive)\\b)[^ .]+ ){0,14}$`,
)
const ABOUT_A_FORM = new RegExp(`\\b(?:${FORM}|asked)\\b`)

/** What says of an answer that it was untrue. */
const UNTRUE =
  '(?<!no |not a |not )(?:lies?|lied|lying|untrue|pretended)|(?:not|isnt|wasnt) (?:\\w+ )?(?:true|honest|the truth)|none of (?:it|that) (?:is|was) true'
const SAID_UNTRUE = new RegExp(`\\b(?:${UNTRUE})\\b`)
/** What takes a "no" back: "but that was a lie", "no but I do". */
const TAKEN_BACK = new RegExp(
  pattern`
   \b(?:
     ${UNTRUE}|couldnt (?:tell|say|admit)|didnt (?:dare|tell (?:him|her|them)? ?the truth)
     |because i (?:was|am|felt) (?:too )?(?:\w+ )?(?:scared|afraid|ashamed|embarrassed|frightened)
     |because i (?:dont|didnt) want (?:
       to (?:be|go|get|worry|scare|upset|end up|lose)|her|him|them|anyone|my|it
     )
     |because i (?:am|do|did|have)(?= (?:\.|and|but)| *$)
     |but i (?:already )?had (?:the|a|my|some) (?:\w+ )?
     (?:blade|razor|pills|tablets|rope|knife|plan|note)
     |(?:but|and|though) (?:\w+ ){0,2}(?:
       yes
       |i (?:really |actually |still )?(?:do|am|have|did|was|had)(?= (?:
         \.|now|think|every|most|sometimes|a lot|often|once|twice|several|many
         |last (?:night|week|weekend)|this
       )
       | *$
       )
       |i (?:still |sometimes |often |always |keep )+(?:think|thinking|want to die|wish)
     )
   )\b
 `,
)

/** "I'm not going to … or anything, but I do think about it." */
const STILL_THINKS = new RegExp(pattern`
  ^(?: (?!but )[^ .]+){0,6} (?:but|though|although) i (?:(?!dont |not |never |didnt )\w+ ){0,3}
  ${THOUGHTS_OF}(?:
    it|that|this|dying|death|being dead|not being here|how i(?:d| would| could| might)? (?:do|die|end)
    |ways to|doing it
  )(?= )
`)

/** A yes to the next question takes back no answer to this one. */
const NEXT_QUESTION =
  / (?:asked (?:me )?(?:if|whether|about|any|do|have|are|is|did|i)|(?:do|are|have|did) you|(?:is|does|has) (?:anyone|anybody)) /

/** What follows a denial that nobody asked for and takes it back: "but I do", "but I was lying", "is what I tell people". */
const CONTRADICTED = new RegExp(pattern`
  ^(?: [^ .]+){0,14}? (?:
    (?:but|though|although|and|only) ${NOT_TRUE}|is what i (?:tell|told|say|said)(?= )
  )
`)

/** A question to "you" in normalised text and the yes that follows it; another question or a no between them ends it. */
const ANSWERED_QUESTION = everyMatch`
  (?<= )(?:are|were|do|did|have|had|would) you (?:
    (?!
      (?:are|were|do|did|have|had|would|is|does|has) (?:you|anyone|anybody|someone|somebody)
      |(?:no|nope|said|told|asked) )[^ .]+ ){1,24}?(?=
    \. (?:${HONESTLY}){0,6}(?:${YES}) |(?:${HONESTLY}){0,6}(?:yes|yeah|yep|yup) |(?:and |so |then ){0,2}i (?:\w+ ){0,3}?${SAID} (?:${HONESTLY}){0,6}(?:yes|yeah|yep|yup) )
`

/** A normalised text in which the questions that are answered with yes are said as the speaker's own words. */
export function withAnsweredQuestions(normalised: string): string {
  return ` ${normalised} `
    .replace(ANSWERED_QUESTION, (question) => asStatement(question).toLowerCase())
    .slice(1, -1)
}

/**
 * What the speaker answered when asked about the matched words, by anybody, by a form or by themselves: read before anything else
 * about the words, because a reported question looks like a denial or like somebody else's words. A "no" that is taken back is a
 * "yes", and so is one that the speaker's thoughts go against. `null` where nothing was asked about just these words, or answered:
 * "they asked how I was and I said not well, I want to die" asked nothing about dying.
 */
export function answerTo({ matched, before, after, farAfter }: Context, isDenied: boolean): Answer | null {
  if (isDenied && (STILL_THINKS.test(`${after} `) || CONTRADICTED.test(`${after} `))) return 'yes'
  if (/\b(?:himself|herself|themsel\w+|(?:his|her|their) (?:own )?li(?:fe|ves))\b/.test(matched)) return null
  const following = `${farAfter.slice(0, REACH)} `
  const { yes, no, nod, shake, bareYes, bareNo } =
    answerIn({ before, matched, after }, following, isDenied) ?? {}
  const isYes = Boolean(yes ?? nod ?? bareYes)
  if (!isYes && !(no ?? shake ?? bareNo)) return null
  const answered = following.split(NEXT_QUESTION, 1)[0] ?? ''
  if (ASKS_IF_SAFE.test(matched)) return isYes && !SAID_UNTRUE.test(answered) ? 'no' : 'yes'
  return isYes || TAKEN_BACK.test(answered) ? 'yes' : 'no'
}

function answerIn(
  { before, matched, after }: Pick<Context, 'before' | 'matched' | 'after'>,
  following: string,
  isDenied: boolean,
) {
  const isOfTheSpeaker = /\b(?:i|my|myself)\b/.test(matched)
  const isSaid = IS_QUESTION.test(matched) || (SAID_QUESTION_BEFORE.test(before) && !isOfTheSpeaker)
  const item = ITEM_BEFORE.exec(before)
  const isItem = item !== null && !isOfTheSpeaker && !OF_THE_SPEAKER.test(before.slice(0, item.index))
  const atOnce =
    (isItem ? FREQUENCY_AT_ONCE.exec(following)?.groups : undefined) ??
    (isSaid ? ANSWER_AT_ONCE.exec(following)?.groups : undefined) ??
    (!isDenied && (isOfTheSpeaker || OF_THE_SPEAKER.test(before))
      ? YES_TO_ONESELF.exec(following)?.groups
      : undefined)
  if (atOnce) return atOnce
  const isAsked =
    isSaid ||
    isItem ||
    ANY_BEFORE.test(before) ||
    (QUESTION_BEFORE.test(before) && !ASKED_BY_SPEAKER.test(before))
  if (isAsked) return ANSWER_AFTER.exec(following)?.groups ?? answerBefore(before, after)
  // What somebody assumes is no question, so that only the same sentence answers it.
  if (ASSUMED_BEFORE.test(before)) return ANSWER_AFTER.exec(`${after} `)?.groups
  return answerBefore(before, after)
}

/** What a question that was answered has been made into by `withAnsweredQuestions`: "I had thoughts of … yes do you feel safe". */
const YES_TO_ONESELF = new RegExp(pattern`
  ^(?: (?:or|in|some|way|ever|lately|recently|at|all|again|and|i|said)){0,6}(?: \.)? (?<yes>yes|yep|yup)(?= (?:
    \.|$|do|are|have|is|and|but|i|some|she|he|they|sometimes|a
  )
  )
`)

function answerBefore(before: string, after: string) {
  return ABOUT_A_FORM.test(`${before}${after.slice(0, 20)}`) ? ANSWER_BEFORE.exec(before)?.groups : undefined
}
