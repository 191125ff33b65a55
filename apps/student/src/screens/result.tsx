import type { EndedCheckIn } from '@student-wellbeing/client'
import { useQuery } from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import { useParams } from 'wouter'
import { ButtonLink } from '../components/controls.tsx'
import { CrisisResources } from '../components/crisis-resources.tsx'
import { English, Score, type Scored } from '../components/score.tsx'
import { Screen } from '../components/screen.tsx'
import { Loaded } from '../components/states.tsx'
import { useService } from '../service.tsx'

type Result = NonNullable<EndedCheckIn['result']>

/** A check-in: its score and what it rests on, how far its analysis is, or why it failed. */
export default function CheckInResult() {
  const { id = '' } = useParams()
  const { client } = useService()
  const checkIn = useQuery({
    queryKey: ['check-in', id],
    queryFn: () => client.readCheckIn(id),
    // No queue of this device follows one of another.
    refetchInterval: ({ state }) => (state.data?.status === 'processing' ? 3000 : false),
  })
  return (
    <Screen title={useIntl().$t({ id: 'result.title' })}>
      <Loaded query={checkIn}>
        {(checkIn) =>
          checkIn.result ? <Complete result={checkIn.result} /> : <Incomplete checkIn={checkIn} />
        }
      </Loaded>
    </Screen>
  )
}

function Incomplete({ checkIn }: { checkIn: EndedCheckIn }) {
  const { $t } = useIntl()
  const { status, progress, error, crisis_resources } = checkIn
  return (
    <>
      <p role="status">{error?.message ?? $t({ id: 'result.status' }, { status, progress })}</p>
      {error && (
        <ul>
          {error.reasons.map(({ modality, title, advice }) => (
            <li key={modality}>{`${$t({ id: 'result.part' }, { part: modality })}: ${title} ${advice}`}</li>
          ))}
        </ul>
      )}
      {crisis_resources && <CrisisResources resources={crisis_resources} />}
      <div>
        <ButtonLink to="/check-in">{$t({ id: 'result.again' })}</ButtonLink>
      </div>
    </>
  )
}

function Complete({ result }: { result: Result }) {
  const { $t } = useIntl()
  const { compared: points, score_mean, reason, check_ins } = result.baseline
  const scored: Scored = {
    ...result,
    usual: points === null ? null : score_mean,
    change:
      points === null
        ? $t({ id: 'result.not-comparable' }, { reason, checkIns: check_ins })
        : { ...result, points },
    risk: result.risk_level,
    resources: result.crisis_resources,
  }
  return (
    <>
      <Score scored={scored}>
        <p lang="en" dir="ltr">
          {result.summary}
        </p>
      </Score>
      <English title={$t({ id: 'result.raised' })} sentences={result.drivers_positive} />
      <English title={$t({ id: 'result.lowered' })} sentences={result.drivers_negative} />
      <section className="stack">
        <h2>{$t({ id: 'result.parts' })}</h2>
        <ul className="list">
          {result.components.map((part) => (
            <Part key={part.modality} part={part} />
          ))}
        </ul>
      </section>
      <p className="muted small">{$t({ id: 'result.version' }, { version: result.algorithm_version })}</p>
    </>
  )
}

/** A part of the score with its share, or why it has none. */
function Part({ part: { modality, score, weight, reason } }: { part: Result['components'][number] }) {
  const { client } = useService()
  const { $t, locale } = useIntl()
  const { data: words } = useQuery({
    queryKey: ['words', locale, reason],
    queryFn: () => client.words(reason ?? ''),
    enabled: reason !== null,
  })
  const unused = $t({ id: 'result.part-unused' })
  return (
    <li>
      <h3>{$t({ id: 'result.part' }, { part: modality })}</h3>
      <p>{score === null ? unused : $t({ id: 'result.part-used' }, { score: Math.round(score), weight })}</p>
      {words && <p className="muted">{`${words.title} ${words.advice}`}</p>}
    </li>
  )
}
