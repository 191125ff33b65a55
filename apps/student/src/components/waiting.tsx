import type { QueuedCheckIn } from '@student-wellbeing/client'
import { useEffect, useState } from 'react'
import { Label, ProgressBar } from 'react-aria-components'
import { FormattedMessage, useIntl } from 'react-intl'
import { useService } from '../service.tsx'
import { Confirm } from './confirm.tsx'
import { Button, ButtonLink } from './controls.tsx'
import { CrisisResources } from './crisis-resources.tsx'

/** The check-ins that this device keeps, as they change. */
export function useQueue(): QueuedCheckIn[] {
  const { client } = useService()
  const [checkIns, setCheckIns] = useState<QueuedCheckIn[]>([])
  useEffect(() => client.queue.subscribe(setCheckIns), [client])
  return checkIns
}

/** What is on its way, with what is in its way and what can be done about it. */
export function Waiting({ checkIns }: { checkIns: QueuedCheckIn[] }) {
  if (checkIns.length === 0) return null
  return (
    <section className="stack" aria-labelledby="check-in-waiting">
      <h2 id="check-in-waiting">
        <FormattedMessage id="check-in.waiting" />
      </h2>
      <ul className="list">
        {checkIns.map((checkIn) => (
          <li key={checkIn.id} className="card">
            <WaitingCheckIn checkIn={checkIn} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function WaitingCheckIn({ checkIn }: { checkIn: QueuedCheckIn }) {
  const { client } = useService()
  const intl = useIntl()
  const { step, problem, ended, nextAttemptAt, checkInId } = checkIn
  const isHeldUp = step === 'waiting' || step === 'failed'
  const time = (at: string) => intl.formatDate(at, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <>
      <p className="muted small">{time(checkIn.recordedAt)}</p>
      {step === 'uploading' || step === 'analysing' ? (
        <Progress share={checkIn.progress} step={step} />
      ) : (
        <h3>
          <FormattedMessage id="check-in.step" values={{ step }} />
        </h3>
      )}
      <div role="status" className="stack">
        {ended?.error ? (
          <p>{ended.error.message}</p>
        ) : (
          problem && (
            <p>
              {problem.words.title} {problem.words.advice}
            </p>
          )
        )}
        {nextAttemptAt && step === 'waiting' && (
          <p>
            <FormattedMessage
              id="check-in.next-attempt"
              values={{ time: intl.formatTime(nextAttemptAt, { timeStyle: 'short' }) }}
            />
          </p>
        )}
        <FormattedMessage id="check-in.meanwhile" values={{ step }} />
      </div>
      {isHeldUp && (
        <p className="muted small">
          <FormattedMessage id="check-in.kept-until" values={{ time: time(checkIn.expiresAt) }} />
        </p>
      )}
      {ended?.crisis_resources && <CrisisResources resources={ended.crisis_resources} />}
      <div className="row">
        {step === 'complete' && checkInId && (
          <ButtonLink to={`/check-ins/${checkInId}`} kind="primary">
            <FormattedMessage id="check-in.see-result" />
          </ButtonLink>
        )}
        {isHeldUp && (
          <Button onPress={() => void client.queue.retry(checkIn.id)}>
            <FormattedMessage id="check-in.retry" />
          </Button>
        )}
        {step !== 'analysing' && step !== 'complete' && (
          <Confirm
            label={<FormattedMessage id="check-in.delete" />}
            question={<FormattedMessage id="check-in.delete-question" />}
            onConfirm={() => void client.queue.remove(checkIn.id)}
          />
        )}
      </div>
    </>
  )
}

function Progress({ share, step }: { share: number; step: 'uploading' | 'analysing' }) {
  const percent = { style: 'percent', maximumFractionDigits: 0 } as const
  return (
    <ProgressBar className="progress" value={share} maxValue={1} formatOptions={percent}>
      {({ valueText }) => (
        <>
          <Label>
            <FormattedMessage id="check-in.step" values={{ step }} />
          </Label>
          <span>{valueText}</span>
          <div className="track">
            <div style={{ inlineSize: `${share * 100}%` }} />
          </div>
        </>
      )}
    </ProgressBar>
  )
}
