import type { EndedCheckIn } from '@student-wellbeing/client'
import { useQuery } from '@tanstack/react-query'
import { FormattedMessage, useIntl } from 'react-intl'
import { useParams } from 'wouter'
import { ButtonLink } from '../components/controls.tsx'
import { CrisisResources } from '../components/crisis-resources.tsx'
import { Screen } from '../components/screen.tsx'
import { Next } from '../components/next.tsx'
import { Change, English, Score } from '../components/score.tsx'
import { Loaded } from '../components/states.tsx'
import { useService } from '../service.tsx'
import '../styles/result.css'

type Result = NonNullable<EndedCheckIn['result']>

/** A check-in: its score and what it rests on, how far its analysis is, or why it failed. */
export default function CheckInResult() {
  const { id = '' } = useParams()
  const { client } = useService()
  const checkIn = useQuery({
    queryKey: ['check-in', id],
    queryFn: () => client.readCheckIn(id),
    // One of another device has no queue here that follows it.
    refetchInterval: ({ state }) => (state.data?.status === 'processing' ? 3000 : false),
  })
  return (
    <Screen title={<FormattedMessage id="result.title" />}>
      <Loaded query={checkIn}>{(checkIn) => <Body checkIn={checkIn} />}</Loaded>
    </Screen>
  )
}

function Body({ checkIn }: { checkIn: EndedCheckIn }) {
  const { status, result, error, progress } = checkIn
  if (status === 'complete' && result) return <Complete result={result} />
  return (
    <>
      {error ? (
        <>
          <p>{error.message}</p>
          <ul>
            {error.reasons.map(({ modality, title, advice }) => (
              <li key={modality}>
                <strong>
                  <FormattedMessage id="result.part" values={{ part: modality }} />
                </strong>{' '}
                {title} {advice}
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p role="status">
          <FormattedMessage id="result.status" values={{ status, progress }} />
        </p>
      )}
      {(status === 'failed' || status === 'expired') && (
        <ButtonLink to="/check-in">
          <FormattedMessage id="result.again" />
        </ButtonLink>
      )}
      {checkIn.crisis_resources && <CrisisResources resources={checkIn.crisis_resources} />}
    </>
  )
}

function Complete({ result }: { result: Result }) {
  const { baseline, drivers_positive, drivers_negative, risk_level } = result
  const isUrgent = risk_level === 'moderate' || risk_level === 'high'
  const next = <Next risk={risk_level} resources={result.crisis_resources} />
  return (
    <>
      {isUrgent && next}
      <Score
        score={result.score}
        interval={result.score_interval}
        uncertainty={result.uncertainty}
        calibrated={result.calibrated}
        usual={baseline.compared === null ? null : baseline.score_mean}
      />
      <p lang="en" dir="ltr">
        {result.summary}
      </p>
      {baseline.compared === null ? (
        <p>
          <FormattedMessage
            id="result.not-comparable"
            values={{ reason: baseline.reason ?? 'too_few_check_ins', checkIns: baseline.check_ins }}
          />
        </p>
      ) : (
        <Change
          direction={result.direction_of_change}
          significance={result.significance}
          points={baseline.compared}
        />
      )}
      {!isUrgent && next}
      {drivers_positive.length > 0 && (
        <section className="stack">
          <h2>
            <FormattedMessage id="result.raised" />
          </h2>
          <English sentences={drivers_positive} />
        </section>
      )}
      {drivers_negative.length > 0 && (
        <section className="stack">
          <h2>
            <FormattedMessage id="result.lowered" />
          </h2>
          <English sentences={drivers_negative} />
        </section>
      )}
      <Parts parts={result.components} />
      <p className="muted small">
        <FormattedMessage id="result.version" values={{ version: <bdi>{result.algorithm_version}</bdi> }} />
      </p>
    </>
  )
}

/** The parts of the score, each with its share or why it has none. */
function Parts({ parts }: { parts: Result['components'] }) {
  return (
    <section className="stack">
      <h2>
        <FormattedMessage id="result.parts" />
      </h2>
      <ul className="list">
        {parts.map(({ modality, score, weight, reason }) => (
          <li key={modality}>
            <h3>
              <FormattedMessage id="result.part" values={{ part: modality }} />
            </h3>
            <p>
              {score === null ? (
                <FormattedMessage id="result.part-unused" />
              ) : (
                <FormattedMessage id="result.part-used" values={{ score: Math.round(score), weight }} />
              )}
            </p>
            {reason && <Reason code={reason} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Reason({ code }: { code: string }) {
  const { client } = useService()
  const { locale } = useIntl()
  const { data } = useQuery({ queryKey: ['words', locale, code], queryFn: () => client.words(code), staleTime: Infinity })
  return data ? (
    <p className="muted small">
      {data.title} {data.advice}
    </p>
  ) : null
}
