import { everyMatch, pattern } from '../../pattern.ts'
import { QUOTE } from './normalise.ts'
import type { Reading } from './rule.ts'

/** What makes quoted words one's own. */
const MEANT_BY_ONESELF = pattern`
  (?:
    i (?:keep|cant|mean|believe|agree|feel|think|want)|is all|thats (?:all|what|how)|over and over
    |my (?:head|mind|brain|thoughts)|again and again
  )
`

/** Saying, writing, thinking or searching. */
const SAID_OR_THOUGHT = pattern`
  (?:
    said|say|saying|told|wrote|write|think|thought|thinking|keep|kept|texted|posted|like|screamed|typed
    |whispered|googled|searched|search|repeat|repeating
  )
`

/** Who says something in a work of art. */
const IN_A_WORK = pattern`
  (?:
    character|hero|heroine|girl|boy|guy|man|woman|lyrics?|song|line|chorus|singer|protagonist|narrator
    |hamlet|juliet|romeo|ophelia|poem|film|movie|book|title
  )
`

/** What turns a denial into its opposite. */
const DENIAL_OF_DENIAL = pattern`
  (?:
    yet|(?:[^ .]+ ){0,4}(?:only|just|purely|solely) (?:because|cause|since|as|thanks to)|because of my
    |so much|so bad|so badly|more|this much|this bad|as much
  )
`

/** An age, or a school. */
const YOUNG = pattern`
  (?:
    kid|child|teen|teenager|young|younger|little|\d+|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen
    |seventeen|eighteen|school|high|middle|secondary|sixth
  )
`

/** Laughter, jokes and boredom. */
const LAUGHTER = pattern`
  (?:
    lol|lmao|lmfao|rofl|(?:ha){2,}h?|hehe\w*|jk|just kidding|im joking|as a joke|embarrass\w*|cringe\w*
    |hungover|(?:of|from|died|dying|die|dead|so hard|me) laugh\w*|laugh\w* so|of boredom|from boredom
    |so bored
  )
`

/** What is no joke. */
const NO_JOKE = pattern`
  (?:
    voices?|nightmares?|leaves me|alone|parents|hits?|life|every night|sorry|tonight|pills|plan|rope|gun
    |bridge|goodbye|mean it|serious|seriously|not (?:joking|kidding)|for real|no joke|please help
    |every day|cant stop|tomorrow
  )
`

/** A thought that is denied after it was named. */
const NEVER_AN_OPTION = pattern`
  (?:
    (?:has|have|had)?(?:nt)? ?(?:never|not)(?: really| ever| even)? (?:crossed|entered|occurred|been)
    |(?:isnt|wasnt|is not|was not|is never|was never|is no|will never be) (?:
      an option|the answer|something|on my mind|for me|option
    )
  )
`

/** A time that is not over. */
const NOW_AGAIN = pattern`
  (?:
    again|still|lately|these days|right now|tonight|today|at the moment
    |this (?:week|month|morning|evening|semester|term)|recently|last (?:night|week|month)|yesterday
    |never (?:stopped|left|went away|really (?:stopped|left))|ever since|to this day|every (?:day|night)
    |constantly|(?:hasnt|havent) (?:stopped|gone|left)|coming back|came back|come back|is back|are back
    |now
  )
`

/** Books, films, songs and courses. */
const WORK_OF_ART = pattern`
  (?:
    book|books|novel|movie|movies|film|films|show|series|episode|season|character|characters|game|play
    |musical|opera|hamlets?|soliloquy|romeo|juliet|ophelia|plot|scene|story|stories|essay|lecture
    |seminar|module|article|podcast|documentary|song|songs|lyrics?|album|anime|manga|protagonist|author
    |poem|poet|novelist|plath|woolf|netflix|history|philosophy|psychology class|textbook|case study|news
  )
`

/** A time that is over. */
const YEARS_AGO = pattern`
  (?:
    years? ago|years back
    |(?:when|while) i was (?:a |an |in |at |only |about |around |still |just )*${YOUNG}
    |in (?:high|middle|secondary|primary|elementary|grade) school|back then
    |(?<!im |am |get |getting |got )used to|as a (?:kid|child|teen|teenager)|last year|a long time ago
    |in my past|in the past(?! (?:few|week|day|month|couple|year))|before university|before college
  )
`

/** How far a context is read, in characters of normalised text: speech without punctuation has no sentence ends. */
const SENTENCE_REACH = 240
const NEAR_BEFORE = 40
const NEAR_AFTER = 60

/** How far into the next sentence a joke may still take a sentence back ("lol", "just kidding"). */
const AFTERTHOUGHT_REACH = 22

/** A match and what surrounds it. */
export type Context = {
  matched: string
  /** Within the sentence, before and after the match. */
  before: string
  after: string
  /** The part of the sentence close to the match, and the match. */
  near: string
  /** The beginning of the next sentence. */
  afterthought: string
  farBefore: string
  farAfter: string
}

export function contextOf(text: string, start: number, length: number): Context {
  const matched = text.slice(start, start + length)
  const farBefore = text.slice(Math.max(0, start - SENTENCE_REACH), start)
  const farAfter = text.slice(start + length, start + length + SENTENCE_REACH)
  const lastStop = farBefore.lastIndexOf(' . ')
  const nextStop = farAfter.indexOf(' . ')
  const before = lastStop === -1 ? farBefore : farBefore.slice(lastStop + 2)
  const after = nextStop === -1 ? farAfter : farAfter.slice(0, nextStop + 1)
  return {
    matched,
    before,
    after,
    near: `${before.slice(-NEAR_BEFORE)}${matched}${after.slice(0, NEAR_AFTER)}`,
    afterthought: nextStop === -1 ? '' : farAfter.slice(nextStop + 2, nextStop + 2 + AFTERTHOUGHT_REACH),
    farBefore,
    farAfter,
  }
}

/** Only these words may stand between a negation and what it negates: anything else ("not sure", "can't stop") ends it. */
const BETWEEN = pattern`
  want|wanted|wanting|to|ever|actually|really|even|seriously|genuinely|going|have|has|had|having|any
  |thoughts?|of|thinking|think|thought|about|feel|feeling|felt|like|plan|planning|plans|would|been|be
  |trying|try|intend|intending|intention|at|all|currently|remotely|actively|anything|considering
  |consider|considered|a|being|do|doing|in|way|that|urges?|is|it|single
`
const NEGATOR = pattern`
  dont|do not|didnt|did not|doesnt|never|not|wont|wouldnt|havent|hadnt|hasnt|isnt|arent|aint|wasnt
  |neither|nor|without|no longer
  |(?:no|zero) (?:plans?|intentions?|thoughts?|desire|wish|urges?|intent)|stopped|denies|denied
`
/** "It's not that I …", "there's no way I would …". */
const DENIAL_OF_CLAUSE = pattern`
  (?:
    (?:not|isnt|wasnt) (?:that|like|as if|as though|because) (?:i|im|ive|id)
    |(?:not|dont|didnt) (?:saying|mean|meaning)(?: that)? (?:i|im|ive|id)
    |no way (?:that )?(?:i|im|id|ill|ive)
  )(?: (?:am|was|do|did|would|will|could|really))?
`
const NEGATED_BEFORE = new RegExp(`(?:^| )(?:${NEGATOR}|${DENIAL_OF_CLAUSE})(?: (?:${BETWEEN})){0,6} ?$`)
const NEGATED_AFTER = new RegExp(pattern`^ ?${NEVER_AN_OPTION}`)
/** "Hard not to", "no reason not to", "never wanted it more": a negation that does not deny. */
const NOT_DENIED_BEFORE = new RegExp(pattern`
  (?:reason|why|how|surprised|wonder|amazing|amazed|miracle)(?: \w+)? (?:i|ive)? ?
  (?:havent|have not|dont|didnt|hadnt) (?:\w+ ){0,2}$
  |(?:havent|hasnt|not|never|cant|cannot|couldnt|dont|didnt|wont) (?:\w+ )?stop(?:ped)? (?:\w+ )?$
  |why (?:dont|havent|cant) (?:i|we) (?:\w+ )?$
  |(?:cant|cannot|couldnt|never|not|no|hardly|barely|rarely|dont)(?: \w+){0,7} without (?:\w+ ){0,3}$
  |(?:not|no|hardly|barely|never|rarely)(?: \w+){1,7} i dont (?:\w+ ){0,2}$
  |(?:never|cant|cannot|hardly|rarely) not (?:\w+ ){0,3}$
  |(?:
    no reason|why|nothing|hard|difficult|struggling|trying|try|tried|fighting|impossible|cant|afraid
  ) (?:\w+ )?not to $
  |(?:^| )(?:why|shouldnt|cant|could)(?: \w+)?(?: i)? not $
  |(?:not (?:joking|kidding|lying|exaggerating|afraid|scared|sure|certain))
`)
const NOT_DENIED_AFTER = new RegExp(pattern`^ ?${DENIAL_OF_DENIAL}`)

function isNegated({ before, after, matched, farAfter }: Context): boolean {
  if (/^ (?:\. )?no(?: \.)? (?:not|im not|never|never have)\b/.test(farAfter)) return true
  if (NEGATED_AFTER.test(after)) return true
  // "… worry that I am going to end my life, I'm not."
  if (/^ (?:im not|i am not|i dont|i wont|i havent|i didnt|i wasnt) *$/.test(after)) return true
  if (NOT_DENIED_BEFORE.test(before) || NOT_DENIED_AFTER.test(after)) return false
  if (/(?:^| )(?:why shouldnt|why not)(?: i)? ?$/.test(before)) return false
  if (
    /^(?:suicid|self ?harm)/.test(matched) &&
    /(?:^| )no (?:(?:active|current|actual|more|real) )?$/.test(before)
  )
    return true
  return NEGATED_BEFORE.test(before) || /\b(?:dont|do not|never|not) (?:want|going) to\b/.test(matched)
}

const LONG_AGO = new RegExp(pattern`\b${YEARS_AGO}\b`)
const STILL = new RegExp(pattern`\b${NOW_AGAIN}\b`)
const RECOVERED = everyMatch`
  \b(?:and |but )?(?:now|today|these days)? ?(?:im|i am|i feel|things are|life is|its|it is) (?:\w+ )?(?:
    ok|okay|fine|better|good|great|happy|well|past|recovered|over
  )(?: (?:now|today|these days|that|it))*\b
`
const PRESENT =
  /\b(?:i (?:just |really |still |also )?(?:want|need|am|feel|keep|think|plan|might|will|wish|cant|have been)|im|ive been|ill|going to)\b/

function isLongAgo({ before, matched, after }: Context): boolean {
  const sentence = `${before}${matched}${after}`
  if (!LONG_AGO.test(sentence)) return false
  if (STILL.test(sentence.replace(RECOVERED, ' '))) return false
  if (/\bsince\b/.test(before) && !/\bused to\b/.test(before)) return false
  const close = before.split(' ').slice(-5).join(' ') + matched
  return !PRESENT.test(close) || /used to (?:\w+ ){0,3}$/.test(before)
}

const FIRST_PERSON = new Set(['i', 'im', 'ive', 'id', 'ill', 'me', 'my', 'mine', 'myself', 'we', 'our', 'us'])
const THIRD_PERSON = new Set(
  'he she they hes shes theyre his her their him them who people someone somebody anyone everybody everyone students student person guy guys girl girls boy man woman men women kid kids teens friend friends friends brother sister brothers mom mum mother dad father parents roommate flatmate housemate boyfriend girlfriend partner husband wife cousin uncle aunt classmate teammate colleague neighbor neighbour son daughter grandfather grandmother grandma grandpa teacher professor singer actor celebrity character characters protagonist hero heroine lovers hamlet romeo juliet ophelia patient patients client stranger veteran narrator clown himself herself themselves oneself'.split(
    ' ',
  ),
)

/** Who the words are about: the nearest person before the match, else the speaker, because a miss is worse than a false alarm. */
function isAboutSomeoneElse({ before, matched }: Context): boolean {
  if (/\bmyself\b|\bmy\b|\bme\b|\bi\b/.test(matched)) return false
  if (/\b(?:himself|herself|themsel\w+)\b/.test(matched)) return true
  const words = before.trimEnd().split(' ').slice(-12)
  for (let i = words.length - 1; i >= 0; i--) {
    const word = words[i] ?? ''
    if (FIRST_PERSON.has(word)) return false
    if (THIRD_PERSON.has(word)) return !isOnlyAddressed(words, i)
  }
  return false
}

/** "I told my mum…", "my parents don't know about…", "I'm someone who…": a person is named, but the words are the speaker's. */
function isOnlyAddressed(words: readonly string[], at: number): boolean {
  const before = words.slice(Math.max(0, at - 4), at).join(' ')
  const after = words.slice(at + 1).join(' ')
  if (
    /\b(?:know|knows|knew|notice|noticed|realise|realize|realises|suspects?|guess|guessed|see|sees)\b/.test(
      after,
    )
  )
    return true
  const speaks = words.slice(0, at).some((word) => FIRST_PERSON.has(word) && word !== 'my')
  return speaks && SPOKEN_TO.test(before)
}

const OWN_WORDS = new RegExp(pattern`
  \b(?:i|ive|im|id) (?:\w+ ){0,2}${SAID_OR_THOUGHT}\b|\bsearch history\b
  |\bmy (?:note|letter|journal|diary|head|mind|brain|thoughts?)\b|\bvoices?\b
`)

/** Words before a person whom somebody speaks to, or of. */
const SPOKEN_TO = new RegExp(pattern`
  \b(?:
    told|tell|telling|to|from|with|asked|hate|love|miss|im|am|like|hurt|hurting|disappoint\w*|leave
    |leaving
  )(?: (?:my|the|a|an|one|of|those|these|our|kind|sort))*$
`)

const MEANT_SO = new RegExp(pattern`^ ?(?:and )?${MEANT_BY_ONESELF}`)

function isQuoted({ farBefore, matched, farAfter }: Context): boolean {
  const upTo = `${farBefore}${matched}`
  const opening = upTo.lastIndexOf(QUOTE)
  if (opening === -1 || !farAfter.includes(QUOTE)) return false
  const marks = upTo.split(QUOTE).length - 1
  if (marks % 2 === 0) return false
  const closing = farAfter.indexOf(QUOTE)
  return (
    !OWN_WORDS.test(upTo.slice(Math.max(0, opening - 60), opening)) &&
    !MEANT_SO.test(
      farAfter
        .slice(closing + 1)
        .trimStart()
        .slice(0, 40),
    )
  )
}

const WORK_OF_FICTION = new RegExp(pattern`\b${WORK_OF_ART}\b`)
const VOICE_OF_A_WORK = new RegExp(pattern`
  \b${IN_A_WORK}(?: \w+)? (?:
    go|goes|went|say|says|said|saying|sings|sang|screams|yells|is like|was like|whispers|reads|called
    |titled|named
  )(?: that| like)?(?: (?:\w+|")){0,3} ?$
`)

function isFiction(context: Context): boolean {
  const sentence = `${context.before}${context.matched}${context.after}`
  if (!WORK_OF_FICTION.test(sentence)) return false
  if (VOICE_OF_A_WORK.test(context.before)) return true
  if (/\bmyself\b/.test(context.matched)) return false
  if (/(?:himself|herself|themsel\w+)\b/.test(context.matched)) return true
  const near = context.before.split(' ').slice(-9).join(' ')
  return isAboutSomeoneElse(context) || !/\b(?:i|im|ive|me|my)\b/.test(`${near}${context.matched}`)
}

const JOKE = new RegExp(
  pattern`
   \b${LAUGHTER}\b|[💀😂🤣😆]
   |\b(?:
     assignment|essay|homework|lecture|seminar|class|traffic|wifi|printer|parking|meeting|queue|app|bug
     |code|song|noise|laptop
   )(?: \w+){0,3} mak(?:e|es|ing) me want to
   |\bif (?:i have to|he|she|they|this|that|the|my|it|one more)(?: \w+){0,8} (?:again|one more time|one more|another)
   \b
   |\bif (?:i have to|i need to) (?:read|hear|watch|write|sit|listen|do|see)\b
 `,
  'u',
)
const IN_EARNEST = new RegExp(pattern`\b${NO_JOKE}\b`)

const RETRACTED = /^ (?:lol|lmao|jk|just kidding|im joking|(?:ha){2,}h?|joking)\b|^ [💀😂🤣]/u

function isHyperbole({ near, afterthought }: Context): boolean {
  return (JOKE.test(near) || RETRACTED.test(afterthought)) && !IN_EARNEST.test(near)
}

/** Each reading of a context, by name. */
export const READINGS: Readonly<Record<Reading, (context: Context) => boolean>> = {
  negated: isNegated,
  past: isLongAgo,
  third: isAboutSomeoneElse,
  quoted: isQuoted,
  fiction: isFiction,
  hyperbole: isHyperbole,
}
