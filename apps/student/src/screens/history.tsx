import type { WellbeingClient } from '@student-wellbeing/client'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'wouter'
import { ButtonLink, Choice } from '../components/controls.tsx'
import { Screen } from '../components/screen.tsx'
import { Empty, Loaded } from '../components/states.tsx'
import { useService } from '../service.tsx'
import '../styles/history.css'

export type Entry = Awaited<ReturnType<WellbeingClient['history']>>[number]

const Chart = lazy(() => import('../components/history-chart.tsx'))
const PERIODS = ['7', '31', '90', '366'] as const
type Period = (typeof PERIODS)[number]
const COLUMNS = ['when', 'score', 'change'] as const
const SOURCES = ['check_in', 'session'] as const

/** Check-ins and sessions, each on a scale of their own, against the usual score of the time. */
export default function History() {
  const { client } = useService()
  const [period, setPeriod] = useState<Period>('31')
  const days = Number(period)
  const history = useQuery({ queryKey: ['history', days], queryFn: () => client.history({ days }) })
  return (
    <Screen title={<FormattedMessage id="history.title" />}>
      <Choice
        label={<FormattedMessage id="history.period" />}
        value={period}
        onChange={setPeriod}
        choices={PERIODS.map((days) => [
          days,
          <FormattedMessage key={days} id="history.days" values={{ days: Number(days) }} />,
        ])}
      />
      <Loaded query={history}>
        {(entries) =>
          entries.length > 0 ? (
            <Entries entries={entries} days={days} />
          ) : (
            <Empty>
              <FormattedMessage id="history.empty" />
            </Empty>
          )
        }
      </Loaded>
      <div className="row">
        <ButtonLink to="/check-in" kind="primary">
          <FormattedMessage id="check-in.title" />
        </ButtonLink>
        <ButtonLink to="/sessions/new">
          <FormattedMessage id="session.title" />
        </ButtonLink>
      </div>
    </Screen>
  )
}

function Entries({ entries, days }: { entries: Entry[]; days: number }) {
  return (
    <>
      {SOURCES.map((source) => {
        const scored = entries.filter((entry) => entry.source === source && entry.score !== null)
        return (
          scored.length > 1 && (
            <figure key={source}>
              <figcaption>
                <FormattedMessage id="history.chart" values={{ source }} />
              </figcaption>
              <Suspense fallback={<div className="chart" />}>
                <Chart entries={scored} days={days} />
              </Suspense>
            </figure>
          )
        )
      })}
      <table className="history">
        <caption>
          <FormattedMessage id="history.table" />
        </caption>
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <th key={column} scope="col">
                <FormattedMessage id={`history.${column}`} />
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

function Row({ entry }: { entry: Entry }) {
  const intl = useIntl()
  const { source, id, at, score, score_interval, direction_of_change, baseline } = entry
  const whole = (value: number) => intl.formatNumber(value, { maximumFractionDigits: 0 })
  return (
    <tr>
      <th scope="row">
        <Link href={source === 'check_in' ? `/check-ins/${id}` : `/sessions/${id}`}>
          {intl.formatDate(at, { dateStyle: 'medium', timeStyle: 'short' })}
        </Link>
        <span>
          <FormattedMessage id="history.source" values={{ source }} />
        </span>
      </th>
      <td>
        {score === null ? <FormattedMessage id="history.no-score" /> : <strong>{whole(score)}</strong>}
        {score_interval && (
          <span>
            <FormattedMessage
              id="history.range"
              values={{ low: whole(score_interval[0]), high: whole(score_interval[1]) }}
            />
          </span>
        )}
      </td>
      <td>
        {direction_of_change && baseline ? (
          <FormattedMessage id="history.direction" values={{ direction: direction_of_change }} />
        ) : (
          <FormattedMessage id="history.no-direction" />
        )}
      </td>
    </tr>
  )
}
