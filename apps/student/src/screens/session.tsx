import type { WellbeingClient } from '@student-wellbeing/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { useLocation, useParams } from 'wouter'
import { Button, Field } from '../components/controls.tsx'
import { CrisisResources, type Resources } from '../components/crisis-resources.tsx'
import { Next } from '../components/next.tsx'
import { Change, English, Score } from '../components/score.tsx'
import { Screen } from '../components/screen.tsx'
import { Loaded, Problem } from '../components/states.tsx'
import { useService } from '../service.tsx'
import '../styles/result.css'

const DIRECTIONS = { improving: 'better', stable: 'same', declining: 'worse' } as const
const RISKS = { low: 'none', medium: 'moderate', high: 'high' } as const

type SessionScore = NonNullable<Awaited<ReturnType<WellbeingClient['sessionScore']>>>

/** A session: a few sentences, and what the service read in them. `/sessions/new` begins one. */
export default function Session() {
  const { id = '' } = useParams()
  return (
    <Screen key={id} title={<FormattedMessage id="session.title" />}>
      {id === 'new' ? <NewSession /> : <PastSession id={id} />}
    </Screen>
  )
}

function NewSession() {
  const { client } = useService()
  const [, navigate] = useLocation()
  const [words, setWords] = useState('')
  const sending = useMutation({
    async mutationFn() {
      const session = await client.session({ type: 'daily' })
      await session.analyzeText(words)
      await session.score()
      await session.end()
      return session.id
    },
    onSuccess: (id) => navigate(`/sessions/${id}`, { replace: true }),
  })
  return (
    <>
      <p>
        <FormattedMessage id="session.intro" />
      </p>
      <Field
        label={<FormattedMessage id="session.words" />}
        rows={8}
        value={words}
        onChange={setWords}
      />
      {sending.error && <Problem error={sending.error} onRetry={sending.mutate} />}
      <Button kind="primary" isPending={sending.isPending} onPress={() => sending.mutate()}>
        <FormattedMessage id={sending.isPending ? 'session.sending' : 'session.send'} />
      </Button>
    </>
  )
}

function PastSession({ id }: { id: string }) {
  const { client } = useService()
  const session = useQuery({ queryKey: ['session', id], queryFn: () => client.sessionScore(id) })
  const resources = useQuery({ queryKey: ['crisis-resources'], queryFn: () => client.crisisResources() })
  return (
    <Loaded query={session}>
      {(score) =>
        score ? (
          <Scored score={score} resources={resources.data ?? []} />
        ) : (
          <>
            <p>
              <FormattedMessage id="session.no-score" />
            </p>
            <CrisisResources resources={resources.data ?? []} />
          </>
        )
      }
    </Loaded>
  )
}

function Scored({ score, resources }: { score: SessionScore; resources: Resources }) {
  const { risk_assessment, trend_analysis } = score
  return (
    <>
      <Score
        score={score.final_score}
        interval={score.score_interval}
        uncertainty={1 - score.confidence}
        calibrated={score.calibrated}
        usual={null}
      />
      {trend_analysis && (
        <Change
          direction={DIRECTIONS[trend_analysis.trend_direction]}
          significance={trend_analysis.significance}
          points={trend_analysis.compared_to_baseline}
        />
      )}
      <Next risk={RISKS[risk_assessment.level]} resources={resources}>
        <English sentences={risk_assessment.recommendations} />
      </Next>
      {risk_assessment.indicators.length > 0 && (
        <section className="stack">
          <h2>
            <FormattedMessage id="session.indicators" />
          </h2>
          <English sentences={risk_assessment.indicators} />
        </section>
      )}
    </>
  )
}
