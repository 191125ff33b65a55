import { html } from 'hono/html'
import type { DashboardFigures } from '../figures.ts'
import type { DayChart } from './chart-frame.ts'
import { columnChart, lineChart } from './day-chart.ts'
import { everyDay } from './days.ts'
import { count, longDay, percent, score } from './format.ts'
import { figuresTable } from './table.ts'

type Trends = DashboardFigures['trends']
type Span = { from: string; to: string }

/** Points above and below that a chart of scores shows at least. */
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

/** How many take part each day, and how many finish. */
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
