import { lazy, type ReactNode, Suspense } from 'react'
import { Loading, Section } from '../../../ui/elements.tsx'
import { P, T, useTexts } from '../../../ui/language.tsx'
import { type Day, everyDay } from './days.ts'
import { type FigureColumn, Figures, useFigures } from './figures.tsx'
import type { Dashboard } from './readings.ts'

const DayChart = lazy(() => import('./day-chart.tsx'))

type Trends = Dashboard['trends']
type Props = { trends: Trends; span: { from: string; to: string } }

/** Points that a chart of scores shows above and below them. */
const SCORE_ROOM = 4

/** The average score of each day. */
export function Wellbeing({ trends: { wellbeing_trend: trend }, span: { from, to } }: Props) {
  const { t } = useTexts()
  const { count, score, longDay } = useFigures()
  const describe = useDescription()
  const scores = trend.map(({ average_score }) => average_score)
  const days = everyDay(from, to, new Map(trend.map((day) => [day.date, day.average_score])))
  return (
    <Section title="university.wellbeing">
      <p className="muted">
        <T id="university.wellbeing-note" /> <WithheldKey days={days} />
      </p>
      {scores.length === 0 ? (
        <NothingYet />
      ) : (
        <Drawing>
          <DayChart
            label={describe(t('university.wellbeing-chart'), days, score)}
            days={days}
            kind="line"
            domain={[
              Math.max(0, Math.floor(Math.min(...scores) - SCORE_ROOM)),
              Math.min(100, Math.ceil(Math.max(...scores) + SCORE_ROOM)),
            ]}
            format={count}
          />
        </Drawing>
      )}
      <AsTable
        label="university.wellbeing-table"
        fileName="wellbeing-by-day"
        rows={trend}
        columns={[
          { label: 'university.day', value: ({ date }) => date, cell: ({ date }) => longDay(date) },
          {
            label: 'university.average',
            value: (day) => day.average_score,
            cell: (day) => score(day.average_score),
            isFigure: true,
          },
          {
            label: 'university.students',
            value: (day) => day.student_count,
            cell: (day) => count(day.student_count),
            isFigure: true,
          },
        ]}
      />
    </Section>
  )
}

/** How many students take part each day, and how many finish. */
export function Engagement({ trends, span: { from, to } }: Props) {
  const { wellbeing_trend: trend, engagement_trend: completion } = trends
  const { t } = useTexts()
  const { count, percent, longDay } = useFigures()
  const describe = useDescription()
  const students = everyDay(from, to, new Map(trend.map((day) => [day.date, day.student_count])))
  const completed = everyDay(from, to, new Map(completion.map((day) => [day.date, day.completion_rate])))
  return (
    <Section title="university.engagement">
      {completion.length === 0 ? (
        <NothingYet />
      ) : (
        <div className="columns">
          <figure>
            <figcaption>
              <h3>{t('university.students-a-day')}</h3>
            </figcaption>
            <Drawing>
              <DayChart
                label={describe(t('university.students-chart'), students, count)}
                days={students}
                kind="columns"
                domain={[0, Math.max(10, ...trend.map(({ student_count }) => student_count))]}
                format={count}
              />
            </Drawing>
          </figure>
          <figure>
            <figcaption>
              <h3>{t('university.completed-check-ins')}</h3>
            </figcaption>
            <Drawing>
              <DayChart
                label={describe(t('university.completion-chart'), completed, percent)}
                days={completed}
                kind="line"
                domain={[0, 1]}
                format={percent}
              />
            </Drawing>
          </figure>
        </div>
      )}
      <AsTable
        label="university.completion-table"
        fileName="completion-by-day"
        rows={completion}
        columns={[
          { label: 'university.day', value: ({ date }) => date, cell: ({ date }) => longDay(date) },
          {
            label: 'university.completed',
            value: (day) => day.completion_rate,
            cell: (day) => percent(day.completion_rate),
            isFigure: true,
          },
        ]}
      />
    </Section>
  )
}

/** What a chart shows, in words. */
function useDescription() {
  const { t } = useTexts()
  const { longDay } = useFigures()
  return (title: string, days: readonly Day[], format: (value: number) => string): string => {
    const known = days.flatMap(({ date, value }) => (value === null ? [] : [{ date, value }]))
    const [first] = known
    const last = known.at(-1)
    if (!first || !last) return title
    const lowest = known.reduce((least, day) => (day.value < least.value ? day : least))
    const highest = known.reduce((most, day) => (day.value > most.value ? day : most))
    const at = ({ date, value }: { date: string; value: number }) =>
      t('university.value-on-day', { value: format(value), day: longDay(date) })
    return t('university.chart-in-words', {
      title,
      first: at(first),
      last: at(last),
      lowest: at(lowest),
      highest: at(highest),
      withheld: days.length - known.length,
      days: days.length,
    })
  }
}

function WithheldKey({ days }: { days: readonly Day[] }) {
  if (days.every(({ value }) => value !== null)) return null
  return (
    <span className="legend">
      <span className="swatch withheld" aria-hidden="true" />
      <T id="university.withheld-days" />
    </span>
  )
}

function NothingYet() {
  return <P className="muted" id="university.no-day" />
}

function Drawing({ children }: { children: ReactNode }) {
  return <Suspense fallback={<Loading />}>{children}</Suspense>
}

type TableProps<Row> = {
  label: 'university.wellbeing-table' | 'university.completion-table'
  fileName: string
  rows: readonly Row[]
  columns: readonly FigureColumn<Row>[]
}

/** The figures of a chart as a table, behind a heading that opens it. */
function AsTable<Row extends { date: string }>({ label, ...table }: TableProps<Row>) {
  if (table.rows.length === 0) return null
  return (
    <details>
      <summary>
        <T id="university.as-table" table={<T id={label} />} />
      </summary>
      <Figures {...table} label={label} keyOf={({ date }) => date} empty="university.no-day" />
    </details>
  )
}
