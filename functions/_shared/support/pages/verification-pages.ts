import { html } from 'hono/html'
import type { VerificationView } from '../decision.ts'
import {
  FORM,
  helpSection,
  noticePage,
  type Piece,
  problemNote,
  type SupportPage,
  supportPage,
} from './layout.ts'
import { ZONE_GROUPS } from './time-zones.ts'
import { wordingFor } from './wording.ts'

const TITLE = 'Being a support contact'

/** A verification whose token is known. */
export type KnownVerification = Exclude<VerificationView, { state: 'unknown' }>

/** Why one of the page's forms is shown again, and what was chosen in it. */
export type VerificationProblem = {
  form: 'accept' | 'decline'
  sentence: string
  textsAtNight?: boolean
}

/** Why a contact declines: `value` is what the form sends, `stored` what is kept of it. */
export const REASONS = [
  { value: 'unknown_person', label: "I don't know this person", stored: "I don't know this person" },
  { value: 'not_now', label: "I can't do this now", stored: "I can't do this now" },
  { value: 'other', label: 'Another reason, or I would rather not say', stored: null },
] as const

/** The page of a verification, in its state. */
export function verificationPage(
  view: VerificationView,
  problem: VerificationProblem | null = null,
): SupportPage {
  switch (view.state) {
    case 'open':
      return openPage(view, problem)
    case 'decided':
      return decidedPage(view)
    case 'expired':
      return noticePage(TITLE, {
        heading: 'This link has expired',
        sentences: expiredSentences(view),
        status: 410,
      })
    case 'unknown':
      return noticePage(TITLE, {
        heading: 'This link does not work',
        sentences: [
          'Part of it may be missing, it may have been replaced by a newer email, or the request was taken back. Open the newest email, the whole link.',
          'You get no texts unless you agreed to them.',
        ],
        status: 404,
      })
  }
}

/** The page of an address that asks for something else than to agree or to decline; the same for every link. */
export function unknownActionPage(): SupportPage {
  return noticePage(TITLE, {
    heading: 'This link does not work',
    sentences: [
      'Its address was changed on the way to you. Nothing was changed here.',
      'Open the newest email, the whole link. There you can agree or decline.',
    ],
    status: 400,
  })
}

/** The page after a decision, or after a code. */
export function decisionPage(
  outcome: 'accepted' | 'declined' | 'wrong_code' | 'too_many_tries',
  view: KnownVerification,
): SupportPage {
  switch (outcome) {
    case 'accepted':
      return acceptedPage(view, `Thank you, ${view.contact_name}`)
    case 'declined':
      return declinedPage(view)
    case 'wrong_code':
      return acceptedPage(
        view,
        'One more step: your number',
        'This is not the code of the text that we sent last. You have five tries.',
      )
    case 'too_many_tries':
      return noticePage(TITLE, {
        heading: 'Too many tries',
        sentences: [
          'The code was wrong five times. Your number gets no texts until it agrees.',
          'You can still agree from your phone: reply YES to our text.',
        ],
        status: 403,
      })
  }
}

function expiredSentences({
  decision,
  number_confirmed,
  student_name: student,
}: KnownVerification): string[] {
  const some = 'Links in these emails work for some days only.'
  if (decision === 'accepted' && number_confirmed)
    return [some, `You have agreed to be a contact for ${student}.`]
  if (decision === 'accepted') {
    return [
      some,
      `You have agreed to be a contact for ${student}, but your number has not: it gets no texts until then. Reply YES to the text that we sent to it.`,
    ]
  }
  return [
    `${some} Nothing was changed, and you get no texts.`,
    `If you would like to be a contact for ${student}, ask them to send you a new email.`,
  ]
}

function openPage(view: KnownVerification, problem: VerificationProblem | null): SupportPage {
  const { contact_name: contact, student_name: student } = view
  return supportPage(
    TITLE,
    [
      html`<section><h1>Will you be a support contact for ${student}?</h1>
<p>Hi ${contact}. ${student} uses Student wellbeing, a service of their university, and would like you to be one of the few people who are asked to check in on them.</p>
<p>You decide. Whatever you choose, ${student} sees only the choice, and a reason if you give one.</p></section>
<section aria-labelledby="part"><h2 id="part">What a contact does</h2><ul>
<li>You get a text when ${student} asks for you, at most once a day.</li>
<li>Rarely, you get one when an automated pattern over several days suggests that a friendly word would help.</li>
<li>You then call or write, in your own way, and tell us so with one tap. You may always answer that you can't.</li>
<li>You are not on call, and not responsible for how ${student} is. In an emergency, call the emergency services.</li>
</ul></section>
<section aria-labelledby="data"><h2 id="data">What we keep</h2><ul>
<li>Your name, number and email address, as ${student} entered them, and your answers. ${student} sees these.</li>
<li>When you decide: what, when, and from which network address and browser, as proof, for as long as ${student} has an account.</li>
<li>We use all this for these messages alone. Your name, number and email address are deleted when ${student} removes you or closes the account; if you decline or stop, your number and email address are removed after 30 days.</li>
</ul></section>
<section aria-labelledby="stop"><h2 id="stop">How to stop</h2>
<p>Reply STOP to any text, or use “Stop being a contact” on any page that a text leads to. It works at once.</p></section>`,
      acceptForm(student, problem?.form === 'accept' ? problem : null),
      declineForm(student, problem?.form === 'decline' ? problem : null),
    ],
    problem === null ? 200 : 422,
  )
}

function acceptForm(student: string, problem: VerificationProblem | null): Piece {
  return html`<section class="calm"><h2>I agree</h2>
${FORM}<input type="hidden" name="decision" value="accept">
${problemNote(problem?.sentence ?? null)}<div class="field"><label class="label" for="zone">Your time zone</label>
<p class="soft" id="zone-why">Texts come in the daytime there.</p>
<select id="zone" name="time_zone" required aria-describedby="${problem ? 'problem ' : ''}zone-why"><option value="">Choose…</option>${ZONE_GROUPS.map(
    ({ label, zones }) =>
      html`<optgroup label="${label}">${zones.map(({ zone, label: name }) => html`<option value="${zone}">${name}</option>`)}</optgroup>`,
  )}</select></div>
<label class="choice plain field"><input type="checkbox" name="texts_at_night" value="yes" ${problem?.textsAtNight ? 'checked' : ''}>Texts may come at night too</label>
<blockquote>${wordingFor(student).text}</blockquote>
<p class="soft">We then send one text to the number that ${student} gave us, which asks whether it agrees too.</p>
<button type="submit">I agree</button></form></section>`
}

function declineForm(student: string, problem: VerificationProblem | null): Piece {
  return html`<section><h2>No, thank you</h2>
${FORM}<input type="hidden" name="decision" value="decline">
${problemNote(problem?.sentence ?? null)}<fieldset ${problem ? html`aria-describedby="problem"` : ''}><legend>Why?</legend>
${REASONS.map(({ value, label }) => html`<label class="choice"><input type="radio" name="why" value="${value}" required>${label}</label>`)}</fieldset>
<div class="field"><label class="label" for="reason">In your own words, if you like</label>
<p class="soft" id="reason-who">${student} sees this.</p>
<input id="reason" name="reason" type="text" maxlength="500" autocomplete="off" aria-describedby="reason-who"></div>
<button class="quiet" type="submit">Decline</button></form></section>`
}

function decidedPage(view: KnownVerification): SupportPage {
  return view.decision === 'declined' ? declinedPage(view) : acceptedPage(view, 'You have already agreed')
}

function acceptedPage(view: KnownVerification, heading: string, problem: string | null = null): SupportPage {
  const { student_name: student, resources, number_confirmed: isConfirmed } = view
  const next = isConfirmed
    ? `There is nothing to do now: if ${student} could use a word from you, you get a text with a link.`
    : 'Your number has yet to agree too; until then it gets no other text.'
  return supportPage(
    TITLE,
    [
      html`<section><h1>${heading}</h1>
<p>You are a support contact for ${student}. ${next}</p>
<p>To stop, reply STOP to any text, or use “Stop being a contact” on the page that it leads to.</p></section>`,
      isConfirmed ? '' : codeForm(student, problem),
      helpSection(resources),
    ],
    problem === null ? 200 : 422,
  )
}

/** The same whether a text goes to the number now, went for another student, or does not: the page tells nothing of others. */
function codeForm(student: string, problem: string | null): Piece {
  return html`<section class="calm"><h2>Confirm your number</h2>
<p>The number that ${student} gave us gets one text from us, in the daytime unless you allowed texts at night. Reply YES to it, or type its code here.</p>
${FORM}<input type="hidden" name="decision" value="confirm">
${problemNote(problem)}<div class="field"><label class="label" for="code">Code from the text</label>
<p class="soft" id="code-why">Six digits. A number gets such a text once a month at most, whoever names it, and an earlier code counts as well. No text came? Ask ${student} to check your number.</p>
<input class="digits" id="code" name="code" type="text" inputmode="numeric" pattern="[0-9 ]{6,7}" maxlength="7" autocomplete="one-time-code" required aria-describedby="${problem === null ? '' : 'problem '}code-why"></div>
<button type="submit">Confirm my number</button></form></section>`
}

function declinedPage({ student_name: student }: KnownVerification): SupportPage {
  return noticePage(TITLE, {
    heading: 'You are not a contact',
    sentences: [
      `That is all right. You get no texts about ${student}, who sees that you declined.`,
      'Your number and email address are removed after 30 days.',
    ],
  })
}
