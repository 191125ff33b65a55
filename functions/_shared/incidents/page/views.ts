import { html } from 'hono/html'
import type * as z from 'zod'
import { INCIDENT_TYPES, type incident, SEVERITIES } from '../incidents.ts'
import { RESPONSE_ACTIONS } from '../response.ts'

type Incident = z.output<typeof incident>

/** What the page shows; each part is read with the rights of whoever looks at it. */
export type Overview = {
  incidents: readonly Incident[]
  /** Incidents that go on, also those that are not shown. */
  active: number
  /** What was made without a migration and nobody has confirmed. */
  schemaChanges: readonly {
    aspect: string
    object: string
    change: string
    weakens: boolean
    seen_at: string
  }[]
  policies: readonly {
    id: string
    name: string
    category: string
    enabled: boolean
    dry_run: boolean
    trigger_count: number
    last_triggered: string | null
  }[]
  /** Controls of each framework by what the checks found last. */
  posture: readonly {
    framework: string
    compliant: number
    partial: number
    non_compliant: number
    not_assessed: number
    assessed_at: string | null
  }[]
  vulnerabilities: readonly {
    id: string
    title: string
    severity: string
    status: string
    found_at: string
    times_found: number
    regression_of: string | null
    accepted_until: string | null
  }[]
  tests: readonly {
    id: string
    name: string
    run: { status: string; created_at: string; ended_at: string | null } | null
  }[]
  training: readonly {
    module_id: string
    title: string
    assigned: number
    completed: number
    overdue: number
  }[]
}

/** Where an incident can go from where it is, as private.may_become says. */
const FOLLOWING: Readonly<Record<Incident['status'], readonly Incident['status'][]>> = {
  open: ['investigating', 'contained', 'resolved'],
  investigating: ['contained', 'resolved'],
  contained: ['investigating', 'resolved'],
  resolved: ['investigating', 'closed'],
  closed: ['investigating'],
}

/** Everything that a security administrator looks after, on one page. */
export function overviewBody(overview: Overview) {
  return html`<h1>Security</h1>
${incidentsSection(overview)}
${schemaSection(overview)}
${vulnerabilitiesSection(overview)}
${testsSection(overview)}
${policiesSection(overview)}
${postureSection(overview)}
${trainingSection(overview)}`
}

function incidentsSection({ incidents, active }: Overview) {
  return html`<section class="card" aria-labelledby="incidents"><h2 id="incidents">Active incidents: ${active}</h2>
${active === 0 ? html`<p>Nothing goes on.</p>` : ''}${incidents.map(incidentArticle)}
${active > incidents.length ? html`<p class="note">The worst ${incidents.length} are shown.</p>` : ''}
<details><summary>Record an incident</summary><form method="post">
<label>Type<select name="type">${INCIDENT_TYPES.map((type) => html`<option value="${type}">${words(type)}</option>`)}</select></label>
<label>Severity<select name="severity">${SEVERITIES.map((severity) => html`<option value="${severity}">${severity}</option>`)}</select></label>
<label>What happened, in a line<input name="title" maxlength="500" required></label>
<label>What to look at<textarea name="description" maxlength="5000" required></textarea></label>
<label>Noticed at (UTC), if not now<input type="datetime-local" name="noticed"></label>
<button type="submit">Record</button></form></details></section>`
}

function schemaSection({ schemaChanges }: Overview) {
  return html`<section class="card" aria-labelledby="schema"><h2 id="schema">Changes to the database</h2>
${
  schemaChanges.length === 0
    ? html`<p class="good">Nothing waits to be confirmed.</p>`
    : table(
        ['What', 'Change', 'Seen', ''],
        schemaChanges.map(
          (row) => html`<td>${words(row.aspect)} ${row.object}</td>
<td>${row.change}${row.weakens ? html` <span class="bad">It weakens what protects the data.</span>` : ''}</td>
<td>${moment(row.seen_at)}</td>
<td><details><summary>Confirm</summary><form method="post"><input type="hidden" name="change" value="${row.object}">
<label>Why<input name="reason" maxlength="1000" required></label>
<button type="submit">Confirm</button></form></details></td>`,
        ),
      )
}</section>`
}

function incidentArticle(incident: Incident) {
  const { id, title, severity, status, description, timeline, response } = incident
  return html`<article aria-labelledby="${id}"><h3 id="${id}">${title}</h3>
<p>${rated(severity)}, ${words(status)}. Detected ${moment(incident.detected_at)}, last seen ${moment(incident.last_seen_at)}.
${incident.affected_users.length} ${incident.affected_users.length === 1 ? 'account' : 'accounts'} concerned.</p>
<p>${description}</p>
${incident.notify_authority_by === null ? '' : html`<p class="bad">The authority has to be told by ${moment(incident.notify_authority_by)}, the people concerned by ${moment(incident.notify_people_by)}.</p>`}
<details><summary>Timeline: ${timeline.length} ${timeline.length === 1 ? 'entry' : 'entries'}</summary>
<ol>${timeline.map(({ at, event, note }) => html`<li>${moment(at)}: ${words(event)}${typeof note === 'string' ? html`: ${note}` : ''}</li>`)}</ol></details>
${
  response.length === 0
    ? html`<p class="note">Nothing was done yet.</p>`
    : html`<ul>${response.map((done) => html`<li>${moment(done.at)}: ${words(done.action)}${done.undone ? ' (undone)' : ''}: ${words(done.status)}</li>`)}</ul>`
}
<form method="post"><input type="hidden" name="incident" value="${id}">
<label>Status<select name="status"><option value="">unchanged</option>${FOLLOWING[status].map((next) => html`<option value="${next}">${words(next)}</option>`)}</select></label>
<label>Note<input name="note" maxlength="2000"></label>
<button type="submit">Change</button></form>
<form method="post"><input type="hidden" name="incident" value="${id}">
<label>Action<select name="action">${RESPONSE_ACTIONS.map((action) => html`<option value="${action}">${words(action)}</option>`)}</select></label>
<label>Address, account or function<input name="target" maxlength="1000"></label>
<label>Do or undo<select name="undo"><option value="">do</option><option value="1">undo</option></select></label>
<button type="submit">Carry out</button></form></article>`
}

function vulnerabilitiesSection({ vulnerabilities }: Overview) {
  return html`<section class="card" aria-labelledby="vulnerabilities"><h2 id="vulnerabilities">Vulnerabilities</h2>
${
  vulnerabilities.length === 0
    ? html`<p class="good">None is open.</p>`
    : table(
        ['Severity', 'What is wrong', 'Found', 'Status'],
        vulnerabilities.map(
          (row) => html`<td>${rated(row.severity)}</td>
<td>${row.title}${row.regression_of === null ? '' : html` <span class="middle">It had been fixed before.</span>`}</td>
<td>${moment(row.found_at)}, in ${row.times_found} ${row.times_found === 1 ? 'run' : 'runs'}</td>
<td>${row.status === 'accepted' && row.accepted_until !== null ? html`accepted until ${moment(row.accepted_until)}` : acceptForm(row.id)}</td>`,
        ),
      )
}</section>`
}

function acceptForm(id: string) {
  return html`<details><summary>Accept for a time</summary><form method="post"><input type="hidden" name="vulnerability" value="${id}">
<label>Why<input name="reason" minlength="10" maxlength="2000" required></label>
<label>Until<input name="until" type="date" required></label>
<button type="submit">Accept</button></form></details>`
}

function testsSection({ tests }: Overview) {
  return html`<section class="card" aria-labelledby="tests"><h2 id="tests">Security tests</h2>
${table(
  ['Test', 'Last run', ''],
  tests.map(
    ({ id, name, run }) => html`<td>${name}</td>
<td>${run === null ? 'never' : html`${state(run.status)}, ${moment(run.ended_at ?? run.created_at)}`}</td>
<td><form method="post"><button type="submit" name="test" value="${id}" aria-label="Run now: ${name}">Run now</button></form></td>`,
  ),
)}</section>`
}

function policiesSection({ policies }: Overview) {
  return html`<section class="card" aria-labelledby="policies"><h2 id="policies">Policies</h2>
${
  policies.length === 0
    ? html`<p>There is none.</p>`
    : table(
        ['Policy', 'About', 'State', 'Applied', 'Last'],
        policies.map(
          (row) => html`<td>${row.name}</td><td>${words(row.category)}</td>
<td>${!row.enabled ? 'off' : row.dry_run ? html`<span class="middle">counts only</span>` : html`<span class="good">on</span>`}</td>
<td>${row.trigger_count}</td><td>${row.last_triggered === null ? 'never' : moment(row.last_triggered)}</td>`,
        ),
      )
}</section>`
}

function postureSection({ posture }: Overview) {
  return html`<section class="card" aria-labelledby="posture"><h2 id="posture">Compliance</h2>
${table(
  ['Framework', 'Compliant', 'Partial', 'Not compliant', 'Not assessed', 'Assessed'],
  posture.map(
    (row) => html`<td>${row.framework.toUpperCase()}</td><td>${row.compliant}</td><td>${row.partial}</td>
<td>${row.non_compliant === 0 ? 0 : html`<span class="bad">${row.non_compliant}</span>`}</td><td>${row.not_assessed}</td>
<td>${row.assessed_at === null ? 'never' : moment(row.assessed_at)}</td>`,
  ),
)}
<p><a href="../compliance/report.html">Reports and evidence</a></p></section>`
}

function trainingSection({ training }: Overview) {
  return html`<section class="card" aria-labelledby="training"><h2 id="training">Training</h2>
${
  training.length === 0
    ? html`<p>There is no module.</p>`
    : table(
        ['Module', 'Assigned', 'Trained', 'Overdue'],
        training.map(
          (row) => html`<td>${row.title}</td><td>${row.assigned}</td><td>${row.completed}</td>
<td>${row.overdue === 0 ? 0 : html`<span class="bad">${row.overdue}</span>`}</td>`,
        ),
      )
}</section>`
}

type Html = ReturnType<typeof html>

/** A table of rows of cells. On a narrow screen it scrolls by itself, also with the keyboard. */
function table(heads: readonly string[], rows: readonly Html[]) {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${heads[0] ?? ''}"><table>
<thead><tr>${heads.map((head) => (head === '' ? html`<td></td>` : html`<th scope="col">${head}</th>`))}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row}</tr>`)}</tbody></table></div>`
}

const words = (name: string) => name.replaceAll('_', ' ')

function rated(severity: string) {
  const kind = severity === 'low' ? 'note' : severity === 'medium' ? 'middle' : 'bad'
  return html`<span class="${kind}">${severity}</span>`
}

function state(status: string) {
  const kind = status === 'completed' ? 'good' : status === 'failed' ? 'bad' : 'middle'
  return html`<span class="${kind}">${words(status)}</span>`
}

function moment(at: string | null) {
  if (at === null) return '–'
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const
  return html`<time datetime="${at}">${new Intl.DateTimeFormat('en-GB', format).format(new Date(at))} UTC</time>`
}
