import { Link, useParams } from 'wouter'
import type { Account } from '../../../../types/shapes.ts'
import { Confirm } from '../../../ui/dialog.tsx'
import { Loaded, Screen, Section } from '../../../ui/elements.tsx'
import { Field } from '../../../ui/form.tsx'
import { P, T, useTexts } from '../../../ui/language.tsx'
import { done } from '../../../ui/service.tsx'
import { Ago, Facts, Status, When } from '../../../ui/shown.tsx'
import { DataTable } from '../../../ui/table.tsx'
import { RolesShown, useAccount } from './account-read.tsx'
import { RespondFromHere } from './from-here.tsx'
import { SeverityShown, StatusShown, UniversityShown } from './words.tsx'

/** One account: whose it is, how it stands, and what keeps it out. */
export default function AccountScreen() {
  const { id } = useParams<{ id: string }>()
  return (
    <Screen title="security.account">
      <Loaded query={useAccount(id)}>
        {(account) => (account ? <Shown account={account} /> : <P id="security.account.none" />)}
      </Loaded>
    </Screen>
  )
}

function Shown({ account }: { account: Account }) {
  const { t, number } = useTexts()
  const { user_id: id, disabled, banned_until, sessions, incidents } = account
  return (
    <>
      <section>
        <p className="lead">
          <bdi>{account.email}</bdi>
        </p>
        <div className="row">
          {disabled || banned_until ? (
            <Status label="security.account.disabled" tone="bad" />
          ) : (
            <Status label="security.account.enabled" tone="good" />
          )}
          {account.second_factors > 0 ? (
            <Status label="security.second-factor" tone="good" />
          ) : (
            <Status label="security.second-factor.none" tone="warning" />
          )}
        </div>
        <Facts
          of={[
            ['security.roles', <RolesShown key="roles" of={account.roles} />],
            ['security.university', account.university_id && <UniversityShown id={account.university_id} />],
            ['security.created', <When key="created" at={account.created_at} />],
            [
              'security.confirmed',
              account.confirmed_at ? <When key="confirmed" at={account.confirmed_at} /> : t('security.never'),
            ],
            [
              'security.last-sign-in',
              account.last_sign_in_at ? (
                <Ago key="signed-in" at={account.last_sign_in_at} />
              ) : (
                t('security.never')
              ),
            ],
            ['security.failed-sign-ins', number(account.failed_sign_ins)],
            ['security.disabled-since', disabled && <When at={disabled.since} />],
            ['security.reason', disabled && <bdi>{disabled.reason}</bdi>],
            [
              'security.incident',
              disabled?.incident_id && (
                <Link href={`/incidents/${disabled.incident_id}`}>
                  <T id="security.open" />
                </Link>
              ),
            ],
            [
              'security.banned-until',
              banned_until && !disabled ? <When key="banned" at={banned_until} /> : null,
            ],
            [
              'security.erasure-requested',
              account.erasure_requested_at && <When at={account.erasure_requested_at} />,
            ],
            ['security.id', <bdi key="id">{id}</bdi>],
          ]}
        />
        {account.is_own && <P className="notice" id="security.account.own" />}
        <div className="row">
          {disabled ? (
            <Confirm
              label="security.enable"
              kind="primary"
              title="security.enable"
              question="security.enable.asked"
              target={account.email ?? id}
              run={(typed, client) =>
                done(
                  client.rpc('lift_block', { action: 'disable_user', target: id, reason: typed('reason') }),
                )
              }
            >
              <Field label="security.reason" name="reason" maxLength={500} isRequired />
            </Confirm>
          ) : (
            <RespondFromHere action="disable_user" target={id} />
          )}
        </div>
      </section>
      <Section title="security.sessions">
        <DataTable
          label="security.sessions"
          empty="security.sessions.none"
          rows={sessions}
          keyOf={({ created_at, address }) => `${created_at} ${address}`}
          columns={[
            { label: 'security.begun', cell: ({ created_at }) => <When at={created_at} /> },
            { label: 'security.last-seen', cell: ({ last_at }) => <Ago at={last_at} /> },
            { label: 'security.address', cell: ({ address }) => <bdi>{address}</bdi> },
            { label: 'security.browser', cell: ({ user_agent }) => <bdi>{user_agent}</bdi> },
            {
              label: 'security.second-factor',
              cell: ({ aal }) => t(aal === 'aal2' ? 'security.yes' : 'security.no'),
            },
          ]}
        />
      </Section>
      <Section title="security.account.incidents">
        <DataTable
          label="security.account.incidents"
          empty="security.none-such"
          rows={incidents}
          keyOf={(one) => one.id}
          to={(one) => `/incidents/${one.id}`}
          columns={[
            { label: 'security.what', cell: ({ title }) => <bdi>{title}</bdi> },
            { label: 'security.severity', cell: (one) => <SeverityShown of={one.severity} /> },
            { label: 'security.status', cell: (one) => <StatusShown of={one.status} /> },
            { label: 'security.detected-at', cell: ({ detected_at }) => <When at={detected_at} /> },
          ]}
        />
      </Section>
    </>
  )
}
