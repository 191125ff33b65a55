import { html } from 'hono/html'
import {
  type Cohort,
  DATE_RANGES,
  type Dashboard,
  type DateRange,
  DIMENSIONS,
  type Dimension,
  RANGE_NAMES,
  type Wellbeing,
} from '../figures.ts'
import { longDay } from './format.ts'
import {
  cohortAverages,
  cohortTable,
  engagementTrend,
  riskAndAdvice,
  scoringNote,
  summaryCards,
  wellbeingTrend,
} from './sections.ts'

/** Query parameters of the page. */
type PageQuery = Cohort & { date_range: DateRange }

/** A university that the caller administers. */
type University = { id: string; name: string }

type Option = { value: string; name: string }

const DIMENSION_NAMES: Record<Dimension, { label: string; all: string }> = {
  faculty: { label: 'Faculty', all: 'All faculties' },
  year: { label: 'Year', all: 'All years' },
  residence: { label: 'Residence', all: 'All residences' },
}

/** What the page of a signed-in administrator shows. */
type DashboardView = {
  query: PageQuery
  university: University
  /** All universities that the caller administers. */
  universities: readonly University[]
  /** Figures of the whole university; null if even these are withheld. */
  whole: Wellbeing | null
  /** The requested figures; null if they are withheld. */
  figures: Dashboard | null
}

/** The content of the dashboard. */
export function dashboardBody(view: DashboardView) {
  const { query, university, universities, whole, figures } = view
  const cohort = DIMENSIONS.flatMap((dimension) => query[dimension] ?? [])
  const shown = [capitalised(RANGE_NAMES[query.date_range]), ...cohort].join(' · ')
  return html`<div class="heading"><h1>${university.name}</h1><p>${shown}${whole && html` · figures through <time datetime="${whole.to}">${longDay(whole.to)}</time>`}</p></div>
${filterForm(query, university, universities, whole?.cohorts ?? [])}
${whole && figures ? charts(view, whole, figures, cohort.length > 0) : withheld(whole !== null)}
${privacyNote()}`
}

function charts({ university }: DashboardView, whole: Wellbeing, figures: Dashboard, filtered: boolean) {
  return html`<h2 class="unseen">Figures</h2>
${scoringNote(whole)}
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
  return html`<p class="fine">Figures are of days that are over, in the university’s time zone, and are renewed every night. Days and cohorts of fewer than ten students are withheld; those students count in the larger cohorts they belong to. Every figure is about ten students or more.</p>`
}

/** The form that chooses what the page shows. */
function filterForm(
  query: PageQuery,
  university: University,
  universities: readonly University[],
  cohorts: Wellbeing['cohorts'],
) {
  return html`<form class="filters" method="get" aria-label="What to show">
${
  universities.length > 1
    ? choice(
        'university_id',
        'University',
        university.id,
        universities.map(({ id, name }) => ({ value: id, name })),
      )
    : html`<input type="hidden" name="university_id" value="${university.id}">`
}
${choice(
  'date_range',
  'Range',
  query.date_range,
  DATE_RANGES.map((range) => ({ value: range, name: capitalised(RANGE_NAMES[range]) })),
)}
${DIMENSIONS.map((dimension) => choice(dimension, DIMENSION_NAMES[dimension].label, query[dimension] ?? '', [{ value: '', name: DIMENSION_NAMES[dimension].all }, ...cohortOptions(dimension, query[dimension], cohorts)]))}
<button type="submit">Show</button>
</form>`
}

/** Cohorts that can be shown, and the requested one even if it cannot. */
function cohortOptions(
  dimension: Dimension,
  chosen: string | undefined,
  cohorts: Wellbeing['cohorts'],
): Option[] {
  const names = cohorts.filter((cohort) => cohort.dimension === dimension).map(({ name }) => name)
  return [...new Set([...names, ...(chosen === undefined ? [] : [chosen])])]
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .map((name) => ({ value: name, name }))
}

function choice(name: string, label: string, chosen: string, options: readonly Option[]) {
  return html`<label>${label} <select name="${name}">${options.map((option) => html`<option value="${option.value}" ${option.value === chosen ? 'selected' : ''}>${option.name}</option>`)}</select></label>`
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
