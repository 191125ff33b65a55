import { html } from 'hono/html'
import { type Assessment, type Check, differs } from '../assessments.ts'
import type { Control, Framework, Status } from '../controls.ts'

const NAMES: Readonly<Record<Framework, string>> = { hipaa: 'HIPAA', gdpr: 'GDPR', soc2: 'SOC 2' }

/** The frameworks, each with its last assessment and a form that makes another. */
export function frameworksBody(
  last: readonly { framework: Framework; id: string | null; ended_at: string | null }[],
) {
  return html`<h1>Compliance</h1>
${last.map(
  ({ framework, id, ended_at }) => html`<section class="card"><h2>${NAMES[framework]}</h2>
<p>${id === null || ended_at === null ? 'Not assessed yet.' : html`<a href="?assessment=${id}">Report of the assessment</a> that ended on ${moment(ended_at)}`}</p>
<form method="post"><button type="submit" name="assess" value="${framework}">Assess now</button></form></section>`,
)}`
}

/** The title of a report. */
export function reportTitle({ framework }: Assessment): string {
  return `Compliance with ${NAMES[framework]}`
}

/** A report to read and to print: everything that the assessment holds. */
export function reportBody(assessment: Assessment) {
  const { id, framework, started_at, ended_at, sha256, summary, controls, evidence } = assessment
  const checks = new Map(evidence.map((check) => [check.check_id, check]))
  return html`<p class="way"><a href="?">All frameworks</a></p>
<h1>${NAMES[framework]}: compliance report</h1>
<p class="note">Assessment ${id}, from ${moment(started_at)} to ${moment(ended_at)}. SHA-256 in the audit log: ${sha256}</p>
<section class="card" aria-labelledby="summary"><h2 id="summary">Summary</h2>
<div class="scroll"><table><thead><tr><th scope="col">Controls</th>${STATUSES.map((status) => html`<th scope="col">${words(status)}</th>`)}</tr></thead>
<tbody><tr><th scope="row">by automated checks</th>${STATUSES.map((status) => html`<td>${summary.automated[status]}</td>`)}</tr>
<tr><th scope="row">by assessors</th>${STATUSES.map((status) => html`<td>${status === 'not_assessed' ? '–' : summary.decided[status]}</td>`)}</tr></tbody></table></div>
<p>${summary.differing === 0 ? 'No decision says otherwise than the checks.' : html`In ${summary.differing} of them an assessor decided otherwise than the checks found.`}</p></section>
<h2>Controls</h2>
${controls.map((control) => controlSection(control, checks))}
<h2>Evidence</h2>
${evidence.map(checkSection)}`
}

const STATUSES = ['compliant', 'partial', 'non_compliant', 'not_assessed', 'not_applicable'] as const

function controlSection(control: Control, checks: ReadonlyMap<string, Check>) {
  const { reference, title, requirement, automated_status, decision } = control
  const own = control.checks.flatMap((id) => checks.get(id) ?? [])
  return html`<section class="card control"><h3>${reference} ${title}</h3>
<p>${requirement}</p>
<p>Automated checks: ${standing(automated_status)}${differs(control) ? ' (an assessor decided otherwise)' : ''}</p>
${own.length === 0 ? html`<p class="note">It takes a person to assess this.</p>` : html`<ul>${own.map((check) => html`<li><a href="#${check.check_id}">${check.title}</a>: ${result(check)}</li>`)}</ul>`}
${
  decision === null
    ? html`<p class="note">No assessor decided.</p>`
    : html`<p>Assessor, on ${moment(decision.decided_at)}: ${standing(decision.status)}. ${decision.reason}</p>
<ul>${decision.evidence.map(({ description, link }) => html`<li>${description}${link === undefined ? '' : html` (<a href="${link}" rel="noreferrer">${link}</a>)`}</li>`)}</ul>`
}</section>`
}

function checkSection(check: Check) {
  const { check_id, title, expected, query, found, more, problem, checked_at, hash } = check
  return html`<section class="card" id="${check_id}"><h3>${title}: ${result(check)}</h3>
<p>${expected}</p>
${problem === null ? '' : html`<p>Not assessed: ${problem}.</p>`}
${found.length === 0 ? '' : html`<ul>${found.map((item) => html`<li>${item}</li>`)}</ul>${more ? html`<p>And more.</p>` : ''}`}
<p class="note">Checked at ${moment(checked_at)}. SHA-256 of this evidence: ${hash}</p>
<pre>${query.trim()}</pre></section>`
}

const words = (name: string) => name.replaceAll('_', ' ')
const standing = (status: Status) => html`<span class="${status}">${words(status)}</span>`
const result = (check: Check) => html`<span class="${check.result}">${words(check.result)}</span>`

function moment(at: string) {
  const format = { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' } as const
  return html`<time datetime="${at}">${new Intl.DateTimeFormat('en-GB', format).format(new Date(at))} UTC</time>`
}
