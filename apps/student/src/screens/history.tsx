import type { HistoryEntry } from '@student-wellbeing/client'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'wouter'
import { Choice } from '../../../ui/choices.tsx'
import { ButtonLink, Loaded, Screen } from '../../../ui/elements.tsx'
import { P, T, useTexts } from '../../../ui/language.tsx'
import { useRead } from '../../../ui/service.tsx'

const Chart = lazy(() => import('../components/history-chart.tsx'))
const PERIODS = ['7', '31', '90', '366'] as const
const SOURCES = ['check_in', 'session'] as const

/** Check-ins and sessions, each on a scale of their own, against the usual score of the time. */
export default function History() {
  const [period, setPeriod] = useState<(typeof PERIODS)[number]>('31')
  const days = Number(period)
  const history = useRead(['history', days], (client) => client.history({ days }))
  return (
    <Screen title="history.title">
      <Choice label="history.period" value={period} onChange={setPeriod} choices={PERIODS}>
        {(days) => <T id="history.days" days={days} />}
      </Choice>
      <Loaded query={history}>
        {(entries) => {
          if (entries.length === 0) return <P className="muted" id="history.empty" />
          return <Entries entries={entries} days={days} />
        }}
      </Loaded>
      <div className="row">
        <ButtonLink to="/check-in" label="check-in.title" />
        <ButtonLink to="/sessions/new" label="session.title" />
      </div>
    </Screen>
  )
}

function Entries({ entries, days }: { entries: HistoryEntry[]; days: number }) {
  const { t } = useTexts()
  return (
    <>
      {SOURCES.map((source) => {
        const scored = entries.filter((entry) => entry.source === source && entry.score !== null)
        if (scored.length < 2) return null
        return (
          <figure key={source}>
            <figcaption>{t('history.chart', { source })}</figcaption>
            <Suspense>
              <Chart entries={scored} days={days} />
            </Suspense>
          </figure>
        )
      })}
      <table>
        <caption>{t('history.table')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('history.when')}</th>
            <th scope="col">{t('history.score')}</th>
            <th scope="col">{t('history.change')}</th>
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
  const { t, time, number } = useTexts()
  const { source, id, at, score, score_interval, direction_of_change: direction, baseline } = entry
  const [low, high] = (score_interval ?? []).map(Math.round)
  const isCompared = direction !== null && baseline !== null
  return (
    <tr>
      <th scope="row">
        <Link href={source === 'check_in' ? `/check-ins/${id}` : `/sessions/${id}`}>{time(at)}</Link>
        <P className="muted" id="history.source" source={source} />
      </th>
      <td>
        <strong>{score === null ? t('history.no-score') : number(score)}</strong>
        {score_interval && <P className="muted" id="history.range" low={low} high={high} />}
      </td>
      <td>{t(isCompared ? 'history.direction' : 'history.no-direction', { direction })}</td>
    </tr>
  )
}
