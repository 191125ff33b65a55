import { everyMatch, pattern } from '../../pattern.ts'
import { OWN_NEGATION, type Rule } from './rule.ts'

/** Going on with life. */
const TO_LIVE = pattern`
  (?:
    live|living|life|being alive|be alive|being here|go on|going on|keep going|carry on|exist|existing
    |staying alive|stay alive
  )
`

/** Living somewhere, or without something small. */
const LIVING_SOMEHOW = pattern`
  (?! (?:
    without (?:my (?:phone|coffee|laptop)|coffee|music|it)|in|at|on|there
    |with (?:my|the|this|these|that|them|him|her)|off
  )\b
  )
`

/** Not here any more. */
const GONE = pattern`
  (?:
    (?:wasnt|werent|was not|were not) (?:here|around|alive|born)|died|disappeared
    |(?:was|were) (?:dead|gone)|never (?:existed|was born|been born)|didnt exist
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
      in|with|at(?! all)|on|off|there|here|alone|near|far|by|together|abroad|by myself
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
    id: 'passive.wish_for_harm',
    level: 'high',
    regex: everyMatch`
      \b(?:hope|hoping|wish|wishing|praying)(?: \w+){0,5} (?:
        hits?|kills?|runs? over|would hit|would kill|would just kill|would run over|crash(?:es)? into
        |shoots?
      ) me\b
      |\b(?:dont|do not|cant|cannot) (?:see|imagine|picture) myself (?:\w+ )?(?:alive|around|living)
      (?= |$)(?! (?:with|in|at|here|there|alone)\b)
    `,
    readings: OWN_NEGATION,
    unless: /\b(?:hits? me up|ball|inspiration|sleep)\b/,
  },
  {
    id: 'passive.better_without_me',
    level: 'high',
    regex: everyMatch`
      \bbetter off (?:without me|dead|if i (?:was|were|wasnt|werent|died|disappeared|didnt|never))\b
      |\b(?:world|everyone|everybody|family|friends|parents|they|people|nobody|life)(?: \w+){0,4} (?:better|easier|happier) (?:off )?(?:
        without me|if i (?:was|were|wasnt|werent|died|disappeared|didnt|never)
      )\b
      |\b(?:better|easier|happier)(?: \w+){0,3} if i ${GONE}\b
      |\bif i (?:died|die|was gone|were gone|disappeared|was dead|were dead)(?: \w+){0,3} (?:
        it wouldnt matter|wouldnt matter|nobody would|no one would|who would|would anyone
        |would anybody
      )\b
      |\bwould (?:anyone|anybody)(?: \w+){0,2} (?:care|notice|miss me)(?: \w+)? if i (?:died|was gone|were gone|disappeared|was dead)
      \b
      |\b(?:no one|nobody|noone)(?: \w+){0,2} (?:miss me|notice|care) if i (?:
        died|die|was dead|were dead|was gone|were gone|disappeared
      )\b
    `,
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
    id: 'passive.cannot_live',
    level: 'high',
    regex: everyMatch`
      \b(?:cant|cannot|couldnt) (?:live|go on living|keep living|continue living|keep on living)
      (?: (?:like this|anymore|any more|with myself))?(?= |$)${LIVING_SOMEHOW}
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
    id: 'passive.would_not_mind',
    level: 'high',
    regex: everyMatch`
      \b(?:wouldnt|would not|dont|do not|didnt|doesnt)(?: \w+)? (?:mind|care|matter|be sad|be bothered)
      (?: \w+)? (?:if|whether|dying|not waking)(?: \w+){0,4} (?:
        die|died|dies|dying|dead|hit me|hit by|ran me over|run over|wake up|waking up|alive|live
        |killed me|be killed|crashed
      )\b
    `,
    readings: OWN_NEGATION,
    unless: /\b(?:phone|battery|plant|he|she|they) (?:die|died|dies)\b/,
  },
  {
    id: 'passive.sleep_forever',
    level: 'high',
    regex: everyMatch`
      \b(?:sleep|asleep|bed)(?: \w+){0,5} (?:never|not|dont|without)(?: \w+)? (?:wake|waking)
      (?: up| again)\b(?! (?:at|early|for|until|till|before|once|late)\b)
      |\b(?:want|wish|wanted|need) (?:to|i could) (?:just )?(?:go to )?sleep forever\b
      (?! (?:this|on)\b)
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
    id: 'passive.stop_for_good',
    level: 'high',
    regex: everyMatch`
      \b(?:everything|it all|it|this|the pain|all of it)(?: \w+){0,2} (?:stop|end|over)(?: \w+){0,2} (?:for good|forever|permanently)
      \b
      |\b(?:want|need|wish|wishing|wanted) (?:it|this|everything) all? ?(?:was |were |to )?
      (?:be |just )?(?:over|end|stop)\b
    `,
    readings: OWN_NEGATION,
    unless:
      /\b(?:exams?|semester|term|week|deadlines?|essay|assignment|season|lecture|noise|building work)\b/,
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
    id: 'passive.give_up_on_life',
    level: 'high',
    regex:
      /\b(?:give up|giving up|given up|gave up|quit|quitting|let go) (?:on|of) (?:life|living|being alive)\b/g,
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
    id: 'passive.not_deserve_life',
    level: 'high',
    regex: /\b(?:dont|do not|didnt) deserve to (?:live|be alive|exist|be here)\b/g,
    readings: OWN_NEGATION,
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
