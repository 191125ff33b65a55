import { scaleLinear } from 'd3-scale'
import { html } from 'hono/html'
import type { Dashboard } from '../figures.ts'
import { count, percent } from './format.ts'

const WIDTH = 1000
const HEIGHT = 28

/** How many of the active students showed risk in their last check-in, and what to do about it all. */
export function riskAndAdvice({ summary, risk_analysis }: Dashboard) {
  return html`<div class="columns">${riskCard(summary.active_students, risk_analysis)}${adviceCard(risk_analysis.intervention_recommendations)}</div>`
}

function riskCard(
  active: number,
  { high_risk_count: high, medium_risk_count: moderate }: Dashboard['risk_analysis'],
) {
  const parts = [
    { level: 'high', name: 'High risk', students: high },
    { level: 'moderate', name: 'Moderate risk', students: moderate },
    { level: 'lower', name: 'Mild or none', students: active - high - moderate },
  ]
  return html`<section class="card" aria-labelledby="risk-heading">
<h2 id="risk-heading">Risk</h2>
<p class="note">Active students by the risk that their last check-in showed.</p>
${
  active === 0
    ? html`<p class="empty">No active students can be shown.</p>`
    : html`${bar(active, parts)}
<ul class="legend">${parts.map(({ level, name, students }) => html`<li><span class="swatch ${level}"></span><span>${name}</span> <strong>${count(students)}</strong> <span class="share">${percent(students / active)}</span></li>`)}</ul>`
}
</section>`
}

function bar(active: number, parts: { level: string; name: string; students: number }[]) {
  const x = scaleLinear([0, active], [0, WIDTH])
  let before = 0
  const pieces = parts.map(({ level, students }) => {
    const start = x(before)
    before += students
    return html`<rect class="${level}" x="${start}" y="0" width="${x(students)}" height="${HEIGHT}"/>`
  })
  const words = parts.map(({ name, students }) => `${name}: ${count(students)}`).join('; ')
  return html`<svg class="stack" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${words}">${pieces}</svg>`
}

function adviceCard(sentences: readonly string[]) {
  return html`<section class="card" aria-labelledby="advice-heading">
<h2 id="advice-heading">What stands out</h2>
${sentences.length === 0 ? html`<p class="empty">Nothing stands out in these figures.</p>` : html`<ul class="advice">${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>`}
</section>`
}
