import { useState } from 'react'
import { Link } from 'wouter'
import { Confirm } from '../../../ui/dialog.tsx'
import { Loaded, Screen, Section } from '../../../ui/elements.tsx'
import { Filters, Select } from '../../../ui/filters.tsx'
import { Field, Form } from '../../../ui/form.tsx'
import { P, T, useTexts } from '../../../ui/language.tsx'
import { done, useRead } from '../../../ui/service.tsx'
import { Ago, Status, When } from '../../../ui/shown.tsx'
import { DataTable } from '../../../ui/table.tsx'
import { RespondFromHere } from './from-here.tsx'
import { AddressShown, TargetShown } from './respond.tsx'
import { Person } from './words.tsx'

const KINDS = ['block_ip', 'disable_user', 'quarantine'] as const

/** What is kept out, whoever ordered it, and the way back. */
export default function Blocks() {
  const { t } = useTexts()
  const [kind, setKind] = useState<(typeof KINDS)[number] | ''>('')
  const [shown, setShown] = useState<'active' | 'all'>('active')
  const blocks = useRead(['blocks'], (client) => done(client.rpc('list_blocks')), { refetchInterval: 15_000 })
  return (
    <Screen title="security.blocks">
      <Filters>
        <Select label="security.block" options={['', ...KINDS]} value={kind} onChange={setKind}>
          {(one) => t(one ? `security.block.${one}` : 'security.any')}
        </Select>
        <Select
          label="security.status"
          options={['active', 'all'] as const}
          value={shown}
          onChange={setShown}
        >
          {(one) => t(`security.blocks.${one}`)}
        </Select>
      </Filters>
      <Loaded query={blocks}>
        {(rows) => (
          <DataTable
            label="security.blocks"
            empty={shown === 'active' && kind === '' ? 'security.blocks.none' : 'security.none-such'}
            rows={rows.filter(
              ({ action, is_active }) => (kind === '' || action === kind) && (shown === 'all' || is_active),
            )}
            keyOf={({ action, target }) => `${action} ${target}`}
            columns={[
              {
                label: 'security.target',
                cell: ({ action, target }) =>
                  action === 'disable_user' ? (
                    <Person id={target} />
                  ) : (
                    <bdi>{target === '*' ? t('security.quarantine.all') : target}</bdi>
                  ),
              },
              { label: 'security.block', cell: ({ action }) => t(`security.block.${action}`) },
              {
                label: 'security.status',
                cell: ({ is_active }) =>
                  is_active ? (
                    <Status label="security.in-force" tone="bad" />
                  ) : (
                    <Status label="security.over" />
                  ),
              },
              { label: 'security.since', cell: ({ since }) => <Ago at={since} /> },
              {
                label: 'security.until',
                cell: ({ until }) => (until ? <When at={until} /> : t('security.until.lifted')),
              },
              { label: 'security.reason', cell: ({ reason }) => <bdi>{reason}</bdi> },
              {
                label: 'security.incident',
                cell: ({ incident_id }) =>
                  incident_id ? (
                    <Link href={`/incidents/${incident_id}`}>
                      <T id="security.open" />
                    </Link>
                  ) : (
                    t('security.incident.none')
                  ),
              },
              {
                label: 'security.lift',
                cell: ({ action, target, is_active }) =>
                  is_active && (
                    <Confirm
                      label="security.lift"
                      kind="plain"
                      title="security.lift"
                      question={`security.lift.${action}`}
                      target={<TargetShown action={action} target={target} />}
                      of={target}
                      run={(typed, client) =>
                        done(client.rpc('lift_block', { action, target, reason: typed('reason') }))
                      }
                    >
                      <Field label="security.reason" name="reason" maxLength={500} isRequired />
                    </Confirm>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
      <LookUp />
    </Screen>
  )
}

function LookUp() {
  const [address, setAddress] = useState('')
  return (
    <Section title="security.look-up-address">
      <P id="security.look-up-address.about" />
      <Form submit="security.look-up" onSubmit={async (typed) => setAddress(typed('address'))}>
        <Field
          label="security.address"
          hint="security.target.address"
          name="address"
          maxLength={50}
          isRequired
        />
      </Form>
      {address && (
        <div className="card">
          <AddressShown key={address} address={address} />
          <RespondFromHere action="block_ip" target={address} />
        </div>
      )}
    </Section>
  )
}
