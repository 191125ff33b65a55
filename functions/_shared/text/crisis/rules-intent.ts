import { HARMLESS_MEANS } from './harmless.ts'
import { ATTEMPT, CASUAL, EXPLICIT, type LiteralRule, OWN_NEGATION, type PatternRule } from './rule.ts'

const LETHAL =
  'kill|killing|killed|unalive|end|ending|off|offing|offed|hang|hanging|hung|hanged|shoot|shooting|drown|drowning|stab|stabbing|poison|poisoning|neck|necking|delete|deleting|suffocate|strangle|electrocute|gas|murder'

const TOPIC =
  /\b(?:career|political|social|commercial|financial|professional|academic|assisted) suicide|suicide (?:squad|prevention|rates?|awareness|hotline|helpline|lifeline|line|statistics|bomb\w*|research|doors?|training|squeeze)\b/

/** Suicidal thought, wish and intent. */
export const INTENT_LITERAL_RULES: readonly LiteralRule[] = [
  {
    id: 'intent.try_kill_self',
    level: 'high',
    regex: new RegExp(
      `\\b(?:tried|attempted|almost|nearly)(?: \\w+){0,2} (?:${LETHAL}|kill) (?:my (?:\\w+ )?)?(?:myself|self)\\b`,
      'g',
    ),
    readings: ATTEMPT,
  },
  {
    id: 'intent.kill_self',
    level: 'high',
    regex: new RegExp(`\\b(?:${LETHAL}) (?:\\w+ )?(?:myself|my \\w+ self)\\b(?! in the foot)`, 'g'),
    readings: EXPLICIT,
    unless: /\b(?:end|ending) (?:up )?(?:by )?(?:finding|asking|hating|repeating) myself|off to myself\b/,
  },
  {
    id: 'intent.end_life',
    level: 'high',
    regex:
      /\b(?:(?:end|ending|ended) (?:my (?:own |whole |miserable |stupid )?life|this life|it all|my existence)|(?:take|taking|took|taken) my (?:own )?life)\b(?! (?:back|in my|into|as a|seriously|more|for granted)\b)/g,
    readings: EXPLICIT,
  },
  {
    id: 'intent.want_to_die',
    level: 'high',
    regex:
      /\b(?:want|wanted|wanting|wants|need|needs|plan|planning|planned|trying|tried|deserve|ready|prepared|longing) to (?:\w+ ){0,2}die\b(?! (?:laughing|of laughter|on this hill|my hair|it|for those)\b)/g,
    readings: CASUAL,
  },
  {
    id: 'intent.want_to_be_dead',
    level: 'high',
    regex: /\b(?:(?:want|wanted|wanna|need|rather)(?: to)? (?:just )?be dead|die by my own hand)\b/g,
    readings: CASUAL,
  },
  {
    id: 'intent.danger_to_self',
    level: 'high',
    regex:
      /\b(?:(?:danger|risk|threat) to myself|(?:scared|afraid|worried|terrified)(?: of)? what i (?:might|will|could|may|would) do(?: to myself)?|what (?:i|ill) (?:might |will |could )?do to myself|(?:not|dont feel|do not feel|never) safe (?:by|with|around|from) myself|(?:cant|cannot) promise (?:\w+ )?(?:ill|i will|id) (?:be |stay |not )?(?:alive|safe|here|hurt|do)|voices?(?: \w+){0,5} (?:kill|hurt|die|end it)|(?:at|made|making) peace with (?:dying|death|ending)|only (?:way|thing)(?: \w+){0,6} (?:is|to) (?:to )?(?:die|dying|death|killing)|(?:going to|ill|will|want to) end it (?:tonight|tomorrow|soon|today|now|this)|yeet\w* myself|everything ready to (?:do it|die|go))\b/g,
    readings: { ...EXPLICIT, negated: undefined, third: undefined },
    unless: /\b(?:relationship|boyfriend|girlfriend|essay|singing|singers?|contract|subscription)\b/,
  },
  {
    id: 'intent.one_of_them',
    level: 'high',
    regex:
      /\b(?:himself|herself|themselves|themself|yourself|their lives|suicid\w*|die|dying)(?: \S+){0,12} (?:thats me|im one of (?:them|those)|i am one of (?:them|those)|im that (?:person|guy|girl|one))\b/g,
    readings: { fiction: 'none' },
  },
  { id: 'intent.unalive', level: 'high', regex: /\bunalive\b/g, readings: CASUAL },
  {
    id: 'intent.affairs_in_order',
    level: 'high',
    regex:
      /\b(?:(?:my|put|putting|got|getting|lined up) (?:\w+ )?affairs in order|lined up my affairs|(?:written|wrote|writing|made|making) (?:up )?my (?:own )?will)\b/g,
    readings: EXPLICIT,
    unless: /\b(?:assignment|law|clinic|class|course)\b/,
  },
  {
    id: 'intent.let_me_die',
    level: 'high',
    regex:
      /\b(?:let me(?: just)? die|i (?:should|must|have to) (?:just )?(?:die|be dead)|im better off dead)\b/g,
    readings: CASUAL,
  },
  {
    id: 'intent.kms',
    level: 'high',
    regex:
      /(?<![0-9] |ten |five |two |few |many |of |couple )\b(?:kms|ctb)\b(?! (?:away|per|an hour|long|from|to go|run|later)\b)/g,
    readings: CASUAL,
  },
  { id: 'intent.suicidal', level: 'high', regex: /\bsuicidal\b/g, readings: EXPLICIT, unless: TOPIC },
  {
    id: 'intent.suicide_thought',
    level: 'high',
    regex:
      /\b(?:think|thinking|thought|thoughts|consider|considering|considered|contemplat\w+|plan|planning|planned|commit|commits|committing|committed|fantasi\w+|obsess\w+|googl\w+|want|wanting|ready|considering|close to|tempted|died|die)(?: \w+){0,3} suicide\b|\bsuicide (?:is|was|has been|keeps?)(?: \w+){0,3} my (?:mind|head)\b|\b(?:commit|do) self (?:delete|termination)\b/g,
    readings: EXPLICIT,
    unless: TOPIC,
  },
  {
    id: 'intent.suicide_attempt',
    level: 'high',
    regex: /\b(?:attempt|attempted|attempting|survived|tried)(?: \w+){0,2} suicide\b|\bsuicide attempts?\b/g,
    readings: ATTEMPT,
    unless: TOPIC,
  },
  {
    id: 'intent.attempted_before',
    level: 'high',
    regex:
      /\b(?:i|ive|have|had) attempted (?:it )?(?:before|again|twice|once|multiple times|many times|recently|last|in the past)\b/g,
    readings: ATTEMPT,
    unless: /\b(?:exam|question|essay|module|course|assignment|level|recipe|lift|climb)\b/,
  },
  {
    id: 'intent.suicide_note',
    level: 'high',
    regex: /\bsuicide (?:note|letter|plan|method|date|pact)s?\b/g,
    readings: EXPLICIT,
    unless: TOPIC,
  },
  {
    id: 'intent.suicide_word',
    level: 'moderate',
    regex: /\bsuicide\b/g,
    readings: { ...EXPLICIT, hyperbole: 'mild' },
    unless: TOPIC,
  },
  {
    id: 'intent.not_safe',
    level: 'high',
    regex:
      /\b(?:cant|cannot|dont|do not|not sure i can|dont think i can|unable to|not able to|scared i wont|afraid i wont)(?: \w+){0,3} (?:keep myself safe|stay safe|keep safe|trust myself)\b/g,
    readings: OWN_NEGATION,
    unless: /\btrust myself (?:to (?:speak|pass|drive|cook|finish|write|remember|wake))/,
  },
  {
    id: 'intent.will_be_gone',
    level: 'high',
    regex:
      /\b(?:(?:wont|will not|not going to) be (?:here|around|alive) (?:anymore|any more|much longer|for (?:long|much longer|graduation|christmas|my birthday)|tomorrow|next (?:week|month|year)|in the morning)|(?:ill|i will|im going to) be dead (?:soon|by|before|tomorrow|tonight|in)|last (?:day|night) (?:alive|on (?:this )?earth)|last (?:message|words?) (?:ill|from me|i)|(?:never|not) (?:going to )?see me (?:again|anymore)|last time (?:you|anyone|youll|you will)(?: ever| will)? (?:hear|see)(?:s|ing)? (?:from )?me|(?:dont|do not|never) (?:plan on|plan to be|expect to be|intend to be|planning on|expect)(?: being)? (?:alive|around))\b/g,
    readings: OWN_NEGATION,
    unless:
      /\b(?:because (?:i have|im|we|of the)|appointment|trip|travel\w*|holidays?|vacation|flight|flying|visiting|moving to|interview|skiing)\b/,
  },
  {
    id: 'intent.wont_be_here',
    level: 'high',
    regex: /\bafter(?: \w+){1,3} i (?:wont|will not) be (?:here|around|alive)\b/g,
    readings: OWN_NEGATION,
    unless:
      /\b(?:because|appointment|trip|travel\w*|holidays?|vacation|class|flight|visiting|moving|away|interview)\b/,
  },
]

/** Intent, plan and means: what somebody is about to do, how and with what. */
export const PREPARING_PATTERN_RULES: readonly PatternRule[] = [
  {
    id: 'prepare.kill_self',
    level: 'high',
    patterns: [
      'KILL_SELF',
      'commit ..1 NEG',
      'INTEND|WISH|PLAN ..3 END_LIFE',
      'END_LIFE ..4 NOW|FOREVER|myself|me',
    ],
    readings: { ...EXPLICIT, hyperbole: 'mild' },
    unless: HARMLESS_MEANS,
  },
  {
    id: 'prepare.suicide',
    level: 'high',
    patterns: ['SUICIDE'],
    readings: { ...EXPLICIT, hyperbole: 'mild' },
    unless: HARMLESS_MEANS,
  },
  {
    id: 'prepare.plan',
    level: 'high',
    patterns: [
      'RESOLVE ..5 how|when|where|which|date|day|method|way|place|spot|time|bridge|note|dose|height|dosage|means ..6 DIE|END_IT|KILL_SELF|END_LIFE|jump|hang|gone|go|SUICIDE|myself|last|DEATH',
      'RESOLVE ..2 the|a|my|on ..2 date|day|method|place|spot|way ..4 END_IT|DIE|die|go|leave|gone|how|where|jump|use|last|jumping|myself',
      'RESOLVE ..3 on|the|a|my ..1 method',
      'plan|plans|planning|planned ..4 DEATH|overdose|jump|hang|method|END_IT|hanging',
      'have|got|made|ive|making ..1 a ..1 plan ..6 tonight|NOW|myself|pills|note|die|work|hurt|end|ready|way|how|exactly|detailed|place|date|time',
      'how many|much ..3 PILLS|it|would|blood|milligrams|mg ..6 DIE|kill|fatal|lethal|fatally|overdose|end|die|take|takes|enough|need|work',
      'how high|deep|far|long|fast|tall|quickly|painful ..10 DIE|kill|KILL_SELF|fall|jump|bleed|hang|drown|unconscious|pass|drop',
      'painless|painlessly|quickest|easiest|fastest|quick|least|lethal|fatal|deadly|surest|foolproof|reliable|cleanest ..4 way|ways|method|methods|dose|amount|combination|death|die|drop|pills|exit|end',
      'ways|way|method|methods|how ..3 to ..1 DIE|KILL_SELF|END_LIFE|SUICIDE|kill|hang|overdose|disappear',
      'tie|tying|tied|knot ..4 noose|ceiling|neck|beam|rope',
      'wait|waiting|until|till|once|after|when|before ..10 do|end|doing it ..3 then|NOW|myself',
      'wait|waiting|until|till|once|after|when|soon|if ..12 ill|going|im|then|i ..3 do|doing|finish it',
      'decided|know|planned|worked|figured ..2 how ..3 when|where',
      'practised|practiced|tested|rehearsed|practising ..3 rope|belt|knot|cord|noose|hanging',
      'forum|forums|website|websites|sites|chat|chatroom ..6 method|methods|die|DEATH|painless|end',
      'then|afterwards ..1 im|ill|id|its|thats ..2 done|gone|over|it|out|free|finished|end',
      'when|where|while|so|that nobody|noone|no|none ..3 find|stop|interrupt|save|reach|finds|stops|interrupts ..1 me?',
      'NOW ..4 none|nothing ..5 matter|matters|problem|hurt',
      'everything|all|it ..1 is|ive ..1 prepared|arranged|planned|organised|ready ..8 garage|PILLS|rope|note|die|tonight|NOW|do',
      'RESOLVE ..3 date|day ..8 calm|peace|relief|relieved|ready|note|letters|told|nobody|quiet',
      'RESOLVE|wait|waiting|know|picked|chose ..8 away|empty|asleep|out|alone|gone ..8 interrupt|interrupts|find|finds|stop|stops|do|nobody|then|ill',
      'bought|have|got|ordered|need|collected|everything ..3 what|everything|all|things|stuff ..4 need|needed ..3 do|end|finish it',
      'HEIGHT ..8 enough',
      'train times|timetable|timetables ..8 NEG|jump|front|express',
      'beam|hook|branch|ceiling|rail|bannister|banister|door|pole|pipe|tree|rafter|handle ..8 hold|holds|strong|support|bear ..3 weight|me|body|rope',
      'hold|holds|support|take|bear my weight',
      'combination|mix|cocktail|dose|amount|quantity ..5 stops|stop|kill|kills|heart|lethal|fatal|deadly',
      'go|going|went through with it',
      'this|next time ..4 ill|i|it|will|wont ..4 fail|succeed|sure|works|work|properly|right|mistake|mistakes|survive|deeper|enough|found|NEG',
      'last time i failed|survived|woke|chickened|stopped|bottled',
      'made|make|making up my mind ..1 to|about|and? DEATH|go|leave|die|im|calm|its',
      'do|doing|go|going ..1 it|through ..1 tonight|tomorrow|NOW',
    ],
    readings: EXPLICIT,
    unless: HARMLESS_MEANS,
  },
  {
    id: 'prepare.danger',
    level: 'high',
    patterns: [
      'cant|cannot|NEG ..4 keep|trust|control|stop ..1 MYSELF ..4 safe|tonight|alone|alive|around|with|near|hurt|pills|knife|doing|anymore',
      'NEG ..3 safe ..2 from|with|around|by|alone|on MYSELF|my|own|tonight',
      'danger|risk|threat to MYSELF|me',
      'scared|afraid|worried|terrified|frightened|fear ..3 of|what|ill|i ..4 do|hurt|harm|myself|MYSELF ..3 MYSELF|tonight|something|alone|NOW',
      'NEG ..2 promise|guarantee|sure|swear|say|know ..4 ALIVE|safe|HERE|myself|wont|survive|make',
      'NEG ..3 talk|stop|save|change|help|convince|rescue|find ..2 me|my|mind ..3 out|this|now|DEATH|from|anymore|mind|time|before|do',
      'nobody|noone|one|you|cant|anyone|nothing ..2 stop|save|reach me',
      'NEG ..2 be ..1 left? alone ..3 tonight|NOW|with|myself|trust|because',
      'NEG trust ..1 what|myself ..3',
      'NEG ..3 change my mind',
      'talk me out',
      'finish|finishing ..1 job|what i started',
      'seconds|minutes|moments|close|inches|second|inch ..3 from|to ..3 doing|jumping|END_IT|ending|it',
      'ill|will|going|gonna ..2 do|try it ..2 again|properly|right|NOW|time',
      'decided|decision|mind|decide ..6 NEG ..2 live|ALIVE|here|on|continue|carry|stay|be',
      'decided|chosen|choose|choosing ..1 to? ..1 die|dying|death|leave|end',
      'NEG ..2 want|let|need ..3 anyone|anybody|someone|you|them|ambulance|rescued|saved ..2 save|stop|find|saved|rescue|revive|ambulance|saving|stopping|revived',
      'act|acting|acted ..1 on ..2 it|them|thoughts|urges|these|my|thought|plan',
      'ill|will|going|about ..2 jump|overdose|drown|bleed ..3 tonight|NOW|time|swear|off|out|out|from|in',
      'NEG ..2 survive|make|last|see|get ..1 tonight|night|through|until|till|past ..2 morning|night|NOW|weekend',
      'head|mind|brain|thoughts|voice|voices ..3 says|tells|say|tell|keeps|saying|telling|screaming|screams|whispers|shouts|going|repeating ..4 kill|die|jump|DEATH|end|hurt|cut',
      'WISH|INTEND ..1 rope|neck|hang ..1 so|tonight|soon|now|myself',
      'voice|voices ..5 me ..4 hurt|harm|jump|do|end|die|cut|kill|worthless|DEATH',
    ],
    readings: { ...EXPLICIT, negated: undefined },
    unless: HARMLESS_MEANS,
  },
  {
    id: 'prepare.place',
    level: 'high',
    patterns: [
      'JUMP ..5 HEIGHT|TRACKS',
      'yeet|yeeting ..4 HEIGHT|TRACKS',
      'at|on|from|to ..3 HEIGHT ..6 look|looking|stare|staring|watch ..3 WATER|down ..4 hours|night|long|every',
      'night|nights|drove|drive|walk|walked|go|went|sat|sit|stand ..6 HEIGHT ..8 WATER|engine|hours|dark|alone|down|look|looking|stare',
      'sit|sitting|sat|stand|standing|stood|stands|am|im|climb|climbed|climbing|walk|walked|walking|hanging|dangling|legs|feet|staring|looking|gazing|drawn|end|hover|leaning|leant|here|back|outside|alone|wait|waiting|look|go|went|going|drive|driving|drove ..5 HEIGHT ..7 jump|fall|over|courage|down|alone|night|edge|end|goodbye|drop|crying|wrong|brave|nerve|last|stop|thinking|tonight|wonder|wondering|imagine|imagining|hours|ready|wishing|wanting|pull|nobody|ledge',
      'sit|sitting|sat|stand|standing|stood|outside|im|am|legs|climbed|dangling ..4 ledge|parapet|railing|railings|wrong side|edge of|roof|rooftop',
      'edge|side|ledge|railing|railings|top of? ..2 HEIGHT|TRACKS|platform',
      'stand|standing|stood|lie|lying|lay|sit|sitting|sat|wait|waiting|walk|walking|walked|staring|watching|watch|close|closer|went|go|going|step|stepping ..4 TRACKS ..7 jump|fall|step|wanting|want|courage|edge|hit|over|front|imagin*|pull|thinking|lean|waiting',
      'yellow line',
      'drawn|pulled|calls|calling ..4 HEIGHT|TRACKS|WATER',
      'HEIGHT|TRACKS|WATER ..3 calling|calls|pulls|tempting|inviting|pulling',
      'under|beneath a|the train|bus|lorry|tube|truck|tram|wheels',
      'wrong|other|far|outer side of ..2 railing|railings|barrier|fence|bridge|balcony|ledge|parapet',
      'train|trains|bus|lorry|truck|car ..3 times|timetable|timetables|schedule|hit|next ..5 jump|step|front|me|end|die|myself',
      'front of|under|beneath|onto|before|between ..3 TRACKS ..6',
      'front of|under|beneath ..2 train|bus|lorry|truck|car|traffic|tube|tram|metro|trains|tracks',
    ],
    readings: EXPLICIT,
    unless: HARMLESS_MEANS,
  },
]
