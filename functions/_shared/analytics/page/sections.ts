import { scaleLinear } from 'd3-scale'
import { html } from 'hono/html'
import type { CohortFigures, Dashboard, DashboardFigures, Wellbeing } from '../figures.ts'
import { columnChart, type DayChart, everyDay, lineChart } from './charts.ts'
import { count, difference, longDay, percent, score } from './format.ts'

/** When which version scored, where there was more than one in the ranges that are compared. */
export function scoringNote({ scoring_versions }: Wellbeing) {
  if (scoring_versions.length < 2) return ''
  const versions = scoring_versions.map(
    ({ algorithm_version, from, to }) =>
      html`<li>${algorithm_version}: <time datetime="${from}">${longDay(from)}</time> to <time datetime="${to}">${longDay(to)}</time></li>`,
  )
  return html`<section class="card notice" aria-labelledby="scoring-heading">
<h2 id="scoring-heading">The scoring changed</h2>
<p>Average scores by different versions are not comparable, so none is compared with the range before:</p>
<ul>${versions}</ul>
</section>`
}

/** The four figures that come first. `change` is against the range before, if that is known and scored by the same version. */
export function summaryCards({ summary }: DashboardFigures, change: number | null) {
  const { total_students, active_students, assessments_completed, average_wellbeing_score } = summary
  return html`<dl class="summary">
${figureCard('Average score', average_wellbeing_score === null ? '–' : score(average_wellbeing_score), change === null ? 'of 100' : `${difference(change)} against the range before`)}
${figureCard('Students', count(total_students), 'who can be shown')}
${figureCard('Active', count(active_students), total_students === 0 ? '' : `${percent(active_students / total_students)} of students`)}
${figureCard('Check-ins', count(assessments_completed), 'completed')}
</dl>`
}

function figureCard(name: string, value: string, note: string) {
  return html`<div class="card"><dt>${name}</dt><dd><strong>${value}</strong> <span>${note}</span></dd></div>`
}

type Trends = DashboardFigures['trends']
type Span = { from: string; to: string }

/** Points that a chart of scores shows above and below them. */
const SCORE_ROOM = 4

/** The average score of each day. */
export function wellbeingTrend({ wellbeing_trend }: Trends, { from, to }: Span) {
  const scores = wellbeing_trend.map(({ average_score }) => average_score)
  const chart: DayChart = {
    id: 'wellbeing',
    title: 'Average wellbeing score by day',
    days: everyDay(from, to, new Map(wellbeing_trend.map((day) => [day.date, day.average_score]))),
    domain: [
      Math.max(0, Math.min(100, ...scores) - SCORE_ROOM),
      Math.min(100, Math.max(0, ...scores) + SCORE_ROOM),
    ],
    format: (value) => value.toFixed(0),
  }
  return html`<section class="card" aria-labelledby="wellbeing-heading">
<h2 id="wellbeing-heading">Wellbeing</h2>
<p class="note">Average score of the check-ins of each day, 0 to 100. ${withheldKey(chart)}</p>
${scores.length === 0 ? nothingYet() : lineChart(chart, 1040, 280)}
${figuresTable(
  'Average score and students by day',
  ['Day', 'Average score', 'Students'],
  wellbeing_trend.map((day) => [longDay(day.date), score(day.average_score), count(day.student_count)]),
)}
</section>`
}

/** How many students take part each day, and how many finish. */
export function engagementTrend({ wellbeing_trend, engagement_trend }: Trends, { from, to }: Span) {
  const most = Math.max(10, ...wellbeing_trend.map(({ student_count }) => student_count))
  const students: DayChart = {
    id: 'students',
    title: 'Students who completed a check-in, by day',
    days: everyDay(from, to, new Map(wellbeing_trend.map((day) => [day.date, day.student_count]))),
    domain: [0, most],
    format: count,
  }
  const completion: DayChart = {
    id: 'completion',
    title: 'Share of check-ins that were completed, by day',
    days: everyDay(from, to, new Map(engagement_trend.map((day) => [day.date, day.completion_rate]))),
    domain: [0, 1],
    format: (value) => `${Math.round(value * 100)}%`,
  }
  const empty = engagement_trend.length === 0
  return html`<section class="card" aria-labelledby="engagement-heading">
<h2 id="engagement-heading">Engagement</h2>
${
  empty
    ? nothingYet()
    : html`<div class="columns">
<div><h3>Students a day</h3>${columnChart(students, 500, 220)}</div>
<div><h3>Completed check-ins</h3>${lineChart(completion, 500, 220)}</div>
</div>`
}
${figuresTable(
  'Completion rate by day',
  ['Day', 'Completed'],
  engagement_trend.map((day) => [longDay(day.date), percent(day.completion_rate)]),
)}
</section>`
}

function withheldKey({ days }: DayChart) {
  if (days.every(({ value }) => value !== null)) return ''
  return html`<span class="key"><span class="swatch withheld-swatch"></span>fewer than ten students: withheld</span>`
}

function nothingYet() {
  return html`<p class="empty">No day of this range can be shown: fewer than ten students checked in on each.</p>`
}

const RISK_BAR_WIDTH = 1000
const RISK_BAR_HEIGHT = 28

/** How many active students showed risk in their last check-in, and what to do about it. */
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
    : html`${riskBar(active, parts)}
<ul class="legend">${parts.map(({ level, name, students }) => html`<li><span class="swatch ${level}"></span><span>${name}</span> <strong>${count(students)}</strong> <span class="share">${percent(students / active)}</span></li>`)}</ul>`
}
</section>`
}

function riskBar(active: number, parts: { level: string; name: string; students: number }[]) {
  const x = scaleLinear([0, active], [0, RISK_BAR_WIDTH])
  let before = 0
  const pieces = parts.map(({ level, students }) => {
    const start = x(before)
    before += students
    return html`<rect class="${level}" x="${start}" y="0" width="${x(students)}" height="${RISK_BAR_HEIGHT}"/>`
  })
  const label = parts.map(({ name, students }) => `${name}: ${count(students)}`).join('; ')
  return html`<svg class="stack" viewBox="0 0 ${RISK_BAR_WIDTH} ${RISK_BAR_HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">${pieces}</svg>`
}

function adviceCard(sentences: readonly string[]) {
  return html`<section class="card" aria-labelledby="advice-heading">
<h2 id="advice-heading">What stands out</h2>
${sentences.length === 0 ? html`<p class="empty">Nothing stands out in these figures.</p>` : html`<ul class="advice">${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>`}
</section>`
}

const SCORE_BAR_WIDTH = 200
const SCORE_BAR_HEIGHT = 14

/** Average score of each cohort beside that of all. */
export function cohortAverages({ summary, cohort_breakdown }: DashboardFigures) {
  const all = summary.average_wellbeing_score
  const { by_faculty, by_year, by_residence } = cohort_breakdown
  const blocks = [
    { name: 'Faculty', scores: by_faculty },
    { name: 'Year', scores: by_year },
    { name: 'Residence', scores: by_residence },
  ]
  return html`<section class="card" aria-labelledby="cohorts-heading">
<h2 id="cohorts-heading">Cohorts</h2>
<p class="note">Average score, 0 to 100.${all === null ? '' : html` <span class="key"><span class="swatch reference-swatch"></span>all: ${score(all)}</span>`} Cohorts of fewer than ten students are withheld.</p>
<div class="blocks">${blocks.map(({ name, scores }) => averages(name, scores, all))}</div>
</section>`
}

function averages(name: string, scores: Record<string, number>, all: number | null) {
  const cohorts = Object.entries(scores).sort(byName)
  return html`<div><h3>${name}</h3>
${
  cohorts.length === 0
    ? html`<p class="empty">None can be shown.</p>`
    : table(
        `Average score by ${name.toLowerCase()}`,
        [name, 'Average', 'Score', 'To all'],
        cohorts.map(([cohort, average]) => [
          cohort,
          scoreBar(average, all),
          score(average),
          all === null ? '–' : difference(average - all),
        ]),
      )
}
</div>`
}

/** The score as a bar, with a mark at the average of all; the figures stand beside it. */
function scoreBar(average: number, all: number | null) {
  const x = scaleLinear([0, 100], [0, SCORE_BAR_WIDTH])
  return html`<svg class="bar" viewBox="0 0 ${SCORE_BAR_WIDTH} ${SCORE_BAR_HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
<rect class="track" x="0" y="0" width="${SCORE_BAR_WIDTH}" height="${SCORE_BAR_HEIGHT}"/><rect class="column" x="0" y="0" width="${x(average)}" height="${SCORE_BAR_HEIGHT}"/>
${all === null ? '' : html`<line class="reference" x1="${x(all)}" x2="${x(all)}" y1="0" y2="${SCORE_BAR_HEIGHT}"/>`}
</svg>`
}

/** Every faculty, year and residence in figures, whatever the page is filtered by. */
export function cohortTable({ university, cohorts }: Wellbeing, universityName: string) {
  const heads = [
    'Cohort',
    'Students',
    'Active',
    'Check-ins',
    'Completed',
    'Score',
    'Change',
    'High risk',
    'Moderate',
  ]
  const rows = [{ ...university, name: universityName }, ...cohorts.toSorted(byDimension)].map(figuresOf)
  return html`<section class="card" aria-labelledby="figures-heading">
<h2 id="figures-heading">The whole university in figures</h2>
<p class="note">Change is against the range as long before. Risk is of the active students' last check-ins.</p>
<div class="scroll" id="figures" role="region" aria-label="Figures of every cohort" tabindex="0">${table('Figures of every cohort', heads, rows)}</div>
</section>`
}

const LABELS: Record<CohortFigures['dimension'], string> = {
  university: '',
  faculty: 'Faculty',
  year: 'Year',
  residence: 'Residence',
}

function figuresOf(cohort: CohortFigures): unknown[] {
  return [
    html`${cohort.name} <span class="kind">${LABELS[cohort.dimension]}</span>`,
    count(cohort.total_students),
    count(cohort.active_students),
    count(cohort.assessments_completed),
    cohort.completion_rate === null ? '–' : percent(cohort.completion_rate),
    cohort.average_score === null ? '–' : score(cohort.average_score),
    cohort.change === null ? '–' : difference(cohort.change),
    count(cohort.high_risk_count),
    count(cohort.medium_risk_count),
  ]
}

const ORDER: CohortFigures['dimension'][] = ['university', 'faculty', 'year', 'residence']

function byDimension(one: CohortFigures, other: CohortFigures): number {
  return (
    ORDER.indexOf(one.dimension) - ORDER.indexOf(other.dimension) ||
    one.name.localeCompare(other.name, 'en', { numeric: true })
  )
}

function byName([one]: [string, number], [other]: [string, number]): number {
  return one.localeCompare(other, 'en', { numeric: true })
}

/** The figures of a chart as a table, behind a heading that opens it. The first column names the row. */
function figuresTable(caption: string, heads: readonly string[], rows: readonly (readonly string[])[]) {
  if (rows.length === 0) return ''
  return html`<details>
<summary>${caption}, as a table</summary>
<div class="scroll" role="region" aria-label="${caption}" tabindex="0">${table(caption, heads, rows)}</div>
</details>`
}

/** A table whose first column names the row and whose others are figures. */
function table(caption: string, heads: readonly string[], rows: readonly (readonly unknown[])[]) {
  return html`<table>
<caption class="unseen">${caption}</caption>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map(([name, ...cells]) => html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
</table>`
}
