import { Confirm } from '../../../ui/dialog.tsx'
import { Loaded, Screen } from '../../../ui/elements.tsx'
import { Field } from '../../../ui/form.tsx'
import { P, useTexts } from '../../../ui/language.tsx'
import { done, useRead } from '../../../ui/service.tsx'
import { Ago, Status } from '../../../ui/shown.tsx'
import { DataTable } from '../../../ui/table.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { useWords } from './words.tsx'

/** What was made in the database without a migration, until somebody confirms it. */
export default function SchemaChanges() {
  const { t } = useTexts()
  const words = useWords()
  const tell = useToast()
  const changes = useRead(['schema-changes'], (client) => done(client.rpc('list_schema_changes')), {
    refetchInterval: 60_000,
  })
  const reason = <Field label="security.reason" name="reason" maxLength={1000} isRequired />
  return (
    <Screen title="security.schema">
      <P id="security.schema.about" />
      <Loaded query={changes}>
        {(rows) => (
          <>
            <DataTable
              label="security.schema"
              empty="security.schema.none"
              rows={rows}
              keyOf={({ aspect, object }) => `${aspect} ${object}`}
              columns={[
                { label: 'security.object', cell: ({ object }) => <bdi>{object}</bdi> },
                { label: 'security.aspect', cell: ({ aspect }) => words('aspect', aspect) },
                { label: 'security.change', cell: ({ change }) => words('change', change) },
                {
                  label: 'security.weakens',
                  cell: ({ weakens }) =>
                    weakens ? <Status label="security.weakens.yes" tone="bad" /> : t('security.no'),
                },
                { label: 'security.seen', cell: ({ seen_at }) => <Ago at={seen_at} /> },
                {
                  label: 'security.do',
                  cell: ({ object, weakens }) => (
                    <Confirm
                      label="security.confirm"
                      kind={weakens ? 'danger' : 'plain'}
                      title="security.confirm"
                      question={weakens ? 'security.confirm.weak' : 'security.confirm.asked'}
                      target={object}
                      run={async (typed, client) => {
                        const { closed } = await done(
                          client.rpc('accept_schema_change', { reason: typed('reason'), object }),
                        )
                        if (closed) tell({ message: 'security.confirmed.closed' })
                      }}
                    >
                      {reason}
                    </Confirm>
                  ),
                },
              ]}
            />
            {rows.filter(({ weakens }) => !weakens).length > 1 && (
              <Confirm
                label="security.confirm.all"
                kind="plain"
                title="security.confirm.all"
                question="security.confirm.asked"
                target={rows.flatMap(({ object, weakens }) => (weakens ? [] : object)).join(', ')}
                run={(typed, client) => done(client.rpc('accept_schema_change', { reason: typed('reason') }))}
              >
                {reason}
              </Confirm>
            )}
          </>
        )}
      </Loaded>
    </Screen>
  )
}
