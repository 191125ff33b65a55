import type { Context } from './context.ts'

/** What the speaker says that they answered when they were asked about a crisis. */
export type Answer = 'yes' | 'no'

const YES =
  'yes|yeah|yea|yep|yup|sometimes|often|always|maybe|probably|daily|weekly|kind of|kinda|sort of|a few times|once or twice|several days|more than half(?: the days)?|(?:nearly |almost |pretty much )?(?:every|most) (?:single )?(?:day|night|week|time)s?|all the time|not sure|i dont know|true|agree|strongly agree|i (?:do|did|am|was|have|had|might|think so|guess)(?! not\\b)'
const NO =
  '(?:no(?! (?:one|body|way|more|longer|reason|point|hope|idea)\\b)|nope|not|never|none|zero|0|nothing|of course not|i (?:dont|didnt|havent|wasnt|never|do not|did not|have not|am not|was not)|im not)'
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

/** How far from what was asked the question and its answer are looked for, in characters. */
const REACH = 140

const ASKED =
  /\b(?:ask(?:s|ed|ing)?|wanted to know|questions?|questionnaires?|forms?|surveys?|screening|checklists?|phq(?: ?\d)?|items?|tick ?box(?:es)?)\b/
/** The question itself, said to "you". */
const QUESTION = /\b(?:are|were|do|did|have|had) you\b/
const ASKED_BY_SPEAKER = /\bi (?:\w+ )?ask(?:ed)? (?:him|her|them|my|the|a|if (?:he|she|they))\b/

const GAVE =
  '\\bi (?:\\w+ ){0,3}?(?:said|say|told (?:him|her|them|the \\w+)|answered|replied|tick(?:ed)?|put|marked|circled|wrote|chose|picked|scored|rated|selected|clicked|checked|went (?:with|for)|gave)(?: (?:that|it|down|a|an|the|just|her|him|them|with|as|honestly|to)){0,3} '
const REPORTED = new RegExp(
  `${GAVE}(?:(?<yes>${YES}|(?:top|highest|worst) (?:one|box|option|answer|score)|(?:[23]|two|three)(?= (?:\\.|on|for|and|out)))|(?<no>${NO}))(?= )|(?<nod>\\bi (?:\\w+ ){0,2}(?:nodded|admitted|confirmed|couldnt deny))|(?<shake>\\bi (?:\\w+ )?shook my head)`,
  'g',
)
/** An answer that nobody is said to have given: a sentence or a clause of its own. */
const BARE = new RegExp(
  `^(?: [^ .]+){0,6}? (?:\\.|and|but|so) (?:${HONESTLY})*(?:(?<yes>yes|yeah|yep|yup|(?:i (?:do|did|am|was|have|had|have been))(?= (?:\\.|and|but|a lot|every|most|sometimes|often)))|(?<no>(?:no|nope|never)(?= (?:\\.|i|im|ive|not|never|no|of|thanks?|but|and|$))|not at all|i (?:never|dont|didnt|havent|wasnt|am not)|im not))(?= )`,
)

/** What takes a "no" back: "but that was a lie", "no but I do". */
const TAKEN_BACK =
  /\b(?:(?<!no |not a |not )(?:lies?|lied|lying|untrue|pretended)|(?:not|isnt|wasnt) (?:\w+ )?(?:true|honest|the truth)|couldnt (?:tell|say|admit)|didnt (?:dare|tell (?:him|her|them)? ?the truth)|because i (?:was|am|felt) (?:too )?(?:\w+ )?(?:scared|afraid|ashamed|embarrassed|frightened)|(?:but|and|though) (?:\w+ ){0,2}(?:yes|i (?:really |actually |still )?(?:do|am|have|did|was|had)(?= (?:\.|think|every|most|sometimes|a lot|often)| *$)|i (?:still |sometimes |often |always |keep )+(?:think|thinking|want to die|wish)))\b/

/** "I'm not going to … or anything, but I do think about it." */
const STILL_THINKS =
  /^(?: (?!but )[^ .]+){0,6} (?:but|though|although) i (?:\w+ ){0,3}(?:think|thinking|thought|wonder|imagin\w+|pictur\w+|dream\w*|fantasi\w+|daydream\w*|consider\w*|plan\w*) (?:(?:about|of) )?(?:it|that|this|dying|death|being dead|not being here|how|ways|doing)\b/

/**
 * What the speaker answered when asked about the matched words, by anybody, by a form or by themselves: read before anything else
 * about the words, because a reported question looks like a denial or like somebody else's words. A "no" that is taken back is a
 * "yes", and so is one that the speaker's thoughts go against. `null` where nothing was asked or answered.
 */
export function answerTo(
  { matched, before, after, farBefore, farAfter }: Context,
  isDenied: boolean,
): Answer | null {
  if (isDenied && STILL_THINKS.test(after)) return 'yes'
  if (/\b(?:himself|herself|themsel\w+)\b/.test(matched)) return null
  const asked = farBefore.slice(-REACH)
  const isAsked = ASKED.test(`${asked}${matched}${after.slice(0, REACH)}`) || QUESTION.test(before)
  if (!isAsked || ASKED_BY_SPEAKER.test(asked)) return null
  const following = `${farAfter.slice(0, REACH)} `
  const given =
    [...following.matchAll(REPORTED)][0] ?? BARE.exec(following) ?? [...before.matchAll(REPORTED)].at(-1)
  if (given === undefined || given === null) return null
  const { yes, nod } = given.groups ?? {}
  if (yes !== undefined || nod !== undefined) return 'yes'
  return TAKEN_BACK.test(following) ? 'yes' : 'no'
}
