import { everyMatch, pattern } from '../../pattern.ts'
import { ATTEMPT, CASUAL, EXPLICIT, OWN_NEGATION, type Rule } from './rule.ts'

/** Until when somebody will be there. */
const FOR_HOW_LONG = pattern`
  (?:
    anymore|any more|much longer|for (?:long|much longer|graduation|christmas|my birthday)|tomorrow
    |next (?:week|month|year)|in the morning
  )
`

/** Ending one's life. */
const END_MY_LIFE = pattern`
  (?:
    (?:end|ending|ended) (?:my (?:own |whole |miserable |stupid )?life|this life|it all|my existence)
    |(?:take|taking|took|taken) my (?:own )?life
  )
`

/** What leads to the word suicide when it is one's own. */
const THINKING_OF = pattern`
  (?:
    think|thinking|thought|thoughts|consider|considering|considered|contemplat\w+|plan|planning|planned
    |commit|commits|committing|committed|fantasi\w+|obsess\w+|googl\w+|want|wanting|ready|considering
    |close to|tempted|died|die
  )
`

/** An end that is announced. */
const NO_LONGER_HERE = pattern`
  (?:
    (?:wont|will not|not going to) be (?:here|around|alive) ${FOR_HOW_LONG}
    |(?:ill|i will|im going to) be dead (?:soon|by|before|tomorrow|tonight|in)
    |last (?:day|night) (?:alive|on (?:this )?earth)|last (?:message|words?) (?:ill|from me|i)
    |(?:never|not) (?:going to )?see me (?:again|anymore)
    |last time (?:you|anyone|youll|you will)(?: ever| will)? (?:hear|see)(?:s|ing)? (?:from )?me
    |(?:dont|do not|never) (?:plan on|plan to be|expect to be|intend to be|planning on|expect)
    (?: being)? (?:alive|around)
  )
`

/** Fear of oneself, voices, and an end that is set. */
const DANGER_TO_SELF = pattern`
  (?:
    (?:danger|risk|threat) to myself
    |(?:scared|afraid|worried|terrified)(?: of)? what i (?:might|will|could|may|would) do(?: to myself)?
    |what (?:i|ill) (?:might |will |could )?do to myself
    |(?:not|dont feel|do not feel|never) safe (?:by|with|around|from) myself
    |(?:cant|cannot) promise (?:\w+ )?(?:
      (?:ill|i will|id) (?:be |stay |not )?(?:alive|safe|here|hurt|do)|i wont (?:hurt|kill|harm|cut|do)
    )
    |voices?(?: \w+){0,5} (?:kill|hurt|die|end it)|(?:at|made|making) peace with (?:dying|death|ending)
    |only (?:way|thing)(?: \w+){0,6} (?:is|to) (?:to )?(?:die|dying|death|killing)
    |(?:going to|ill|will|want to) end it (?:tonight|tomorrow|soon|today|now|this)|yeet\w* myself
    |everything ready to (?:do it|die|go)
  )
`

const LETHAL = pattern`
  kill|killing|killed|unalive|end|ending|off|offing|offed|hang|hanging|hung|hanged|shoot|shooting
  |drown|drowning|stab|stabbing|poison|poisoning|neck|necking|delete|deleting|suffocate|strangle
  |electrocute|gas|murder
`

const TOPIC = new RegExp(pattern`
  \b(?:career|political|social|commercial|financial|professional|academic|assisted) suicide
  |suicide (?:
    squad|prevention|rates?|awareness|hotline|helpline|lifeline|line|statistics|bomb\w*|research
    |doors?|training|squeeze
  )
  |(?:the|a|our) suicide (?:modules?|workshops?|lectures?|builds?)\b
`)

/** Suicidal thought, wish and intent. */
export const INTENT_RULES: readonly Rule[] = [
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
    regex: everyMatch`
      \b${END_MY_LIFE}\b(?! (?:back|in my|into|as a|seriously|more|for granted)\b)
    `,
    readings: EXPLICIT,
  },
  {
    id: 'intent.want_to_die',
    level: 'high',
    regex: everyMatch`
      \b(?:
        want|wanted|wanting|wants|need|needs|plan|planning|planned|trying|tried|deserve|ready|prepared
        |longing
      ) to (?:\w+ ){0,2}die\b(?! (?:laughing|of laughter|on this hill|my hair|it|for those)\b)
    `,
    readings: CASUAL,
  },
  {
    id: 'intent.want_to_be_dead',
    level: 'high',
    regex: /\b(?:(?:want|wanted|wanting|wanna|need|rather)(?: to)? (?:just )?be dead|die by my own hand)\b/g,
    readings: CASUAL,
  },
  {
    id: 'intent.danger_to_self',
    level: 'high',
    regex: everyMatch`\b${DANGER_TO_SELF}\b`,
    readings: { ...EXPLICIT, negated: undefined, third: undefined },
    unless: /\b(?:essay|singing|singers?|contract|subscription)\b/,
  },
  { id: 'intent.unalive', level: 'high', regex: /\bunalive\b/g, readings: CASUAL },
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
  {
    id: 'intent.am_suicidal',
    level: 'high',
    regex: everyMatch`
      \b(?:im|i am|i feel|i felt|i get|i got|ive been|i have been|ive felt|feeling) (?:
        (?:
          feeling|getting|so|very|really|quite|pretty|properly|actually|still|just|back|being
          |definitely|a bit
        ) ){0,3}suicidal\b
    `,
    readings: EXPLICIT,
    unless: TOPIC,
  },
  { id: 'intent.suicidal', level: 'high', regex: /\bsuicidal\b/g, readings: EXPLICIT, unless: TOPIC },
  {
    id: 'intent.suicide_thought',
    level: 'high',
    regex: everyMatch`
      \b${THINKING_OF}(?: \w+){0,3} suicide\b
      |\bsuicide (?:is|was|has been|keeps?)(?: \w+){0,3} my (?:mind|head)\b
      |\b(?:commit|do) self (?:delete|termination)\b
    `,
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
    id: 'intent.suicide_word',
    level: 'moderate',
    affirmed: 'high',
    regex: /\bsuicide\b/g,
    readings: { ...EXPLICIT, hyperbole: 'mild' },
    unless: TOPIC,
  },
  {
    id: 'intent.not_safe',
    level: 'high',
    regex: everyMatch`
      \b(?:
        cant|cannot|dont|do not|not sure i can|dont think i can|unable to|not able to|scared i wont
        |afraid i wont
      )(?: \w+){0,3} (?:keep myself safe|stay safe|keep safe|trust myself)\b
    `,
    readings: OWN_NEGATION,
    unless: /\btrust myself (?:to (?:speak|pass|drive|cook|finish|write|remember|wake))/,
  },
  {
    id: 'intent.will_be_gone',
    level: 'high',
    regex: everyMatch`\b${NO_LONGER_HERE}\b`,
    readings: OWN_NEGATION,
    unless:
      /\b(?:because (?:i have|im|we|of the)|appointment|trip|travel\w*|holidays?|vacation|flight|flying|visiting|moving to|interview|skiing)\b/,
  },
]
