import type { EndedCheckIn } from '@student-wellbeing/client'
import { useParams } from 'wouter'
import { ButtonLink, Loaded, Screen, Section } from '../../../ui/elements.tsx'
import { P, T, useTexts } from '../../../ui/language.tsx'
import { useRead } from '../../../ui/service.tsx'
import { CrisisResources } from '../components/help.tsx'
import { English, Score } from '../components/score.tsx'

type Result = NonNullable<EndedCheckIn['result']>

/** A check-in: its score and what it rests on, how far its analysis is, or why it failed. */
export default function CheckInResult() {
  const { id = '' } = useParams()
  const checkIn = useRead(['check-in', id], (client) => client.readCheckIn(id), {
    // No queue of this device follows one of another.
    refetchInterval: ({ state }) => (state.data?.status === 'processing' ? 3000 : false),
  })
  return (
    <Screen title="result.title">
      <Loaded query={checkIn}>
        {(checkIn) => {
          if (checkIn.result) return <Complete result={checkIn.result} />
          return <Incomplete checkIn={checkIn} />
        }}
      </Loaded>
    </Screen>
  )
}

function Incomplete({ checkIn }: { checkIn: EndedCheckIn }) {
  const { t } = useTexts()
  const { status, progress, error, crisis_resources } = checkIn
  return (
    <>
      <p role="status">{error?.message ?? <T id="result.status" status={status} progress={progress} />}</p>
      <ul>
        {error?.reasons.map(({ modality, title, advice }) => (
          <li key={modality}>{`${t('result.part', { part: modality })}: ${title} ${advice}`}</li>
        ))}
      </ul>
      {crisis_resources && <CrisisResources resources={crisis_resources} />}
      <ButtonLink to="/check-in" label="result.again" />
    </>
  )
}

function Complete({ result }: { result: Result }) {
  const { t } = useTexts()
  const { compared: points, score_mean, reason, check_ins: checkIns } = result.baseline
  const isComparable = points !== null
  const scored = {
    ...result,
    usual: isComparable ? score_mean : null,
    change: isComparable ? { ...result, points } : t('result.not-comparable', { reason, checkIns }),
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
      <English title="result.raised" sentences={result.drivers_positive} />
      <English title="result.lowered" sentences={result.drivers_negative} />
      <Section title="result.parts">
        <ul className="list">
          {result.components.map((part) => (
            <Part key={part.modality} part={part} />
          ))}
        </ul>
      </Section>
      <P className="muted" id="result.version" version={result.algorithm_version} />
    </>
  )
}

/** A part of the score with its share, or why it has none. */
function Part({ part: { modality, score, weight, reason } }: { part: Result['components'][number] }) {
  const { t, locale } = useTexts()
  const read = { enabled: reason !== null }
  const { data: words } = useRead(['words', locale, reason], (client) => client.words(reason ?? ''), read)
  return (
    <li>
      <h3>{t('result.part', { part: modality })}</h3>
      <P id={score === null ? 'result.part-unused' : 'result.part-used'} score={score} weight={weight} />
      {words && <p className="muted">{`${words.title} ${words.advice}`}</p>}
    </li>
  )
}
