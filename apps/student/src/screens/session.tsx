import type { Session as Begun } from '@student-wellbeing/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useIntl } from 'react-intl'
import { useLocation, useParams } from 'wouter'
import { Button, Field } from '../components/controls.tsx'
import { CrisisResources } from '../components/crisis-resources.tsx'
import { English, Score, type Scored } from '../components/score.tsx'
import { Screen } from '../components/screen.tsx'
import { Loaded, Problem } from '../components/states.tsx'
import { useService } from '../service.tsx'

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
  const queries = useQueryClient()
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
      await queries.invalidateQueries({ queryKey: ['history'] })
      return session.id
    },
    onSuccess: (id) => navigate(`/sessions/${id}`, { replace: true }),
  })
  const send = $t({ id: sending.isPending ? 'session.sending' : 'check-in.send' })
  return (
    <>
      <p>{$t({ id: 'session.intro' })}</p>
      <Field label={$t({ id: 'check-in.words' })} rows={8} value={words} onChange={setWords} />
      {sending.error && <Problem error={sending.error} />}
      <div role="status">
        <Button
          kind="primary"
          isDisabled={!words.trim() || sending.isPending}
          onPress={() => sending.mutate()}
        >
          {send}
        </Button>
      </div>
    </>
  )
}

function PastSession({ id }: { id: string }) {
  const { client } = useService()
  const { $t } = useIntl()
  const session = useQuery({ queryKey: ['session', id], queryFn: () => client.sessionScore(id) })
  const { data: resources = [] } = useQuery({ queryKey: ['crisis'], queryFn: () => client.crisisResources() })
  return (
    <Loaded query={session}>
      {(session) => {
        if (!session)
          return (
            <>
              <p>{$t({ id: 'session.no-score' })}</p>
              <CrisisResources resources={resources} />
            </>
          )
        const { final_score, confidence, risk_assessment, trend_analysis: trend } = session
        const scored: Scored = {
          ...session,
          score: final_score,
          uncertainty: 1 - confidence,
          usual: null,
          change: trend
            ? {
                direction_of_change: DIRECTIONS[trend.trend_direction],
                significance: trend.significance,
                points: trend.compared_to_baseline,
              }
            : '',
          risk: RISKS[risk_assessment.level],
          resources,
        }
        return (
          <>
            <Score scored={scored}>
              <English sentences={risk_assessment.recommendations} />
            </Score>
            <English title={$t({ id: 'session.indicators' })} sentences={risk_assessment.indicators} />
          </>
        )
      }}
    </Loaded>
  )
}
