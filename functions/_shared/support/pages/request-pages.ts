import { html } from 'hono/html'
import type { Answer, RequestView } from '../requests.ts'
import {
  FORM,
  helpSection,
  noticePage,
  type Piece,
  problemNote,
  type SupportPage,
  supportPage,
  whatToSaySection,
} from './layout.ts'

const TITLE = 'A request from a friend'

/** A request whose link works. */
type ValidRequest = Exclude<RequestView, { state: 'unknown' }>

/** Why one of the page's forms is shown again. */
export type RequestProblem = { form: 'answer' | 'stop'; sentence: string }

/** The page of a link, in the state that its request has. */
export function requestPage(view: RequestView, problem: RequestProblem | null = null): SupportPage {
  switch (view.state) {
    case 'open':
      return openPage(view, problem)
    case 'answered':
      return answeredPage(view, problem)
    case 'expired':
      return noticePage(TITLE, {
        heading: 'This link has expired',
        sentences: [
          'Links in our texts work for some days only.',
          `If ${view.student_name} is on your mind, get in touch with them. You don't need this page for that.`,
          'To get no more texts, reply STOP to any of them.',
        ],
        resources: view.resources,
        status: 410,
      })
    case 'cancelled':
      return noticePage(TITLE, {
        heading: 'This request is no longer open',
        sentences: ["It was ended, by the person it was about or by you. You don't need to do anything."],
        resources: view.resources,
        status: 410,
      })
    case 'unknown':
      return noticePage(TITLE, {
        heading: 'This link does not work',
        sentences: [
          'Part of it may be missing or was changed on the way. Open it again from the text message, the whole link.',
          "If you are worried about somebody, get in touch with them. You don't need this page for that.",
        ],
        resources: view.resources,
        status: 404,
      })
  }
}

/** The page after a contact stopped. */
export function stoppedPage(view: RequestView): SupportPage {
  const about = view.state === 'unknown' ? 'them' : view.student_name
  return noticePage(TITLE, {
    heading: 'You are no longer a contact',
    sentences: [
      `You will get no more texts about ${about}. They see that you stopped, and your number and email address are removed after 30 days.`,
      'Thank you for having been there.',
    ],
    resources: view.resources,
  })
}

function openPage(view: ValidRequest, problem: RequestProblem | null): SupportPage {
  return supportPage(
    TITLE,
    [
      html`<section>${view.request_type === 'user_initiated' ? askedByStudent(view) : askedByAlert(view)}</section>`,
      answerForm(view, problem?.form === 'answer' ? problem.sentence : null),
      whatToSaySection(view.student_name),
      helpSection(view.resources),
      stopSection(view.student_name, problem?.form === 'stop' ? problem.sentence : null),
    ],
    problem === null ? 200 : 422,
  )
}

function askedByStudent({ contact_name, student_name }: ValidRequest): Piece {
  return html`<h1>${student_name} would like you to check in</h1>
<p>Hi ${contact_name}. ${student_name} asked us to tell you that hearing from you today would help.</p>
<p>A short call or a message is enough. You don't need to have answers.</p>`
}

function askedByAlert({ contact_name, student_name, worrying_days }: ValidRequest): Piece {
  const time = worrying_days === null ? 'some days' : worrying_days === 1 ? 'a day' : `${worrying_days} days`
  return html`<h1>Please check in on ${student_name}</h1>
<p>Hi ${contact_name}. Over ${time} we have noticed patterns that concern us. ${student_name} chose you as somebody to tell, and knows that we did.</p>
<p>Please call or write to them today. This alert is automated and can be wrong. More than this we don't pass on: ${student_name} decides what to tell you.</p>
<p class="soft">If you can't at the moment, please say so below; others can then be asked sooner.</p>`
}

const ANSWER_LABELS: readonly (readonly [answer: Answer, label: string])[] = [
  ['called', 'I called, or we met'],
  ['messaged', 'I sent a message'],
  ['unavailable', "I can't at the moment"],
]

function answerForm({ student_name }: ValidRequest, problem: string | null): Piece {
  return html`<section class="calm">${FORM}
${problemNote(problem)}<fieldset ${problem === null ? '' : html`aria-describedby="problem"`}><legend>Have you been in touch with ${student_name}?</legend>
${ANSWER_LABELS.map(([answer, label]) => html`<label class="choice"><input type="radio" name="response" value="${answer}" required>${label}</label>`)}</fieldset>
<button type="submit">Send my answer</button>
<p class="soft">${student_name} sees your answer. You can answer once.</p>
</form></section>`
}

function answeredPage(view: ValidRequest, problem: RequestProblem | null): SupportPage {
  const { contact_name, student_name, response_type, resources } = view
  const isStopAgain = problem?.form === 'stop'
  const told =
    response_type === 'unavailable'
      ? `You told us that you can't at the moment. That is all right, and good to know.`
      : `You told us that you ${response_type === 'called' ? `called or met ${student_name}` : `sent ${student_name} a message`}.`
  return supportPage(
    TITLE,
    [
      html`<section><h1>Thank you, ${contact_name}</h1><p>${told} You can close this page.</p></section>`,
      whatToSaySection(student_name),
      helpSection(resources),
      stopSection(student_name, isStopAgain ? problem.sentence : null),
    ],
    isStopAgain ? 422 : 200,
  )
}

function stopSection(student: string, problem: string | null): Piece {
  return html`<section><details ${problem === null ? '' : 'open'}><summary>Stop being a contact</summary>
${FORM}
${problemNote(problem)}<label class="choice"><input type="checkbox" name="stop" value="yes" required>Yes, I no longer want to be a contact for ${student}</label>
<button class="quiet" type="submit" name="form" value="stop">Stop</button>
<p class="soft">You then get no more texts about ${student}. To get no texts from Student wellbeing at all, whoever named you, reply STOP to any of them.</p>
</form></details></section>`
}
