import { scaleLinear } from 'd3-scale'
import { html } from 'hono/html'
import type { CohortFigures, DashboardFigures, Wellbeing } from '../figures.ts'
import { count, difference, percent, score } from './format.ts'
import { table } from './table.ts'

const BAR_WIDTH = 200
const BAR_HEIGHT = 14

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
          bar(average, all),
          score(average),
          all === null ? '–' : difference(average - all),
        ]),
      )
}
</div>`
}

/** The score as a bar, with a mark where all are; the figures stand beside it. */
function bar(average: number, all: number | null) {
  const x = scaleLinear([0, 100], [0, BAR_WIDTH])
  return html`<svg class="bar" viewBox="0 0 ${BAR_WIDTH} ${BAR_HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
<rect class="track" x="0" y="0" width="${BAR_WIDTH}" height="${BAR_HEIGHT}"/><rect class="column" x="0" y="0" width="${x(average)}" height="${BAR_HEIGHT}"/>
${all === null ? '' : html`<line class="reference" x1="${x(all)}" x2="${x(all)}" y1="0" y2="${BAR_HEIGHT}"/>`}
</svg>`
}

/** Every cohort of one faculty, year or residence in figures, whatever the page is filtered by. */
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
