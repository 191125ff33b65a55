import { ButtonLink, Loaded, Screen } from '../../../ui/elements.tsx'
import { P, useTexts } from '../../../ui/language.tsx'
import { done, useRead } from '../../../ui/service.tsx'
import { Ago } from '../../../ui/shown.tsx'
import { DataTable } from '../../../ui/table.tsx'
import { ActionsShown, PolicyState } from './policy-shown.tsx'

/** What is done when conditions hold, in the order in which it is looked at. */
export default function Policies() {
  const { t, number } = useTexts()
  const policies = useRead(['policies'], (client) =>
    done(client.from('security_policies').select().order('priority').order('id')),
  )
  return (
    <Screen title="security.policies">
      <P id="security.policies.about" />
      <ButtonLink kind="primary" to="/policies/new" label="security.policy.new" />
      <Loaded query={policies}>
        {(rows) => (
          <DataTable
            label="security.policies"
            empty="security.policies.none"
            rows={rows}
            keyOf={({ id }) => id}
            to={({ id }) => `/policies/${id}`}
            columns={[
              { label: 'security.name', cell: ({ name }) => <bdi>{name}</bdi>, sortBy: ({ name }) => name },
              {
                label: 'security.status',
                cell: (one) => <PolicyState of={one} />,
                sortBy: (one) => Number(one.enabled) * 2 + Number(!one.dry_run),
              },
              { label: 'security.actions', cell: ({ actions }) => <ActionsShown of={actions} /> },
              {
                label: 'security.category',
                cell: ({ category }) => t(`security.category.${category}`),
                sortBy: ({ category }) => t(`security.category.${category}`),
              },
              {
                label: 'security.priority',
                cell: ({ priority }) => number(priority),
                sortBy: ({ priority }) => priority,
                isFigure: true,
              },
              {
                label: 'security.applied',
                cell: ({ trigger_count }) => number(trigger_count),
                sortBy: ({ trigger_count }) => trigger_count,
                isFigure: true,
              },
              {
                label: 'security.applied-last',
                cell: ({ last_triggered }) =>
                  last_triggered ? <Ago at={last_triggered} /> : t('security.never'),
                sortBy: ({ last_triggered }) => last_triggered,
              },
            ]}
          />
        )}
      </Loaded>
    </Screen>
  )
}
