import type { Session as Begun, WellbeingClient } from '@student-wellbeing/client'
import { useRef, useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { Loaded, Screen } from '../../../ui/elements.tsx'
import { Action, Field } from '../../../ui/form.tsx'
import { P } from '../../../ui/language.tsx'
import { useRead } from '../../../ui/service.tsx'
import { CrisisResources } from '../components/help.tsx'
import { English, Score } from '../components/score.tsx'

const DIRECTIONS = { improving: 'better', stable: 'same', declining: 'worse' } as const
const RISKS = { low: null, medium: 'moderate', high: 'high' } as const

/** A session: a few sentences, and what the service read in them. `/sessions/new` begins one. */
export default function Session() {
  const { id = '' } = useParams()
  return (
    <Screen key={id} title="session.title">
      {id === 'new' ? <NewSession /> : <PastSession id={id} />}
    </Screen>
  )
}

const SEND = { kind: 'primary', label: 'check-in.send', pending: 'session.sending' } as const

function NewSession() {
  const [, navigate] = useLocation()
  const [words, setWords] = useState('')
  const begun = useRef<Begun>(null)
  async function send(client: WellbeingClient) {
    begun.current ??= await client.session()
    const session = begun.current
    await session.analyzeText(words)
    await session.score()
    await session.end()
    navigate(`/sessions/${session.id}`, { replace: true })
  }
  return (
    <>
      <P id="session.intro" />
      <Field label="check-in.words" rows={8} value={words} onChange={setWords} />
      <div role="status">
        <Action {...SEND} isDisabled={!words.trim()} run={send} />
      </div>
    </>
  )
}

function PastSession({ id }: { id: string }) {
  const { data: resources = [] } = useRead(['crisis'], (client) => client.crisisResources())
  return (
    <Loaded query={useRead(['session', id], (client) => client.sessionScore(id))}>
      {(session) => {
        if (!session)
          return (
            <>
              <P id="session.no-score" />
              <CrisisResources resources={resources} />
            </>
          )
        const { final_score, confidence, risk_assessment, trend_analysis: trend } = session
        const change = trend && {
          direction_of_change: DIRECTIONS[trend.trend_direction],
          significance: trend.significance,
          points: trend.compared_to_baseline,
        }
        const scored = {
          ...session,
          score: final_score,
          uncertainty: 1 - confidence,
          usual: null,
          change: change ?? '',
          risk: RISKS[risk_assessment.level],
          resources,
        }
        return (
          <>
            <Score scored={scored}>
              <English sentences={risk_assessment.recommendations} />
            </Score>
            <English title="session.indicators" sentences={risk_assessment.indicators} />
          </>
        )
      }}
    </Loaded>
  )
}
