import { Fragment, type ReactNode, useState } from 'react'
import { Confirm } from '../../../ui/dialog.tsx'
import { Loaded } from '../../../ui/elements.tsx'
import { Select } from '../../../ui/filters.tsx'
import { Field } from '../../../ui/form.tsx'
import { P, T, useTexts } from '../../../ui/language.tsx'
import { done, useRead, useService } from '../../../ui/service.tsx'
import { Facts, useNow, When } from '../../../ui/shown.tsx'
import { DataTable } from '../../../ui/table.tsx'
import { useToast } from '../../../ui/toast.tsx'
import type { operations } from '../generated/api.ts'
import { RolesShown, useAccount } from './account-read.tsx'
import { Person, useWords } from './words.tsx'

export type Incident = operations['readIncident']['responses'][200]['content']['application/json']
type Response = Incident['response'][number]
export type Action = Response['action']

export const ACTIONS = [
  'block_ip',
  'disable_user',
  'quarantine',
  'send_alert',
  'audit_trail',
  'backup',
] as const satisfies readonly Action[]

/** What is kept once it was made. */
const isKept = (action: Action): action is 'backup' | 'audit_trail' =>
  action === 'backup' || action === 'audit_trail'

/** What is done to something that is named; the words of an alert may be left out. */
const AIMED: readonly Action[] = ['block_ip', 'disable_user', 'quarantine']

type Asked = { action: Action; target: string; undo?: boolean }

/** Does something about an incident, or undoes it, and tells what came of it with the way back. */
export function useRespond() {
  const { api } = useService()
  const tell = useToast()
  const words = useWords()
  return async function respond(id: string, { action, target, undo = false }: Asked): Promise<void> {
    const { results } = await done(
      api.PUT('/api/security/incidents/{id}/response', {
        params: { path: { id } },
        body: { actions: [{ action, undo, ...(target && { target }) }] },
      }),
    )
    const [result] = results
    const values = { action: words('action', action), target, detail: result?.detail ?? '' }
    if (result?.status !== 'done') tell({ message: 'security.not-done', values })
    else if (undo) tell({ message: 'security.undone', values })
    else if (isKept(action)) tell({ message: 'security.done', values })
    else tell({ message: 'security.done', values, undo: () => respond(id, { action, target, undo: true }) })
  }
}

/** What an action would reach, looked up when it is about to be done. */
export function TargetShown({ action, target }: { action: Action; target: string }): ReactNode {
  switch (action) {
    case 'block_ip':
      return <AddressShown address={target} />
    case 'disable_user':
      return <AccountShown id={target} />
    case 'quarantine':
      return target === '*' ? <T id="security.quarantine.all" /> : <bdi>{target}</bdi>
    case 'send_alert':
      return <T id="security.alert.to" words={target} />
    default:
      return <T id={`security.action.${action}`} />
  }
}

/** What is known of an address before it is blocked. */
export function AddressShown({ address }: { address: string }) {
  const known = useRead(['address', address], (client) => done(client.rpc('look_up_address', { address })))
  const { t } = useTexts()
  return (
    <Loaded query={known}>
      {({ network, kind, problem, is_own, blocked, last_day }) => (
        <>
          <Facts
            of={[
              ['security.network', <bdi key="network">{network}</bdi>],
              ['security.network.kind', kind && t(`security.network.${kind}`)],
              ['security.network.signed-in', t('security.network.day', last_day)],
              ['security.blocked-until', blocked?.is_active ? <When key="until" at={blocked.until} /> : null],
              ['security.blocked-before', blocked ? t('security.times', { times: blocked.times }) : null],
            ]}
          />
          {is_own && <P id="security.network.own" className="notice" />}
          {problem !== null && <P id="security.network.never" className="notice" />}
        </>
      )}
    </Loaded>
  )
}

function AccountShown({ id }: { id: string }) {
  return (
    <Loaded query={useAccount(id)}>
      {(account) =>
        account ? (
          <>
            <Facts
              of={[
                ['security.email', account.email],
                ['security.roles', <RolesShown key="roles" of={account.roles} />],
                ['security.last-sign-in', account.last_sign_in_at && <When at={account.last_sign_in_at} />],
              ]}
            />
            {account.is_own && <P id="security.account.own" className="notice" />}
          </>
        ) : (
          <T id="security.account.none" />
        )
      }
    </Loaded>
  )
}

/** A button that asks whether something is to be done, with what it would reach. */
export function Respond({ incident, action, target }: { incident: string; action: Action; target: string }) {
  const respond = useRespond()
  return (
    <Confirm
      label={`security.action.${action}`}
      title={`security.action.${action}`}
      question={isKept(action) ? 'security.asked.kept' : `security.asked.${action}`}
      target={<TargetShown action={action} target={target} />}
      isDisabled={AIMED.includes(action) && target === ''}
      run={() => respond(incident, { action, target })}
    />
  )
}

/** What can be done: about what the incident names, and about anything else. */
export function Responses({ incident }: { incident: Incident }) {
  const { t } = useTexts()
  const [action, setAction] = useState<Action>('block_ip')
  const [target, setTarget] = useState('')
  const { addresses } = incident.indicators
  const named = Array.isArray(addresses) ? addresses.filter((one) => typeof one === 'string') : []
  const done = inForce(incident.response, useNow())
  const isInForce = (what: Action, whom: string) =>
    done.some((one) => one.action === what && one.target === whom)
  const suggested = [
    ...named.map((address) => ({ action: 'block_ip' as const, target: address })),
    ...incident.affected_users.map((account) => ({ action: 'disable_user' as const, target: account })),
  ].filter((one) => !isInForce(one.action, one.target))
  return (
    <>
      <DataTable
        label="security.suggested"
        empty="security.suggested.none"
        rows={suggested}
        keyOf={(one) => one.target}
        columns={[
          {
            label: 'security.target',
            cell: (one) => (one.action === 'block_ip' ? <bdi>{one.target}</bdi> : <Person id={one.target} />),
          },
          { label: 'security.do', cell: (one) => <Respond incident={incident.id} {...one} /> },
        ]}
      />
      <fieldset className="list">
        <legend>
          <T id="security.other" />
        </legend>
        <div className="filters start">
          <Select label="security.do" options={ACTIONS} value={action} onChange={setAction}>
            {(one) => t(`security.action.${one}`)}
          </Select>
          {!isKept(action) && (
            <Field
              label={action === 'send_alert' ? 'security.target.words' : 'security.target'}
              hint={`security.target.${action === 'send_alert' ? 'alert' : action === 'block_ip' ? 'address' : action === 'disable_user' ? 'account' : 'function'}`}
              value={target}
              onChange={setTarget}
              maxLength={1000}
            />
          )}
        </div>
        <Respond incident={incident.id} action={action} target={isKept(action) ? '' : target.trim()} />
      </fieldset>
    </>
  )
}

/** What was done last to each target, and was not undone nor ended by itself. */
function inForce(response: readonly Response[], now: number): Response[] {
  const latest = new Map(response.map((one) => [`${one.action} ${one.target}`, one]))
  return [...latest.values()].filter(
    ({ action, status, undone, until }) =>
      !isKept(action) && status === 'done' && !undone && !(until && Date.parse(until) < now),
  )
}

/** What was done about an incident, with the way back where there is one. */
export function DoneAbout({ incident }: { incident: Incident }) {
  const { t, time } = useTexts()
  const words = useWords()
  const respond = useRespond()
  const current = inForce(incident.response, useNow())
  return (
    <DataTable
      label="security.response"
      empty="security.response.none"
      rows={incident.response.toReversed()}
      keyOf={({ at, action, target }) => `${at} ${action} ${target}`}
      columns={[
        { label: 'security.when', cell: ({ at }) => <When at={at} /> },
        {
          label: 'security.do',
          cell: ({ action, undone }) => (
            <>
              {words('action', action)}
              {undone && <> ({t('security.was-undone')})</>}
            </>
          ),
        },
        {
          label: 'security.target',
          cell: ({ action, target }) =>
            target && action === 'disable_user' ? <Person id={target} /> : <bdi>{target}</bdi>,
        },
        {
          label: 'security.outcome',
          cell: ({ status, detail, until, not_reached }) => (
            <>
              {t(`security.outcome.${status}`)}
              {until && <> {t('security.outcome.until', { until: time(until) })}</>}
              {detail && (
                <p className="muted" lang="en" dir="auto">
                  {detail}
                </p>
              )}
              {not_reached && not_reached.length > 0 && (
                <p className="muted">
                  <T id="security.not-reached" />{' '}
                  {not_reached.map((way, at) => (
                    <Fragment key={way}>
                      {at > 0 && ', '}
                      {words('did', way)}
                    </Fragment>
                  ))}
                </p>
              )}
            </>
          ),
        },
        {
          label: 'security.undo',
          cell: (one) =>
            current.includes(one) && (
              <Confirm
                label="security.undo"
                kind="plain"
                title="security.undo.title"
                question="security.undo.asked"
                values={{ action: words('action', one.action) }}
                target={<TargetShown action={one.action} target={one.target ?? ''} />}
                run={() => respond(incident.id, { action: one.action, target: one.target ?? '', undo: true })}
              />
            ),
        },
      ]}
    />
  )
}
