import type { QueuedCheckIn } from '@student-wellbeing/client'
import { useEffect, useState } from 'react'
import { Label, ProgressBar } from 'react-aria-components'
import { useIntl } from 'react-intl'
import { useService } from '../service.tsx'
import { Confirm } from './confirm.tsx'
import { Button, ButtonLink } from './controls.tsx'
import { CrisisResources } from './crisis-resources.tsx'

/** The check-ins that this device keeps, as they change: what is on its way, what is in its way, and what can be done about it. */
export function Waiting() {
  const { client } = useService()
  const { $t } = useIntl()
  const [checkIns, setCheckIns] = useState<QueuedCheckIn[]>([])
  useEffect(() => client.queue.subscribe(setCheckIns), [client])
  if (checkIns.length === 0) return null
  return (
    <section className="stack" aria-labelledby="waiting">
      <h2 id="waiting">{$t({ id: 'check-in.waiting' })}</h2>
      <ul className="list">
        {checkIns.map((checkIn) => (
          <WaitingCheckIn key={checkIn.id} checkIn={checkIn} />
        ))}
      </ul>
    </section>
  )
}

function WaitingCheckIn({ checkIn }: { checkIn: QueuedCheckIn }) {
  const { client } = useService()
  const { $t, formatDate } = useIntl()
  const { id, step, progress, problem, ended, nextAttemptAt, checkInId, canRetry } = checkIn
  const time = (at: string) => formatDate(at, { dateStyle: 'medium', timeStyle: 'short' })
  const words = $t({ id: 'check-in.step' }, { step })
  // Sent from memory, which ends with the app.
  const isUnkept = step !== 'analysing' && /^device_storage_/.test(problem?.code ?? '')
  return (
    <li className="card">
      <p className="muted small">{time(checkIn.recordedAt)}</p>
      {step === 'uploading' || step === 'analysing' ? (
        <ProgressBar className="progress" value={progress} maxValue={1} formatOptions={{ style: 'percent' }}>
          {({ valueText }) => (
            <>
              <Label>{words}</Label>
              <span>{valueText}</span>
              <div className="track">
                <div style={{ inlineSize: `${progress * 100}%` }} />
              </div>
            </>
          )}
        </ProgressBar>
      ) : (
        <h3>{words}</h3>
      )}
      <div role="status" className="stack">
        {problem && <p>{`${problem.words.title} ${problem.words.advice}`}</p>}
        {problem && nextAttemptAt && (
          <p>{$t({ id: 'check-in.next-attempt' }, { time: time(nextAttemptAt) })}</p>
        )}
        <p>{$t({ id: 'check-in.meanwhile' }, { step: isUnkept ? 'unkept' : step })}</p>
      </div>
      {canRetry && (
        <p className="muted small">{$t({ id: 'check-in.kept-until' }, { time: time(checkIn.expiresAt) })}</p>
      )}
      {ended?.crisis_resources && <CrisisResources resources={ended.crisis_resources} />}
      <div className="row">
        {step === 'complete' && checkInId && (
          <ButtonLink to={`/check-ins/${checkInId}`} kind="primary">
            {$t({ id: 'check-in.see-result' })}
          </ButtonLink>
        )}
        {canRetry && (
          <Button onPress={() => void client.queue.retry(id)}>{$t({ id: 'check-in.retry' })}</Button>
        )}
        {step === 'complete' && (
          <Button onPress={() => void client.queue.remove(id)}>{$t({ id: 'check-in.hide' })}</Button>
        )}
        {step !== 'complete' && step !== 'analysing' && (
          <Confirm
            label={$t({ id: 'check-in.delete' })}
            question={$t({ id: 'check-in.delete-question' })}
            onConfirm={() => void client.queue.remove(id)}
          />
        )}
      </div>
    </li>
  )
}
