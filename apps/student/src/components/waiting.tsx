import type { QueuedCheckIn, WellbeingClient } from '@student-wellbeing/client'
import { useEffect, useState } from 'react'
import { ButtonLink, Section } from '../../../ui/elements.tsx'
import { Action } from '../../../ui/form.tsx'
import { P, T, useTexts } from '../../../ui/language.tsx'
import { useService } from '../../../ui/service.tsx'
import { CrisisResources } from './help.tsx'

/** The check-ins that this device keeps, as they change: what is on its way, what is in its way, and what can be done about it. */
export function Waiting() {
  const { client } = useService()
  const [checkIns, setCheckIns] = useState<QueuedCheckIn[]>([])
  useEffect(() => client.queue.subscribe(setCheckIns), [client])
  if (checkIns.length === 0) return null
  return (
    <Section title="check-in.waiting">
      <ul className="list">
        {checkIns.map((checkIn) => (
          <WaitingCheckIn key={checkIn.id} checkIn={checkIn} />
        ))}
      </ul>
    </Section>
  )
}

function WaitingCheckIn({ checkIn }: { checkIn: QueuedCheckIn }) {
  const { time, number } = useTexts()
  const { id, step, progress, problem, ended, nextAttemptAt, checkInId, canRetry } = checkIn
  const remove = ({ queue }: WellbeingClient) => queue.remove(id)
  const isUnderWay = step === 'uploading' || step === 'analysing'
  // Sent from memory, which ends with the app.
  const isUnkept = step !== 'analysing' && /^device_storage_/.test(problem?.code ?? '')
  return (
    <li className="card">
      <p className="muted">{time(checkIn.recordedAt)}</p>
      <h3 id={id}>
        <T id="check-in.step" step={step} />
        {isUnderWay && ` ${number(progress, { style: 'percent' })}`}
      </h3>
      {isUnderWay && <progress aria-labelledby={id} value={progress} />}
      <div role="status">
        {problem && <p>{`${problem.words.title} ${problem.words.advice}`}</p>}
        {problem && nextAttemptAt && <P id="check-in.next-attempt" time={time(nextAttemptAt)} />}
        <P id="check-in.meanwhile" step={isUnkept ? 'unkept' : step} />
      </div>
      {canRetry && <P className="muted" id="check-in.kept-until" time={time(checkIn.expiresAt)} />}
      {ended?.crisis_resources && <CrisisResources resources={ended.crisis_resources} />}
      <div className="row">
        {step === 'complete' && checkInId && (
          <ButtonLink to={`/check-ins/${checkInId}`} kind="primary" label="check-in.see-result" />
        )}
        {canRetry && <Action label="check-in.retry" run={({ queue }) => queue.retry(id)} />}
        {step === 'complete' && <Action label="check-in.hide" run={remove} />}
        {step !== 'complete' && step !== 'analysing' && (
          <Action label="check-in.delete" question="check-in.delete-question" run={remove} />
        )}
      </div>
    </li>
  )
}
