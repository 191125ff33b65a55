import { pattern } from '../../pattern.ts'

/** Everyday life around words of means. */
const EVERYDAY = pattern`
  (?:
    climb(?:ing)? (?:wall|gym|rope|club|centre|shoes)|bungee|parachut\w*|trampoline|abseil\w*|skydiv\w*
    |pool|swim|swam|swimming|photos?|photograph\w*|pictures of|view|hay ?fever|allerg\w*|vitamins?
    |breakfast|with food|headache|cold|cough|period|migraine|flu|prescri\w+|refill|pharmacy|one a day
    |doctor (?:said|gave)|iron tablets|kitchen|cook\w*|chop\w*|shav\w+|onions?|bread|butter|camp\w*
    |scout\w*|garden\w*|sail\w*|boats?|swing|skipping|ladder|washing line|tent|homework|laundry|essay
    |dishes|washing up|assignment|lab report|coursework|shopping|spreadsheet
    |into the (?:lake|sea|pool|pond)
    |(?:got|get|getting|hopped|asleep|missed|caught) (?:off|on|onto) the (?:bus|train|tram|tube)
    |asleep on the|barbecue|flight|hotel|exactly when|lecture|seminar|timetable|blackberries|cupboard
    |cabinet|first aid|beers?|picnic|sandwich|lunch|sunset|and read|last second|wave it|exams?
    |deadlines?|trips?|flight|wedding|save me a
  )
`

/** Evidence that words of death, hurting or leaving are used of something harmless. */
export type Harmless = {
  /** Phrases that are harmless whatever surrounds them. */
  phrases: RegExp
  /** Places and pursuits that explain the words, unless the sentence also holds one of `crisis`. */
  settings: RegExp
  crisis: RegExp
}

/** Whether the words around a match show that it is harmless. */
export function isHarmless({ phrases, settings, crisis }: Harmless, near: string): boolean {
  return phrases.test(near) || (settings.test(near) && !crisis.test(near))
}

const anyOf = (...parts: readonly string[]): RegExp => new RegExp(`\\b(?:${parts.join('|')})\\b`)

const CRISIS_WORDS = anyOf(
  pattern`
   i (?:\w+ )?(?:say|tell|lie|lied|pretend|pretended)|suicid\w*|swallow\w*|took everything
   |kill(?:ing)? myself|end (?:it all|my life)|goodbye|overdos\w*|on purpose|deserve|punish\w*|scared
   |afraid|terrified|hate myself|deeper?|secret|numb|relief|threat\w*|chok\w*|strangl\w*|rap(?:e|ed|es)
   |sexual\w*|drunk|bruis\w*|die|dead|alive|dying|blood|bleed\w*|tonight|stop me|alone
   |every (?:night|evening)|never wake|noose|without me|relapsed?|cope|panic\w*|worthless
   |without my consent|wont let|stairs|money|door|angry|yells|shouts
 `,
)

/** The same without the words that a wish to die is made of. */
const CRISIS_WORDS_BESIDE_A_WISH = new RegExp(CRISIS_WORDS.source.replace('|die|dead|alive|dying|', '|'))

export const HARMLESS_WISH: Harmless = {
  phrases: anyOf(
    pattern`
     (?:my |the |this |his |her |our )(?:
       phone|battery|laptop|wifi|printer|plants?|car|legs|feet|hamster|goldfish|cells|back|knees?|brain
       |calves|arms
     )(?: \w+){0,4} (?:die|dies|dying|died|dead|killing)
   `,
    'dead (?:tired|serious|end|weight|heat|sea|leg|set|zone|pan|line|lift|battery|language|poets|funny|easy|easily|silence|hang)',
    'deadlines?|play(?:s|ed|ing)? dead',
    'death (?:metal|penalty|valley|star|rates?|note|eaters?|by (?:powerpoint|chocolate))',
    'be the death of (?:me|us)',
    'like i wanted the (?:floor|ground|earth) to',
    '(?:die|dying|dead|died) (?:of|from|with) (?:laugh\\w*|laughter|embarrass\\w*|cringe|boredom|shame|happiness|heat|curiosity|cuteness|joy|excitement)',
    '(?:die|dying|kill) (?:to (?:see|know|meet|try|get|hear|go)|for (?:a|an|some|that|this|the|those|your|his|her|coffee|food|chocolate|sleep))',
    'rather die than (?:eat|wear|miss|watch|do|sit|give|dance|sing|speak|talk|present|ask|run|read|drink|use|be seen|drink|sit)',
    'die happy',
    'suicide silence|how bees',
    'save me (?:a|some|the)',
    pattern`
     (?:my|the) last (?:
       week|term|year|exam|lecture|class|shift|semester|assignment|module|piece|game|match|season|train
       |bus|essay|paper
     )(?! (?:alive|on (?:this )?earth|of my life))
   `,
    'last (?!check )\\w+ (?:in|of|at|as|with|before)(?! (?:my life|this world|earth))',
    pattern`
     live without (?:
       my (?!son|mum|mom|dad|brother|sister|boy|girl|gran|nan|friend|best|partner|wife|husband|baby)
       |coffee|music|a |wifi|chocolate|tea|sugar
     )
   `,
    '(?:exist|existing|living|live|survive|surviving) on (?!this|my own)',
    'why am i here (?:at|in|so)',
    'have to be gone|flights? (?:is )?at|team(?: \\w+){0,2} better|weekend (?:session|shift|match|trip|workshop)',
    'tired of trying to (?!live|be|stay|survive|exist|cope)',
    'out of (?:the|this|my|a|that) (?:\\w+ )?(?:project|group|course|module|club|team|chat|contract|job|shared|house|flat|lease)',
    'be nothing (?:than|but|like|more|less)',
    'wake (?:my|the|him|her|them|you|everyone|anyone|up for)',
    'life (?:drawing|sciences?|guard|skills|coach|model|admin|modelling|jacket)',
    'bor(?:ing|ed)(?: \\w+){0,6} will to live|will to live (?:in|during|halfway|at|by)',
    pattern`
     (?:live|living) (?:
       in|with|at|on|out of|off|near|together|here|there|by|away|far|abroad|closer|at home
     )(?! (?:
       this (?:world|body|pain|skin|head|hell|way)|myself|the (?:pain|guilt|shame|voices)|it|what
       |constant|such|so much|earth|pain|me|fear
     )
     )
   `,
    'wake up (?:at|early|late|before|in time|so|to (?:the|my|an)|for|with a)',
    '(?:sleep|slept|nap) (?:forever )?(?:this|all) (?:weekend|week|day|morning)',
    '(?:tired|sick|bored) of (?:this|my) life of',
    '(?:disappear|vanish)(?:ing)? (?:into|in) (?:a|the|my)',
    '(?:end|ended|ending|finish) (?:it|things) (?:with|between)',
    pattern`
     (?:
       semester|term|exams?|week|lecture|seminar|summer|season|deadlines|revision|assignment|project
       |meeting|class|lockdown|winter|rehearsals?|night shifts?|dissertation|thesis|heatwave|module
       |course|shift
     )(?: \w+){0,3} (?:to (?:be over|end|stop|finish)|over|done|finished)
   `,
    'stop being so (?:busy|loud|cold|hot|hard|expensive)',
    '(?:if|when) i (?:phoned|rang|called|visited|wrote|studied|cooked|helped|came home)',
  ),
  settings:
    /\b(?:laundry|dishes|homework|essay|exams?|project|recital|stayed up|mosquito\w*|bingo|karaoke|ramen|pizza|mile|marathon|cake|bees|takeaways)\b/,
  crisis: CRISIS_WORDS_BESIDE_A_WISH,
}

export const HARMLESS_MEANS: Harmless = {
  phrases: anyOf(
    pattern`
     (?:career|political|social|commercial|financial|professional|academic) suicide
     |suicide (?:
       squad|prevention|rates?|awareness|hotline|helpline|lifeline|line|statistics|bomb\w*|research
       |doors?|training|squeeze|policy|watch|is preventable
     )
     |suicides (?:at|in|during|after)
   `,
    '(?:hang|hanging|hung) (?:out|up|around|with|on|my (?:coat|clothes|washing))',
    pattern`
     throw(?:ing)? myself (?:into|at)(?! (?:the (?:river|sea|canal|path)|traffic))
     |drown(?:ing)? (?:myself )?in (?:
       coffee|work|emails|essays|tea|homework|reading|deadlines|tissues|debt
     )
   `,
    'shoot(?:ing)? myself in the foot|off to myself|kill(?:ing)? myself laughing',
    'take my life (?:back|in my|into|seriously|more)|rest of my life',
    'overdos\\w* (?:of|on) (?:coffee|caffeine|sugar|chocolate|netflix|cuteness|information|christmas|memes|sweets|cheese)',
    'jump(?:ed|ing)? (?:for joy|at the|on the bandwagon|to conclusions|rope|in(?:to)? the (?:pool|pond))',
    'loot my (?:body|corpse|gear|stuff)',
    'glue gun|nerf|water gun|water pistol|staple gun|paintball|laser tag|heat gun|massage gun|rope (?:ladder|swing|course)|knife skills',
    'be the death of (?:me|us)',
    'suicide silence|overdose (?:prevention|awareness|training)|naloxone',
    'how (?!i |to |you |people |someone |much |many |long |high |easy |quick )\\w+ (?:die|dies|died)',
    'how and when to|stop living on|my team is',
    'jump(?:ed|ing)? on(?:to)? the (?:train|bus|tram)|jump(?:ed|ing)? off the (?:bus|train|tram|wall|swing)',
  ),
  settings: new RegExp(pattern`\b${EVERYDAY}\b`),
  crisis: CRISIS_WORDS,
}

export const HARMLESS_HURT: Harmless = {
  phrases: anyOf(
    'cutting (?:back|down|carbs|sugar|class|out|corners|edge|grass|board|it fine)',
    '(?:cut|pour|make|hurt|treat) myself (?:a|some|an|off|short|slack)|beat(?:ing)? myself up|kick(?:ed|ing)? myself',
    '(?:cut|scratch\\w*|burn\\w*|graze\\w*|scraped|bruis\\w*|bump\\w*) my \\w+ (?:on|against|while|opening|making) (?!the wall)',
    'hair (?:dye|cut|done)|nails done|manicure|paper cut|by mistake|by accident|accidentally',
  ),
  settings: anyOf(
    pattern`
     shav\w+|cook\w*|chop\w*|kitchen|football|soccer|hockey|netball|practice|gym|training|playing
     |lifting|basketball|rugby|tennis|skis?|skiing|skied|skat(?:e|ing|eboard\w*)|climb\w*|fell|bike
     |cycling|slipped|paper|oven|coffee|tea|soup|curling|stove|pan|sprain\w*|stubbed|sunburn\w*|cat
     |tattoo\w*|shelf|hair ?cut|hairdresser|brambles|thorns?|roses?|rocks|horse|cello|guitar|violin
     |guinea pig|rabbit|rehearsal|lab coat|pizza|baking|cake|mosquito\w*|bites|paint|from when
     |years old|when i was (?:a kid|little|five|six|seven|eight)
   `,
  ),
  crisis: CRISIS_WORDS,
}

export const HARMLESS_ABUSE: Harmless = {
  phrases: anyOf(
    pattern`
     for fun|(?:hit|hits) me up|with (?:questions|emails|a question|news|work)|texts? me|in the back
     |beats? me (?:to|at|by)|hits? the gym|kick(?:ed|ing)? myself|beat myself|touched me deeply
     |touched my (?:arm|hand|shoulder|heart)|touch my (?:food|stuff|things)
     |going to kill me (?:if|when)|kill me if im late|will kill me when
   `,
  ),
  settings: anyOf(
    pattern`
     chess|tennis|games?|squash|badminton|pillow|snooze|by a (?:goose|dog|cat|seagull|wasp|bee)
     |(?:the|a|his|my) (?:goose|dog|cat|seagull|wave|ball)|realis\w*|realiz\w*|football|hugs?|toy
     |playful\w*|sparring|boxing|judo|karate|bjj|wrestling|martial|practice|training|rowing|gym
     |on the bike|darts|monopoly|mario|fifa|quiz|spin class|workout|dodgeball|snowball\w*|tickl\w*
     |of the (?:food|weight|exams?)|all the food|curfew|knock\w*|charger|so that i|scary scene
     |instructor|argument|essay|sugar|laundry
   `,
  ),
  crisis: CRISIS_WORDS,
}
