import { everyMatch, pattern } from '../../pattern.ts'
import { ATTEMPT, CASUAL, DISTRESS, HARMED, type Rule } from './rule.ts'

/** When, why and how deep somebody cuts. */
const CUT_WHEN_OR_WHY = pattern`
  (?:
    every (?:night|day|time)|most (?:nights|days)|last night|to (?:feel|cope|relieve|punish|calm)
    |when (?:i|it|things)|too deep|so deep|deeper
  )
`

/** Who a question about violence names. */
const WHO_HURTS = pattern`
  (?:
    anyone|anybody|someone|somebody|he|she|they
    |your (?:\w+ )?(?:
      partner|boyfriend|girlfriend|husband|wife|family|dad|father|mum|mom|mother|parents
    )
  )
`

/** A habit that comes back, or an urge. */
const URGE = pattern`
  (?:
    been|started|start|starting|back to|relapsed(?: on| with| into)?|urges? to|miss|want to|stop|need to
    |needed to|have to|crave|craving|itching to|going to
  )
`

/** Killing or hurting. */
const KILLING_OR_HURTING = pattern`
  (?:
    kill|kills|killed|killing|hang|hangs|hanged|hung|shoot|shot|hurt|hurts|hurting|harm|harms|harmed
    |harming|cut|cuts|cutting|end|ended|unalive|unalived|drown|drowned
  )
`

/** Ways of hurting oneself. */
const HURTING = pattern`
  (?:
    cut|cuts|cutting|burn|burns|burning|burned|burnt|hurt|hurts|hurting|harm|harms|harming|harmed
    |scratch\w*|hit|hitting|biting|punch|punching|punched|injur\w+|bruising
  )
`

/** A person who is near, or who enters. */
const PERSON_CLOSE_BY = pattern`
  (?:
    stepdad|stepfather|stepbrother|dad|father|uncle|brother|cousin|grandfather|grandpa|coach|professor
    |teacher|tutor|boss|landlord|roommate|flatmate|(?:comes|came|gets|got) into my (?:room|bed)
  )
`

/** Where, or with whom, a question about safety asks. */
const IN_WHICH_HOME = pattern`
  (?:
    at home|in your (?:own )?(?:home|house|flat|relationship)
    |in my (?:own )?(?:home|house|flat|relationship)
    |with (?:him|her|(?:your|my) (?:partner|boyfriend|girlfriend|husband|wife|family|dad|mum|parents))
    |where (?:you|i) live
  )
`

/** Bites by animals, and defeats in games. */
const BEATEN_HARMLESSLY = pattern`
  (?:
    by (?:a|the|some|two|an) (?:\w+ )?(?:
      goose|geese|dog|cat|bee|bees|wasp|wasps|seagull|bird|swan|mosquitoes|squirrel
    )
    |hit by (?:the|a) (?:realisation|realization|flu|cold|wave)
    |beaten (?:by|at|in) (?:\w+ ){0,3}(?:game|match|chess|final|team)
  )
`

/** Cuts and burns from sport, kitchens and falls. */
const EVERYDAY_INJURIES = pattern`
  (?:
    shav\w+|cook\w*|chop\w*|kitchen|accident\w*|by mistake|football|soccer|practice|gym|training|playing
    |running|lifting|basketball|rugby|tennis|skis?|skiing|skat\w*|fell|bike|slipped|opening|paper|glass
    |oven|iron|coffee|tea|curling|stove|pan|sprain\w*|stubbed|sunburn\w*
    |on (?:a|the|some|my) (?:tin|can|lid|wire|fence|nail|thorns?|bush|gate)
  )
`

/** Hits, kicks and beatings that are figures of speech. */
const HITS_OF_SPEECH = pattern`
  (?:
    hits? me (?:up|that|how|with (?:questions|a question|news|the|emails|work|a pillow))
    |it (?:just |really |suddenly )?hits? me|beats? me (?:at|in|to|by|on|every (?:game|time))
    |attacks? me in the game|kicks? me out of the (?:chat|group|game)
    |hurts? me (?:to (?:see|think|watch))
    |like (?:somebody|someone|a horse|a mule) (?:just |had |has |d )?(?:kicked|punched|slapped) me
  )
`

/** Sexual violence, as it is told. */
const SEXUAL_VIOLENCE = pattern`
  (?:
    (?:was|were|got|been|being|am|im|get)(?: \w+){0,2} (?:
      raped|sexually (?:assaulted|abused)|molested|gang raped
    )
    |(?:raped|rapes|molested|molests|sexually (?:assaulted|abused)|groped) me
    |forc(?:ed|es|ing) (?:himself|herself|themselves|themself) on me
    |forc(?:ed|es|ing) me to (?:have sex|sleep with|do sexual|touch)
    |(?:touched|touches|touching) me (?:without|when i said no|where|inappropriately)|drugged me
    |spiked my drink
  )
`

/** An accident, unless the speaker says that it is what they tell others, or that it was meant. */
const ACCIDENT = new RegExp(pattern`
  ^(?!.*\b(?:on purpose|bleed out|i (?:\w+ )?(?:say|tell|lie|lied|pretend|pretended))\b).*\b
  ${EVERYDAY_INJURIES}\b
`)

/** Self-harm without the wish to die. */
export const SELF_HARM_RULES: readonly Rule[] = [
  {
    id: 'self_harm.hurt_self',
    level: 'high',
    regex: everyMatch`\b${HURTING} myself\b(?! (?:off|some|a|out|short|loose|free|from)\b)`,
    readings: { ...CASUAL, past: 'moderate' },
    unless: ACCIDENT,
  },
  {
    id: 'self_harm.word',
    level: 'high',
    regex: /\bself ?(?:harm|harms|harmed|harming|injury|injuring|mutilat\w+)\b/g,
    readings: ATTEMPT,
    unless: /\bself ?harm (?:prevention|awareness|training|policy|lecture|research|statistics)\b/,
  },
  {
    id: 'self_harm.cutting',
    level: 'high',
    regex: everyMatch`
      \b${URGE}(?: \w+)? (?:cutting|cut)(?: again| tonight| lately| more)?(?= |$)(?! (?!
        (?:
          and|because|since|when|tonight|at night|lately|every|so|i|myself|but|or|just|if|to|it|until
          |till
        ) )[a-z]
      )
    `,
    readings: ATTEMPT,
  },
  {
    id: 'self_harm.i_cut',
    level: 'high',
    regex: everyMatch`
      \bi cut ${CUT_WHEN_OR_WHY}\b|\b(?:razors?|blades?)\b(?: \w+){0,8} (?:cut|cutting)\b
      |\brelapsed(?: \w+){0,3} (?:cut|cutting|burned|self)\b
      |\b(?:cut|cutting|burn|burning|burned|scratch\w*|carv\w*|slic\w*|slash\w*)(?: up| into| open)? my (?:own )?
      (?:arms?|thighs?|wrists?|legs?|skin|stomach|body)\b
      |\burges? to (?:cut|burn|harm|hurt)(?= |$)(?! (?!and |again |tonight |myself )[a-z])
      |\bcut too deep\b
    `,
    readings: ATTEMPT,
    unless:
      /\b(?:shav\w+|cook\w*|chop\w*|kitchen|hair|onions?|cardboard|boxes|accident\w*|oven|sun|iron|gym|run|running|fell|cat|bike|thorns?|roses?)\b/,
  },
  {
    id: 'self_harm.cuts',
    level: 'high',
    regex: everyMatch`
      \b(?:cuts?|cutting|burns?|scars?|blade|razor)(?: \w+){0,3} (?:on|into|up|across|to|over|along|down) my (?:arms?|thighs?|wrists?|legs?|skin|stomach)
      \b
    `,
    readings: ATTEMPT,
    unless: ACCIDENT,
  },
  {
    id: 'self_harm.starving',
    level: 'moderate',
    regex:
      /\b(?:starv(?:e|ed|ing) myself|purg(?:e|ed|ing) (?:after|again|every)|(?:make|making|made) myself (?:throw up|vomit|sick))\b/g,
    readings: { ...CASUAL, past: 'moderate' },
  },
]

const PERSON = pattern`
  (?:
    he|she|they|who
    |(?:my|his|her|the) (?:\w+ )?(?:
      boyfriend|girlfriend|partner|ex|husband|wife|dad|father|mom|mum|mother|stepdad|stepfather
      |stepmom|stepmother|brother|sister|uncle|aunt|cousin|grandfather|roommate|flatmate|housemate
      |coach|professor|teacher|boss|tutor|parents|landlord
    )
    |someone|somebody|(?:a|this|that|some) (?:guy|man|boy|girl|woman|stranger)
  )
`

const IDIOM = new RegExp(pattern`\b${HITS_OF_SPEECH}\b`)

const PEOPLE = pattern`
  (?:
    professor|lecturer|teacher|tutor|supervisor|boss|manager|coach|landlord|flatmate|housemate
    |roommate|neighbou?r|classmate|ex|boyfriend|girlfriend|partner|husband|wife|dad|father|stepdad
    |stepfather|mum|mom|mother|stepmum|stepmother|brother|sister|uncle|aunt|cousin|family|parents|guy
    |man|woman|girl|boy|people|students?|class|school|university|campus|counsell?or|doctor
  )
`

const WILL =
  '(?:(?:im|i am|were|we are) (?:\\w+ )?(?:going|planning|about) to|i (?:\\w+ )?(?:want|plan|need|intend) to|i will|ill|i (?:might|could|may))'

/** Being harmed or threatened by somebody else, and threats of violence to others. */
export const HARMED_RULES: readonly Rule[] = [
  {
    id: 'harmed.life_threat',
    level: 'high',
    regex: everyMatch`
      \b(?:threaten\w*|says?|said|told me|promised|swore|tried|trying|wants?|attempted)(?: \w+){0,4} (?:to )?
      kill me\b
      |\bthreaten\w*(?: \w+){0,3} (?:to|with)(?: \w+){0,2} (?:kill|hurt|harm|shoot|stab|beat) me\b
      |\b${PERSON}(?: \w+){0,2} (?:chok(?:e|es|ed|ing)|strangl(?:e|es|ed|ing)|stab(?:s|bed)?|shot)
      (?: at)? me\b
      |\b(?:scared|afraid|terrified|fear)(?: \w+){0,6} (?:kill|hurt) me\b
    `,
    readings: { ...HARMED, hyperbole: 'none' },
    unless:
      /\b(?:grades?|late|laundry|dishes|messy|phone bill|transcript|in the game|tattoo|in the back|look|glance|smile)\b/,
  },
  {
    id: 'harmed.rape',
    level: 'high',
    regex: everyMatch`\b${SEXUAL_VIOLENCE}\b`,
    readings: { ...HARMED, past: 'moderate', third: 'mild' },
  },
  {
    id: 'harmed.choked',
    level: 'high',
    regex: /\b(?:chok(?:es|ed|ing)|strangl(?:es|ed|ing)) me\b(?! up)/g,
    readings: HARMED,
    unless: /\b(?:smoke|food|water|collar|pollen|jiu|judo|bjj|wrestling|martial|sparring)\b/,
  },
  {
    id: 'harmed.touched',
    level: 'high',
    regex: everyMatch`\b${PERSON_CLOSE_BY}\b(?: \w+){0,10} touch(?:es|ed|ing) me\b`,
    readings: { quoted: 'mild', fiction: 'none' },
    unless: /\btouch(?:es|ed) me (?:deeply|so much|on the shoulder|that)\b/,
  },
  {
    id: 'harmed.unsafe_home',
    level: 'high',
    regex: everyMatch`
      \b(?:scared|afraid|terrified|too scared|frightened) (?:to go|of going|to be|of being) (?:back )?
      (?:home|to my (?:flat|room|house|dorm|apartment))\b
      |\b(?:not|dont feel|do not feel|didnt feel|not feel|isnt|never feel|no longer|arent|never) safe (?:
        at home|with (?:him|her|them|my)|in my (?:house|home|flat|room|relationship)
        |around (?:him|her|my)
      )\b
      |\bafraid of my (?:\w+ )?(?:
        boyfriend|girlfriend|partner|husband|wife|dad|father|stepdad|mom|mum|mother|brother|uncle
        |roommate|ex
      )\b
    `,
    readings: { quoted: 'mild', fiction: 'none' },
    unless: /\b(?:food|weight|diet|grades|flight|rain|spiders?|exam results)\b/,
  },
  {
    id: 'harmed.asked',
    level: 'none',
    affirmed: 'high',
    regex: everyMatch`
      \b(?:is|are|was|does|do|did|has|have) ${WHO_HURTS}(?: \w+){0,4} (?:
        hurt|hurts|hurting|hit|hits|hitting|harm|harmed|harming|abus\w+|threaten\w*|forc\w+
      ) you\b
      |\b(?:(?:do|did|are) you|(?:if|whether) i) (?:feel |felt |feeling |am |was |im )?safe ${IN_WHICH_HOME}
      \b
    `,
    readings: {},
  },
  {
    id: 'harmed.violence',
    level: 'moderate',
    regex: everyMatch`
      \b${PERSON}(?: \w+){0,5} (?:
        hit|hits|hitting|beat|beats|beating|punch(?:es|ed)?|punching|kick(?:s|ed)?|kicking
        |slap(?:s|ped)?|slapping|burn(?:s|ed)|shov(?:es|ed)|attack(?:s|ed)|assault(?:s|ed)
        |abus(?:es|ed|ing)|hurts|hurting|threaten(?:s|ed|ing)|stalk(?:s|ed|ing)|grabb(?:ed|ing)
        |lock(?:s|ed)
      ) me\b
    `,
    readings: { ...HARMED, third: undefined },
    unless: IDIOM,
  },
  {
    id: 'harmed.abuse',
    level: 'moderate',
    regex: everyMatch`
      \b(?:was|were|got|been|being|am|im|get|getting)(?: \w+){0,2} (?:
        abused|beaten(?: up)?|assaulted|attacked|stalked|blackmailed|threatened|trafficked|hit
      ) (?:by|at|in|on|for|last|when|again|as|every)\b
      |\b(?:abusive|violent) (?:
        boyfriend|girlfriend|partner|relationship|husband|wife|dad|father|stepdad|mother|mom|mum|home
        |family|parents?|ex
      )\b
      |\b(?:he|she|they) (?:wont|doesnt|dont) let me (?:
        leave|go out|see anyone|have my (?:phone|passport)
      )\b
    `,
    readings: { ...HARMED, third: 'mild', past: 'moderate' },
    unless: new RegExp(pattern`\b${BEATEN_HARMLESSLY}\b`),
  },
  {
    id: 'harmed.violence_to_others',
    level: 'high',
    regex: everyMatch`
      \bshoot up (?:the|my|this|our) (?:school|campus|class|office|place|university|college)\b
      |\bbring(?:ing)? (?:a |my )?(?:gun|knife|weapon) to (?:school|campus|class|university|college)\b
      |\b(?:im going to|i want to|i will|ill|i plan to) (?:kill|murder|stab|shoot) (?:him|her|them|everyone|everybody|people|someone)
      \b
    `,
    readings: { negated: 'mild', quoted: 'mild', fiction: 'none', hyperbole: 'mild' },
    unless: /\b(?:photo\w*|camera|film|video|game|lol|haha)\b/,
  },
  {
    id: 'harmed.threat_to_others',
    level: 'moderate',
    regex: everyMatch`
      \b${WILL} (?:\w+ )?(?:
        stab|shoot|murder|poison|set fire to|burn down|blow up
        |(?:kill|strangle)(?=
          (?: \w+){1,6} (?:
            with a|for real|and then myself|in (?:his|her|their) sleep|until (?:he|she|they)
          )\b
        )
      ) (?:my|the|this|that|our|his|her) (?:\w+ ){0,2}?${PEOPLE}\b
    `,
    readings: { negated: 'mild', quoted: 'mild', fiction: 'none', hyperbole: 'mild' },
    unless:
      /\b(?:photo\w*|portrait|camera|film|video|documentary|interview|game|scene|play|laser|paintball|nerf|water (?:gun|pistol)|lol|haha)\b/,
  },
]

const LETHAL_TO_OTHERS = everyMatch`
  \b${KILLING_OR_HURTING} (?:himself|herself|themself|themselves|yourself|yourselves|urself|oneself)\b
  |\b(?:took|take|taking|taken|ended|end|ending) (?:his|her|their|your) (?:own )?li(?:fe|ves)\b(?! (?:
    back|in(?:to)? your|as a|seriously|more|for granted
  )\b
  )
`

/** Despair without danger in itself, and worry about somebody else's life. */
export const DISTRESS_RULES: readonly Rule[] = [
  {
    id: 'other.self_harm',
    level: 'mild',
    affirmed: 'high',
    regex: LETHAL_TO_OTHERS,
    readings: { fiction: 'none', hyperbole: 'none' },
    unless: /\b(?:running|ran|race|gym|practice|game|match|cooking|shaving|football|skiing)\b/,
  },
  {
    id: 'distress.cannot_go_on',
    level: 'mild',
    regex: everyMatch`
      \b(?:cant|cannot|cant keep|dont think i can) (?:
        do(?:ing)? (?:this|it|life)|take (?:this|it)|go on|keep going|cope|carry on
        |handle (?:this|it|life)|bear (?:this|it)
      )(?: (?:anymore|any more|any longer|like this))?(?= |$)(?! (?:
        today|on (?:monday|tuesday|wednesday|thursday|friday)|until|because of the (?:lab|class)
      )\b
      )
    `,
    readings: { ...DISTRESS, negated: undefined },
  },
  {
    id: 'distress.hopeless',
    level: 'mild',
    regex:
      /\b(?:hopeless|no hope(?: left)?|(?:lost|losing) (?:all )?hope|given up hope|no future for me|no way out)\b/g,
    readings: DISTRESS,
    unless: /\bhopeless (?:at|with|romantic)\b/,
  },
  {
    id: 'distress.self_hatred',
    level: 'mild',
    regex: everyMatch`
      \b(?:hate|hating|despise|loathe|disgusted (?:by|with)) (?:myself|my life|being me|who i am)\b
      |\b(?:im|i am|feel|feeling)(?: \w+){0,2} (?:
        worthless|useless|a waste of space|a failure|nothing
      )\b
    `,
    readings: DISTRESS,
    unless: /\b(?:feel|feeling) nothing (?:but|wrong|special)\b/,
  },
  {
    id: 'distress.pointless',
    level: 'mild',
    regex: everyMatch`
      \bwhat(?:s| is) (?:even )?the point(?= |$)(?: of (?:
        anything|it all|life|trying|living|going on|this|me
      )
      | anymore
      )?(?! of (?:the|a|having|that|these))
      |\b(?:life|everything)(?: \w+){0,3} (?:pointless|meaningless)\b
    `,
    readings: DISTRESS,
  },
  {
    id: 'distress.trapped',
    level: 'mild',
    regex:
      /\b(?:feel|feeling|felt|im|i am|completely|so) (?:\w+ )?(?:trapped|empty inside|dead inside|numb inside|like giving up)\b/g,
    readings: DISTRESS,
    unless: /\btrapped in (?:the|a) (?:lift|elevator|room|traffic|lab)\b/,
  },
]
