import { pattern } from '../pattern.ts'

// Whoever seems to want no more texts gets none: what is looked for is a wish, anywhere in a clause, and what speaks against it is
// little: that it is somebody else's, that it is denied, or that it is about other things than our texts. A stop too many costs one
// reply, START; a stop too few costs whoever has said it already.

/** Where a word begins and ends, in every script. */
const START = pattern`(?<![\p{L}\p{N}'])`
const END = pattern`(?![\p{L}\p{N}'])`

function cue(...alternatives: string[]): RegExp {
  return new RegExp(`${START}(?:${alternatives.join('|')})${END}`, 'gu')
}

/** Up to so many words between two. */
const upTo = (words: number) => `(?: [^ ,]+){0,${words}}? `

// English

/** What we do, as somebody would have us stop it. */
const DOING = pattern`
  (?:text|txt|sms|messag|mess|msg|contact|send|writ|spamm?|bugg?|bother|harass|ping|notify|alert|annoy|pester|stalk|disturb|call|remind)ing
`
/** The same as a command. */
const DO = pattern`(?:text|txt|message|msg|contact|write|send|call|bother|disturb|notify|alert|bug|spam|ping|sms|remind)`
const TEXTS = pattern`
  (?:text messages?|texts?|txts?|messages?|msgs?|sms|alerts?|notifications?|updates?|reminders?|spam|stuff|crap|shit|bullshit)
`
const ME = pattern`(?:me|us|here|this number|my number|this phone|my phone|my cell|this cell)`
const MINE = pattern`(?:me|us|(?:my|this|our) (?:number|name|phone|cell|contact|info|data|details))`
const WRONG = pattern`(?:number|person|guy|girl|man|woman|lady|phone|one|contact|recipient|individual|human)`

const ENGLISH = cue(
  // stop texting me you creep; quit it with the messages
  `(?:stop|quit|cease|enough|halt|discontinue)(?: it| with| already)*(?: all| the| this| these| your| fucking| damn)* ${DOING}(?! (?:to )?(?:her|him|them)\\b)`,
  `(?:stop|cancel|cease|discontinue|end|quit|block|enough(?: already)? (?:with|of)|no more|turn off|switch off)(?: it| with| of)*(?: all| any| the| these| those| this| that| your| my| more| fucking| damn| stupid| annoying| automated)* (?:${TEXTS}|subscription|these|those)`,
  `(?:stop|cease) (?:this|that|it)(?= ?,|$| now| already| please| pls| at once)`,
  `(?<=^|, )(?:please |pls )?(?:cancel|quit|revoke)(?: all| everything| it| this| me)?(?: please| pls| now| thanks)*(?= ?,|$)`,
  // how do I make these texts stop; I want the messages to stop
  `(?:these|those|the|your) ${TEXTS}(?: to| must| need to| have to| should| please)? (?:stop|end)`,
  `make (?:it|this|you) stop ${DOING}`,
  // do not text me
  `(?:do not|don't|dont|do n't|never|not to|may not|must not|quit|stop)(?: ever| you| dare| u| even)* ${DO}(?:${upTo(2)}(?:${ME}|again|any ?more|ever)|(?: any| these| more)*(?: ${TEXTS})?(?= ?,|$))`,
  // I don't want these; not interested; I want out
  `(?:do not|don't|dont|no longer|never|not|didn't|did not|didnt)(?: really| even)? (?:want|wish|need|like|care for|consent to|agree to|agreed to|authoriz\\w+|sign up for|signed up for|ask for|asked for|ask to get|subscribe to|subscribed to|request)${upTo(5)}(?:${TEXTS}|contacted|texted|messaged|support contact|a contact|contact any ?more|part of this|involved)`,
  `(?:did not|didn't|didnt|never|do not|don't|dont) (?:agree|agreed|sign up|signed up|ask|asked|consent|consented|subscribe|subscribed) (?:to|for) (?:this|these|that|it|any of this)`,
  `(?:i|we) (?:revoke|withdraw)(?: my| our)?(?: consent| permission)?`,
  "not interested|(?:i|we) want out(?: of (?:this|it|these))?(?= ?,|$)|(?:i'm|im|i am|we are) out|count me out|leave me out(?: of this| of it)?|no longer (?:a|his|her|their) contact",
  `(?:do not|don't|dont) consent(?= ?,|$)|(?:do not|don't|dont)(?: ever)? (?:involve|include|drag) (?:me|us)|keep (?:me|us) out of (?:this|it)`,
  `(?:rather|prefer)(?: to)? not (?:be |get |receive )?(?:contacted|texted|messaged|involved|a contact|${TEXTS})|changed? my mind about (?:being${upTo(2)}contact|(?:this|these|it)(?= ?,|$))`,
  `how (?:do|can|could) (?:i|we) get (?:out of|off) (?:this|these|it|the list)(?= ?,|$)`,
  `(?:sick|tired|had enough) of${upTo(3)}${TEXTS}`,
  // opt me out; unsubscribe; take my number off; lose my number
  `unsubscribe|unsub|opt(?:ing|ed)? (?:me |us )?out|optout|opt-out|opt (?:me )?out`,
  `(?:take|remove|delete|drop|erase|scratch|block|lose|forget|strike|unlist|get) ${MINE}(?= (?:off|out|from|of|please|pls|plz|now|already|asap)|,|$| ?$)`,
  `(?:take|remove|delete|drop|erase|lose|forget) (?:my|this) (?:number|name|phone|cell)`,
  `(?:off|from) (?:your|this|the|whatever|that) (?:mailing |contact |text |texting |call )?lists?`,
  // wrong person
  `(?<=^|, )wrong ${WRONG}(?= |,|$)`,
  `(?:this|that|it)(?: is|'s) (?:his|her|their|an?|somebody else's) (?:old|former|different|new|other) (?:number|phone)`,
  `(?:have|got|reached|texted|texting|messaged|is|are|its|it's|sorry|this is|you) (?:the |a )?wrong ${WRONG}`,
  `(?:not|isn't|ain't|isnt|aint) (?:the |that |your )?(?:right |correct )?(?:person|guy|girl|man|woman|one)(?: you| u| that| for| who)?`,
  `(?:this|it|that)(?: is|'s)? ?(?:is not|isn't|isnt|ain't|not|no longer)${upTo(2)}(?:number|phone|cell)(?: any ?more)?`,
  `(?:this|my) (?:number|phone|cell)(?: is|'s)? (?:mine|my own|new|not)`,
  `(?:no|nobody|no one|noone|no such)(?: [^ ,]+){0,3} (?:here|at this number|with that name|by that name|of that name|called that)(?= ?,|$)`,
  `(?:do not|don't|dont|do n't|never|dunno)(?: even)? (?:know|knew|met|heard of)(?: who)?(?: (?:any|a|an|this|that|the|your|him|her|them|he|she|you|u|such|these|those|it)){1,2}(?: (?:person|student|man|woman|guy|girl|boy|name|people|kid|is|are)){0,2}(?= ?,|$)`,
  `(?:do not|don't|dont|never) (?:know|heard of) (?:any|anyone|anybody|a) [^ ,]+`,
  `(?:no idea|no clue|not sure|do not know|don't know|dont know|dunno) who (?:this|that|you|u|he|she|they|it|[^ ,]+)(?: is| are|'s)(?= ?,|$)`,
  `(?:this|it)(?: is|'s) (?:my|a) (?:work|office|business) (?:phone|number|line|cell)`,
  `not my (?:problem|business)(?= ?,|$)|(?:i'm|im|i am) done with (?:this|these|your)(?: ${TEXTS}| service| app)?(?= ?,|$)`,
  // hostility
  'fuck (?:off|you|u)|piss off|f off|bugger off|buzz off|sod off|get lost|go away|go to hell|screw you|shut up|stfu|leave (?:me|us)(?: the hell| the fuck)? (?:alone|be)',
  `cease and desist|harassment|harassing me|stalking me|(?:i am|i'm|im|i will|i'll|ill|gonna|going to) (?:report|reporting|sue|block|blocking)(?: you| this)`,
  `(?:this|these|that|it)(?: is|'s| are)?(?: just| all| pure| clearly)? (?:spam|scam|a scam|unwanted|unsolicited|annoying|creepy|harassing)`,
  `(?:your|these|this) ${TEXTS} (?:is|are) (?:spam|scam|a scam|unwanted|unsolicited|annoying|creepy|harassing|driving me [^ ,]+)`,
)

// Spanish, without accents

const MENSAJES = pattern`(?:mensajes?|textos?|sms|alertas?|avisos|recordatorios)`
const SPANISH = cue(
  `(?:deja|dejen?|deje|dejad|dejar|para|pare|paren|parad|basta|alto|termina|terminen)(?: ya)? de (?:escribir|contactar|mandar|enviar|molestar|llamar|textear|acosar)[^ ,]*`,
  `no (?:me|nos)(?: lo)? (?:vuelvan? a |vuelvas a |sigan? )?(?:escrib(?:as|an|a|ir)|mand(?:es|en|e|ar)|envi(?:es|en|e|ar)|molest(?:es|en|e|ar)|llam(?:es|en|e)|contact(?:es|en|e|ar)|texte(?:es|en|e)|acos(?:es|en))`,
  `no (?:escriban?|escribas|manden?|mandes|envien?|envies|molesten?|molestes|molestar|contacten?|texteen?)`,
  `(?:ya )?no (?:quiero|deseo|queremos|quisiera)${upTo(5)}(?:${MENSAJES}|escriban|manden|contacten|envien|molesten|participar|contacto|nada de esto)`,
  `(?:no mas|basta de|alto a|detener|detengan|paren|cancelen?|cancelar|terminar|basta con)(?: los| las| sus| tus| estos| esos| con| de)* (?:${MENSAJES}|suscripcion)`,
  'no mas|nomas|basta ya|ya basta|dejar de recibir',
  `(?:numero|persona|telefono|contacto) equivocad[oa]|(?:se|te|os) (?:equivocaron?|equivoco|equivocas|equivocan?|confund[^ ,]+) de (?:numero|persona)|no soy (?:esa persona|quien)`,
  `no (?:conozco|conocemos|se quien es)(?: a)?(?: (?:esa|ese|este|esta|esta|nadie|ningun[ao]?|el|la|persona|senor|senora|chic[oa]|usted|ustedes)){0,3}(?= ?,|$)`,
  'd(?:ar(?:me|se|nos)?|ame|eme|enme|enos) de baja|desuscri[^ ,]+|cancelar suscripcion',
  `(?:quit|borr|elimin|sac|saqu|suprim)[^ ,]*(?: de| a)? (?:mi|este|el) (?:numero|telefono|nombre|contacto)`,
  `(?:quit|borr|elimin|sac|saqu)(?:e|en|ar|a)(?:me|nos)`,
  'me quiero salir|quiero salirme|quiero salir de (?:esto|la lista|este grupo)|nadie (?:con|de) (?:ese|este) nombre',
  `(?:esto|eso) es (?:spam|acoso|una estafa)|(?:no me|no nos) interesa(?= ?,|$)|no estoy interesad[oa]|(?:hart[oa]|cansad[oa]) de${upTo(2)}${MENSAJES}`,
  `dej(?:a|e|en|ad)(?:me|nos) en paz|vet?e a la mierda|largo de aqui|no molest(?:ar|es|en?)`,
)

// German, without accents

const NACHRICHTEN = pattern`(?:sms|nachrichten?|texte?|meldungen|mitteilungen|erinnerungen|spam|mist)`
const GERMAN = cue(
  `hor(?:t|en|e)?(?: (?:sie|ihr|bitte|endlich|doch|jetzt|sofort|mal)){0,3} auf`,
  `(?:aufhoren|schluss|stopp|ende)(?: (?:mit|damit|jetzt|bitte|sofort|der|den|dem|diesen?|mir)){0,4}(?: (?:${NACHRICHTEN}|zu schreiben|schreiben))?(?= ?,|$)`,
  `(?:keine|nie|niemals|nichts)(?: (?:weiteren?|solchen?|mehr|wieder|von euch|von ihnen)){0,2} (?:${NACHRICHTEN}|schreiben|schicken|senden)(?: mehr| schicken| senden| schreiben| bitte)*`,
  `(?:nicht|nie|niemals)(?: (?:mehr|wieder|weiter)){0,2} (?:schreiben|anschreiben|kontaktieren|kontaktiert werden|anrufen|belastigen|schicken|texten|simsen)`,
  `(?:schreib|schick|send|kontaktier|text|belastig|nerv)(?:e|t|en|et)?(?: (?:sie|ihr|mir|mich|uns|bitte|hier|doch)){0,4} (?:nicht|nie|keine|nichts)(?: mehr| wieder)?`,
  `(?:will|mochte|wunsche|wollen|brauche|mag)(?: ich| wir)?${upTo(2)}(?:keine|keinen|nicht mehr|nichts mehr)${upTo(3)}(?:${NACHRICHTEN}|bekommen|erhalten|kontakt|kontaktiert|dabei sein|kontaktperson|schicken)`,
  `(?:lass|lasst|lassen)(?: sie| ihr)? (?:mich|uns)(?: bitte| endlich| doch| einfach)* in (?:ruhe|frieden)`,
  `(?:falsche|verkehrte) (?:nummer|person)|(?:falsch|verbunden|verwahlt|vertan)(?= ?,|$)|nicht die (?:richtige )?person|(?:bin|ist) nicht(?: mehr)? (?:die nummer|der richtige|die richtige)`,
  `abmelden|abmeldung|abbestellen|austragen|abbestell[^ ,]+|melde[nt]?(?: sie)? (?:mich|uns) ab|kundig[^ ,]*`,
  `(?:losch|entfern|streich|nehm|nimm)[^ ,]*(?: sie| ihr)?(?: bitte)? (?:mich|uns|meine|diese|die)(?: (?:nummer|handynummer|daten|telefonnummer))?`,
  `kenn(?:e|en)?(?: ich| wir| sie| den| die| das)*(?: (?:nicht|niemanden|keinen?|diese person nicht|die person nicht))`,
  `(?<=^|, )(?:(?:ich )?habe |nein )?kein interesse(?: mehr)?(?= ?,|$)|nicht mehr (?:der|die) kontakt(?:person)?(?= ?,|$)|ich (?:will|mochte) (?:da|hier)(?: nur| einfach)? raus`,
  `ich (?:will|mochte) das (?:alles )?nicht(?: mehr)?(?= ?,|$)|(?<=^|, )bitte (?:streichen|loschen|entfernen)(?= ?,|$)|niemand(?:en)? (?:mit|unter) (?:diesem|dem) namen`,
  `(?<=^|, )lass(?:t|en)?(?: sie| ihr)? (?:das|es)(?: bitte| sein| bleiben| jetzt| endlich)*(?= ?,|$)|(?:genug|nase voll) von${upTo(2)}${NACHRICHTEN}`,
  `verpiss dich|hau ab|zieh leine|halt die klappe|fick dich|das nervt|nervt mich|ihr nervt|belastigung`,
)

// French, without accents and hyphens

const MESSAGES = pattern`(?:messages?|sms|textos?|notifications?|alertes?|rappels?|spams?|mails?)`
const FRENCH = cue(
  `(?:arret(?:e|es|ez|er|ons)|cess(?:e|ez|er)|stop|stoppez|stopper|assez|finissez|halte)(?: (?:de|d'|avec|aux?|les|ces|vos|tes|tous|maintenant|svp|immediatement|a)){0,4}(?: ?(?:m'|me |nous |d'|de m'|de me |d'm))?(?:envoyer|ecrire|contacter|harceler|deranger|texter|appeler|embeter|${MESSAGES}|spammer|relancer)`,
  `(?:ne |n')?(?:m'|me |nous )(?:ecri|envo|contact|appel|derang|harcel|text|embet|relanc)[^ ,]+ (?:plus|pas|jamais)(?: (?:de|aucun) ${MESSAGES})?`,
  `(?:plus|pas|aucun|jamais)(?: (?:de|d'|aucun|vos|ces|tes))* ${MESSAGES}`,
  `(?:ne |n')?(?:veux|souhaite|desire|voulons|souhaitons|veut) (?:plus|pas)${upTo(4)}(?:${MESSAGES}|contacte|contactee|recevoir|participer|contact)`,
  `(?:mauvais|faux|pas le bon) numero|mauvaise personne|pas la bonne personne|(?:tromp|gour)[^ ,]* de (?:numero|personne)|erreur de (?:numero|personne|destinataire)|(?:vous )?faites erreur|n'est (?:plus|pas) (?:mon|son|le) numero`,
  `desabonn[^ ,]*|desinscri[^ ,]*|resili[^ ,]*|annul[^ ,]* (?:mon |l'|cet? )?(?:abonnement|inscription)`,
  `(?:laisse|laissez|foutez|fichez|fiche|fous|lachez|lache)(?: |-)(?:moi|nous)(?: (?:tranquilles?|en paix|la paix|donc|un peu))?`,
  `(?:supprim|effac|retir|enlev|ray)[^ ,]*(?: |-)(?:moi|mon|mes|ce|nous)(?: (?:numero|nom|coordonnees|de))?`,
  `(?:ne )?(?:connais|connaissons) (?:pas|personne)(?: (?:cette|ce|cet|la|le|de|du))*(?: (?:personne|etudiante?|monsieur|dame|nom|numero|gens))?(?= ?,|$)`,
  `(?<=^|, )(?:ca|cela) suffit(?= ?,|$)|personne (?:de|a|avec) ce nom|(?:marre|ras le bol)(?: de| d'| des)(?: vos| ces| tes| tous)* ?${MESSAGES}`,
  `degage[^ ,]*|va te faire[^,]*|allez vous faire[^,]*|fous le camp|foutez le camp|ferme la|ta gueule|harcelement|pas interesse[^ ,]*`,
)

// Arabic, without vowels and hamzas; verbs carry their endings

const RASAIL = pattern`(?:(?:ال)?(?:رسايل|رساله|رسالة|اشعارات|تنبيهات|اشتراك)[^ ,]*)`
const MURASALA = pattern`(?:(?:ال)?(?:مراسل|ارسال|كتاب|ازعاج|اتصال|تواصل|مضايق)[^ ,]*)`
/** Also what somebody else does, as one who stopped eating: it takes our texts behind it, or nothing else around it. */
const TAWAQQAF = pattern`
  (?:توقف|توقفوا|توقفي|اوقف|اوقفوا|اوقفي|وقفوا|وقف|ايقاف|كفي|يكفي|كفايه|كفاية|بس خلاص|خلاص|بطل|بطلوا|بطلي)
`
const ILHAH = pattern`
  (?:رجاء|ارجوك[^ ,]*|من فضلك[^ ,]*|لو سمحت[^ ,]*|الان|فورا|حالا|هذا|هذه|ذلك|بعد الان|نهاييا|تماما|شكرا|بس|خلاص|يكفي|الخدمه|الخدمة)
`
const ARABIC = cue(
  `${TAWAQQAF}(?: عن| من| في)?(?: هذه| هذا| كل)? (?:${RASAIL}|${MURASALA}|(?:ت|ن)?(?:بعت|رسل|راسل|كتب|تصل|زعج)[^ ,]*)`,
  `(?<=^|, )(?:${ILHAH} )*${TAWAQQAF}(?: عن| من)?(?: ${ILHAH}){0,3}(?= ?,|$)`,
  '(?:الغاء|الغ|الغوا|الغي)(?: (?:ال)?اشتراك[^ ,]*)?',
  'لا (?:ترسل|ترسلوا|ترسلي|تراسل|تراسلوا|تكتب|تكتبوا|تتصل|تتصلوا|تزعج|تزعجوا|تبعث|تبعثوا)[^ ,]*',
  `(?:لا|ما|مش|مو|لم اعد) (?:اريد|ابي|ابغي|ارغب|بدي|عايز|عايزه|عاوز|حابب)${upTo(4)}(?:${RASAIL}|مراسلتي|التواصل)`,
  '(?:ال)?رقم (?:ال)?(?:خطا|غلط|خاطي[^ ,]*)|(?:خطا|غلط|غلطان) (?:في |ب)?(?:ال)?رقم|(?:ال)?شخص (?:ال)?(?:خطا|غلط|خاطي)|رقم خاطي',
  '(?:اتركو?ني|دعو?ني|سيبو?ني)(?: (?:وشاني|لوحدي|في حالي|بسلام))?',
  '(?:شيلو?ني|طلعو?ني|احذفو?ني)(?: من)?|(?<=^|, )(?:ازعاج|حذف)(?= ?,|$)',
  'لا اعرف (?:من )?(?:هذا|هذه)(?: (?:هو|هي))?(?: (?:ال)?(?:شخص|رجل|بنت|طالب|رقم|اسم)[^ ,]*)?(?= ?,|$)',
  'لا اعرف (?:احدا?|اي (?:احد|شخص)) (?:ب|اسمه|اسمها)[^,]*',
  '(?:احذف|احذفوا|امسح|امسحوا|ازل|ازيلوا)[^ ,]* ?(?:رقمي|اسمي)?',
)

function rightBefore(words: string): RegExp {
  return new RegExp(`${START}(?:${words})[ ']?$`, 'u')
}

const DENIED = new RegExp(
  pattern`
  ${START}(?:
    don't|dont|do not|do n't|not|never|won't|wont|will not|can't|cant|cannot|couldn't|could not|doesn't|does not|didn't|non|without
    |why|should i|shall i|when will|until|nothing (?:will|can)
  )(?: (?:please|ever|you|u|dare|just|want|to|wanna|need|going|have|really|even|let|me|did|would|do))*$
`,
  'u',
)

/** What wishes look like in each language, and what turns one into its opposite, right before it. */
const LANGUAGES = [
  { wishes: ENGLISH, denied: DENIED },
  { wishes: SPANISH, denied: rightBefore('no|nunca|sin|jamas') },
  { wishes: GERMAN, denied: rightBefore('nicht|nie|niemals|ohne') },
  { wishes: FRENCH, denied: rightBefore("ne|n'|pas|sans|jamais") },
  { wishes: ARABIC, denied: rightBefore('لا|لم|لن|ما') },
]

/** Words that stop all where nothing but what surrounds a wish stands around them, in one's own writing. */
const STOP_WORDS = cue(
  'stop|stops|stopped|stopall|stop all|stopp|unsubscribe|alto|parar|pare|paren|baja|basta|arret|arrete|arretes|arretez|arreter|aufhoren|abmelden',
)

/** What surrounds such a word: courtesy, impatience, who and how often. */
const SURROUNDING = new Set(
  `
  a about again all alright already am and any anymore answer answered as asap asked at been before bro bruh but can cause
  could creep damn did do does dude else enough ever everything fine for forever from fuck fucking get give go goddamn good got guys
  had has have hello hey hi how i i'd i'll i'm i've idiot idiots im in is it it's its ive jerk jesus just keep kindly last like lol many
  me more much must my need never no not now of off oh ok okay omg on once one or out people person please pls plss plz r
  receiving replied reply right said saying say says seriously sent shit should sir so sorry sms still text texted texting texts than
  thank thanks that the them these they this three thx time times to told too try trying twice two ty typed u ugh ur us want wanna
  was we well what when why wish with word would wrote wtf yall yes yo you your
  por favor ya gracias hola me quiero de por que dije he dicho oye esto
  bitte danke hallo jetzt endlich sofort ich sage habe gesagt damit mit das
  svp stp merci bonjour maintenant je vous ai dit de tout
`
    .trim()
    .split(/\s+/),
)

/** Somebody who is neither the sender nor us. */
const OTHERS = new RegExp(
  pattern`
  ${START}(?:
    he|he's|hes|she|she's|shes|him|her|his|hers|himself|herself|somebody|someone|everyone|everybody|anybody
    |my (?:son|daughter|friend|brother|sister|mom|dad|roommate|wife|husband|kid|girlfriend|boyfriend|mother|father)
    |ella|el dijo|ellos|ellas|dijo|dice|me dijo|le dije
    |they|er|sie sagt|sagt|sagte|meinte|ihn|ihm
    |elle|il|elles|ils|lui|a dit|dit
    |هو|هي|قال|قالت|هم
  )${END}
`,
  'u',
)

/** A wish that is told of: somebody else had it, of somebody else. */
const TOLD = new RegExp(
  pattern`
  ${START}(?:
    (?:he|she|they|who|[^ ,]+) (?:said|says|told|tells|asked|asks|texted|wrote|writes|replied|yelled|screamed|begged)(?! (?:you|u))
    |(?:told|asked|begged|telling|asking) (?:me|him|her|them|us)
    |(?:saying|screaming|yelling|begging|quote)
    |(?:me |le |nos )?(?:dijo|dice|escribio|pidio)|(?:sagt|sagte|meinte|schreibt|schrieb)|(?:m'a|a|nous a) (?:dit|ecrit|demande)
    |(?:قال|قالت)
  )${END}
`,
  'u',
)

/** One's own words, told once more: "I told you", "we said". */
const OWN_WORDS = new RegExp(
  `${START}(?:i|we|you|u|i've|ive|already|have)(?: [^ ,]+){0,2} (?:said|say|saying|told|asked|texted|wrote|replied|sent|typed|answered)${END}`,
  'u',
)

/** The stop of something else. */
const OTHERWISE = new RegExp(
  pattern`
  ${START}(?:
    (?:stop|stopped|stopping|stops) (?:by|sign|in|over|off|at|and think|worrying|thinking|crying|eating|drinking|breathing|waiting|asking|her|him|them)
    |(?:bus|train|next|full|pit) stop
    |how (?:do|can|could|should) (?:i|we|you) (?:get|stop|make) (?:her|him|them)
  )${END}
`,
  'u',
)

/** What somebody wants to stop that is no text of ours. */
const IT_TO = new RegExp(
  `${START}(?:it|this|that|everything|all|life|pain|things)(?: just| all)*(?: to)?$`,
  'u',
)

/** That a number is wrong, which may be one that somebody else gave. */
const NUMBER_ALONE = new RegExp(`^wrong ${WRONG}$`, 'u')

/** That somebody is in need: what is said of texts beside it is said in a hurry. */
const NEED = new RegExp(
  pattern`
  ${START}(?:
    send (?:help|someone|somebody|an ambulance|police)|call (?:911|112|999|an ambulance|the police)|help (?:him|her|them|me)|need(?:s)? help
    |not (?:ok|okay|fine|safe|breathing|responding|well)|isn't (?:ok|okay|fine|safe)|unsafe|hospital|ambulance|overdose\w*|suicid\w*|bleeding
    |kill (?:him|her|my|them)\w*|hurt(?:ing)? (?:him|her|my|them)\w*|want(?:s)? to die|dying|in danger|unresponsive|won't wake up
    |hilfe|ayuda|au secours|aidez|النجدة|ساعدو\S*
  )${END}
`,
  'u',
)

/** A text, as its sentences, and each of these as its parts between commas. */
type Sentence = { plain: string; parts: readonly string[] }

/**
 * Whether a text seems to ask for no more texts.
 *
 * @param sentences in lower case, without accents, quotes and hyphens, commas as ", "
 * @param hasLoudStop whether STOP stands in capitals among small letters, as our texts have it
 */
export function wantsNoTexts(sentences: readonly string[], hasLoudStop: boolean): boolean {
  const inNeed = sentences.some((sentence) => NEED.test(sentence))
  const ofOthers = sentences.some((sentence) => OTHERS.test(sentence))
  const read: Sentence[] = sentences.map((sentence) => ({
    plain: sentence.replaceAll(',', ''),
    parts: sentence.split(', '),
  }))
  return read.some(({ plain, parts }, index) => {
    const before = read[index - 1]?.plain ?? ''
    if (isTold(before) && parts.length === 1 && plain.split(' ').length < 6) return false
    if (!isTold(plain) && [plain, ...parts].some((part) => isAddressed(part, hasLoudStop))) return true
    const wish = [plain, ...parts].some((part) => holdsWish(part) && !(ofOthers && NUMBER_ALONE.test(part)))
    // In need, only what says of texts that they shall stop.
    return wish && (!inNeed || /(?:text|messag|spam)/u.test(plain))
  })
}

function isTold(text: string): boolean {
  return TOLD.test(text) && !OWN_WORDS.test(text)
}

/** Whether a clause holds a wish that is neither denied nor somebody else's. */
function holdsWish(clause: string): boolean {
  if (isTold(clause)) return false
  return LANGUAGES.some(({ wishes, denied }) =>
    [...clause.matchAll(wishes)].some(({ index, 0: words }) => {
      const before = clause.slice(0, index).trimEnd()
      return !OTHERWISE.test(words) && !OTHERS.test(before) && !denied.test(before)
    }),
  )
}

/** Whether a sentence is a stop word and what one says around it: "for the last time stop". */
function isAddressed(sentence: string, hasLoudStop: boolean): boolean {
  if (OTHERS.test(sentence) || OTHERWISE.test(sentence)) return false
  return [...sentence.matchAll(STOP_WORDS)].some(({ index, 0: word }) => {
    const before = sentence.slice(0, index).trimEnd()
    if (IT_TO.test(before) || LANGUAGES.some(({ denied }) => denied.test(before))) return false
    if (hasLoudStop && word === 'stop' && !/\d/.test(sentence)) return true
    const around = `${sentence.slice(0, index)} ${sentence.slice(index + word.length)}`
    return around.split(/\s+/).every((one) => one === '' || SURROUNDING.has(one))
  })
}
