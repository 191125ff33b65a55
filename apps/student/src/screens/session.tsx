import type { Session as Begun } from '@student-wellbeing/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useIntl } from 'react-intl'
import { useLocation, useParams } from 'wouter'
import { Button, Field } from '../components/controls.tsx'
import { CrisisResources } from '../components/crisis-resources.tsx'
import { Change, English, Next, Score } from '../components/score.tsx'
import { Screen } from '../components/screen.tsx'
import { Loaded, Problem } from '../components/states.tsx'
import { useService } from '../service.tsx'
import '../styles/result.css'

const DIRECTIONS = { improving: 'better', stable: 'same', declining: 'worse' } as const
const RISKS = { low: null, medium: 'moderate', high: 'high' } as const

/** A session: a few sentences, and what the service read in them. `/sessions/new` begins one. */
export default function Session() {
  const { id = '' } = useParams()
  return (
    <Screen key={id} title={useIntl().$t({ id: 'session.title' })}>
      {id === 'new' ? <NewSession /> : <PastSession id={id} />}
    </Screen>
  )
}

function NewSession() {
  const { client } = useService()
  const { $t } = useIntl()
  const [, navigate] = useLocation()
  const [words, setWords] = useState('')
  const begun = useRef<Begun>(null)
  const sending = useMutation({
    async mutationFn() {
      begun.current ??= await client.session()
      const session = begun.current
      await session.analyzeText(words)
      await session.score()
      await session.end()
      return session.id
    },
    onSuccess: (id) => navigate(`/sessions/${id}`, { replace: true }),
  })
  return (
    <>
      <p>{$t({ id: 'session.intro' })}</p>
      <Field label={$t({ id: 'check-in.words' })} rows={8} value={words} onChange={setWords} />
      {sending.error && <Problem error={sending.error} />}
      <div className="row">
        <Button kind="primary" isPending={sending.isPending} onPress={() => sending.mutate()}>
          {$t({ id: sending.isPending ? 'session.sending' : 'check-in.send' })}
        </Button>
      </div>
    </>
  )
}

function PastSession({ id }: { id: string }) {
  const { client } = useService()
  const { $t } = useIntl()
  const session = useQuery({ queryKey: ['session', id], queryFn: () => client.sessionScore(id) })
  const crisis = useQuery({ queryKey: ['crisis'], queryFn: () => client.crisisResources() })
  const resources = crisis.data ?? []
  return (
    <Loaded query={session}>
      {(score) => {
        if (!score)
          return (
            <>
              <p>{$t({ id: 'session.no-score' })}</p>
              <CrisisResources resources={resources} />
            </>
          )
        const { risk_assessment: risk, trend_analysis: trend } = score
        return (
          <>
            <Score
              score={score.final_score}
              interval={score.score_interval}
              uncertainty={1 - score.confidence}
              calibrated={score.calibrated}
              usual={null}
            />
            {trend && (
              <Change
                direction={DIRECTIONS[trend.trend_direction]}
                significance={trend.significance}
                points={trend.compared_to_baseline}
              />
            )}
            <Next risk={RISKS[risk.level]} resources={resources}>
              <English sentences={risk.recommendations} />
            </Next>
            <English title={$t({ id: 'session.indicators' })} sentences={risk.indicators} />
          </>
        )
      }}
    </Loaded>
  )
}
