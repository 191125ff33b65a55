import { html } from 'hono/html'
import { DATE_RANGES, DIMENSIONS, type Dimension, RANGE_NAMES } from '../cohort.ts'
import type { Wellbeing } from '../figures.ts'
import type { PageQuery } from './requests.ts'

/** A university that the caller administers. */
export type University = { id: string; name: string }

type Option = { value: string; name: string }

const DIMENSION_NAMES: Record<Dimension, { label: string; all: string }> = {
  faculty: { label: 'Faculty', all: 'All faculties' },
  year: { label: 'Year', all: 'All years' },
  residence: { label: 'Residence', all: 'All residences' },
}

/** The form that chooses what the page shows. */
export function filterForm(
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

/** Cohorts that can be shown, and the one that was asked for even if it cannot. */
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
