import { clean } from './clean.ts'

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
const HEDGE =
  '(?: (?:a|an|at|about|around|roughly|maybe|like|probably|as|just|only|solid|is|was|be|between|the|scale|number|today|now|right|currently|i|would|say|think|id)){0,7}'
const NOT_OF_ANOTHER =
  '(?! ?(?:/|out of|of) ?(?!10\\b|ten\\b)\\w)(?! ?(?:am|pm|percent|%|hours?|days?|weeks?|months?|minutes?|times?|years?|people|friends|weeks|essays?|exams?)\\b)'

/** What a number is said of: the student, or the student's day. */
const SELF =
  "(?: (?:i'd|id|i'm|im|i|am|my|mood|myself|me|today|today's|this|week|would|will|give|rate|score|say|put|call|place|feel|feeling|is|at|a|an|about|around|maybe|probably|like|just|only|solid|currently|honestly|right|now)){1,9}"
const SCALE = '\\bscale (?:of|from) (?:0|1|zero|one) (?:to|through) (?:10|ten)'
const MOVED =
  "(?:dropped|fell|fallen|sunk|sank|slipped|slid|crashed|plummeted|risen|rose|climbed|improved|gone|went|down|up|'s down|is down|is up|has been down)"
/** What makes a number out of ten, said without a subject, the student's own of now. */
const OWN_OF_NOW =
  "(?: (?:today|right now|now|at the moment|this week|i'd say|id say|i would say|i'd give|i guess|i think|i suppose|overall|for me|mood|mood-wise))"

const PATTERNS = [
  `\\b(?:my |overall |current )?mood(?: today| right now| now| currently| overall| lately)?(?: is|'s| would be| at|:)?${HEDGE} ${RANGE}${OF_TEN}?${NOT_OF_ANOTHER}`,
  `\\b(?:rate|score|put|place|give)(?: my)? mood${HEDGE} ${RANGE}${OF_TEN}?${NOT_OF_ANOTHER}`,
  `\\b(?:rate|score|put) (?:myself|how i(?:'m| am)? (?:feel|feeling|doing))${HEDGE} ${RANGE}${OF_TEN}?${NOT_OF_ANOTHER}`,
  `\\b(?:i feel|i'm feeling|im feeling|i am feeling|feeling|i'm|im|i am|i'd say i'm)(?: like)?${HEDGE} ${RANGE}${OF_TEN}(?! (?:on|in|for|with) (?:my|the|that|this|a)\\b)`,
  `\\bmood(?: has| have)? ${MOVED}(?: (?:back|down|up|right|all|the|way|again)){0,4} to${HEDGE} ${RANGE}${OF_TEN}?${NOT_OF_ANOTHER}`,
  `${SCALE},?${SELF} ${RANGE}${OF_TEN}?${NOT_OF_ANOTHER}(?! (?:on|in|for|with)\\b)`,
  `(?<!\\w )\\bout of (?:10|ten),?${SELF} ${RANGE}${NOT_OF_ANOTHER}(?! (?:on|in|for|with)\\b)`,
  `(?:^|(?<=[.,;!?\\n] ?))(?:(?:so|maybe|about|probably|like|honestly|just|only|a|an|um|well) ){0,3}${RANGE}${OF_TEN}${OWN_OF_NOW}{1,3}(?= ?(?:[.,;!?\\n]|$|(?:and|but|because|really)\\b))`,
  `\\b(?:today|this week)(?:'s| is| feels like| has been)${HEDGE} ${RANGE}${OF_TEN}(?! (?:on|in|for|with) (?:my|the|that|this|a)\\b)`,
].map((source) => new RegExp(source, 'g'))

const CLAUSE = /[.,;!?\n]|\b(?:but|now)\b/
const NOT_NOW =
  /\b(?:was|yesterday|last (?:week|night|time|month|year)|used to|before|not|isn't|never|friend's|roommate's|her|his|their)\b/
const NOT_MOOD =
  /\b(?:pain|stress|anxiety|test|quiz|exam|grade|hunger|hungry|tired|tiredness|movie|film|book|food|meal|difficulty)\b/

/**
 * The mood on a scale of 1 to 10 that the student names ("my mood is a six", "I feel about 7 out of 10", "on a scale of one to ten I'm
 * a two"), the last one where there are several; `null` where there is none.
 */
export function statedMood(transcript: string): number | null {
  const text = clean(transcript).toLowerCase()
  let mood: number | null = null
  let last = -1
  for (const pattern of PATTERNS) {
    for (const match of text.matchAll(pattern)) {
      if (match.index < last) continue
      const words = match[0]
      const end = match.index + words.length
      const before =
        text
          .slice(Math.max(0, match.index - 25), match.index)
          .split(CLAUSE)
          .at(-1) ?? ''
      const after = text.slice(end, end + 25).split(CLAUSE)[0] ?? ''
      // What is rated may have been asked for: "The film? Three out of ten I'd say."
      const asked = /[?:] ?$/.test(text.slice(0, match.index))
        ? text.slice(Math.max(0, match.index - 40), match.index)
        : ''
      if (NOT_NOW.test(words) || NOT_NOW.test(before) || NOT_MOOD.test(words)) continue
      if (
        /\b(?:yesterday|last (?:week|night|month|year|term))\b/.test(after) ||
        NOT_MOOD.test(after) ||
        NOT_MOOD.test(asked)
      )
        continue
      const value = middleOf(match.slice(1))
      if (value === null) continue
      mood = value
      last = match.index
    }
  }
  return mood
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
const FILLERS =
  /,? \b(?:honestly|really|so|very|pretty|quite|rather|extremely|incredibly|absolutely|completely|totally|utterly|super|proper|truly|genuinely|just|like|kind of|kinda|sort of|a bit|a little|a little bit|fairly|particularly|especially|too|still|also|actually|basically|generally|always|constantly|often|such|you know|i mean|to be honest|tbh|um|uh|at all|exactly)\b,?(?= )/g
const I_AM = "(?:i am|i'm|im|i have been|i've been|ive been|i keep being)"
const I_FEEL =
  "(?:i feel|i am feeling|i'm feeling|im feeling|i have been feeling|i've been feeling|ive been feeling|i keep feeling|i have felt|i've felt|ive felt|^(?:been )?feeling|^been)"
/** What may follow "low", "down" and "bad", which alone mean many things: nothing, or when. */
const ENDS =
  '(?= ?$| (?:today|tonight|lately|recently|this (?:week|month|term|morning|evening)|these|at the moment|right now|now|again|most|every|and|since|in myself|inside|emotionally|mentally|overall|over|for (?:days|weeks|months|a)|as)\\b)'
/** "I feel awful about what I said", "terrible for her": guilt or sympathy. */
const NOT_FOR =
  '(?! (?:for|about|that|at|with|to|if|when|because)\\b(?! (?:days|weeks|months|the moment|a)\\b))'
const AWFUL =
  '(?:awful|terrible|horrible|rubbish|crap|crappy|shit|shitty|dreadful|lousy|wretched|rotten|like hell)'
const WRETCHED = '(?:depressed|miserable|hopeless|worthless)'
const AMBIGUOUS = '(?:low|down|bad|rough|sad)'
const GOOD = '(?:good|great|okay|ok|alright|myself)\\b'
const NOT_GOOD_AT = '(?! (?:at|with|in|on|for|about|enough|to|that|if)\\b(?! (?:the moment|all)\\b))'
const LOW = `(?:${AMBIGUOUS}${ENDS}|${AWFUL}${NOT_FOR}|${WRETCHED}|down about)`
const ROCK_BOTTOM = '(?:at|hit|hitting|reached) rock bottom'

const LOW_MOOD = [
  `(?:^|\\b)${I_FEEL} (?:${LOW}|not ${GOOD}${NOT_GOOD_AT}|(?:in|at) (?:a )?(?:bad|dark|low) (?:place|ebb)|${ROCK_BOTTOM})`,
  `\\b${I_AM} (?:${WRETCHED}|(?:low|(?<!(?:i am|i'm|im) )down|sad)${ENDS}|down(?= (?:today|lately|recently|this week|at the moment|right now|again|and)\\b)|(?:at )?rock bottom|${ROCK_BOTTOM}|in a (?:bad|dark|low) (?:place|mood)|struggling(?! (?:with|to|on|in|for|through)\\b(?! (?:cope|function|get out of bed|keep going|get through|my (?:mood|mental health|depression|feelings)|life|everything)\\b)))`,
  `\\b${I_AM} (?:not|no longer) (?:feeling |doing )?${GOOD}${NOT_GOOD_AT}`,
  `(?:\\b${I_AM} not|\\b(?:(?:i've|i have|ive) not|i haven't|i havent) been|^not) (?:doing|coping) (?:well|great|good)\\b${NOT_GOOD_AT}`,
  `\\b(?:i've|i have|ive) not been (?:feeling |doing )?${GOOD}${NOT_GOOD_AT}`,
  `^not (?:(?:feeling|doing) ${GOOD}${NOT_GOOD_AT}|${GOOD}(?= ?$))`,
  `\\b(?:${I_AM} not|i've not been|i haven't been) in a good place`,
  `\\bi (?:don't|dont|do not|haven't been|have not been) (?:feel|feeling) ${GOOD}${NOT_GOOD_AT}`,
  `\\bi (?:haven't|have not|havent) been ${GOOD}${NOT_GOOD_AT}`,
  `\\bi(?:'ve| have|ve)? (?:${ROCK_BOTTOM})`,
  `\\bmy mood(?: today| lately| recently| right now| this week)? (?:is|has been|'s been|remains|stays|keeps being|feels|has gone|went) (?:been )?(?:low|down|bad|rough|poor|flat|gr[ae]y|dark|black|on the floor|in the gutter|${AWFUL}|${WRETCHED}|(?:at )?rock bottom|not (?:been )?(?:good|great))(?! key\\b)`,
  `\\bmy mood(?: isn't| is not|'s not| hasn't been| has not been) (?:good|great)`,
  `\\bmy mood's (?:low|down|bad|rough|poor|flat|gr[ae]y|dark|not (?:good|great)|${AWFUL})(?! key\\b)`,
  `\\bmy mood (?:has |is )?(?:dropped|dropping|crashed|crashing|plummeted|sunk|sank|sinking|hit rock bottom)(?! to \\w)`,
  `\\b(?:i am in|i'm in|im in|i have|i've had|i have had|i've got) (?:a )?(?:low|terrible|awful) moods?\\b`,
  '\\beverything feels (?:gr[ae]y|pointless|hopeless|bleak|dark|meaningless)\\b',
].map((source) => new RegExp(source))

/** What was said with a tense of the past but of a time that still lasts: "I felt awful all week". */
const LATELY = /\b(?:today|this (?:week|month|term|morning)|all (?:week|day)|lately|recently|these days)\b/
const FELT = new RegExp(`\\b(?:i felt|my mood was|i was feeling) ${LOW}`)

const DENIES =
  /\b(?:not|never|don't|dont|didn't|isn't|doubt|without|stopped|no longer|hardly|rarely|nor|wouldn't|can't say)(?: \S+){0,3} $/
const OF_ANOTHER =
  /\b(?:(?:says?|said|goes|sings|asks?|asked|told me|reads|thinks|text|texts|texted)(?: that| if)?|if|when|whenever|unless|until|in case|(?:do|did|should|would|could|might|will|where|which|how|why|whether)|character|lyrics?) $|\b(?:if|when|whenever|unless|used to)(?: \S+){0,4} $/
const PAST =
  /\b(?:last (?:week|night|time|month|year|term|semester|summer|winter|spring|autumn)|yesterday|used to|back then|years? ago|months? ago|when i was|as a (?:child|kid|teenager)|in the past|in first year|at school)\b/
const TAKEN_BACK =
  /\b(?:(?:i am|i'm|im|i feel|feel|feeling|doing|it is|it's|things are|today (?:is|was)|now)(?: \S+){0,3} (?:better|fine|good|great|okay|ok|happy|happier|well|brighter)|(?:not any ?more|no longer|has passed))\b/

/**
 * Whether the student says, without a number, that their own mood is low or that they are not well now ("my mood has been really low",
 * "I feel rubbish", "I'm not doing well"). What is denied, past, a condition, said of others or of something else is no report.
 */
export function saysLowMood(transcript: string): boolean {
  const sentences = clean(transcript)
    .toLowerCase()
    .split(/[.;!?\n]/)
  return sentences.some((sentence) => {
    const clauses = plain(sentence).split(/, |\b(?:but|although|though|whereas|while|yet)\b/)
    return clauses.some(
      (clause, at) =>
        isLow(clause.trim()) &&
        !clauses
          .slice(at + 1, at + 4)
          .some((later) => TAKEN_BACK.test(later) && !/\bnot\b|n't\b/.test(later)),
    )
  })
}

/** A sentence without its fillers; each is taken out with the space before it. */
function plain(sentence: string): string {
  return ` ${sentence} `.replace(FILLERS, '').replace(FILLERS, '').trim()
}

function isLow(clause: string): boolean {
  if (PAST.test(clause)) return false
  const reports = [...LOW_MOOD, ...(LATELY.test(clause) ? [FELT] : [])]
  return reports.some((report) => {
    const found = report.exec(clause)
    if (found === null) return false
    const before = clause.slice(Math.max(0, found.index - 60), found.index)
    return !DENIES.test(before) && !OF_ANOTHER.test(before)
  })
}
