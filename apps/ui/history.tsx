import { lazy, type ReactNode, Suspense } from 'react'
import { Link } from 'wouter'
import type { Point } from './history-chart.tsx'
import { type Id, P, useTexts } from './language.tsx'

const Chart = lazy(() => import('./history-chart.tsx'))
const SOURCES = ['check_in', 'session'] as const satisfies readonly Point['source'][]

type HistoryProps<Entry extends Point> = {
  /** The newest first. */
  entries: readonly Entry[]
  /** Since when the charts show it, in milliseconds. */
  since: number
  /** Whose usual score it is compared with. */
  labels: { chart: Id; caption: Id; change: Id }
  /** The screen of an entry; without it, entries lead nowhere. */
  wayTo?: (entry: Entry) => string
  /** What else there is to say of an entry, below its source. */
  children?: (entry: Entry) => ReactNode
}

/** Check-ins and sessions, each on a scale of their own, against the usual score of the time: charts, and one table with the same figures. */
export function ScoreHistory<Entry extends Point>({
  entries,
  since,
  labels,
  wayTo,
  children,
}: HistoryProps<Entry>) {
  const { t } = useTexts()
  return (
    <>
      {SOURCES.map((source) => {
        const points = entries.filter((entry) => entry.source === source && entry.score !== null)
        if (points.length < 2) return null
        return (
          <figure key={source}>
            <figcaption>{t(labels.chart, { source })}</figcaption>
            <Suspense>
              <Chart points={points} period={[since, Date.now()]} />
            </Suspense>
          </figure>
        )
      })}
      <table>
        <caption>{t(labels.caption)}</caption>
        <thead>
          <tr>
            <th scope="col">{t('history.when')}</th>
            <th scope="col">{t('history.score')}</th>
            <th scope="col">{t(labels.change)}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Row key={entry.id} entry={entry} way={wayTo?.(entry)}>
              {children?.(entry)}
            </Row>
          ))}
        </tbody>
      </table>
    </>
  )
}

function Row({ entry, way, children }: { entry: Point; way?: string; children: ReactNode }) {
  const { t, time, number } = useTexts()
  const { source, at, score, score_interval, direction_of_change: direction, baseline } = entry
  const [low, high] = (score_interval ?? []).map(Math.round)
  const isCompared = direction !== null && baseline !== null
  return (
    <tr>
      <th scope="row">
        {way ? <Link href={way}>{time(at)}</Link> : time(at)}
        <P className="muted" id="history.source" source={source} />
        {children}
      </th>
      <td>
        <strong>{score === null ? t('history.no-score') : number(score)}</strong>
        {score_interval && <P className="muted" id="history.range" low={low} high={high} />}
      </td>
      <td>{t(isCompared ? 'history.direction' : 'history.no-direction', { direction })}</td>
    </tr>
  )
}
