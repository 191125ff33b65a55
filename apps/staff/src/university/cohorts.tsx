import { Section } from '../../../ui/elements.tsx'
import type { Id } from '../../../ui/language.tsx'
import { P, T, useTexts } from '../../../ui/language.tsx'
import { Figures, useFigures } from './figures.tsx'
import type { CohortFigures, Dashboard, WellbeingOfAll } from './readings.ts'

/** Average score of each cohort beside that of all. */
export function Averages({ figures: { summary, cohort_breakdown } }: { figures: Dashboard }) {
  const { score } = useFigures()
  const all = summary.average_wellbeing_score
  const { by_faculty, by_year, by_residence } = cohort_breakdown
  const tables = [
    ['university.faculty', 'university.averages-faculty', by_faculty, 'scores-by-faculty'],
    ['university.year', 'university.averages-year', by_year, 'scores-by-year'],
    ['university.residence', 'university.averages-residence', by_residence, 'scores-by-residence'],
  ] as const
  return (
    <Section title="university.cohorts">
      <p className="muted">
        <T id="university.cohorts-note" />{' '}
        {all !== null && (
          <span className="legend">
            <span className="swatch reference" aria-hidden="true" />
            <T id="university.average-of-all" average={score(all)} />
          </span>
        )}
      </p>
      <div className="columns narrow">
        {tables.map(([dimension, label, scores, fileName]) => (
          <div key={dimension} className="list">
            <h3>
              <T id={dimension} />
            </h3>
            <AveragesBy {...{ dimension, label, scores, fileName, all }} />
          </div>
        ))}
      </div>
    </Section>
  )
}

type ByProps = {
  dimension: Id
  label: Id
  scores: Record<string, number>
  fileName: string
  all: number | null
}

function AveragesBy({ dimension, label, scores, fileName, all }: ByProps) {
  const { locale } = useTexts()
  const { score, difference } = useFigures()
  const { compare } = new Intl.Collator(locale, { numeric: true })
  const rows = Object.entries(scores)
    .map(([name, average]) => ({ name, average, toAll: all === null ? null : average - all }))
    .sort((one, other) => compare(one.name, other.name))
  return (
    <Figures
      label={label}
      fileName={fileName}
      rows={rows}
      keyOf={({ name }) => name}
      empty="university.none-shown"
      columns={[
        { label: dimension, value: ({ name }) => name, cell: ({ name }) => <span dir="auto">{name}</span> },
        {
          label: 'university.average',
          value: ({ average }) => average,
          cell: ({ average }) => <ScoreBar average={average} all={all} figure={score(average)} />,
          isFigure: true,
        },
        {
          label: 'university.to-all',
          value: ({ toAll }) => toAll,
          cell: ({ toAll }) => difference(toAll),
          isFigure: true,
        },
      ]}
    />
  )
}

/** The score as a bar, with a mark at the average of all. */
function ScoreBar({ average, all, figure }: { average: number; all: number | null; figure: string }) {
  return (
    <span className="score-bar">
      <span className="bar" aria-hidden="true">
        <span className="filled" style={{ inlineSize: `${average}%` }} />
        {all !== null && <span className="reference" style={{ insetInlineStart: `${all}%` }} />}
      </span>
      {figure}
    </span>
  )
}

const KINDS: Record<CohortFigures['dimension'], Id> = {
  university: 'university.whole',
  faculty: 'university.faculty',
  year: 'university.year',
  residence: 'university.residence',
}
const ORDER = Object.keys(KINDS)

/** Every faculty, year and residence in figures, whatever the screen is filtered by. */
export function EveryCohort({ whole, universityName }: { whole: WellbeingOfAll; universityName: string }) {
  const { t, locale } = useTexts()
  const { count, score, percent, difference } = useFigures()
  const { compare } = new Intl.Collator(locale, { numeric: true })
  const cohorts = whole.cohorts.toSorted(
    (one, other) =>
      ORDER.indexOf(one.dimension) - ORDER.indexOf(other.dimension) || compare(one.name, other.name),
  )
  const figure = (label: Id, value: (of: CohortFigures) => number | null, show = count) => ({
    label,
    value,
    cell: (of: CohortFigures) => show(value(of)),
    isFigure: true,
  })
  return (
    <Section title="university.in-figures">
      <P className="muted" id="university.in-figures-note" />
      <Figures
        label="university.every-cohort"
        fileName="cohorts"
        rows={[{ ...whole.university, name: universityName }, ...cohorts]}
        keyOf={({ dimension, name }) => `${dimension} ${name}`}
        empty="university.none-shown"
        columns={[
          {
            label: 'university.cohort',
            value: ({ name }) => name,
            cell: ({ name }) => <span dir="auto">{name}</span>,
          },
          { label: 'university.kind', value: ({ dimension }) => t(KINDS[dimension]) },
          figure('university.students', ({ total_students }) => total_students),
          figure('university.active', ({ active_students }) => active_students),
          figure('university.check-ins', ({ assessments_completed }) => assessments_completed),
          figure('university.completed', ({ completion_rate }) => completion_rate, percent),
          figure('university.average', ({ average_score }) => average_score, score),
          figure('university.change', ({ change }) => change, difference),
          figure('university.high-risk', ({ high_risk_count }) => high_risk_count),
          figure('university.moderate-risk', ({ medium_risk_count }) => medium_risk_count),
        ]}
      />
    </Section>
  )
}
