import { everyMatch, pattern } from '../../pattern.ts'
import { EXPLICIT, type Rule } from './rule.ts'

/** Medicine in tablets. */
const TABLETS = pattern`(?:pills|tablets|capsules|meds|paracetamol|ibuprofen)`

/** A way that is looked for. */
const WAYS = pattern`(?:ways?|methods?|how|easiest|quickest|painless(?:ly)?)`

/** Throwing oneself. */
const THROWING = pattern`(?:throw|throwing|threw|fling|flinging|flung|chuck|chucking)`

/** Dying, in the words of a search. */
const TO_DIE = pattern`(?:die|kill myself|commit suicide|end it|end my life|overdose|hang myself)`

/** A plan that is made. */
const DECIDED = pattern`
  (?:know|decided|figured out|planned|chosen|picked|have a plan(?: for)?|worked out)
`

/** What runs somebody over. */
const VEHICLES = pattern`
  (?:bus|buses|trains?|trams?|trucks?|lorry|lorries|traffic|tube|subway|cars?|tracks|rails)
`

/** What is left of a packet after all of it. */
const SWALLOWED_ALL = pattern`
  (?:
    everything|all(?: of)? (?:them|it|those)|them all|the lot
    |(?:a|the|my|that) (?:whole|entire|full) (?:bottle|packet|pack|box|strip|tub|jar)
  )
`

/** What else is taken, or taken as it should be. */
const FOOD_OR_PRESCRIBED = pattern`
  (?:
    vitamins?|antibiotics|prescribed|accident\w*|by mistake|wine|beer|water|juice|milk|cider|coke
    |prosecco|dinner|lunch|breakfast|food|photos?|pictures?
  )
`

/** What is taken along, taken home or taken off. */
const NOT_MEDICINE = pattern`
  (?! (?:
    with me|to|home|out|down|off|over|back|on the|and (?:put|packed|moved|threw|donated|cleaned|gave)
    |of (?!(?:\w+ )?${TABLETS})
  )\b
  )
`

/** All that a packet or a cupboard held. */
const TOOK_ALL = pattern`
  (?:
    (?:everything|all of them|it all|all) (?:that was |i (?:had|have|could find|found) )?(?:left )?
    (?:in|from) the (?:\w+ )?(?:cupboard|cabinet|drawer|packet|bottle|box)
    |(?:a|the|my) (?:whole|entire|full) (?:bottle|packet|pack|box|strip)
    (?: of (?:\w+ ){0,2}(?:pills|tablets|capsules))?
    |the lot at once|everything i (?:had|have) left
  )
`

const PILLS =
  'pills|tablets|meds|medication|medicine|paracetamol|tylenol|acetaminophen|advil|ibuprofen|xanax|insulin|sleeping pills|antidepressants'

/** Plan, method, means and preparation. */
export const MEANS_RULES: readonly Rule[] = [
  {
    id: 'means.pills_saved',
    level: 'high',
    regex: new RegExp(
      `\\b(?:saving|saved|storing|stored|stash\\w*|hoard\\w*|collecting|collected|stockpil\\w*|hiding|hidden)(?: \\w+){0,3} (?:${PILLS})\\b`,
      'g',
    ),
    readings: EXPLICIT,
  },
  {
    id: 'means.pills_taken',
    level: 'high',
    regex: everyMatch`
      \b(?:take|taking|took|taken|swallow\w*|down|downing|downed)(?: \w+){0,2} (?:
        all|whole|bottle|bottles|handful|bunch|too many|every
      )(?: \w+){0,3} (?:${PILLS})\b
    `,
    readings: EXPLICIT,
    unless:
      /\b(?:doctor said|prescribed|vitamins?|breakfast|every (?:day|morning|evening)|each (?:day|morning)|on time)\b/,
  },
  {
    id: 'means.many_pills',
    level: 'high',
    regex: everyMatch`
      \b(?:take|taking|took|taken|swallow\w*)(?: \w+){0,2} (?:
        [4-9]|\d{2,}|ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty|hundred|dozens?|many|loads of
        |lot of|lots of
      )(?: \w+){0,2} (?:${PILLS})\b
    `,
    readings: EXPLICIT,
    unless: /\b(?:doctor said|prescribed|vitamins?|mg)\b/,
  },
  {
    id: 'means.took_all',
    level: 'high',
    regex: everyMatch`
      \b(?:swallow(?:ed|ing)?|downed)(?: \w+)? ${SWALLOWED_ALL}\b
      |\b(?:took|taken|take|taking) ${TOOK_ALL}\b${NOT_MEDICINE}
    `,
    readings: EXPLICIT,
    unless: new RegExp(pattern`\b${FOOD_OR_PRESCRIBED}\b`),
  },
  {
    id: 'means.pills_ready',
    level: 'high',
    regex: everyMatch`
      \b(?:bottle|handful|stash|pile|bunch|fistful) of (?:\w+ ){0,2}(?:${PILLS})\b
      |\b(?:the|enough|my) (?:${PILLS}|rope|means) to (?:do it|end|die|kill|make sure)\b
    `,
    readings: EXPLICIT,
    unless: /\b(?:refill\w*|pharmacy|picked up|prescri\w+|allerg\w+|vitamins?|cabinet|spilled)\b/,
  },
  {
    id: 'means.in_front_of',
    level: 'high',
    // "Throw myself under the bus" takes the blame for something, if it is not meant: `means.jump` reads it, which asks for more.
    regex: everyMatch`
      \b${THROWING} myself (?!under the bus\b)(?:in front of|under|onto)(?: \w+){0,3} ${VEHICLES}\b
    `,
    readings: EXPLICIT,
  },
  {
    id: 'means.blade',
    level: 'high',
    regex:
      /\b(?:slit|slitting|cut|cutting|slash|slashing|slashed)(?: \w+)? (?:my |own )?(?:wrists?|throat|veins|arteries)\b/g,
    readings: EXPLICIT,
  },
  {
    id: 'means.ways_to_die',
    level: 'high',
    regex: everyMatch`\b${WAYS}(?: \w+){0,2} to ${TO_DIE}\b`,
    readings: EXPLICIT,
  },
  {
    id: 'means.asked_how',
    level: 'none',
    affirmed: 'moderate',
    regex:
      /\b(?:think|thinking|thought) about how (?:you|i)(?:d| would| might| could) (?:actually )?(?:do it|die|end it)\b/g,
    readings: {},
    unless:
      /\b(?:supervisor|tutor|lecturer|project|essay|assignment|homework|presentation|dissertation|survey|study|interview|job|wedding|party)\b/,
  },
  {
    id: 'means.know_how',
    level: 'high',
    regex: everyMatch`
      \b${DECIDED}(?: exactly)? (?:how|when|where|the day|a date|the date) (?:i|id|ill|im)
      (?: \w+){0,2} (?:do it|die|end it|end things)\b
    `,
    readings: EXPLICIT,
    unless: /\b(?:assignment|essay|homework|project|presentation)\b/,
  },
]
