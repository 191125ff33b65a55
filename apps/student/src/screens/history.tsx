import type { HistoryEntry } from '@student-wellbeing/client'
import { useState } from 'react'
import { Choice } from '../../../ui/choices.tsx'
import { ButtonLink, Loaded, Screen } from '../../../ui/elements.tsx'
import { ScoreHistory } from '../../../ui/history.tsx'
import { P, T } from '../../../ui/language.tsx'
import { useRead } from '../../../ui/service.tsx'

const PERIODS = ['7', '31', '90', '366'] as const
const LABELS = { chart: 'history.chart', caption: 'history.table', change: 'history.change' } as const
const DAY_MS = 86_400_000

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
          return (
            <ScoreHistory
              entries={entries}
              since={Date.now() - days * DAY_MS}
              labels={LABELS}
              wayTo={wayTo}
            />
          )
        }}
      </Loaded>
      <div className="row">
        <ButtonLink to="/check-in" label="check-in.title" />
        <ButtonLink to="/sessions/new" label="session.title" />
      </div>
    </Screen>
  )
}

const wayTo = ({ source, id }: HistoryEntry) =>
  source === 'check_in' ? `/check-ins/${id}` : `/sessions/${id}`
