import { useState } from 'react'
import type { Database } from '../../../../types/database.ts'
import type { GivenPolicyActions, PolicyConditions, PolicyPreview } from '../../../../types/shapes.ts'
import { Section } from '../../../ui/elements.tsx'
import { Filters, Select } from '../../../ui/filters.tsx'
import { Action } from '../../../ui/form.tsx'
import { P, useTexts } from '../../../ui/language.tsx'
import { type Client, done } from '../../../ui/service.tsx'
import { Ago } from '../../../ui/shown.tsx'
import { DataTable } from '../../../ui/table.tsx'
import { RolesShown } from './account-read.tsx'
import { Person, useWords } from './words.tsx'

type Tried = {
  conditions: PolicyConditions
  actions: GivenPolicyActions
  points: Database['public']['Enums']['enforcement_point'][]
}

const PERIODS = ['1', '7', '30'] as const

/** Whom a policy would have stopped in the past days, before it is on. */
export function Preview({ of }: { of: () => Tried }) {
  const { t } = useTexts()
  const [days, setDays] = useState<(typeof PERIODS)[number]>('7')
  const [found, setFound] = useState<PolicyPreview>()
  async function look(client: Client) {
    const { conditions, actions, points } = of()
    setFound(
      await done(
        client.rpc('preview_policy', {
          conditions,
          actions,
          enforcement_points: points,
          period: `${days} days`,
        }),
      ),
    )
  }
  return (
    <Section title="security.preview">
      <P id="security.preview.about" />
      <Filters>
        <Select label="security.preview.period" options={PERIODS} value={days} onChange={setDays}>
          {(one) => t('security.preview.days', { days: Number(one) })}
        </Select>
      </Filters>
      <Action label="security.preview.look" run={look} />
      <div role="status" className="list">
        {found && <Found preview={found} />}
      </div>
    </Section>
  )
}

function Found({ preview }: { preview: PolicyPreview }) {
  const { t, number, formatDate } = useTexts()
  const words = useWords()
  const { events, held, stopped, accounts_stopped, not_known, is_complete, since } = preview
  const figures = [
    {
      label: 'security.preview.held' as const,
      cell: (one: { held: number }) => number(one.held),
      isFigure: true,
    },
    {
      label: 'security.preview.stopped' as const,
      cell: (one: { stopped: number }) => number(one.stopped),
      isFigure: true,
    },
  ]
  return (
    <>
      <p className="lead">
        {t('security.preview.told', { events, held, stopped, accounts: accounts_stopped })}
      </p>
      {not_known.length > 0 && (
        <P
          className="notice"
          id="security.preview.not-known"
          fields={not_known.map((field) => words('field', field)).join(', ')}
        />
      )}
      {!is_complete && (
        <p className="notice">
          {t('security.preview.cut')} <Ago at={since} />
        </p>
      )}
      <h3>{t('security.preview.accounts')}</h3>
      <DataTable
        label="security.preview.accounts"
        empty="security.preview.nobody"
        rows={preview.accounts}
        keyOf={({ user_id }) => user_id}
        columns={[
          { label: 'security.account', cell: ({ user_id }) => <Person id={user_id} /> },
          {
            label: 'security.roles',
            cell: ({ roles, universities }) => (
              <RolesShown
                of={roles.map((role) => ({
                  role,
                  university_id:
                    role === 'security_admin' || universities.length > 1 ? null : (universities[0] ?? null),
                }))}
              />
            ),
          },
          ...figures,
          { label: 'security.applied-last', cell: ({ last_at }) => <Ago at={last_at} /> },
        ]}
      />
      <h3>{t('security.preview.addresses')}</h3>
      <DataTable
        label="security.preview.addresses"
        empty="security.preview.nobody"
        rows={preview.addresses}
        keyOf={({ address }) => address}
        columns={[
          { label: 'security.address', cell: ({ address }) => <bdi>{address}</bdi> },
          ...figures,
          { label: 'security.applied-last', cell: ({ last_at }) => <Ago at={last_at} /> },
        ]}
      />
      <h3>{t('security.preview.by-day')}</h3>
      <DataTable
        label="security.preview.by-day"
        empty="security.preview.nobody"
        rows={preview.days}
        keyOf={({ day }) => day}
        columns={[
          {
            label: 'security.day',
            cell: ({ day }) => formatDate(day, { dateStyle: 'medium', timeZone: 'UTC' }),
          },
          { label: 'security.preview.events', cell: (one) => number(one.events), isFigure: true },
          ...figures,
        ]}
      />
    </>
  )
}
