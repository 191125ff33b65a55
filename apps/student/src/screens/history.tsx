import type { HistoryEntry } from '@student-wellbeing/client'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useIntl } from 'react-intl'
import { Link } from 'wouter'
import { Choice } from '../components/choices.tsx'
import { ButtonLink } from '../components/controls.tsx'
import { Screen } from '../components/screen.tsx'
import { Empty, Loaded } from '../components/states.tsx'
import { useService } from '../service.tsx'
import '../styles/history.css'

const Chart = lazy(() => import('../components/history-chart.tsx'))
const PERIODS = ['7', '31', '90', '366'] as const
const SOURCES = ['check_in', 'session'] as const
const COLUMNS = ['when', 'score', 'change'] as const

/** Check-ins and sessions, each on a scale of their own, against the usual score of the time. */
export default function History() {
  const { client } = useService()
  const { $t } = useIntl()
  const [period, setPeriod] = useState<(typeof PERIODS)[number]>('31')
  const days = Number(period)
  const history = useQuery({ queryKey: ['history', days], queryFn: () => client.history({ days }) })
  return (
    <Screen title={$t({ id: 'history.title' })}>
      <Choice
        label={$t({ id: 'history.period' })}
        value={period}
        onChange={setPeriod}
        choices={PERIODS.map((days) => [days, $t({ id: 'history.days' }, { days: Number(days) })])}
      />
      <Loaded query={history}>
        {(entries) =>
          entries.length > 0 ? (
            <Entries entries={entries} days={days} />
          ) : (
            <Empty>{$t({ id: 'history.empty' })}</Empty>
          )
        }
      </Loaded>
      <div className="row">
        <ButtonLink to="/check-in">{$t({ id: 'check-in.title' })}</ButtonLink>
        <ButtonLink to="/sessions/new">{$t({ id: 'session.title' })}</ButtonLink>
      </div>
    </Screen>
  )
}

function Entries({ entries, days }: { entries: HistoryEntry[]; days: number }) {
  const { $t } = useIntl()
  const lines = SOURCES.map((source) => ({
    source,
    scored: entries.filter((entry) => entry.source === source && entry.score !== null),
  }))
  return (
    <>
      {lines
        .filter(({ scored }) => scored.length > 1)
        .map(({ source, scored }) => (
          <figure key={source}>
            <figcaption>{$t({ id: 'history.chart' }, { source })}</figcaption>
            <Suspense fallback={<div className="chart" />}>
              <Chart entries={scored} days={days} />
            </Suspense>
          </figure>
        ))}
      <table className="history">
        <caption>{$t({ id: 'history.table' })}</caption>
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <th key={column} scope="col">
                {$t({ id: `history.${column}` })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Row key={entry.id} entry={entry} />
          ))}
        </tbody>
      </table>
    </>
  )
}

function Row({ entry }: { entry: HistoryEntry }) {
  const { $t, formatDate, formatNumber } = useIntl()
  const { source, id, at, score, score_interval, direction_of_change, baseline } = entry
  const [low, high] = (score_interval ?? []).map(Math.round)
  return (
    <tr>
      <th scope="row">
        <Link href={source === 'check_in' ? `/check-ins/${id}` : `/sessions/${id}`}>
          {formatDate(at, { dateStyle: 'medium', timeStyle: 'short' })}
        </Link>
        <span className="muted small">{$t({ id: 'history.source' }, { source })}</span>
      </th>
      <td>
        <strong>{score === null ? $t({ id: 'history.no-score' }) : formatNumber(Math.round(score))}</strong>
        {score_interval && <span className="muted small">{$t({ id: 'history.range' }, { low, high })}</span>}
      </td>
      <td>
        {direction_of_change && baseline
          ? $t({ id: 'history.direction' }, { direction: direction_of_change })
          : $t({ id: 'history.no-direction' })}
      </td>
    </tr>
  )
}
