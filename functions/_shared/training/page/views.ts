import { html } from 'hono/html'
import type { OpenAttempt, OwnTraining, PastAttempt } from '../learning.ts'
import type { ReadableModule } from '../module.ts'
import { htmlOfMarkdown } from './markdown.ts'

/** The list of what a member of staff has to learn and may learn. */
export function listBody(modules: readonly OwnTraining[]) {
  const due = modules.filter(({ due_at }) => due_at !== null)
  const optional = modules.filter(({ due_at }) => due_at === null)
  return html`<h1>Your training</h1>
${due.length === 0 ? html`<p class="note">Nothing is assigned to you.</p>` : due.map(card)}
${optional.length === 0 ? '' : html`<h2>Not assigned, and open to you</h2>${optional.map(card)}`}`
}

function card(training: OwnTraining) {
  return html`<section class="card"><h2><a href="${moduleLink(training.module_id)}">${training.title}</a></h2>
<p class="note">About ${training.estimated_duration} minutes · ${training.sections_read.length} of ${training.sections} sections read</p>
<p>${standing(training)}</p></section>`
}

/** How somebody stands with a module, in a sentence. */
function standing({ status, due_at, certificate_expires_at }: OwnTraining) {
  switch (status) {
    case 'overdue':
      return html`<span class="overdue">Overdue</span> since ${day(due_at)}.`
    case 'completed':
      return html`<span class="completed">Passed</span>. Your certificate counts until ${day(certificate_expires_at)}.`
    case 'in_progress':
    case 'assigned':
      return html`${due_at === null ? 'Begun.' : html`Due on ${day(due_at)}.`}`
    case 'optional':
      return html`You may take it whenever you like.`
  }
}

/** The contents of a module, and what to do next. */
export function moduleBody(
  module: ReadableModule,
  training: OwnTraining | undefined,
  past: PastAttempt | null,
) {
  const read = new Set(training?.sections_read)
  const { sections } = module.content
  const next = sections.find(({ id }) => !read.has(id))
  return html`${wayBack()}<h1>${module.title}</h1>
<p class="note">About ${module.estimated_duration} minutes · version ${module.version}</p>
${training ? html`<p>${standing(training)}</p>` : ''}
${past ? result(module, past) : ''}
<section class="card" aria-labelledby="contents"><h2 id="contents">Contents</h2>
<ol class="sections">${sections.map(({ id, title }) => html`<li><a href="${sectionLink(module.id, id)}">${title}</a>${read.has(id) ? html` <span class="completed">read</span>` : ''}</li>`)}</ol>
${next ? html`<p><a href="${sectionLink(module.id, next.id)}">${read.size === 0 ? 'Begin to read' : 'Go on reading'}</a></p>` : ''}</section>
<section class="card" aria-labelledby="questions"><h2 id="questions">Questions</h2>
<p>${module.assessments.questions_per_attempt} questions, drawn anew for each attempt. ${module.assessments.pass_score} % of them have to be right. You have two hours, and three attempts in 24 hours.</p>
${next ? html`<p class="note">They open when you have marked all sections as read.</p>` : html`<form method="post"><input type="hidden" name="start" value="${module.id}"><button type="submit">Answer the questions</button></form>`}</section>`
}

function result({ assessments }: ReadableModule, { correct, questions, score, passed }: PastAttempt) {
  return html`<section class="card" aria-labelledby="result"><h2 id="result">${passed ? 'You passed' : 'Not passed this time'}</h2>
<p>${correct} of ${questions} answers were right: ${score} %, and ${assessments.pass_score} % are needed.${passed ? '' : ' Read the sections again before the next attempt.'}</p></section>`
}

/** A section to read; null when the module has no such one. */
export function sectionBody(module: ReadableModule, sectionId: string) {
  const { sections } = module.content
  const place = sections.findIndex(({ id }) => id === sectionId)
  const section = sections[place]
  if (!section) return null
  const next = sections[place + 1]
  return html`<p class="way"><a href="${moduleLink(module.id)}">${module.title}</a></p>
<article class="card"><p class="note">Section ${place + 1} of ${sections.length}</p><h1>${section.title}</h1>
${htmlOfMarkdown(section.text)}</article>
<form method="post"><input type="hidden" name="module" value="${module.id}"><input type="hidden" name="next" value="${next?.id ?? ''}"><button type="submit" name="read" value="${section.id}">${next ? 'I have read this: go on' : 'I have read this: to the questions'}</button></form>`
}

/** The questions of an attempt. */
export function attemptBody({ attempt_id, title, questions, pass_score, expires_at }: OpenAttempt) {
  return html`${wayBack()}<h1>${title}: questions</h1>
<p class="note">${pass_score} % have to be right. Submit by ${time(expires_at)} UTC; you can submit once.</p>
<form method="post"><input type="hidden" name="attempt" value="${attempt_id}">
${questions.map(({ id, prompt, choose, options }, place) => {
  const one = choose === 'one'
  return html`<fieldset><legend>${place + 1}. ${prompt}</legend><p class="note">${one ? 'Choose one.' : 'Choose all that apply.'}</p>
${options.map((option) => html`<label class="choice"><input type="${one ? 'radio' : 'checkbox'}" name="${id}" value="${option.id}" ${one ? 'required' : ''}>${option.text}</label>`)}</fieldset>`
})}
<button type="submit">Submit my answers</button></form>`
}

const wayBack = () => html`<p class="way"><a href="?">Your training</a></p>`
const moduleLink = (module: string) => `?module=${module}`
const sectionLink = (module: string, section: string) => `?module=${module}&section=${section}`

function day(at: string | null) {
  if (at === null) return ''
  const text = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(at))
  return html`<time datetime="${at}">${text}</time>`
}

function time(at: string) {
  const format = { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' } as const
  return html`<time datetime="${at}">${new Intl.DateTimeFormat('en-GB', format).format(new Date(at))}</time>`
}
