import * as z from 'zod'
import type { Database } from '../database.ts'
import type { Language } from '../languages.ts'
import type { ReplyMeaning } from './reply.ts'

/** A text as the database heard it. */
type HeardText =
  | { repeated: true }
  | {
      repeated: false
      /** Whether it opted the number out, or in again. */
      changed: boolean
      /** Whether it agreed for the contact whom the last first text was about. */
      agreed: boolean
      /** Whether a text may go back: to a country that texts go to, and not answered too often today. */
      may_answer: boolean
      opted_out: boolean
      /** Whether another text of its meaning came within a day. */
      replied: boolean
      /** Of a university one of whose students the sender supports. */
      support_email: string | null
    }

const heardText = z.union([
  z.object({ repeated: z.literal(true) }),
  z.object({
    repeated: z.literal(false),
    changed: z.boolean(),
    agreed: z.boolean(),
    may_answer: z.boolean(),
    opted_out: z.boolean(),
    replied: z.boolean(),
    support_email: z.string().nullable(),
  }),
]) satisfies z.ZodType<HeardText>

/** How long a stop waits for texts that are being handed over, ms: Twilio waits 15 s for the response. */
const LONGEST_WAIT_MS = 10_000
const POLL_MS = 100

/** Stores that a text came in and does what it asks for, once for each `sid`. `number` is its sender's, E.164. */
export async function hearText(
  database: Database,
  { sid, number, meaning }: { sid: string; number: string; meaning: ReplyMeaning },
): Promise<HeardText> {
  const [row] = await database`select private.hear_text(${sid}, ${number}, ${meaning}, now()) as heard`
  return heardText.parse(row?.heard)
}

/** Resolves once no provider is being called with a text to a number, so that none can follow the confirmation of a stop. */
export async function noTextInFlight(database: Database, number: string): Promise<boolean> {
  const ends = performance.now() + LONGEST_WAIT_MS
  for (;;) {
    const [row] = await database<[{ texts: number }]>`select private.texts_in_flight(${number}) as texts`
    if (row.texts === 0) return true
    if (performance.now() > ends) return false
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** What becomes of a text, from least to most telling. */
export type TextStatus = 'sent' | 'failed' | 'undelivered' | 'delivered'

/** Stores what became of a text; returns what is known of it now, null when there is no such text. */
export async function recordTextStatus(
  database: Database,
  { message, sid, status, code }: { message: string; sid: string; status: TextStatus; code: string | null },
): Promise<string | null> {
  const [row] = await database<[{ status: string | null }]>`
    select private.record_text_status(${message}, ${sid}, ${status}, ${code}) as status`
  return row.status
}

/** What is texted back. `help` takes an address that helps, or an empty text. */
type Answers = {
  stopped: string
  started: string
  agreed: string
  unread: string
  help: (address: string) => string
}

const ANSWERS: Record<Language, Answers> = {
  en: {
    stopped: 'You get no more texts from this number. Reply START to get them again.',
    started:
      'You get texts again about students who named you as a support contact. Reply HELP for help, STOP to end.',
    agreed:
      'Thank you for agreeing. You get a text when the student could use a word from you. Reply STOP at any time to end.',
    unread:
      'Nobody reads replies to this number. Please use the link in our text. If someone is in danger, call your emergency number (US: 911). Reply STOP to end.',
    help: (address) =>
      `Student wellbeing service. We text people who agreed to be a student's support contact.${address && ` Help: ${address}.`} In danger, call your emergency number (US: 911). Reply STOP to end.`,
  },
  es: {
    stopped: 'Ya no recibe mensajes de este servicio. Responda START para recibirlos de nuevo.',
    started:
      'Vuelve a recibir mensajes sobre estudiantes que le nombraron contacto de apoyo. Responda AYUDA para obtener ayuda, STOP para terminar.',
    agreed:
      'Gracias por aceptar. Recibirá un mensaje cuando al estudiante le venga bien hablar con usted. Responda STOP en cualquier momento para terminar.',
    unread:
      'Nadie lee las respuestas a este número. Use el enlace de nuestro mensaje. Si alguien está en peligro, llame a su número de emergencias (EE. UU.: 911). Responda STOP para terminar.',
    help: (address) =>
      `Student wellbeing, servicio de bienestar estudiantil. Escribimos a quienes aceptaron ser contacto de apoyo de un estudiante.${address && ` Ayuda: ${address}.`} En peligro, llame a su número de emergencias (EE. UU.: 911). Responda STOP para terminar.`,
  },
  de: {
    stopped: 'Sie bekommen keine SMS mehr von uns. Antworten Sie START, um sie wieder zu bekommen.',
    started:
      'Sie bekommen wieder SMS über Studierende, die Sie als Kontakt genannt haben. HILFE für Hilfe, STOP zum Beenden.',
    agreed:
      'Danke für Ihre Zusage. Sie bekommen eine SMS, wenn jemand ein Wort von Ihnen brauchen kann. STOP beendet das jederzeit.',
    unread:
      'Antworten an diese Nummer liest niemand. Nutzen Sie den Link in unserer SMS. Ist jemand in Gefahr: Notruf 112. STOP zum Beenden.',
    help: (address) =>
      `Student wellbeing. Wir schreiben Menschen, die zugesagt haben, Kontakt von Studierenden zu sein.${address && ` Hilfe: ${address}.`} In Gefahr: Notruf 112. STOP zum Beenden.`,
  },
  fr: {
    stopped: 'Vous ne recevez plus de SMS de notre part. Répondez START pour en recevoir à nouveau.',
    started:
      "Vous recevez à nouveau des SMS sur des étudiants qui vous ont nommé comme contact. AIDE pour de l'aide, STOP pour arrêter.",
    agreed:
      "Merci d'avoir accepté. Vous recevrez un SMS quand un mot de vous ferait du bien. Répondez STOP à tout moment pour arrêter.",
    unread:
      "Personne ne lit les réponses à ce numéro. Utilisez le lien de notre SMS. Si quelqu'un est en danger, appelez le 112. STOP pour arrêter.",
    help: (address) =>
      `Student wellbeing. Nous écrivons aux personnes qui ont accepté d'être le contact d'un étudiant.${address && ` Aide : ${address}.`} En danger, appelez le 112. STOP pour arrêter.`,
  },
  ar: {
    stopped: 'لن تصلك رسائل أخرى منا. أرسل START لتصلك من جديد.',
    started: 'ستصلك الرسائل من جديد. أرسل HELP للمساعدة أو STOP للإيقاف.',
    agreed: 'شكرًا لموافقتك. ستصلك رسالة عند الحاجة. أرسل STOP للإيقاف.',
    unread: 'لا أحد يقرأ الردود. استخدم الرابط في رسالتنا. عند الخطر اتصل بالطوارئ (112). أرسل STOP للإيقاف.',
    help: (address) =>
      `Student wellbeing: نراسل من وافق على دعم طالب.${address && ` للمساعدة: ${address}.`} عند الخطر اتصل بالطوارئ (112). أرسل STOP للإيقاف.`,
  },
}

/**
 * The text that answers one that came in, in its language; null for none. A number that opted out gets the confirmation and
 * nothing else, and nobody gets more than some answers a day; what is neither stop, start, yes nor help is answered once a day, because its sender may believe that somebody reads it.
 *
 * @param confirmedByProvider whether the provider confirms the keyword itself
 */
export function answerTo(
  { meaning, language }: { meaning: ReplyMeaning; language: Language },
  heard: HeardText,
  confirmedByProvider: boolean,
): string | null {
  const answers = ANSWERS[language]
  if (heard.repeated || !heard.may_answer) return null
  if (heard.agreed) return answers.agreed
  if (heard.changed) {
    if (confirmedByProvider) return null
    return meaning === 'stop' ? answers.stopped : answers.started
  }
  if (heard.opted_out) return null
  if (meaning === 'help') return confirmedByProvider ? null : answers.help(heard.support_email ?? '')
  return heard.replied ? null : answers.unread
}
