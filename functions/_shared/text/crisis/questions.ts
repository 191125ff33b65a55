import type { Context } from './context.ts'

/** What the speaker says that they answered when they were asked about a crisis. */
export type Answer = 'yes' | 'no'

const YES =
  'yes|yeah|yea|yep|yup|sometimes|often|always|maybe|probably|daily|weekly|kind of|kinda|sort of|a few times|once or twice|several days|more than half(?: the days)?|(?:nearly |almost |pretty much )?(?:every|most) (?:single )?(?:day|night|week|time)s?|all the time|not sure|i dont know|true|agree|strongly agree|i (?:do|did|am|was|have|had|might|think so|guess)(?! not\\b)'
/** After "I don't" or "I'm not", what makes it no answer: "I don't know", "I'm not telling anyone". */
const UNANSWERED =
  '(?! (?:know|sure|certain|able|ready|allowed|honest|feel (?:able|ready|safe|comfortable|like)|(?:(?:going|want|wanting|trying|planning|willing|about) to )?(?:tell|say|admit|lie|talk|deny|pretend|explain|answer|reply|respond|mention|act|do|upset|worry|burden|scare|bother)|(?:tell|say|ly|jok|do|try|gett|cop|admitt|pretend)ing)\\b)'
const I_DO_NOT = `(?:(?:i (?:dont|didnt|havent|wasnt|never|do not|did not|have not|am not|was not)|im not)${UNANSWERED})`
const NO = `(?:no(?! (?:one|body|way|more|longer|reason|point|hope|idea)\\b)|nope|not(?! (?:sure|certain)\\b)|never|none|zero|0|of course not|${I_DO_NOT})`
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

/** A question to "you" in normalised text and the yes that follows it. */
const ANSWERED_QUESTION = new RegExp(
  `(?<= )(?:are|were|do|did|have|had|would) you (?:[^ .]+ ){1,24}?(?=\\. (?:${HONESTLY})*(?:${YES}) |(?:${HONESTLY})*(?:yes|yeah|yep|yup) )`,
  'g',
)

/** A normalised text in which the questions that are answered with yes are said as the speaker's own words. */
export function withAnsweredQuestions(normalised: string): string {
  return ` ${normalised} `
    .replace(ANSWERED_QUESTION, (question) => asStatement(question).toLowerCase())
    .slice(1, -1)
}

/** How far after what was asked its answer and what takes it back are looked for, in characters. */
const REACH = 140

/** Up to ten words, none of them one of these. */
const upTo = (none: string) => `(?: (?!(?:${none})\\b)[^ .]+){0,10} ?`

const FORM =
  '(?:questions?|questionnaires?|forms?|surveys?|screening|checklists?|phq(?: ?\\d)?|items?|box(?:es)?)'
/** Up to what was asked: "the nurse asked me if I had thoughts of …", "an item on …". No other clause may stand between. */
const QUESTION_BEFORE = new RegExp(
  `\\b(?:(?:ask(?:s|ed|ing)?(?: \\w+){0,4}?|wanted to know|(?:talk|talked|talking|spoke|chatted) about|discuss(?:ed|ing)?) (?:if|whether|do|are|have|did)${upTo('and|but|because|so|then|said|told|answered|replied')}|(?:ask(?:s|ed|ing)?(?: \\w+){0,4}?|wanted to know|${FORM}(?: \\w+){0,3}?) (?:on|about|of|for)${upTo('and|but|because|so|then|said|told|answered|replied|i|im|ive')})$`,
)
/** The same where the question itself is said, to "you". */
const SAID_QUESTION_BEFORE = new RegExp(
  `\\b(?:are|were|do|did|have|had) you${upTo('i|im|ive|id|my|me|and|but|because|so')}$`,
)
/** What others take to be so: "my mum thinks …", "people were worried that …". */
const ASSUMED_BEFORE =
  /\b(?:(?:thinks|believes|assumes|reckons|suspects|fears)|(?<!\b(?:i|im|ive|id|we|am) (?:\w+ ){0,4})(?:think|thought|believe|believed|assume|assumed|reckon|suspected|worried|afraid|convinced))(?: that)? (?:(?:i|im|ive|am|was|been|be|might|could|feel|felt|feeling|still|really|actually|secretly) ){0,4}$/
const ASKED_BY_SPEAKER = /\bi (?:\w+ )?ask(?:ed)? (?:him|her|them|my|the|a|if (?:he|she|they))\b/

const GAVE =
  '(?:\\bthe (?:\\w+ )?answer (?:is|was|has been)(?: (?:always|still|usually|just))? |\\bi (?:\\w+ ){0,3}?(?:said|say|told (?:him|her|them|the \\w+)|answered|replied|tick(?:ed)?|put|marked|circled|wrote|chose|picked|scored|rated|selected|clicked|checked|went (?:with|for)|gave)(?: (?:that|it|down|a|an|the|just|her|him|them|with|as|honestly|to)){0,3} )'
const GIVEN = `${GAVE}(?:(?<yes>${YES}|(?:top|highest|worst) (?:one|box|option|answer|score)|(?:[23]|two|three)(?= (?:\\.|on|for|and|out)))|(?<no>${NO}))(?= )`
/** Of what follows a question: what the speaker says that they answered, or an answer in a clause of its own. */
const ANSWER_AFTER = new RegExp(
  `^(?: [^ .]+){0,8}?(?: \\.)?(?: (?:and|but|so|then))*(?: (?:${GIVEN}|(?<nod>i (?:\\w+ ){0,2}(?:nodded|admitted|confirmed|couldnt deny))|(?<shake>i (?:\\w+ )?shook my head))| (?:(?<=\\. )|(?<=(?:and|but|so) ))(?:${HONESTLY})*(?:(?<bareYes>yes|yeah|yep|yup|i (?:dont|didnt) know|(?:im|i am|i was) not sure|i wasnt sure|i (?:do|did|am|was|have|had|have been)(?= (?:\\.|and|but|a lot|every|most|sometimes|often)))|(?<bareNo>(?:no|nope|never)(?= (?:\\.|i|im|ive|not|never|no|of|thanks?|but|and|$))|not at all|${I_DO_NOT}))(?= ))`,
)
/** An answer that is told before its question: "I ticked never for the item on …". */
const ANSWER_BEFORE = new RegExp(
  `${GIVEN} (?:at all |the days )?(?:for|on|to|about|next to|under|when|at) (?:(?!(?:and|but|because|so|im|ive)\\b)[^ .]+ ){0,14}$`,
)
const ABOUT_A_FORM = new RegExp(`\\b(?:${FORM}|asked)\\b`)

/** What takes a "no" back: "but that was a lie", "no but I do". */
const TAKEN_BACK =
  /\b(?:(?<!no |not a |not )(?:lies?|lied|lying|untrue|pretended)|(?:not|isnt|wasnt) (?:\w+ )?(?:true|honest|the truth)|couldnt (?:tell|say|admit)|didnt (?:dare|tell (?:him|her|them)? ?the truth)|because i (?:was|am|felt) (?:too )?(?:\w+ )?(?:scared|afraid|ashamed|embarrassed|frightened)|(?:but|and|though) (?:\w+ ){0,2}(?:yes|i (?:really |actually |still )?(?:do|am|have|did|was|had)(?= (?:\.|think|every|most|sometimes|a lot|often)| *$)|i (?:still |sometimes |often |always |keep )+(?:think|thinking|want to die|wish)))\b/

/** "I'm not going to … or anything, but I do think about it." */
const STILL_THINKS =
  /^(?: (?!but )[^ .]+){0,6} (?:but|though|although) i (?:(?!dont |not |never |didnt )\w+ ){0,3}(?:(?:think|thinking|thought|wonder|dream\w*|fantasi\w+|daydream\w*) (?:about|of) |imagin\w+ |pictur\w+ |consider\w* |plan\w* )(?:it|that|this|dying|death|being dead|not being here|how i(?:d| would| could| might)? (?:do|die|end)|ways to|doing it)(?= )/

/**
 * What the speaker answered when asked about the matched words, by anybody, by a form or by themselves: read before anything else
 * about the words, because a reported question looks like a denial or like somebody else's words. A "no" that is taken back is a
 * "yes", and so is one that the speaker's thoughts go against. `null` where nothing was asked about just these words, or answered:
 * "they asked how I was and I said not well, I want to die" asked nothing about dying.
 */
export function answerTo({ matched, before, after, farAfter }: Context, isDenied: boolean): Answer | null {
  if (isDenied && STILL_THINKS.test(`${after} `)) return 'yes'
  if (/\b(?:himself|herself|themsel\w+)\b/.test(matched)) return null
  const following = `${farAfter.slice(0, REACH)} `
  const { yes, no, nod, shake, bareYes, bareNo } = answerIn({ before, matched, after }, following) ?? {}
  if (yes ?? nod ?? bareYes) return 'yes'
  if (!(no ?? shake ?? bareNo)) return null
  return TAKEN_BACK.test(following) ? 'yes' : 'no'
}

function answerIn(
  { before, matched, after }: Pick<Context, 'before' | 'matched' | 'after'>,
  following: string,
) {
  const isAsked =
    (QUESTION_BEFORE.test(before) && !ASKED_BY_SPEAKER.test(before)) ||
    (SAID_QUESTION_BEFORE.test(before) && !/\b(?:i|my|myself)\b/.test(matched))
  if (isAsked) return ANSWER_AFTER.exec(following)?.groups ?? answerBefore(before)
  // What somebody assumes is no question, so that only the same sentence answers it.
  if (ASSUMED_BEFORE.test(before)) return ANSWER_AFTER.exec(`${after} `)?.groups
  return answerBefore(before)
}

function answerBefore(before: string) {
  return ABOUT_A_FORM.test(before) ? ANSWER_BEFORE.exec(before)?.groups : undefined
}
