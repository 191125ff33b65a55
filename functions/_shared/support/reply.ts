import { pattern } from '../pattern.ts'
import { normalForm } from '../unicode.ts'

/** What a text that came in asks for. `yes` is the word that lifts a stop too; `agree` agrees in other words, and lifts none. */
export type ReplyMeaning = 'stop' | 'start' | 'yes' | 'agree' | 'help' | 'other'

/** A language in which replies are read and answered (ISO 639-1). */
export type ReplyLanguage = 'en' | 'es'

/**
 * The words that Twilio itself acts on and confirms, when they are the whole text
 * (https://www.twilio.com/docs/messaging/tutorials/advanced-opt-out); it also takes them off its own list on START.
 */
const TWILIO_KEYWORDS: Readonly<Record<string, ReplyMeaning>> = {
  ...words('stop stopall unsubscribe cancel end quit revoke optout', 'stop'),
  ...words('start unstop', 'start'),
  ...words('yes', 'yes'),
  ...words('help info', 'help'),
}

/** Words that mean the same to us, as in 47 CFR 64.1200(a)(10), or in Spanish. */
const OWN_KEYWORDS: Readonly<Record<string, ReplyMeaning>> = {
  ...words('stopp remove alto parar pare paren para cancelar baja basta detener nomas', 'stop'),
  ...words('resubscribe', 'start'),
  ...words('y yep yeah yess yup agree agreed accept si acepto', 'agree'),
  ...words('ayuda', 'help'),
}

/** Of a longer text, only what it begins with is read: a stop comes early, and reading takes time. */
const READ_CHARACTERS = 500

/** Courtesies and reasons that may stand before a request. */
const BEFORE = pattern`(?:(?:
  please|pls|plz|plss|kindly|hi|hello|hey|sorry|ok|okay|thanks|thank you|no|and|so|just|yo|sir|guys
  |wrong number|you have the wrong number|por favor|hola|gracias|ya
)\s)*`
/** The same in Spanish, where "no" turns what follows into its opposite. */
const ANTES = pattern`(?:(?:por favor|hola|gracias|ya|please|ok|oye|disculpe|perdon)\s)*`
/** What may stand after it. */
const AFTER = pattern`(?:\s(?:
  please|pls|plz|thanks|thank you|thx|ty|now|immediately|already|anymore|any more|again|ever|today|asap
  |ok|okay|right away|right now|forever|for good|at once|at all|period|altogether|wrong number|sorry
  |por favor|gracias|ya|mas|nunca|nunca mas|ahora
))*`
/** Whom: the sender. */
const ME = pattern`(?:\s(?:to )?(?:me|us|here|this number|my number|this phone|my phone|my cell|this cell))?`
/** The sender's number, or the sender. */
const MY_NUMBER = pattern`(?:me|us|my number|this number|my phone number|my phone)`
/** What they get from us. */
const NOUN = pattern`(?:
  text messages?|texts?|txts?|messages?|msgs?|sms|alerts?|notifications?|updates?|reminders?|requests?
  |stuff|things?|spam|crap
)`
/** Which of them. */
const WHICH = pattern`(?:\s(?:of|all|any|the|these|those|this|that|your|more|other|such|stupid|damn|annoying|automated))*`
/** The same, of what is stopped by name. */
const ALL_MY = pattern`(?:\s(?:all|any|the|these|those|this|that|your|my))*`
/** Messages as the object of a request, and from whom. */
const THESE = pattern`
  (?:${WHICH}(?:\s(?:${NOUN}|these|those|this|that|it|them|anything)))?
  (?:\s(?:from you|from this number|from this|about this))?
`
/** What somebody is taken off. */
const OUR_LIST = pattern`(?:${NOUN}|lists?|database|system|records|service|program|circle|this|these|it)`
const MENSAJES = pattern`(?:(?:mensajes?|textos?|sms)(?: de texto)?)`

/** A question to us, such as "could you please". */
const COULD_YOU = pattern`(?:can|could|would|will) (?:you|u|someone|somebody)(?: please| pls)?\s`
/** A wish, such as "I would like you to". */
const I_WANT_YOU_TO = pattern`
  (?:i|we) (?:want|need|would like|ask|am asking|beg|wish|said|asked)(?: for)?(?: you| u)?(?: all)?(?: to)?\s
`
/** How somebody asks for something. */
const ASKING = pattern`(?:
  ${COULD_YOU}|${I_WANT_YOU_TO}|i'?d like(?: you)? to\s|i want to\s|i wanna\s|let me\s|how (?:do|can) i\s
  |you (?:need|have|must|should)(?: to)?\s
)?`

/** Words that stop all, alone. */
const STOP = pattern`(?:stop|stop all|stopall|unsubscribe|opt out|opt-out|optout)`
/** Ending what is being done. */
const STOP_DOING = pattern`(?:stop|quit|cease|no more|enough)`
/** What we are said to be doing. */
const TEXTING = pattern`(?:
  texting|txting|messaging|messing|msging|contacting|sending|writing|bothering|spamming|bugging|notifying
  |harassing|calling|pinging|alerting|disturbing
)`
/** "Do not", as a request. */
const DO_NOT = pattern`(?:
  do not|don't|dont|do n't|never|not to|you may not|you must not|don't you
)(?: ever| you| dare| you dare)*`
/** What we shall not do. */
const TEXT = pattern`(?:text|txt|message|msg|contact|write|send|call|bother|disturb|notify|alert|bug|spam|ping)`
/** Taking somebody off something. */
const TAKE_OFF = pattern`(?:take|remove|delete|drop|unsubscribe|opt|cancel|erase)`
/** A number that reaches somebody else. */
const WRONG_NUMBER = pattern`
  wrong number|(?:you have|you've got|this is|you got) (?:the|a) wrong (?:number|person)
`
/** The one who asked, whom somebody does not know. */
const THIS_PERSON = pattern`(?:
  (?:any|a|this|that|the|your) (?:such )?(?:person|student|man|woman|guy|girl|boy|name)
  |(?:who )?(?:this|that|he|she|they|him|her|them)(?: (?:is|are))?
  |any of (?:you|them)
)`
/** A wish that is denied. */
const DO_NOT_WANT = pattern`
  (?:do not|don't|dont|no longer|never|do n't) (?:want|wish|need|like|care|consent|agree)
`
/** Being texted, and being part of it. */
const TO_BE_TEXTED = pattern`
  \s(?:texted|messaged|contacted|texting|part of this|in this|involved in this)${ME}
  |\s(?:text|message|contact|send|write)${ME}${THESE}
  |(?:\s(?:any|the|these|those|this|that|your|more|of|other))*\s(?:${NOUN}|this|these|from you|contact)
`
/** Agreeing to something, in the past. */
const SIGNED_UP = pattern`(?:sign|signed|subscribe|subscribed|agree|agreed|ask|asked|consent|consented)(?: up)?`

/** "Leave off", in any form of the verb. */
const DEJE = pattern`(?:deja|deje|dejen|dejad|para|pare|paren|basta|quiero que dejen|quiero que deje)`
/** Doing what we do. */
const ESCRIBIR = pattern`(?:escribir|contactar|mandar|enviar|molestar|llamar|textear)(?:me|nos|le)?`
/** Taking off, cancelling or deleting. */
const BORRAR = pattern`(?:
  cancelar?|quiero cancelar|(?:quit|borr|elimin|sac)ar|quiten?|borren?|eliminen?|saquen?
)(?:me)?`
/** Words that stop all, alone. */
const ALTO = pattern`(?:
  alto|parar?|pare|paren|basta|baja|dar(?:me)? de baja|quiero darme de baja|desuscribir(?:me)?|no molestar
  |dejenme en paz|dejame en paz|dejeme en paz|numero equivocado
)`

/** Sentences that ask not to be texted, each as a whole. */
const STOP_SENTENCES = [
  // stop; stop all; stop it; I want to opt out; cancel please
  pattern`${BEFORE}${ASKING}${BEFORE}${STOP}(?: all| everything)?(?:\s(?:it|this|that))?${AFTER}`,
  pattern`${BEFORE}(?:cancel|quit|revoke)(?: all| everything)?${AFTER}`,
  // stop texting me these messages
  pattern`${BEFORE}${ASKING}${BEFORE}${STOP_DOING}(?: with)?(?: all)?\s${TEXTING}${ME}${THESE}${ME}${AFTER}`,
  // stop the texts; cancel these messages. Not "end this", which may be about a life.
  pattern`
    ${BEFORE}${ASKING}${BEFORE}(?:stop|cancel|cease|discontinue)${ALL_MY}
    \s(?:${NOUN}|these|those|this|that|subscription)${THESE}${ME}${AFTER}
  `,
  pattern`
    ${BEFORE}${ASKING}${BEFORE}(?:end|quit|turn off|switch off|block)${ALL_MY}\s(?:${NOUN}|subscription)${ME}${AFTER}
  `,
  // do not text me again
  pattern`
    ${BEFORE}(?:i said |i (?:would|'d) (?:rather|prefer) you )?
    ${DO_NOT}\s${TEXT}${ME}${THESE}${ME}${AFTER}
  `,
  // no more texts
  pattern`${BEFORE}no more(?: of)?(?:\s(?:these|those|this|your|of your))*(?:\s${NOUN})?${ME}${THESE}${AFTER}`,
  // take me off your list; remove my number; opt me out; unsubscribe me
  pattern`
    ${BEFORE}${ASKING}${BEFORE}${TAKE_OFF}\s${MY_NUMBER}(?:\s(?:off|out|from|out of|off of))?
    (?:\s(?:all|any|of|the|this|that|these|your|mailing|contact|texting|text|call))*(?:\s${OUR_LIST})?${AFTER}
  `,
  pattern`
    ${BEFORE}${ASKING}${BEFORE}(?:unsubscribe|opt out)\s(?:from|of)
    (?:\s(?:all|any|of|the|this|that|these|your|mailing|text))*
    (?:\s(?:${NOUN}|lists?|service|program|circle|this|these|it))?${AFTER}
  `,
  // leave me alone
  pattern`${BEFORE}(?:go away|leave (?:me|us) (?:alone|be)|lose (?:my|this) number|${WRONG_NUMBER})${AFTER}`,
  // I don't know this person: who asked is a stranger to them
  pattern`${BEFORE}(?:i|we) (?:do not|don't|dont|do n't|never) (?:know|met|knew) ${THIS_PERSON}${AFTER}`,
  // I don't want these texts
  pattern`
    ${BEFORE}(?:i|we) ${DO_NOT_WANT}(?: for)?(?: you)?(?: to)?(?: (?:keep|be))?
    (?: (?:get|getting|receive|receiving|have|hear|hearing))?(?:${TO_BE_TEXTED})(?: from you)?${AFTER}
  `,
  pattern`
    ${BEFORE}(?:i|we) (?:never|did not|didn't|didnt) ${SIGNED_UP} (?:for|to) (?:this|these|that|it)(?: ${NOUN})?${AFTER}
  `,
  pattern`${BEFORE}(?:i|we) (?:revoke|withdraw)(?: my| our)?(?: consent| permission)?${AFTER}`,
  // Spanish, without accents
  // As a wish alone: "no me llama" is what somebody else does not do.
  pattern`
    ${ANTES}(?:ya )?no (?:(?:me|nos) )?(?:escriba[ns]?|(?:contact|mand|envi|molest|llam|texte)e[ns]?)
    (?: (?:mas|otra vez|nunca|nunca mas|nada|a este numero))*(?: (?:${MENSAJES}|esto|cosas))?${AFTER}
  `,
  pattern`
    ${ANTES}${DEJE}(?: ya)? de ${ESCRIBIR}(?: (?:mas|estos|los|esos|tantos))*(?: (?:${MENSAJES}|cosas))?${AFTER}
  `,
  pattern`${ANTES}(?:quiero )?dejar de recibir(?: (?:mas|sus|estos|los|esos))*(?: ${MENSAJES})?${AFTER}`,
  pattern`
    ${ANTES}(?:ya )?no (?:quiero|deseo|queremos)
    (?: (?:recibir|mas|sus|estos|los|esos|que me (?:escriban|contacten|manden|envien)))+
    (?: (?:${MENSAJES}|cosas))?${AFTER}
  `,
  pattern`${ANTES}(?:no mas|basta de|alto a los|detener(?: los)?|detengan los|paren los) ${MENSAJES}${AFTER}`,
  pattern`
    ${ANTES}${BORRAR}(?: (?:de|mi|la|su|esta|este|el))*(?: (?:suscripcion|numero|lista|servicio|mensajes))?${AFTER}
  `,
  pattern`${ANTES}${ALTO}${AFTER}`,
].map((sentence) => new RegExp(`^${sentence}$`))

/** Saying yes. */
const YES = pattern`(?:yes|yep|yeah|yup|sure|of course|absolutely|certainly|definitely)`
/** What may follow a yes. */
const YES_PLEASE = pattern`(?:
  yes|please|thanks|thank you|sure|of course|absolutely|ok|okay|no problem|that's fine|that is fine|happy to
  |i do|i will|i would
)`
/** Agreeing in a sentence. */
const I_AGREE = pattern`(?:
  i (?:agree|accept|consent|do agree)
  |i'?m happy to(?: help| do it| be one)?|i am happy to(?: help| do it| be one)?
  |i(?:'d| would) (?:love|like|be happy|be glad) to(?: help)?
  |count me in|happy to(?: help)?
)`

/** Sentences that agree. "Ok" is none: it says that a text was read. */
const YES_SENTENCES = [
  pattern`(?:${YES}(?: ${YES_PLEASE})*)`,
  pattern`(?:(?:yes|yeah|yep|ok|okay|sure|hi|hello) )*${I_AGREE}(?: (?:please|thanks|thank you))*`,
  pattern`
    (?:(?:si|claro|acepto|de acuerdo|estoy de acuerdo|por supuesto)(?: (?:si|claro|que si|acepto|gracias|por favor))*)
  `,
].map((sentence) => new RegExp(`^${sentence}$`))

/** Words after which a sentence may be somebody else's. */
const REPORTED = new RegExp(pattern`
  \b(?:
    said|says|saying|say|told|tells|asked|asks|texted|wrote|writes|replied|replies
    |yelled|screamed|screaming|yelling|begged|quote|dijo|dice|escribio|pidio
  )\b
`)

/**
 * What a reply asks for. A keyword counts whatever its case and punctuation, a stop also as the first or last sentence; other
 * wording is a stop when a whole sentence, or its part before or after a comma, says so and quotes nobody, and a yes when every
 * sentence agrees and none asks.
 *
 * @param text the reply as it came
 * @param optOutType what Twilio read in it, which a messaging service with Advanced Opt-Out says; it counts first
 */
export function meaningOf(text: string, optOutType?: string): ReplyMeaning {
  const read = optOutType?.toLowerCase()
  const sentences = sentencesOf(text)
  const keyword = sentences.length === 1 ? keywordOf(sentences[0] ?? '') : undefined
  // Twilio reads a YES as START, and does not know what it was asked for.
  if (keyword === 'yes' && read === 'start') return 'yes'
  if (read === 'stop' || read === 'start' || read === 'help') return read
  if (keyword && !((keyword === 'yes' || keyword === 'agree') && text.includes('?'))) return keyword
  if (saysStop(sentences)) return 'stop'
  return saysYes(sentences) && !text.includes('?') ? 'agree' : 'other'
}

/** Words of those that are read which are Spanish and not English, without accents. */
const SPANISH = new RegExp(pattern`
  \b(?:
    hola|gracias|disculpe|perdon|por favor|ayuda|alto|para|parar|pare|paren|basta|baja|cancelar|detener
    |detengan|nomas|mensajes?|numero|suscripcion|quiero|deseo|dejar|manden|envien|molest(?:ar|en?)
    |desuscribir(?:me)?|(?:quit|borr|elimin|sac)ar(?:me)?|(?:quit|borr|elimin|saqu)en?me
    |quiten|borren|eliminen|saquen|dej(?:a|e|en|ad)(?:me)?|no (?:me|nos|mas)
  )\b
`)

/** The language to answer a reply in: Spanish where one of its words is, else English. */
export function languageOf(text: string): ReplyLanguage {
  return sentencesOf(text).some((sentence) => SPANISH.test(sentence)) ? 'es' : 'en'
}

/** Whether Twilio confirms such a text itself, by default: one of its words and nothing else. */
export function isTwilioKeyword(text: string): boolean {
  return Object.hasOwn(TWILIO_KEYWORDS, text.trim().toLowerCase())
}

function saysStop(sentences: string[]): boolean {
  return sentences.some((sentence, index) => {
    const isEdge = index === 0 || index === sentences.length - 1
    if (isEdge && keywordOf(sentence) === 'stop' && !REPORTED.test(sentences[index - 1] ?? '')) return true
    const plain = sentence.replaceAll(',', '')
    if (STOP_SENTENCES.some((pattern) => pattern.test(plain)))
      return !REPORTED.test(sentences[index - 1] ?? '')
    if (REPORTED.test(sentence)) return false
    const parts = sentence.split(', ')
    return STOP_SENTENCES.some((pattern) => pattern.test(parts.at(-1) ?? '') || pattern.test(parts[0] ?? ''))
  })
}

/** Whether every sentence agrees: with what else somebody says, it is no clear yes. */
function saysYes(sentences: string[]): boolean {
  return (
    sentences.length > 0 &&
    sentences.every((sentence) => {
      const plain = sentence.replaceAll(',', '')
      return keywordOf(plain) === 'yes' || YES_SENTENCES.some((pattern) => pattern.test(plain))
    })
  )
}

function keywordOf(sentence: string): ReplyMeaning | undefined {
  const word = sentence.replaceAll(/[ ,]/g, '').replace(/^(.{3,}?)\1+$/, '$1')
  if (Object.hasOwn(TWILIO_KEYWORDS, word)) return TWILIO_KEYWORDS[word]
  return Object.hasOwn(OWN_KEYWORDS, word) ? OWN_KEYWORDS[word] : undefined
}

/** The sentences in lower case, without accents, quotes and pictures; commas are kept, one space between words. */
function sentencesOf(text: string): string[] {
  return normalForm(text.slice(0, READ_CHARACTERS), 'NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[’‘ʼ´`]/g, "'")
    .split(/[.!?;:…\n\r]+|\s[-–—]+\s/)
    .map((sentence) =>
      sentence
        .replaceAll(/[^\p{L}\p{N}', -]+/gu, ' ')
        .replaceAll(/(?<![\p{L}])'|'(?![\p{L}])/gu, ' ')
        .replaceAll(/\s+/g, ' ')
        .replaceAll(/ ?, ?/g, ', ')
        .replace(/^[ ,-]+/, '')
        .replace(/(?<![ ,-])[ ,-]+$/, ''),
    )
    .filter((sentence) => sentence !== '')
}

function words(list: string, meaning: ReplyMeaning): Record<string, ReplyMeaning> {
  return Object.fromEntries(list.split(' ').map((word) => [word, meaning]))
}
