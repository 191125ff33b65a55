import { html, raw } from 'hono/html'
import type { CrisisResources } from '../../crisis-resources.ts'
import { STYLE } from './style.ts'

/** A piece of a page. */
export type Piece = ReturnType<typeof html> | ''

/** A page and the status that it is sent with. */
export type SupportPage = { title: string; style: string; body: ReturnType<typeof html>; status: number }

/**
 * Everything that a page shows. Its title names nobody, because previews, tabs and the history of a shared phone show it.
 */
export function supportPage(title: string, content: readonly Piece[], status = 200): SupportPage {
  return {
    title: `${title} · Student wellbeing`,
    style: STYLE,
    status,
    body: html`<header><p class="brand"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M3 13h4l2.5-7 5 12 2.5-5h4"/></svg>Student wellbeing</p></header>
<main>${content}</main>`,
  }
}

/** A page that says one thing, with where to find help below. */
export function noticePage(title: string, { heading, sentences, resources, status }: Notice): SupportPage {
  const said = html`<section><h1>${heading}</h1>${sentences.map((sentence) => html`<p>${sentence}</p>`)}</section>`
  return supportPage(title, resources ? [said, helpSection(resources)] : [said], status)
}

type Notice = {
  heading: string
  sentences: readonly string[]
  resources?: CrisisResources
  status?: number
}

/** The page of somebody who tries one unknown link after another. */
export function tooManyPage(waitS: number): SupportPage {
  return noticePage('Too many tries', {
    heading: 'Too many tries',
    sentences: [`Too many links that do not work were opened from here. Try again in ${minutes(waitS)}.`],
    status: 429,
  })
}

/** The start of a form of the page itself: where it is shown again, the browser scrolls to what is wrong. */
export const FORM = raw('<form method="post" action="#problem">')

/** Why a form is shown again. */
export function problemNote(problem: string | null): Piece {
  return problem === null ? '' : html`<p class="problem" id="problem" role="alert">${problem}</p>`
}

/** Where a person in danger finds help, that of the student's university first. */
export function helpSection(resources: CrisisResources): Piece {
  return html`<section aria-labelledby="help">
<h2 id="help">If somebody may be in danger</h2>
<p>If you think that a life may be at risk now, call the emergency services first: <a href="tel:112">112</a> in Europe and in many other countries, <a href="tel:911">911</a> in the US and Canada, <a href="tel:999">999</a> in the UK. You need nobody's permission for that.</p>
<ul class="help">${resources.map(
    ({ name, phone, website }) => html`<li><strong>${name}</strong>
${phone ? html`<a href="tel:${phone.replace(/[^+\d]/g, '')}">${phone}</a>` : ''}${website ? html`<a href="${website}" rel="noreferrer">${withBreaks(website.replace(/^https?:\/\//, '').replace(/\/$/, ''))}</a>` : ''}</li>`,
  )}</ul>
</section>`
}

/** An address that a narrow screen breaks after its slashes rather than within a word. */
function withBreaks(address: string): Piece[] {
  return address.split('/').map((part, place) => html`${place === 0 ? '' : raw('/<wbr>')}${part}`)
}

/** What to say to somebody who is struggling. */
export function whatToSaySection(student: string): Piece {
  return html`<section aria-labelledby="words">
<h2 id="words">If you don't know what to say</h2>
<ul>
<li><strong>Start simply.</strong> “Hi, I was thinking of you. How are you, really?”</li>
<li><strong>Listen more than you talk.</strong> You don't have to solve anything. Leave pauses, and don't argue with how ${student} feels.</li>
<li><strong>Ask directly if you are worried.</strong> “Are you thinking about suicide?” Asking puts the idea in nobody's head; it often is a relief.</li>
<li><strong>Don't promise to keep it secret.</strong> Say: “I care about you too much to keep that to myself. Let's find somebody who can help.”</li>
<li><strong>If ${student} may be in danger, stay</strong>, on the phone or in person, and call for help together.</li>
<li><strong>Agree on the next contact</strong>, and look after yourself too. Being a friend is enough; you are not their therapist.</li>
</ul>
</section>`
}

/** About how long that is. */
function minutes(seconds: number): string {
  const count = Math.ceil(seconds / 60)
  return count === 1 ? 'a minute' : `${count} minutes`
}
