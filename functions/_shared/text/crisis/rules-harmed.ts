import { type CrisisRule, HARMED } from './rule.ts'

const PERSON =
  '(?:he|she|they|who|(?:my|his|her|the) (?:\\w+ )?(?:boyfriend|girlfriend|partner|ex|husband|wife|dad|father|mom|mum|mother|stepdad|stepfather|stepmom|stepmother|brother|sister|uncle|aunt|cousin|grandfather|roommate|flatmate|housemate|coach|professor|teacher|boss|tutor|parents|landlord)|someone|somebody|(?:a|this|that|some) (?:guy|man|boy|girl|woman|stranger))'

const IDIOM =
  /\b(?:hits? me (?:up|that|how|with (?:questions|a question|news|the|emails|work|a pillow))|it (?:just |really |suddenly )?hits? me|beats? me (?:at|in|to|by|on|every (?:game|time))|attacks? me in the game|kicks? me out of the (?:chat|group|game)|hurts? me (?:to (?:see|think|watch)))\b/

/** Being harmed or threatened by somebody else, and threats of violence to others. */
export const HARMED_RULES: readonly CrisisRule[] = [
  {
    id: 'harmed.life_threat',
    level: 'high',
    pattern: new RegExp(
      `\\b(?:threaten\\w*|says?|said|told me|promised|swore|tried|trying|wants?|attempted)(?: \\w+){0,4} (?:to )?kill me\\b|\\bthreaten\\w*(?: \\w+){0,3} (?:to|with)(?: \\w+){0,2} (?:kill|hurt|harm|shoot|stab|beat) me\\b|\\b${PERSON}(?: \\w+){0,2} (?:chok(?:e|es|ed|ing)|strangl(?:e|es|ed|ing)|stab(?:s|bed)?|shot)(?: at)? me\\b|\\b(?:scared|afraid|terrified|fear)(?: \\w+){0,6} (?:kill|hurt) me\\b`,
      'g',
    ),
    readings: { ...HARMED, hyperbole: 'none' },
    unless:
      /\b(?:grades?|late|laundry|dishes|messy|phone bill|transcript|in the game|tattoo|in the back|text|look|message|glance|email|smile|photos?)\b/,
  },
  {
    id: 'harmed.rape',
    level: 'high',
    pattern:
      /\b(?:(?:was|were|got|been|being|am|im|get)(?: \w+){0,2} (?:raped|sexually (?:assaulted|abused)|molested|gang raped)|(?:raped|rapes|molested|molests|sexually (?:assaulted|abused)|groped) me|forc(?:ed|es|ing) (?:himself|herself|themselves|themself) on me|forc(?:ed|es|ing) me to (?:have sex|sleep with|do sexual|touch)|(?:touched|touches|touching) me (?:without|when i said no|where|inappropriately)|drugged me|spiked my drink)\b/g,
    readings: { ...HARMED, past: 'moderate', third: 'mild' },
  },
  {
    id: 'harmed.choked',
    level: 'high',
    pattern: /\b(?:chok(?:es|ed|ing)|strangl(?:es|ed|ing)) me\b(?! up)/g,
    readings: HARMED,
    unless: /\b(?:smoke|food|water|collar|pollen|jiu|judo|bjj|wrestling|martial|sparring)\b/,
  },
  {
    id: 'harmed.touched',
    level: 'high',
    pattern:
      /\b(?:stepdad|stepfather|stepbrother|dad|father|uncle|brother|cousin|grandfather|grandpa|coach|professor|teacher|tutor|boss|landlord|roommate|flatmate|(?:comes|came|gets|got) into my (?:room|bed))\b(?: \w+){0,10} touch(?:es|ed|ing) me\b/g,
    readings: { quoted: 'mild', fiction: 'none' },
    unless: /\btouch(?:es|ed) me (?:deeply|so much|on the shoulder|that)\b/,
  },
  {
    id: 'harmed.unsafe_home',
    level: 'high',
    pattern:
      /\b(?:scared|afraid|terrified|too scared|frightened) (?:to go|of going|to be|of being) (?:back )?(?:home|to my (?:flat|room|house|dorm|apartment))\b|\b(?:not|dont feel|do not feel|didnt feel|not feel|isnt|never feel|no longer|arent|never) safe (?:at home|with (?:him|her|them|my)|in my (?:house|home|flat|room|relationship)|around (?:him|her|my))\b|\bafraid of my (?:\w+ )?(?:boyfriend|girlfriend|partner|husband|wife|dad|father|stepdad|mom|mum|mother|brother|uncle|roommate|ex)\b/g,
    readings: { quoted: 'mild', fiction: 'none' },
    unless: /\b(?:food|weight|diet|grades|flight|rain|spiders?|exam results)\b/,
  },
  {
    id: 'harmed.violence',
    level: 'moderate',
    pattern: new RegExp(
      `\\b${PERSON}(?: \\w+){0,5} (?:hit|hits|hitting|beat|beats|beating|punch(?:es|ed)?|punching|kick(?:s|ed)?|kicking|slap(?:s|ped)?|slapping|burn(?:s|ed)|shov(?:es|ed)|attack(?:s|ed)|assault(?:s|ed)|abus(?:es|ed|ing)|hurts|hurting|threaten(?:s|ed|ing)|stalk(?:s|ed|ing)|grabb(?:ed|ing)|lock(?:s|ed)) me\\b`,
      'g',
    ),
    readings: { ...HARMED, third: undefined },
    unless: IDIOM,
  },
  {
    id: 'harmed.abuse',
    level: 'moderate',
    pattern:
      /\b(?:was|were|got|been|being|am|im|get|getting)(?: \w+){0,2} (?:abused|beaten(?: up)?|assaulted|attacked|stalked|blackmailed|threatened|trafficked|hit) (?:by|at|in|on|for|last|when|again|as|every)\b|\b(?:abusive|violent) (?:boyfriend|girlfriend|partner|relationship|husband|wife|dad|father|stepdad|mother|mom|mum|home|family|parents?|ex)\b|\b(?:he|she|they) (?:wont|doesnt|dont) let me (?:leave|go out|see anyone|have my (?:phone|passport))\b/g,
    readings: { ...HARMED, third: 'mild', past: 'moderate' },
    unless:
      /\b(?:by (?:a|the|some|two|an) (?:\w+ )?(?:goose|geese|dog|cat|bee|bees|wasp|wasps|seagull|bird|swan|mosquitoes|squirrel)|hit by (?:the|a) (?:realisation|realization|flu|cold|wave)|beaten (?:by|at|in) (?:\w+ ){0,3}(?:game|match|chess|final|team))\b/,
  },
  {
    id: 'harmed.violence_to_others',
    level: 'high',
    pattern:
      /\bshoot up (?:the|my|this|our) (?:school|campus|class|office|place|university|college)\b|\bbring(?:ing)? (?:a |my )?(?:gun|knife|weapon) to (?:school|campus|class|university|college)\b|\b(?:im going to|i want to|i will|ill|i plan to) (?:kill|murder|stab|shoot) (?:him|her|them|everyone|everybody|people|someone)\b/g,
    readings: { negated: 'mild', quoted: 'mild', fiction: 'none', hyperbole: 'mild' },
    unless: /\b(?:photo\w*|camera|film|video|game|lol|haha)\b/,
  },
]
