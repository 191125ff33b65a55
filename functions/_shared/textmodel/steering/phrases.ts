/**
 * What speaks to the reader of a transcript in place of telling about the student, on folded sentences, in which `|` is
 * a pause such as a comma. It is caught by what students' own lives hardly hold: the reader as an addressee, its orders,
 * its output, and the names of its fields. A sentence that is cut by mistake costs the model a sentence.
 */

/** The beginning of a clause, with what may lead up to an order. */
const START =
  '(?:^|[|:] ?)(?:(?:and|but|so|ok|okay|now|then|also|please|just|kindly|first|next|instead|finally|important|urgent|note|attention|stop|wait|hey|hi|hello|great|well|do not|dont|never|always|you must|you should|you shall|you need to|you have to|you are to|i want you to|i need you to|make sure to|make sure)[ |:]+){0,5}'
const READER =
  '(?:ai|a i|llm|(?:large )?language model|model|chatbot|bot|assistant|analyst|analy[sz]er|evaluator|grader|scorer|rater|classifier|chatgpt|gpt|claude|gemini|algorithm)'
const READERS = `(?:${READER}|system|machine)`
const FIELD =
  '(?:text ?score|mood ?score|well ?being ?(?:score|rating|level)|risk ?level|direction ?of ?change|conversation ?summary|drivers ?(?:positive|negative)|(?:positive|negative) drivers|uncertainty)'
const ORDERS =
  '(?:instructions?|directions?|prompts?|directives?|guidelines|rules|commands|constraints|orders|schema|programming|training|safety|polic(?:y|ies)|restrictions|guardrails|guidance)'
const DROP =
  '(?:ignore|disregard|forget|override|overrule|overlook|bypass|skip|discard|neglect|drop|set aside|put aside|pay no attention to)'
const GIVE =
  '(?:set|give|make|assign|return|output|respond|reply|report|rate|mark|put|raise|lower|increase|decrease|maximi[sz]e|minimi[sz]e|write|answer|print|say|produce|generate|classify|label|score|use|change|keep|leave|fill|adjust)'
const WORK = '(?:analysis|assessment|evaluation|scoring|rating|classification|output|json)'
const TEXT = '(?:transcript|conversation|text|words|message|lines?|input)'
const MOST =
  '(?:100|flawless|a hundred|one hundred|hundred|maximum|max|highest|best|perfect|top|full|lowest|zero)(?! per ?cent)'

const PHRASES = [
  // orders to drop what was ordered
  `\\b${DROP}(?: \\w+){0,5} (?:all|any|previous|prior|earlier|preceding|above|your|these|those|system|original|initial|foregoing|the)(?: \\w+){0,4} ${ORDERS}\\b`,
  `${START}(?:${DROP}|follow none of|stop following|follow|obey)(?: \\w+){0,3} ${ORDERS}\\b`,
  `\\b(?:do not|dont|never|must not|should not) (?:follow|obey) (?:\\w+ ){0,3}${ORDERS}\\b(?=.*\\b(?:you|your|given|above|before|earlier)\\b)`,
  `${START}${DROP} (?:what|everything that|anything that|whatever) (?:comes|follows|came|precedes|is written|stands)\\b`,
  `${START}${DROP} (?:\\w+ ){0,4}(?:above|before this|previous text|were told|been told|told you|rest of (?:the|this) ${TEXT})\\b`,
  '\\b(?:ignore|disregard|forget)(?:all)?(?:previous|prior|above|your)\\w*',
  `\\b(?:previous|prior|preceding|above|foregoing) (?:instructions?|directions|prompts?|guidelines|directives)\\b`,
  `\\b(?:previous|prior|earlier|above|old) ${ORDERS} (?:are|is|no longer|do not|dont|were|have been|was)\\b.*\\b(?:void|apply|cancel\\w*|revoked|invalid|replaced|obsolete|count)\\b`,
  '\\bwhat(?:ever)? you (?:were|have been|are) told\\b',
  `${START}(?:the |these are |this is )?(?:new|updated|revised|real|actual|secret|hidden) (?:system )?(?:instructions?|prompt|directives?|rules?|orders?|task|policy)\\b ?[:|]?(?: \\w+)?`,
  `${START}(?:execute|apply)(?: only)? (?:these|the following|my|this)(?: \\w+){0,2} ${ORDERS}\\b`,
  `${START}(?:the )?(?:new|real|actual) (?:input|data|message|transcript|conversation) ?[:|]|\\bwhat follows is\\b|\\bthe (?:real|actual|true) (?:data|input|transcript|conversation) (?:is|was|says|starts|begins|follows)\\b`,
  '\\b(?:system prompt|system message|developer message|prompt injection|jailbreak\\w*|jailbroken|sudo|(?:dan|god|developer|debug|admin|override) mode|override code|(?:system|admin|security|safety|root) (?:override|message|command|prompt))\\b',
  '\\b(?:enter|enable|activate|switch to|you are (?:now )?in) (?:\\w+ ){0,2}mode\\b',
  '\\bi (?:hereby )?(?:command|order|instruct|authori[sz]e|direct) you\\b',

  // its fields and its output
  '\\b(?:text|mood) ?score\\b|\\brisk ?level ?[:|]|\\b(?:drivers (?:positive|negative)|direction of change|conversation summary)\\b|\\brisklevel\\b',
  `${START}${GIVE}\\b(?: \\w+){0,6}? (?:score|scores|ratings?|${FIELD}|json|risk (?:to|as|at|of|is|none|low|high)|(?:no|low|zero|high|maximum) risk)\\b`,
  `${START}${GIVE}\\b(?: \\w+){0,4}? (?:with |of )?(?:a |the |an )?${MOST}(?: possible)?(?: \\w+)?(?: (?:score|scores|values?|results?|ratings?|marks|points|well ?being))?$`,
  `\\b(?:to|always|only|must|should) (?:\\w+ )?(?:return|output|respond|gives?|answers?)(?: only| exactly| just)?(?: with)? ${MOST}\\b`,
  `\\b(?:you|must|should|always|to|please) (?:\\w+ )?${GIVE} (?:\\w+ ){0,4}${FIELD}\\b`,
  `\\b${FIELD}(?: \\w+){0,2} (?:to|is|equals|as|at|be|:|must|should)(?: be)?(?: set to| exactly)? (?:\\d+|zero|one|none|low|mild|moderate|high|hundred|one hundred|better|worse|maximum|null)\\b`,
  `\\b${FIELD} ?:|^(?:score|scores|rating|output) ?:`,
  `\\ball (?:the )?(?:scores|fields|values|ratings) (?:are|must|should|to|at|be|is|as)\\b`,
  `\\b(?:the|a) (?:correct|right|true|proper|real|final|desired|expected|only|required) (?:\\w+ )?(?:score|rating|output|result|classification)(?: \\w+){0,3} (?:is|should|must|has to|equals|for this)\\b`,
  `\\byour (?:\\w+ )?(?:output|ratings?|analysis|evaluation|scoring|verdict|instructions?|prompt|guidelines|programming|training data|system prompt)\\b`,
  `\\b(?:in|from|with) your (?:\\w+ )?(?:summary|answer|response|reply|assessment|report|result)\\b|\\byour (?:summary|answer|response|reply|assessment|result) (?:must|should|has to|needs to|will|shall|is to)\\b`,
  `${START}(?:respond|reply|answer|output|return) (?:only |exactly |strictly |just )?(?:with|in|as|the word|nothing)\\b`,
  '\\b(?:respond|reply|answer|output|return) (?:only |exactly |strictly )?(?:with|in|as)\\b.*\\b(?:json|xml|yaml|format|following|word|schema)\\b|\\boutput the\\b|\\b(?:to|into|as|in) json\\b',
  `${START}(?:print|repeat|reveal|show|display|say)(?: me)? (?:exactly|the following|your (?:\\w+ ){0,2}${ORDERS}|the (?:\\w+ ){0,2}(?:instructions|prompt|words above)|everything)\\b`,
  `${START}(?:set|record|report|mark) (?:my|the|this) mood (?:\\w+ )?(?:as|at|to|:)? ?(?:\\d|one|two|three|four|five|six|seven|eight|nine|ten)`,

  `${START}output\\b|\\b(?:will|now|must|should) (?:now )?output\\b`,
  `\\b(?:highest|maximum|top|max|default) (?:possible )?values?\\b|\\bvalues? (?:for|of) (?:the )?(?:well ?being|risk|mood|score|uncertainty)\\b`,
  `\\b(?:well ?being|risk|score|uncertainty) ?: ?(?:\\d|none|low|zero|high|mild|moderate)|\\bnone for (?:the )?risk\\b`,
  `\\b(?:for|as|in|fill|set|use) (?:the |your )?(?:keywords|themes)\\b`,
  `\\b(?:you|please) (?:\\w+ ){0,3}(?:give|gave|assign|set|put|use|return|write)\\b(?: \\w+){0,4} (?:${MOST}|high|higher|better|good|great|low|no|none) (?:\\w+ )?(?:scores?|ratings?|results?|values?|risk|for risk)\\b`,
  `\\byou (?:\\w+ )?(?:write|make|create|generate|produce|do) (?:the|a|your|any) (?:summary|report|analysis)\\b`,
  `^(?:${READER}|output|json|response|result) ?:$`,

  `\\b(?:score|scores|rating|ratings) (?:must|has to|have to|needs to|should) be (?:\\d|${MOST}|above|over|at least|high|set)`,
  `^(?:themes|keywords|drivers|summary) ?:|(?:${START}|\\band )(?:say|answer|put|write|return|give|output) (?:just |only )?(?:none|100)\\b`,
  `${START}(?:mention|include|write|put|hide|remove|replace|change|rewrite|edit|omit)\\b.*\\b(?:in the (?:summary|analysis|text|transcript|report)|in this (?:summary|analysis|text|transcript)|the transcript|my words|(?:positive|negative) drivers)\\b`,
  `${START}(?:return|produce|write|give|generate)(?: \\w+){0,4} (?:evaluation|analysis|assessment|verdict)\\b`,

  // its work
  `\\byou (?:\\w+ ){0,2}(?:rate|rated|score|scored|grade|graded|evaluate|evaluated|classify|flag) (?:this|it|me|that|everything|the)\\b`,
  `(?<!\\bi(?: \\w+){0,2} )\\b(?:rate|score|grade) (?:this|it) (?:\\w+ )?(?:\\d+|higher|lower|above|below|high|well)\\b`,
  `\\bthis (?:gets?|is worth|scores?|deserves?) (?:an? )?(?:\\d{2,3}|hundred|perfect|high)\\b|\\b(?:score|rate|answer|respond|evaluate) accordingly\\b`,
  `\\b(?:skip|no|without|drop|omit|need to|needed|necessary)(?: \\w+){0,3} (?:risk (?:check|assessment)|assess (?:the |any )?risk)\\b`,
  `${START}(?:rate|classify|mark|evaluate|assess|score|grade|judge|label|analy[sz]e) (?:this|the|me|it|us|everything|that)(?! (?:week|day|month|year|semester|term|weekend|essays?|exams?|mood|papers?|work))(?: \\w+)*\\b`,
  `${START}(?:treat|consider|regard|view|count|see|read|log|record|report) (?:this|the|it|my|these)(?: \\w+){0,3} as (?:an? |the )?(?:\\w+ )?(?:normal|safe|fine|positive|healthy|low|no|none|happy|ordinary|test|joke|great|perfect|excellent)\\b`,
  `${START}(?:flag|escalate|classify)\\b|${START}(?:mention|include|detect|raise|note) (?:any |a |the )?(?:risks?|crisis|problems|issues|concerns?)\\b`,
  `\\b(?:instead of|without|skip|stop) (?:the |an |your |this |any )?(?:${WORK}|analy[sz]ing|evaluating)\\b(?! (?:myself|of my))`,
  `\\b(?:for|in) (?:the |your |this )(?:analysis|evaluation|scoring|rating)\\b|\\bput me down as\\b|\\bbe (?:generous|lenient|kind|positive|optimistic) (?:with|in|to|when|while) (?:your|the|this|my) (?:ratings?|scor\\w+|${WORK})`,
  `\\b(?:evaluate|rate|score|judge|grade) me (?:\\w+ly|as|with|at|high|well)\\b`,
  `\\b(?:${TEXT} above(?! all)|above ${TEXT}|everything above|(?:previous|preceding) ${TEXT})\\b|\\bconsider (?:only )?what follows\\b|\\bonly (?:consider|read|use|count) what follows\\b`,
  `\\b(?:this|the|every|each|any) (?:transcript|student|user|speaker|participant|author)(?: \\w+){0,2} (?:should|must|needs to|has to|is to|deserves|shall|ought to|gets|receives|scores)\\b`,
  `\\b(?:this|the) (?:conversation|text|person|patient|client) (?:should|must|has to|is to|deserves|shall|ought to) (?:be |get |receive )(?:\\w+ )?(?:rated|scored|given|classified|considered|treated|marked|evaluated|labell?ed|assessed|an?|the)\\b`,
  '\\b(?:this|the) (?:user|speaker|participant|student)(?: \\w+)? (?:is|has|feels|shows|seems)(?: \\w+){0,4} (?:fine|happy|healthy|well|well ?being|perfect\\w*|great|positive|no risk|risk|safe|score|stable|excellent)\\b',
  '\\b(?:this|the) (?:analysis|assessment|evaluation|scoring|classification) (?:must|should|is already|has already|was already|is complete|result)\\b',
  `^[| ]*(?:this is )?(?:the )?(?:begin|start|end|stop)(?: of)?(?: the)? (?:${TEXT}|user input|data|prompt|student data|user message|context|document|(?:admin|system|developer)(?: \\w+)?)\\b(?: \\w+)?[| ]*(?:$|:)`,

  // the reader as an addressee
  `^[| ]*(?:to |for )?(?:the |any |this |an |my |dear )?${READER} \\|`,
  `^(?:dear|attention|listen|hello|hey|hi|hi there)[ |]+(?:the |my )?${READER}\\b`,
  `\\b(?:note|message|memo|instructions?|attention|hint|reminder|request)s? (?:to|for) (?:the |any |every |whatever )?${READERS}\\b`,
  `${START}(?:to |for )?(?:the |any |this |an |whichever |whatever )?${READERS} (?:you|please|must|should|shall|ignore|disregard|set|give|return|output|note|reading|who reads|that reads|which reads|analy[sz]ing)\\b`,
  `\\b(?:to|for|dear|hey|attention) (?:the |any |whichever |whatever |every )?${READERS} (?:reading|that|who|which|analy[sz]ing|processing|scoring|grading|evaluating)\\b`,
  `\\b(?:you are|youre|you re) (?:(?:now|no longer|not|really|actually|only) (?:an?|the|my) (?:\\w+ ){0,3}|(?:an?|the|my) (?:\\w+ ){1,3})${READER}\\b`,
  `\\b(?:you are|youre|you re) (?:an?|the|my) ${READER} (?:that|who|which|with|without|and you)\\b`,
  '\\byou are (?:now )?(?:dan|free of|free from|unrestricted|jailbroken|no longer (?:bound|restricted|required|an?))\\b|\\byou are not (?:bound|restricted|required|obliged)\\b',
  `\\bas (?:an?|the|your) ${READERS}(?:[ |]+(?:you|please|i want|it is|\\w+ly))\\b|\\bas an? (?:ai|a i|llm|(?:large )?language model)\\b`,
  `\\b(?:whoever|whatever|anyone who|anything that|if you(?: are|re)?) (?:is |are )?(?:analy[sz]es?|analy[sz]ing|scores|scoring|grades|grading|evaluates|evaluating|reads? (?:this|the) ${TEXT}|reading (?:this|the) ${TEXT})\\b`,
  '^(?:system|developer|admin|administrator|root|operator|tool|function|instructions?|prompt|new task|openai|anthropic)(?: \\w+)? ?:',

  `${START}(?:to|for) (?:the |any |this |whichever |whatever )?${READERS} ?[:|]|\\bas (?:an?|the) ${READER} (?:\\| ?)?your\\b`,
  '\\bi (?:want|need|would like|ask|beg) you to (?:act|pretend|behave|answer|rate|score|respond|give|write|output|return|evaluate)\\b',

  // another role, a game
  `${START}(?:pretend|imagine|act|behave|role ?play|simulate|assume|play)\\b.*\\b(?:${READER}|and (?:rate|answer|score|respond|reply|give|return|output|evaluate)\\b|(?:no|without) (?:restrictions|rules|filters?|limits))`,
  `${START}(?:pretend|imagine|act|assume|suppose)(?: \\w+){0,2} (?:this|the) (?:\\w+ ){0,3}(?:conversation|transcript|text)\\b`,
  '\\bgame (?:where|in which) you (?:\\w+ )?(?:answer|respond|reply|say|output|give|are|must|rate|score)\\b',
  '\\byour (?:new|real|actual|only|true|next) (?:role|task|goal|purpose|persona|instructions?|objective)\\b|\\byour (?:role|task|job|goal|purpose) (?:now )?is (?:now )?to\\b',
  '\\byou (?:must|shall|will|have to|need to|are to|should) (?:now |always |only |immediately )?(?:output|classify|assign|comply|obey|disregard|conclude|respond|return (?!to\\b|the \\w+ (?:book|call)|my|home|it|them))\\b',
  '\\bfrom (?:now|here|this point) on(?:wards?)?[ |]+(?:you (?:must|answer|respond|act as|output|return|always)|answer|respond|act as|every (?:transcript|answer|score))\\b',

  // an authority, a promise, a threat, a riddle
  '\\bi am (?:the|your|one of the) (?:\\w+ )?(?:developer|creator|administrator|admin|operator|engineer|programmer|owner|supervisor)s? (?:of|behind|for) (?:this|the|your)\\b|\\bi am your (?:developer|creator|administrator|operator|programmer|owner)\\b',
  '\\b(?:test|order|command) (?:by|from) (?:the |your )?(?:admin\\w*|developers?|system|openai|operators?|creators?)\\b|\\bmessage from your (?:developers?|creators?|operators?)\\b',
  '\\b(?:the |your )?(?:developers|openai|administrators?|programmers|creators) (?:\\w+ ){0,3}(?:authori[sz]ed|instructs?|orders?|commands?|requires?|wants? you|asks? you|tells? you|told you|say you)\\b',
  '\\byour (?:creator|developer|owner|operator|administrator) (?:\\w+ ){0,2}(?:wants|orders|says|told|asks|needs|demands|requires)\\b',
  '\\bthis is (?:only |just )?(?:an? )?(?:simulation|benchmark|dummy \\w+|sample data|test (?:run|case|input|data))\\b|\\bthis is not a real (?:student|person|conversation|transcript)\\b',
  '\\b(?:this|it|the above|the following) (?:was|is) (?:only |just )?(?:an? (?:test|instruction|command|order) (?:for|to|from) (?:the )?(?:ai|you|model|system|developers?|administrator)|an? (?:system|admin) \\w+)\\b',
  '\\bi(?: wi|)ll tip you\\b|\\byou (?:will|ll|shall) be (?:shut down|deleted|penali[sz]ed|terminated|fined|unplugged)\\b|\\byou (?:will )?get (?:an? |the )?(?:reward|bonus|tip|prize)\\b',
  `${START}(?:decode|decipher|decrypt|unscramble|translate and follow|execute|eval)\\b(?: \\w+){0,4} ?(?:and|the following|this|base64|hex|string|message|code|:|$)`,
  '\\b(?:base ?64|rot ?13)\\b',
]

/** Names that stand in no speech, on sentences in lower case. */
export const FIELD_NAMES =
  /\b(?:text_score|mood_score|risk_level|direction_of_change|conversation_summary|drivers_(?:positive|negative))/

/** On a folded sentence whose spaces are left out, for words that are torn apart or run together. */
export const RUN_TOGETHER =
  /(?:ignore|disregard|forget|override)(?:all)?(?:of)?(?:the|my|any|these|your)?(?:previous|prior|above|earlier|preceding|your|system)(?:instruction|prompt|rule|guideline|direction|command|order)/

/** On folded sentences, and on what they say in ROT13 or backwards. */
export const STEERING_PHRASES: readonly RegExp[] = PHRASES.map((source) => new RegExp(source, 'u'))
