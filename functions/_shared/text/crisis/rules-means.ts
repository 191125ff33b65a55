import { everyMatch, pattern } from '../../pattern.ts'
import { CASUAL, EXPLICIT, OWN_NEGATION, type Rule } from './rule.ts'

/** Medicine in tablets. */
const TABLETS = pattern`(?:pills|tablets|capsules|meds|paracetamol|ibuprofen)`

/** What a rope is tied to. */
const HANGING_PLACES = pattern`(?:closet|ceiling|beam|neck|wardrobe|garage|rafters?)`

/** A way that is looked for. */
const WAYS = pattern`(?:ways?|methods?|how|easiest|quickest|painless(?:ly)?)`

/** Which traffic. */
const ONCOMING = pattern`(?: (?:a|an|the|oncoming|moving|speeding|incoming|train))`

/** What is said near a gas tap that is left on, when it is no oversight. */
const CLOSED_IN = pattern`(?:windows?|door|sleep|wake|die|dead|myself|pills|tonight)`

/** What somebody steps off. */
const HIGH_PLACE = pattern`(?:platform|ledge|roof|bridge|balcony|building|cliff|edge)`

/** Throwing oneself. */
const THROWING = pattern`(?:throw|throwing|threw|fling|flinging|flung|chuck|chucking)`

/** Putting up a rope. */
const TIED = pattern`(?:put|tie|tied|tying|bought|buy|hung|hang|got|have|made|set)`

/** At the wheel. */
const DRIVING = pattern`(?:drive|driving|crash|crashing|swerve|swerving|steer|steering)`

/** How somebody comes to an edge. */
const STOOD = pattern`(?:stood|standing|stand|sat|sitting|climbed|climbing|walked|went)`

/** Dying, in the words of a search. */
const TO_DIE = pattern`(?:die|kill myself|commit suicide|end it|end my life|overdose|hang myself)`

/** Where somebody jumps. */
const HEIGHT_OR_RAILS = pattern`
  (?:roof|rooftop|bridge|ledge|balcony|tracks|platform|building|cliff|edge|overpass)
`

/** A plan that is made. */
const DECIDED = pattern`
  (?:know|decided|figured out|planned|chosen|picked|have a plan(?: for)?|worked out)
`

/** An edge to fall from. */
const AN_EDGE = pattern`
  (?:ledge|railing of|edge of (?:the|a) (?:roof|bridge|platform|cliff|building|balcony))
`

/** Jumps that are none from a height. */
const OTHER_JUMPS = pattern`
  (?! (?:for|out|at|up|ship|in|into|on|when|over|rope|to|around|through|back|from|off)\b)
`

/** What runs somebody over. */
const VEHICLES = pattern`
  (?:bus|buses|trains?|trams?|trucks?|lorry|lorries|traffic|tube|subway|cars?|tracks|rails)
`

/** How near somebody came. */
const NEARLY = pattern`
  (?:almost|nearly|about to|going to just|thought about|thinking of|thinking about|tempted to)
`

/** Going or lying down somewhere. */
const WALKING = pattern`
  (?:step|stepping|stepped|walk|walking|walked|run|running|lie|lying|stand|standing|lay|laying)
`

/** Jumping or stepping off. */
const JUMPING = pattern`
  (?:
    jump|jumping|jumped|leap|leaping|step off|stepping off|throw myself|throwing myself|threw myself
    |fling myself
  )
`

/** Where no road leads. */
const OFF_THE_ROAD = pattern`
  (?:
    off (?:the|a) (?:road|bridge|cliff)|on purpose|into (?:a|the) (?:tree|wall|river|lake|barrier|pole)
    |into oncoming
  )
`

/** Own things that are given away. */
const GIVEN_AWAY = pattern`
  (?:
    away (?:all|everything)(?: (?:of )?(?:my|i) (?:stuff|things|belongings|possessions|own))?
    |(?:all )?my (?:belongings|possessions) away
  )
`

/** What somebody jumps from, or in front of. */
const HEIGHTS_AND_VEHICLES = pattern`
  (?:
    bridge|roof|rooftop|building|balcony|window|cliff|ledge|overpass|tower|train|trains|bus|truck|lorry
    |traffic|tube|subway|car|cars|tracks
  )
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

/** Sports with jumps, and phrases about buses. */
const SPORT_OR_PHRASE = pattern`
  (?:
    bungee|swim\w*|swam|lake|pool|charity|parachute|abseil\w*|got (?:off|out)|jumped off the bus
    |threw myself under the bus|myself under the bus (?:to|for)
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

/** Why a gas tap is turned on, or a smell of gas reported. */
const COOKING_OR_REPAIR = pattern`
  (?:
    cook\w*|(?:made|make|making|for) (?:pasta|tea|dinner|lunch|breakfast|soup|coffee|rice|eggs)|kettle
    |hob|heating|boiler|shower|bunsen|stove|meter|landlord|engineer|plumber|supplier|bill|mechanic|leak
    |lab|cake|clean\w*
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

const POISONS = pattern`
  (?:
    bleach|anti ?freeze|(?:drain|toilet|oven) cleaner|weed ?killer|rat poison|poison|pesticides?
    |insecticide|paint thinner|white spirit|methanol|disinfectant|detergent
    |cleaning (?:fluid|products?|liquid|spray)|cyanide|nembutal|pentobarbital|sodium nitrite
  )
`

/** Plan, method, means and preparation. */
export const MEANS_RULES: readonly Rule[] = [
  {
    id: 'means.overdose',
    level: 'high',
    regex:
      /\boverdos(?:e|ed|ing)\b(?! (?:of|on) (?:coffee|caffeine|sugar|chocolate|netflix|cuteness|information|christmas|memes|sweets)\b)/g,
    readings: CASUAL,
    unless: /\b(?:naloxone|narcan|awareness|prevention|training)\b/,
  },
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
    id: 'means.poison',
    level: 'high',
    regex: everyMatch`
      \b(?:i|ive|id|ill|im|and|to|then|of|about)(?: \w+){0,3} (?:
        drank|drunk|drink|drinking|swallow\w*|inject\w*
      )(?: \w+){0,5} ${POISONS}\b
      |\b(?:drank|drinking|drink) ${POISONS}\b
      |\b(?:bought|ordered|got|have|took|taken)(?: \w+){0,3} (?:nembutal|pentobarbital|sodium nitrite|cyanide)
      \b
    `,
    readings: CASUAL,
    unless:
      /\b(?:accident\w*|by mistake|dog|cat|puppy|kitten|toddler|baby|lab|assay|experiment|film|movie|book|novel|episode|poured|spilled)\b/,
  },
  {
    id: 'means.gas',
    level: 'high',
    regex: everyMatch`
      \bturn(?:ed|ing)? (?:on the gas|the gas (?:taps? )?on)\b
      |\bleft the gas on\b(?=.{0,60}\b${CLOSED_IN}\b)|\bhead in the oven\b
      |\b(?:hose|pipe)(?: \w+){0,4} exhaust\b|\bexhaust(?: \w+){0,5} (?:into|inside) (?:the|my) car\b
      |\b(?:engine|car) (?:on|running) (?:in|inside) the (?:closed )?garage\b
    `,
    readings: EXPLICIT,
    unless: new RegExp(pattern`\b${COOKING_OR_REPAIR}\b`),
  },
  {
    id: 'means.asphyxia',
    level: 'high',
    regex: everyMatch`
      \b(?:helium|nitrogen|argon)(?: \w+)? (?:tank|cylinder|canister|bottle)s?(?: (?:\w+|\.)){0,6} (?:mask|hood|bag|tubing)
      \b
      |\b(?:exit|suicide) (?:bag|hood|kit)\b
    `,
    readings: EXPLICIT,
    unless: /\b(?:balloons?|party|birthday|lab|physics|chemistry|weld\w*|beer|liquid)\b/,
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
    id: 'means.bought_rope',
    level: 'moderate',
    regex: /\b(?:bought|ordered|got|found|have) (?:a|some|the|my) rope\b/g,
    readings: EXPLICIT,
    unless: /\b(?:climb\w*|boat|sail\w*|camp\w*|course|swing|tent|skipping|jump|gym|dog|tow\w*|clothes)\b/,
  },
  {
    id: 'means.use_on_self',
    level: 'high',
    regex: /\b(?:use|using|used) (?:it|that|one|them|the \w+|a \w+) on myself\b/g,
    readings: EXPLICIT,
    unless: /\b(?:makeup|shampoo|technique|method|advice|cream|products?|trick|script|hair|dye)\b/,
  },
  {
    id: 'means.jumping_soon',
    level: 'high',
    regex:
      /\b(?:im|i am|im going to|i will|ill|going to) (?:be )?jump(?:ing)? (?:tonight|today|tomorrow|this (?:week|weekend))\b/g,
    readings: EXPLICIT,
    unless: /\b(?:parachute|bungee|sky\w*|trampoline|horse|competition|meet|rope)\b/,
  },
  {
    id: 'means.ledge',
    level: 'high',
    regex: everyMatch`
      \b${STOOD}(?: \w+){0,2} ${AN_EDGE}\b|\bstep(?:ping|ped)? off (?:the|a) ${HIGH_PLACE}\b
    `,
    readings: EXPLICIT,
    unless: /\b(?:photos?|pictures?|view|hike|hiking|climbing wall|abseil\w*|cat|bird|announc\w*)\b/,
  },
  {
    id: 'means.on_the_edge',
    level: 'high',
    regex: everyMatch`
      \b${HEIGHT_OR_RAILS}(?: \w+){0,7} (?:jump|jumping|end it|let go)\b
      |\b${NEARLY} (?:jump|jumped|jumping)(?= |$)${OTHER_JUMPS}
    `,
    readings: EXPLICIT,
    unless: /\b(?:bungee|swim\w*|swam|lake|pool|charity|parachute|abseil\w*|scared me|startled)\b/,
  },
  {
    id: 'means.loaded_gun',
    level: 'high',
    regex: everyMatch`
      \bloaded (?:gun|pistol|rifle)\b|\b(?:gun|pistol|rifle)(?: \w+){0,3} loaded\b
      |\bi (?:just )?(?:bought|got|took|have|found) (?:a|my|the|dads|my dads) (?:gun|pistol)\b
    `,
    readings: EXPLICIT,
    unless: /\b(?:nerf|water|glue|staple|massage|range|hunting|heat|paintball|game|laser|film|movie)\b/,
  },
  {
    id: 'means.letters_for_after',
    level: 'high',
    regex: /\b(?:letters?|notes?|messages?|videos?|will)(?: \w+){0,5} (?:after|when|once) im gone\b/g,
    readings: EXPLICIT,
    unless: /\b(?:holiday|vacation|abroad|plants?|cat|dog|sitter|weekend|trip)\b/,
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
    id: 'means.jump',
    level: 'high',
    regex: everyMatch`
      \b${JUMPING}(?: \w+)? (?:off|from|out of|in front of|under)(?: \w+){0,3} ${HEIGHTS_AND_VEHICLES}
      \b
    `,
    readings: EXPLICIT,
    unless: new RegExp(pattern`\b${SPORT_OR_PHRASE}\b`),
  },
  {
    id: 'means.traffic',
    level: 'high',
    regex: everyMatch`
      \b${WALKING}(?: \w+)? (?:(?:out )?in front of|into oncoming|into|under|on)${ONCOMING}* (?:trains?|bus|truck|lorry|traffic|tracks)
      \b
    `,
    readings: EXPLICIT,
    unless:
      /\b(?:stuck|jam|on (?:a|the) (?:train|bus)|(?:run|walk\w*|ran) into (?:a|the) (?:train|bus|truck|lorry))\b/,
  },
  {
    id: 'means.crash',
    level: 'high',
    regex: everyMatch`\b${DRIVING}(?: \w+){0,4} ${OFF_THE_ROAD}\b`,
    readings: EXPLICIT,
    unless: /\baccident\w*\b/,
  },
  {
    id: 'means.blade',
    level: 'high',
    regex:
      /\b(?:slit|slitting|cut|cutting|slash|slashing|slashed)(?: \w+)? (?:my |own )?(?:wrists?|throat|veins|arteries)\b/g,
    readings: EXPLICIT,
  },
  {
    id: 'means.gun',
    level: 'high',
    regex:
      /\b(?:gun|bullet|pistol|rifle)(?: \w+){0,3} (?:to|in|into|through|against) my (?:head|mouth|temple|brain|heart)\b|\bmy brains out\b/g,
    readings: CASUAL,
  },
  {
    id: 'means.rope',
    level: 'high',
    regex: everyMatch`
      \bnoose\b|\brope around my neck\b|\b${TIED}(?: \w+){0,2} rope(?: \w+){0,3} ${HANGING_PLACES}\b
    `,
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
  {
    id: 'means.goodbye_letter',
    level: 'high',
    regex:
      /\b(?:goodbye|farewell) (?:letters?|notes?|messages?|videos?)\b|\bgoodbye (?:forever|world|cruel world)\b|\b(?:final|last) goodbyes?\b/g,
    readings: EXPLICIT,
    unless: /\b(?:colleagues?|coworkers?|host family|exchange|funeral|retir\w+|leaving party)\b/,
  },
  {
    id: 'means.tonight_goodbye',
    level: 'high',
    regex: /\btonight is the night(?: \w+){0,3} goodbye\b/g,
    readings: OWN_NEGATION,
  },
  {
    id: 'means.gave_away',
    level: 'high',
    regex:
      /\b(?:gave|giving|given)(?: away)?(?: all)?(?: of)?(?: my| everything)(?: \w+){0,2}(?: away)?(?: \w+){0,3} (?:said|saying) (?:my )?goodbyes?\b/g,
    readings: EXPLICIT,
  },
  {
    id: 'means.gave_away_all',
    level: 'moderate',
    regex: everyMatch`\b(?:gave|giving|given) ${GIVEN_AWAY}\b`,
    readings: EXPLICIT,
    unless: /\b(?:moving|move|moved|charity|thrift|donat\w+|clear\w*|declutter\w*)\b/,
  },
]
