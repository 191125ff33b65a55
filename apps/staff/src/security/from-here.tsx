import { useState } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import { Select } from '../../../ui/filters.tsx'
import { Field, Form, type Typed } from '../../../ui/form.tsx'
import { P, useTexts } from '../../../ui/language.tsx'
import { done, useService } from '../../../ui/service.tsx'
import { TargetShown, useRespond } from './respond.tsx'
import { useActiveIncidents } from './words.tsx'

type Props = { action: 'block_ip' | 'disable_user'; target: string; isDisabled?: boolean }

/** Whatever keeps somebody out answers an incident: one that goes on, or one that is recorded with it. */
export function RespondFromHere({ action, target, isDisabled = false }: Props) {
  return (
    <Dialog
      button={{ label: `security.action.${action}`, kind: 'danger', isDisabled }}
      title={`security.action.${action}`}
      isQuestion
    >
      {(close) => <Asked action={action} target={target} close={close} />}
    </Dialog>
  )
}

function Asked({ action, target, close }: Props & { close: () => void }) {
  const { api } = useService()
  const { t } = useTexts()
  const respond = useRespond()
  const { data: incidents = [] } = useActiveIncidents()
  const [incident, setIncident] = useState('')
  async function answer(typed: Typed) {
    let id = incident
    if (id === '') {
      const recorded = await done(
        api.POST('/api/security/incidents', {
          body: {
            type: 'suspicious_activity',
            severity: 'medium',
            title: typed('title'),
            description: typed('description'),
            ...(action === 'disable_user' && { affected_users: [target] }),
          },
        }),
      )
      id = recorded.id
      // What is recorded stays, should the action fail: another try answers the same incident.
      setIncident(id)
    }
    await respond(id, { action, target })
    close()
  }
  return (
    <>
      <div className="target">
        <TargetShown action={action} target={target} />
      </div>
      <P id={`security.asked.${action}`} />
      <Form submit={`security.action.${action}`} kind="danger" cancel={close} onSubmit={answer}>
        <Select
          label="security.incident"
          options={['', ...incidents.map(({ id }) => id)]}
          value={incident}
          onChange={setIncident}
        >
          {(one) => incidents.find(({ id }) => id === one)?.title ?? t('security.incident.new')}
        </Select>
        {incident === '' && (
          <>
            <Field label="security.title" name="title" maxLength={500} isRequired />
            <Field label="security.description" name="description" rows={3} maxLength={5000} isRequired />
          </>
        )}
      </Form>
    </>
  )
}
