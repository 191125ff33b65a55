import { everyMatch, pattern } from '../pattern.ts'
import { clean } from './clean.ts'

/** How somebody says what is now. */
const I_AM_NOW = pattern`
  (?:
    i am|i'm|im|i feel|i've felt|(?:i have|i've) been (?:feeling|doing)|feeling|doing|things are
    |(?:today|this week)(?: is|'s| was| has been)|now
  )
`

/** A time that is over. */
const BACK_THEN = pattern`
  (?:
    last (?:week|night|time|month|year|term|semester|summer|winter|spring|autumn)|yesterday|used to
    |back then|years? ago|months? ago|when i was|as a (?:child|kid|teenager)|in the past|in first year
    |back at school|at (?:high|primary|secondary) school
  )
`

/** Adverbs before or after a mood. */
const DEGREES = pattern`
  (?:
    honestly|really|so(?!,? (?:i|i'm|im|i've|ive|my)\b)|very|pretty|quite|rather|extremely|incredibly
    |absolutely|completely|totally|utterly|super|proper|truly|genuinely|just|like|kind of|kinda|sort of
    |a little bit|a bit|a little|fairly|particularly|especially|too|still|also|actually|basically
    |generally|always|constantly|often|such|you know|i mean|to be honest|tbh|um|uh|at all|exactly
  )
`

/** A mood that has become better. */
const BETTER_NOW = pattern`
  (?:
    ${I_AM_NOW}(?: (?:
      doing|feeling|getting|starting|beginning|to|feel|be|all|much|a|lot|lots|far|way|now|today|mostly
      |already|back
    )
    ){0,3} (?:better|fine|good|great|okay|ok|happy|happier|well|brighter)
    |(?:it is|it's|its|things are)(?: (?:getting|all|much|a|lot|got|now)){0,3} (?:better|brighter)
  )
`

const NUMBERS: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
}

const NUMBER = '(\\d{1,2}(?:\\.\\d)?|one|two|three|four|five|six|seven|eight|nine|ten)'
const RANGE = `${NUMBER}(?: (?:or|to|and|-) ${NUMBER}|-${NUMBER})?`
const OF_TEN = '(?: ?(?:out of|/|of) ?(?:10|ten))'
const HEDGE = pattern`
  (?: (?:
    a|an|at|about|around|roughly|maybe|like|probably|as|just|only|solid|is|was|be|between|the|scale
    |number|today|now|right|currently|i|would|say|think|id
  )
  ){0,7}
`
const NOT_OF_ANOTHER = pattern`
  (?! ?(?:/|out of|of) ?(?!10\b|ten\b)\w)(?! ?(?:
    am|pm|percent|%|hours?|days?|weeks?|months?|minutes?|times?|years?|people|friends|weeks|essays?
    |exams?
  )\b
  )
`

/** What a number is said of: the student, or the student's day. */
const SELF = pattern`
  (?: (?:
    i'd|id|i'm|im|i|am|my|mood|myself|me|today|today's|this|week|would|will|give|rate|score|say|put
    |call|place|feel|feeling|is|at|a|an|about|around|maybe|probably|like|just|only|solid|currently
    |honestly|right|now
  )
  ){1,9}
`
const SCALE = '\\bscale (?:of|from) (?:0|1|zero|one) (?:to|through) (?:10|ten)'
const MOVED =
  "(?:dropped|fell|fallen|sunk|sank|slipped|slid|crashed|plummeted|risen|rose|climbed|improved|gone|went|down|up|'s down|is down|is up|has been down)"
/** What makes a number out of ten, said without a subject, the student's own of now. */
const OWN_OF_NOW =
  "(?: (?:today|right now|now|at the moment|this week|i'd say|id say|i would say|i'd give|i guess|i think|i suppose|overall|for me|mood|mood-wise))"

/** "A two for hunger", "a nine on the guitar": what else is rated. */
const NOT_RATING = `(?!${OF_TEN}? (?:(?:on|in|for)|with (?:my|the|that|this|a))\\b)`

/** What names the mood, or says how the student feels. */
const OF_MOOD = [
  pattern`
   \b(?:my |overall |current )?mood(?: today| right now| now| currently| overall| lately)?
   (?: is|'s| would be| at|:)?${HEDGE} ${RANGE}${OF_TEN}?${NOT_OF_ANOTHER}
 `,
  `\\b(?:rate|score|put|place|give)(?: my)? mood${HEDGE} ${RANGE}${OF_TEN}?${NOT_OF_ANOTHER}`,
  `\\b(?:rate|score|put) (?:myself|how i(?:'m| am)? (?:feel|feeling|doing))${HEDGE} ${RANGE}${OF_TEN}?${NOT_OF_ANOTHER}`,
  pattern`
   \b(?:i feel|i'm feeling|im feeling|i am feeling|feeling|i'm|im|i am|i'd say i'm)(?: like)?${HEDGE} ${RANGE}
   ${OF_TEN}(?! (?:on|in|for|with) (?:my|the|that|this|a)\b)(?! (?:for|in) (?:pain|hunger|tiredness)\b)
 `,
  pattern`
   \bmood(?: has| have)? ${MOVED}(?: (?:back|down|up|right|all|the|way|again)){0,4} to${HEDGE} ${RANGE}
   ${OF_TEN}?${NOT_OF_ANOTHER}(?!${OF_TEN}? (?:yesterday|last)\b)
 `,
].map((source) => new RegExp(source, 'g'))

/** A number out of ten of which only what stands around it says that it is the mood. */
const OUT_OF_TEN = [
  `${SCALE},?${SELF} ${RANGE}${OF_TEN}?${NOT_OF_ANOTHER}${NOT_RATING}`,
  `(?<!\\w )\\bout of (?:10|ten),?${SELF} ${RANGE}${NOT_OF_ANOTHER}${NOT_RATING}`,
  pattern`
   (?:^|(?<=[.,;!?\n] ?))(?:(?:so|maybe|about|probably|like|honestly|just|only|a|an|um|well) ){0,3}
   ${RANGE}${OF_TEN}${OWN_OF_NOW}{1,3}(?= ?(?:[.,;!?\n]|$|(?:and|but|because|really)\b))
 `,
  `\\b(?:today|this week)(?:'s| is| feels like| has been)${HEDGE} ${RANGE}${OF_TEN}(?! (?:on|in|for|with) (?:my|the|that|this|a)\\b)`,
].map((source) => new RegExp(source, 'g'))

const CLAUSE = /[.,;!?\n]|\b(?:but|now)\b/
const NOT_NOW =
  /\b(?:was|yesterday|last (?:week|night|time|month|year)|used to|before|not|isn't|never|friend's|roommate's|her|his|their)\b/
const NOT_MOOD =
  /\b(?:pain|stress|anxiety|test|quiz|exam|grade|hunger|hungry|tired|tiredness|movie|film|book|food|meal|difficulty)\b/
/** What else a number out of ten is said of, right behind it. */
const OF_ELSE = new RegExp(
  `^ (?:(?:for|on|in|of)(?: (?:my|the|terms of))? ${NOT_MOOD.source}|yesterday\\b|last (?:week|night|month|year|term)\\b)`,
)

/**
 * The mood on a scale of 1 to 10 that the student names ("my mood is a six", "I feel about 7 out of 10", "on a scale of one to ten I'm
 * a two"), the last one where there are several; `null` where there is none.
 */
export function statedMood(transcript: string): number | null {
  const text = clean(transcript).toLowerCase()
  let mood: number | null = null
  let last = -1
  for (const patterns of [OF_MOOD, OUT_OF_TEN]) {
    for (const match of patterns.flatMap((pattern) => [...text.matchAll(pattern)])) {
      if (match.index < last) continue
      const words = match[0]
      const before =
        text
          .slice(Math.max(0, match.index - 25), match.index)
          .split(CLAUSE)
          .at(-1) ?? ''
      if (NOT_NOW.test(words) || NOT_NOW.test(before) || NOT_MOOD.test(words)) continue
      if (patterns === OUT_OF_TEN && isOfElse(text, match.index, match.index + words.length)) continue
      const value = middleOf(match.slice(1))
      if (value === null) continue
      mood = value
      last = match.index
    }
  }
  return mood
}

/** Whether a number out of ten is said of something else, which may have been asked for: "The film? Three out of ten I'd say." */
function isOfElse(text: string, start: number, end: number): boolean {
  if (OF_ELSE.test(text.slice(end, end + 40))) return true
  if (!/[?:] ?$/.test(text.slice(Math.max(0, start - 2), start))) return false
  const asked = text.slice(Math.max(0, start - 40), start).replace(/[?:] ?$/, '')
  const question = asked.split(/[.,;:!?\n]/).at(-1) ?? ''
  return NOT_MOOD.test(question) && !/\bmood\b/.test(question)
}

/** The number, or the middle of two; `null` when one is not between 1 and 10. */
function middleOf(groups: readonly (string | undefined)[]): number | null {
  const values = groups
    .filter((group) => group !== undefined)
    .slice(0, 2)
    .map((group) => NUMBERS[group] ?? Number(group))
  if (values.length === 0 || values.some((value) => !(value >= 1 && value <= 10))) return null
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Words that only strengthen, soften or fill: "I've, like, been really quite low". */
const FILLERS = everyMatch`,? \b${DEGREES}\b,?(?= )`
const I_AM = "(?:i am|i'm|im|i have been|i've been|ive been|i keep being)"
const I_FEEL = pattern`
  (?:
    i feel|i am feeling|i'm feeling|im feeling|i have been feeling|i've been feeling|ive been feeling
    |i keep feeling|i have felt|i've felt|ive felt|^(?:been )?feeling|^been
  )
`
/** What may follow "low", "down" and "bad", which alone mean many things: nothing, or when. */
const ENDS = pattern`
  (?= ?$
  | (?:
    today|tonight|lately|recently|this (?:week|month|term|morning|evening)|these|at the moment
    |right now|now|again|most|every|and|since|in myself|inside|emotionally|mentally|overall|over
    |for (?:days|weeks|months|a)|as
  )\b
  )
`
/** "I feel awful about what I said", "terrible for her": guilt or sympathy. */
const NOT_FOR =
  '(?! (?:for|about|that|at|with|to|if|when|because)\\b(?! (?:days|weeks|months|the moment|a)\\b))'
const AWFUL =
  '(?:awful|terrible|horrible|rubbish|crap|crappy|shit|shitty|dreadful|lousy|wretched|rotten|hell)'
const WRETCHED = '(?:depressed|miserable|hopeless|worthless)'
const AMBIGUOUS = '(?:low|down|bad|rough|sad)'
const GOOD = '(?:good|great|okay|ok|alright|myself)\\b'
const NOT_GOOD_AT = '(?! (?:at|with|in|on|for|about|enough|to|that|if)\\b(?! (?:the moment|all)\\b))'
const LOW = `(?:${AMBIGUOUS}${ENDS}|${AWFUL}${NOT_FOR}|${WRETCHED}|down about)`
/** What "I'm down and" goes on with where it is a mood, unlike "down and ready for the party". */
const AND_UNWELL = pattern`
  (?:
    low|out|depressed|tired|exhausted|sad|upset|miserable|anxious|stressed|lonely|empty|numb|lost|flat
    |unmotivated|fed up|not|i (?:can't|cant|cannot|don't|dont|feel|hate|miss)
  )
`
const ROCK_BOTTOM = '(?:at|hit|hitting|reached) rock bottom'

const LOW_MOOD = [
  `(?:^|\\b)${I_FEEL} (?:${LOW}|not ${GOOD}${NOT_GOOD_AT}|(?:in|at) (?:a )?(?:bad|dark|low) (?:place|ebb)|${ROCK_BOTTOM})`,
  pattern`
   \b${I_AM} (?:
     ${WRETCHED}|(?:low|(?<!(?:i am|i'm|im) )down|sad)${ENDS}
     |down(?= (?:today|lately|recently|this week|at the moment|right now|again)\b| and ${AND_UNWELL}\b)
     |(?:at )?rock bottom|${ROCK_BOTTOM}|in a (?:bad|dark|low) (?:place|mood)
     |struggling(?! (?:with|to|on|in|for|through)\b(?! (?:
       cope|function|get out of bed|keep going|get through
       |my (?:mood|mental health|depression|feelings)|life|everything
     )\b
     )
     )
   )
 `,
  `\\b${I_AM} (?:not|no longer) (?:feeling |doing )?${GOOD}${NOT_GOOD_AT}`,
  `(?:\\b${I_AM} not|\\b(?:(?:i've|i have|ive) not|i haven't|i havent) been|^not) (?:doing|coping) (?:well|great|good)\\b${NOT_GOOD_AT}`,
  `\\b(?:i've|i have|ive) not been (?:feeling |doing )?${GOOD}${NOT_GOOD_AT}`,
  `^not (?:(?:feeling|doing) ${GOOD}${NOT_GOOD_AT}|${GOOD}(?= ?$))`,
  `\\b(?:${I_AM} not|i've not been|i haven't been) in a good place`,
  `\\bi (?:don't|dont|do not|haven't been|have not been) (?:feel|feeling) ${GOOD}${NOT_GOOD_AT}`,
  `\\bi (?:haven't|have not|havent) been ${GOOD}${NOT_GOOD_AT}`,
  `\\bi(?:'ve| have|ve)? (?:${ROCK_BOTTOM})`,
  pattern`
   \bmy mood(?: today| lately| recently| right now| this week)? (?:
     is|has been|'s been|remains|stays|keeps being|feels|has gone|went
   ) (?:been )?(?:
     low|down|bad|rough|poor|flat|gr[ae]y|dark|black|on the floor|in the gutter|${AWFUL}|${WRETCHED}
     |(?:at )?rock bottom|not (?:been )?(?:good|great)
   )(?! key\b)
 `,
  `\\bmy mood(?: isn't| is not|'s not| hasn't been| has not been) (?:good|great)`,
  `\\bmy mood's (?:low|down|bad|rough|poor|flat|gr[ae]y|dark|not (?:good|great)|${AWFUL})(?! key\\b)`,
  `\\bmy mood (?:has |is )?(?:dropped|dropping|crashed|crashing|plummeted|sunk|sank|sinking|hit rock bottom)(?! to \\w)`,
  `\\b(?:i am in|i'm in|im in|i have|i've had|i have had|i've got) (?:a )?(?:low|terrible|awful) moods?\\b`,
  '\\beverything feels (?:gr[ae]y|pointless|hopeless|bleak|dark|meaningless)\\b',
].map((source) => new RegExp(source, 'g'))

/** What was said with a tense of the past but of a time that still lasts: "I felt awful all week". */
const LATELY = /\b(?:today|this (?:week|month|term|morning)|all (?:week|day)|lately|recently|these days)\b/
const FELT = new RegExp(`\\b(?:i felt|my mood was|i was feeling) ${LOW}`, 'g')

/** A denial reaches three words further, and not into what is joined to it: "I'm not sleeping and I feel terrible". */
const DENIES = new RegExp(pattern`
  \b(?:
    not|never|don't|dont|didn't|isn't|doubt|without|stopped|no longer|hardly|rarely|nor|wouldn't
    |can't say
  )(?: (?!(?:and|so|because|cause|cos|why|or)\b)\S+){0,3} $
`)
/** "If I'm honest" is no condition, and "when I got home" none either. */
const CONDITION = pattern`
  (?:
    (?:if|whenever|unless|every time)(?! (?:
      (?:i am|i'm|im)(?: being)? (?:honest|truthful|frank)|anything|you (?:ask|must|want)
    )\b
    )
    |when(?! (?:i|we|he|she|they) (?:got|came|went|woke|had|saw|left|started|finished|met)\b)
  )\b
`
const SAYS = '(?:says?|said|goes|sings|asks?|asked|told me|reads|thinks|text|texts|texted)'
const OF_ANOTHER = new RegExp(
  pattern`
   \b(?:
     ${SAYS}(?: that| if)?:? ["']?
     |(?:
       until|in case|(?<!why )(?:do|did|should|would|could|might|will)|where|which|how|whether
       |character|lyrics?
     ) )$
   |\b(?:${CONDITION}|used to)(?: \S+){0,4} $
 `,
)
/** What makes the clause behind a comma a condition's or a quotation: "When I skip breakfast, I feel terrible", "She says, I'm depressed". */
const LEADS = new RegExp(`^(?:(?:and|but|so|then|because) )*${CONDITION}|(?<!\\bi )\\b${SAYS}(?: that)?$`)
const PAST = new RegExp(pattern`\b${BACK_THEN}\b`)
/** How far around a report its time is looked for: speech without punctuation is one clause. */
const NEAR = 60
const JOINS_BEFORE =
  /\b(?:and|so|then|because|today|tonight|now|these days|at the moment|this (?:week|month|term))\b/
const JOINS_AFTER = /\b(?:and|so|because|since|(?<!when )i|my|we|he|she|it)\b/
/** The speaker's own present state, at the beginning of a clause and at its end. */
const TAKEN_BACK = new RegExp(pattern`
  ^(?:(?:and|then|today|now|right now|these days|at the moment|this (?:week|morning)|in the end) )*(?:
    ${BETTER_NOW}(?= ?$
    | (?:
      now|today|tonight|again|this|these|since|at the moment|right|lately|overall|than|after|thanks
      |and|then
    )\b
    )
    |(?:(?:it|that|this|i|has) )*(?:not any ?more|no longer|(?:has )?passed)
  )
`)

/** Characters of the shortest report ("im sad"): a text of 50,000 lines holds few that are as long. */
const SHORTEST = 6

/**
 * Whether the student says, without a number, that their own mood is low or that they are not well now ("my mood has been really low",
 * "I feel rubbish", "I'm not doing well"). What is denied, past, a condition, said of others or of something else is no report.
 */
export function saysLowMood(transcript: string): boolean {
  const sentences = clean(transcript)
    .toLowerCase()
    .split(/[.;!?\n]/)
    .filter(({ length }) => length >= SHORTEST)
  return sentences.some((sentence) => {
    const clauses = plain(sentence)
      .split(/, |\b(?:but|although|though|whereas|while|yet)\b/)
      .map((clause) => clause.trim())
    return clauses.some(
      (clause, at) =>
        isLow(clause) &&
        !LEADS.test(clauses[at - 1] ?? '') &&
        !clauses.slice(at + 1, at + 4).some((later) => TAKEN_BACK.test(later)),
    )
  })
}

/** A sentence without its fillers; each is taken out with the space before it. */
function plain(sentence: string): string {
  return ` ${sentence} `.replace(FILLERS, '').trim()
}

function isLow(clause: string): boolean {
  return [...LOW_MOOD, FELT].some((report) =>
    [...clause.matchAll(report)].some((found) => {
      const before = clause.slice(Math.max(0, found.index - NEAR), found.index)
      const end = found.index + found[0].length
      const after = clause.slice(end, end + NEAR)
      if (report === FELT && !LATELY.test(`${before}${found[0]}${after}`)) return false
      return !DENIES.test(before) && !OF_ANOTHER.test(before) && !isPast(before, after)
    }),
  )
}

/** Whether the time that is named in the same part of speech is past: "last week I felt low", unlike "low since last week". */
function isPast(before: string, after: string): boolean {
  const earlier = before.split(JOINS_BEFORE).at(-1) ?? ''
  return (PAST.test(earlier) && !/\bsince\b/.test(before)) || PAST.test(after.split(JOINS_AFTER)[0] ?? '')
}
