import { html } from 'hono/html'
import type { Language } from '../../languages.ts'
import type { VerificationView } from '../decision.ts'
import {
  FORM,
  helpSection,
  languageField,
  noticePage,
  type Piece,
  problemNote,
  type Reader,
  type SupportPage,
  settingsSection,
  supportPage,
  when,
} from './layout.ts'
import { suggestedZone, zoneField } from './time-zones.ts'
import { wordingFor } from './wording.ts'

/** A verification whose token is known. */
export type KnownVerification = Exclude<VerificationView, { state: 'unknown' }>

/** What is missing in a form that is shown again, and what was typed and chosen in it. */
export type VerificationProblem =
  | {
      form: 'accept'
      missing: readonly ('zone' | 'agreement')[]
      timeZone: string
      textsAtNight: boolean
      agreed: boolean
      language: Language | null
    }
  | { form: 'decline'; reason: string }

/** Why a contact declines: `value` is what the form sends, `stored` what is kept of it. */
export const REASONS = [
  { value: 'unknown_person', stored: "I don't know this person" },
  { value: 'not_now', stored: "I can't do this now" },
  { value: 'other', stored: null },
] as const

/** The page of a verification, in its state. */
export function verificationPage(
  view: VerificationView,
  reader: Reader,
  problem: VerificationProblem | null = null,
): SupportPage {
  switch (view.state) {
    case 'open':
      return openPage(view, reader, problem)
    case 'decided':
      return decidedPage(view, reader)
    case 'expired': {
      const { heading } = reader.words.verification.expired(view.student_name)
      return noticePage(
        'verification',
        { heading, sentences: expiredSentences(view, reader), status: 410 },
        reader,
      )
    }
    case 'unknown':
      return noticePage('verification', { ...reader.words.verification.unknown, status: 404 }, reader)
  }
}

/** The page of an address that asks for something else than to agree or to decline; the same for every link. */
export function unknownActionPage(reader: Reader): SupportPage {
  return noticePage('verification', { ...reader.words.verification.unknownAction, status: 400 }, reader)
}

/** The page after a decision, or after a code. */
export function decisionPage(
  outcome: 'accepted' | 'declined' | 'wrong_code' | 'too_many_tries',
  view: KnownVerification,
  reader: Reader,
): SupportPage {
  const words = reader.words.verification
  switch (outcome) {
    case 'accepted':
      return acceptedPage(view, reader, words.thanks(view.contact_name))
    case 'declined':
      return declinedPage(view, reader)
    case 'wrong_code': {
      const { oneMoreStep, wrong } = words.code(view.student_name)
      return acceptedPage(view, reader, oneMoreStep, wrong)
    }
    case 'too_many_tries':
      return noticePage('verification', { ...words.tooManyTries, status: 403 }, reader)
  }
}

function expiredSentences(
  { decision, number_confirmed, student_name: student }: KnownVerification,
  { words }: Reader,
): string[] {
  const { someDays, agreed, numberMissing, nothingChanged, askAgain } = words.verification.expired(student)
  if (decision === 'accepted') return [someDays, number_confirmed ? agreed : numberMissing]
  return [`${someDays} ${nothingChanged}`, askAgain]
}

function openPage(view: KnownVerification, reader: Reader, problem: VerificationProblem | null): SupportPage {
  const { contact_name: contact, student_name: student } = view
  const words = reader.words.verification
  const list = (id: string, { heading, points }: { heading: string; points: readonly string[] }) =>
    html`<section aria-labelledby="${id}"><h2 id="${id}">${heading}</h2><ul>${points.map((point) => html`<li>${point}</li>`)}</ul></section>`
  return supportPage(
    'verification',
    [
      html`<section><h1>${words.heading(student)}</h1>
${words.introduction(student, contact).map((sentence) => html`<p>${sentence}</p>`)}</section>`,
      list('part', words.part(student)),
      list('data', words.data(student)),
      html`<section aria-labelledby="stop"><h2 id="stop">${words.howToStop.heading}</h2>
<p>${words.howToStop.sentence}</p></section>`,
      acceptForm(view, reader, problem?.form === 'accept' ? problem : null),
      declineForm(student, reader, problem?.form === 'decline' ? problem : null),
    ],
    reader,
    problem === null ? 200 : 422,
  )
}

/** The zone may be chosen already; the box never is, which keeps what presses buttons from agreeing. */
function acceptForm(
  { student_name: student, number_time_zones: zones, student_time_zone }: KnownVerification,
  reader: Reader,
  problem: Extract<VerificationProblem, { form: 'accept' }> | null,
): Piece {
  const { words } = reader
  const { heading, next, button, tickTheBox } = words.verification.accept(student)
  const sentences = { zone: words.settings.chooseZone, agreement: tickTheBox }
  const chosen = problem?.timeZone ?? suggestedZone(zones, student_time_zone)
  return html`<section class="calm"><h2>${heading}</h2>
${FORM}<input type="hidden" name="decision" value="accept">
${problemNote(problem?.missing.map((field) => sentences[field]) ?? [], reader)}${zoneField(chosen, zones, reader, problem !== null)}
<label class="choice plain field"><input type="checkbox" name="texts_at_night" value="yes"${when(problem?.textsAtNight ?? false, 'checked')}>${words.settings.texts}</label>
${languageField(reader, problem?.language ?? reader.language)}
<label class="choice field wording"><input type="checkbox" name="agreed" value="yes" required${when(problem?.agreed ?? false, 'checked')}>${wordingFor(student, reader.language).text}</label>
<p class="soft">${next}</p>
<button type="submit">${button}</button></form></section>`
}

function declineForm(
  student: string,
  reader: Reader,
  problem: Extract<VerificationProblem, { form: 'decline' }> | null,
): Piece {
  const { heading, why, reasons, ownWords, seen, button, choose } = reader.words.verification.decline(student)
  return html`<section><h2>${heading}</h2>
${FORM}<input type="hidden" name="decision" value="decline">
${problemNote(problem ? [choose] : [], reader)}<fieldset ${problem ? html`aria-describedby="problem"` : ''}><legend>${why}</legend>
${REASONS.map(({ value }) => html`<label class="choice"><input type="radio" name="why" value="${value}" required>${reasons[value]}</label>`)}</fieldset>
<div class="field"><label class="label" for="reason">${ownWords}</label>
<p class="soft" id="reason-who">${seen}</p>
<input id="reason" name="reason" type="text" maxlength="500" autocomplete="off" aria-describedby="reason-who" value="${problem?.reason ?? ''}"></div>
<button class="quiet" type="submit">${button}</button></form></section>`
}

function decidedPage(view: KnownVerification, reader: Reader): SupportPage {
  return view.decision === 'declined'
    ? declinedPage(view, reader)
    : acceptedPage(view, reader, reader.words.verification.alreadyAgreed)
}

function acceptedPage(
  view: KnownVerification,
  reader: Reader,
  heading: string,
  problem: string | null = null,
): SupportPage {
  const { student_name: student, resources, number_confirmed: isConfirmed } = view
  const words = reader.words.verification
  return supportPage(
    'verification',
    [
      html`<section><h1>${heading}</h1>
<p>${words.agreed(student)} ${isConfirmed ? words.nothingToDo(student) : words.numberToAgree}</p>
<p>${words.toStop}</p></section>`,
      isConfirmed ? '' : codeForm(student, reader, problem),
      settingsSection(reader),
      helpSection(resources, reader.words),
    ],
    reader,
    problem === null ? 200 : 422,
  )
}

/** The same whether a text goes to the number now, went for another student, or does not: the page tells nothing of others. */
function codeForm(student: string, reader: Reader, problem: string | null): Piece {
  const { heading, sentence, label, why, button } = reader.words.verification.code(student)
  return html`<section class="calm"><h2>${heading}</h2>
<p>${sentence}</p>
${FORM}<input type="hidden" name="decision" value="confirm">
${problemNote(problem === null ? [] : [problem], reader)}<div class="field"><label class="label" for="code">${label}</label>
<p class="soft" id="code-why">${why}</p>
<input class="digits" id="code" name="code" type="text" dir="ltr" inputmode="numeric" pattern="[0-9 ]{6,7}" maxlength="7" autocomplete="one-time-code" required aria-describedby="${problem === null ? '' : 'problem '}code-why"></div>
<button type="submit">${button}</button></form></section>`
}

function declinedPage({ student_name: student }: KnownVerification, reader: Reader): SupportPage {
  return noticePage('verification', reader.words.verification.declined(student), {
    ...reader,
    settings: null,
  })
}
