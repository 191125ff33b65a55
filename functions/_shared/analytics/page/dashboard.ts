import { html } from 'hono/html'
import { DIMENSIONS, RANGE_NAMES } from '../cohort.ts'
import type { Dashboard, Wellbeing } from '../figures.ts'
import { cohortAverages, cohortTable } from './cohorts.ts'
import { filterForm, type University } from './filters.ts'
import { longDay } from './format.ts'
import { frame } from './frame.ts'
import type { PageQuery } from './requests.ts'
import { riskAndAdvice } from './risk.ts'
import { summaryCards } from './summary.ts'
import { engagementTrend, wellbeingTrend } from './trends.ts'

/** What the page of a signed-in administrator shows. */
export type DashboardView = {
  query: PageQuery
  university: University
  /** All that the caller administers. */
  universities: readonly University[]
  /** Figures of the whole university; null where even these are withheld. */
  whole: Wellbeing | null
  /** Figures of what was asked for; null where they are withheld. */
  figures: Dashboard | null
}

/** The body of the dashboard. */
export function dashboardBody(view: DashboardView) {
  const { query, university, universities, whole, figures } = view
  const cohort = DIMENSIONS.flatMap((dimension) => query[dimension] ?? [])
  const shown = [capitalised(RANGE_NAMES[query.date_range]), ...cohort].join(' · ')
  return frame(
    html`<div class="heading"><h1>${university.name}</h1><p>${shown}${whole && html` · figures through <time datetime="${whole.to}">${longDay(whole.to)}</time>`}</p></div>
${filterForm(query, university, universities, whole?.cohorts ?? [])}
${whole && figures ? charts(view, whole, figures, cohort.length > 0) : withheld(whole !== null)}
${privacyNote()}`,
    { signedIn: true },
  )
}

function charts({ university }: DashboardView, whole: Wellbeing, figures: Dashboard, filtered: boolean) {
  return html`<h2 class="unseen">Figures</h2>
${summaryCards(figures, filtered ? null : whole.university.change)}
${wellbeingTrend(figures.trends, whole)}
${riskAndAdvice(figures)}
${engagementTrend(figures.trends, whole)}
${cohortAverages(figures)}
${cohortTable(whole, university.name)}`
}

function withheld(cohortAlone: boolean) {
  return html`<section class="card notice" aria-labelledby="withheld-heading">
<h2 id="withheld-heading">Withheld</h2>
<p>${
    cohortAlone
      ? 'This cohort has fewer than ten students, or there is no such cohort. Choose a larger one.'
      : 'There are no figures of ten students or more yet. The first ones are there on the day after the first check-ins.'
  }</p>
</section>`
}

function privacyNote() {
  return html`<p class="fine">Figures are of days (UTC) that are over and are renewed every night. Days and cohorts of fewer than ten students are withheld; those students count in the larger cohorts they belong to. Every figure is about ten students or more.</p>`
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
