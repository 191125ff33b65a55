import { html } from 'hono/html'
import { ANSWERS, type RequestView } from '../requests.ts'
import {
  FORM,
  helpSection,
  noticePage,
  type Piece,
  problemNote,
  type Reader,
  type SupportPage,
  settingsSection,
  supportPage,
  whatToSaySection,
} from './layout.ts'

/** A request whose link works. */
type ValidRequest = Exclude<RequestView, { state: 'unknown' }>

/** Which of the page's forms was sent with nothing chosen. */
export type RequestProblem = 'answer' | 'stop'

/** The page of a link, in the state that its request has, and as things are now. */
export function requestPage(
  view: RequestView,
  reader: Reader,
  problem: RequestProblem | null = null,
): SupportPage {
  const { request: words } = reader.words
  const { resources } = view
  if (view.state === 'unknown')
    return noticePage('request', { ...words.unknown, resources, status: 404 }, reader)
  const { student_name: student } = view
  const over = { resources, status: 410 }
  switch (view.state) {
    case 'answered':
      return answeredPage(view, reader, problem)
    case 'expired':
      return noticePage('request', { ...words.expired(student), ...over }, reader)
    case 'cancelled':
      return noticePage(
        'request',
        { ...(view.now === 'stopped' ? words.stoppedAlready : words.withdrawn), ...over },
        reader,
      )
    case 'open':
      return openPage(view, reader, problem)
  }
}

/** The page after a contact stopped. */
export function stoppedPage(view: ValidRequest, reader: Reader): SupportPage {
  const { words } = reader
  return noticePage(
    'request',
    { ...words.request.stopped(view.student_name), resources: view.resources },
    { ...reader, settings: null },
  )
}

function openPage(view: ValidRequest, reader: Reader, problem: RequestProblem | null): SupportPage {
  const { request: words } = reader.words
  const { student_name: student, resources } = view
  const rest = [
    whatToSaySection(student, reader),
    helpSection(resources, reader.words),
    stopSection(student, reader, problem === 'stop'),
    settingsSection(reader),
  ]
  const answer = answerForm(view, reader, problem === 'answer')
  const status = problem === null ? 200 : 422
  switch (view.now) {
    case 'all_right':
      return supportPage('request', [said(words.allRight(student)), ...rest], reader, status)
    case 'answered_by_other':
      return supportPage('request', [said(words.answeredByOther(student)), ...rest], reader, status)
    // Whoever was asked in vain is still the one who can call.
    case 'ended':
      return supportPage('request', [said(words.ended(student)), answer, ...rest], reader, status)
    default:
      return supportPage('request', [asked(view, reader), answer, ...rest], reader, status)
  }
}

function said({ heading, sentences }: { heading: string; sentences: readonly string[] }): Piece {
  return html`<section><h1>${heading}</h1>${sentences.map((sentence) => html`<p>${sentence}</p>`)}</section>`
}

function asked(view: ValidRequest, { words }: Reader): Piece {
  const { request_type, student_name: student, contact_name: contact, worrying_days } = view
  if (request_type === 'user_initiated') return said(words.request.askedByStudent(student, contact))
  const { heading, sentences, ifYouCannot } = words.request.askedByAlert(student, contact, worrying_days)
  return html`<section><h1>${heading}</h1>${sentences.map((sentence) => html`<p>${sentence}</p>`)}<p class="soft">${ifYouCannot}</p></section>`
}

function answerForm({ student_name: student }: ValidRequest, reader: Reader, isWrong: boolean): Piece {
  const { request: words } = reader.words
  return html`<section class="calm">${FORM}
${problemNote(isWrong ? [words.chooseOne] : [], reader)}<fieldset ${isWrong ? html`aria-describedby="problem"` : ''}><legend>${words.question(student)}</legend>
${ANSWERS.map((answer) => html`<label class="choice"><input type="radio" name="response" value="${answer}" required>${words.answers[answer]}</label>`)}</fieldset>
<button type="submit">${words.send}</button>
<p class="soft">${words.seen(student)}</p>
</form></section>`
}

function answeredPage(view: ValidRequest, reader: Reader, problem: RequestProblem | null): SupportPage {
  const { request: words } = reader.words
  const { contact_name, student_name: student, response_type, resources } = view
  const isStopAgain = problem === 'stop'
  const told = words.told(student)[response_type ?? 'called']
  const allRight = view.now === 'all_right' ? html`<p>${words.allRight(student).heading}.</p>` : ''
  return supportPage(
    'request',
    [
      html`<section><h1>${words.thanks(contact_name)}</h1><p>${told}</p>${allRight}</section>`,
      whatToSaySection(student, reader),
      helpSection(resources, reader.words),
      stopSection(student, reader, isStopAgain),
      settingsSection(reader),
    ],
    reader,
    isStopAgain ? 422 : 200,
  )
}

function stopSection(student: string, reader: Reader, isWrong: boolean): Piece {
  const { summary, confirm, button, note, problem } = reader.words.request.stop(student)
  return html`<section><details ${isWrong ? 'open' : ''}><summary>${summary}</summary>
${FORM}
${problemNote(isWrong ? [problem] : [], reader)}<label class="choice"><input type="checkbox" name="stop" value="yes" required>${confirm}</label>
<button class="quiet" type="submit" name="form" value="stop">${button}</button>
<p class="soft">${note}</p>
</form></details></section>`
}
