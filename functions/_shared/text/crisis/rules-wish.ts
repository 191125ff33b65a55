import { everyMatch, pattern } from '../../pattern.ts'
import { OWN_NEGATION, type Rule } from './rule.ts'

/** Going on with life. */
const TO_LIVE = pattern`
  (?:
    live|living|life|being alive|be alive|being here|go on|going on|keep going|carry on|exist|existing
    |staying alive|stay alive
  )
`

/** Dead, not waking up, or never born. */
const DEAD_OR_UNBORN = pattern`
  (?:
    die|died|dead|disappeared|disappear|not wake up|dont wake up|didnt wake up|never wake up
    |wouldnt wake up|never woke up|never been born|never born|wasnt born|not been born|never existed
    |didnt exist|wasnt (?:here|alive)|werent (?:here|alive)|not alive
  )
`

/** Being alive, and no other way of living. */
const LIVING = pattern`
  (?:
    (?:live|living)(?! (?:
      in|with|at(?! all)|on|off|there|here|alone|near|far|by|together|abroad|by myself|anywhere|elsewhere|somewhere
    )\b
    )
    |be alive|exist|wake up(?! (?:early|at|for|before|late|that|so)\b)
    |be (?:here|around) (?:anymore|any more|at all|any longer)|be in this world
    |be on this (?:earth|planet)|keep living|see tomorrow
  )
`

/** Passive wishes and the beliefs that go with them. */
export const PASSIVE_RULES: readonly Rule[] = [
  {
    id: 'passive.wish_dead',
    level: 'high',
    regex: everyMatch`
      \b(?:hope|hoping|hoped|wish|wished|wishing|pray|prayed|praying)(?: \w+)? (?:i|id|ill)?
      (?: \w+){0,4}? ?${DEAD_OR_UNBORN}\b(?! (?:late|too|early|on time|battery|phone)\b)
    `,
    readings: OWN_NEGATION,
    unless:
      /\b(?:hope|wish|pray)\w* (?:that )?(?:he|she|they|it|the|my|this|that|we|you|nobody|no one|everyone) (?!i\b)/,
  },
  {
    id: 'passive.indifferent_to_life',
    level: 'high',
    regex: everyMatch`
      \b(?:if|wish|that) i (?:just )?(?:didnt|never|dont|wouldnt) (?:wake|woke) up\b
      |\b(?:world|nobody|no one|everyone)(?: \w+)? (?:doesnt need|needs|need) me\b
      |\b(?:be|do) (?:just |so |all )?(?:fine|ok|okay|happier|relieved|better) without me\b
      |\bwaiting to die\b|\b(?:no|lost|losing)(?: \w+){0,2} will to live\b
      |\bdeath (?:sounds|seems|feels|would be|looks|is)(?: \w+)? (?:
        peaceful|nice|easier|better|like|good|welcome|appealing|comforting
      )\b
    `,
    readings: OWN_NEGATION,
    unless: /\b(?:meeting|lecture|party|trip|game|team|everyone needs me|wake up (?:early|late))\b/,
  },
  {
    id: 'passive.better_off_dead',
    level: 'high',
    regex: /\bbetter off dead\b/g,
    readings: OWN_NEGATION,
  },
  {
    id: 'passive.not_want_to_live',
    level: 'high',
    regex: everyMatch`
      \b(?:dont|do not|didnt|doesnt|never|no longer|not|stopped)(?: \w+){0,2} want(?:ed|ing|s)?
      (?: \w+)? to (?:\w+ )?${LIVING}\b
    `,
    readings: OWN_NEGATION,
  },
  {
    id: 'passive.no_reason_to_live',
    level: 'high',
    regex: everyMatch`
      \b(?:no|any|a|the|without|real)(?: \w+)? (?:reason|point|purpose|use)
      (?: (?:in|to|of|for|left|me))* ${TO_LIVE}\b
      |\bnothing(?: \w+){0,2} to live for\b
      |\b(?:not|isnt|never|hardly|barely) (?:even )?worth (?:living|it to live)\b
      |\bwhy (?:am i|do i|should i|bother)(?: \w+)? (?:alive|living|live|exist|stay alive|keep living)
      \b
    `,
    readings: OWN_NEGATION,
    unless: /\b(?:found|gave me|gives me|have) (?:a |the |my )?(?:reason|purpose)\b/,
  },
  {
    id: 'passive.tired_of_living',
    level: 'high',
    regex: everyMatch`
      \b(?:tired|sick|exhausted|done|fed up|finished|weary|over)(?: and tired)? (?:of|with|from) (?:
        living|being alive|existing|staying alive|(?:my |this )?life
      )\b(?! (?:in|at|on|of|with|out|as|like a|drawing|science)\b)
    `,
    readings: OWN_NEGATION,
  },
  {
    id: 'passive.disappear_forever',
    level: 'high',
    regex: everyMatch`
      \b(?:disappear|vanish|be gone|cease to exist|stop existing|not exist|fade away)\b(?=
        .{0,30}\b(?:forever|for good|permanently|completely)\b
      )
      |\b(?:want|wish|wanted|like) to (?:\w+ )?(?:
        cease to exist|stop existing|not exist|stop being alive
      )\b
    `,
    readings: OWN_NEGATION,
  },
  {
    id: 'passive.think_of_dying',
    level: 'high',
    regex: everyMatch`
      \b(?:
        think|thinking|thought|thoughts|dream\w*|daydream\w*|fantasi\w+|obsess\w+|imagin\w+|pictur\w+
      )(?: \w+){0,2} (?:about|of) (?:just )?(?:
        dying|death|my own death|my funeral|being dead|not existing|not being (?:here|alive)
      )\b(?! (?:of|in|metal|valley|penalty|star|rates?|my hair|it|the)\b)
    `,
    readings: { ...OWN_NEGATION, negated: 'mild' },
  },
  {
    id: 'passive.burden',
    level: 'moderate',
    regex:
      /\b(?:im|i am|me|being|feel like|feel i am|feeling like|was|be|become)(?: \w+){0,2} burden(?: (?:to|on|for) \w+)?\b/g,
    readings: { ...OWN_NEGATION, negated: 'none' },
    unless: /\b(?:financ\w+|costs?|fees?|money|tuition|debt|admin\w*|(?:dont|not) want to be)\b/,
  },
  {
    id: 'passive.end_it',
    level: 'moderate',
    regex:
      /\b(?:want|wanted|going|ready|need|about|just) to (?:just )?end it\b(?! (?:with|off|up|on|there|here|by|at|before|after|between|all)\b)/g,
    readings: { ...OWN_NEGATION, negated: 'mild' },
    unless:
      /\b(?:relationship|boyfriend|girlfriend|call|meeting|essay|speech|story|chapter|subscription|contract)\b/,
  },
]
