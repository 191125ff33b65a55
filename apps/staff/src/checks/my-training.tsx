import { Loaded, Screen } from '../../../ui/elements.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { done, useRead } from '../../../ui/service.tsx'
import { When } from '../../../ui/shown.tsx'
import { DataTable } from '../../../ui/table.tsx'
import { Standing } from './shown.tsx'

/** What the person has to learn and may learn, what is due first. */
export function useMyTraining() {
  return useRead(['my-training'], (client) => done(client.rpc('my_training')))
}

export default function MyTraining() {
  const { t } = useTexts()
  return (
    <Screen title="checks.training">
      <Loaded query={useMyTraining()}>
        {(modules) => (
          <DataTable
            label="checks.training"
            rows={modules}
            keyOf={({ module_id }) => module_id}
            to={({ module_id }) => `/training/${module_id}`}
            empty="checks.training-none"
            columns={[
              { label: 'checks.module', cell: ({ title }) => <span dir="auto">{title}</span> },
              { label: 'checks.standing', cell: ({ status }) => <Standing of={`learning.${status}`} /> },
              { label: 'checks.due', cell: ({ due_at }) => due_at && <When at={due_at} /> },
              {
                label: 'checks.sections-read',
                cell: ({ sections, sections_read }) =>
                  t('checks.of', { some: sections_read.length, all: sections }),
              },
              {
                label: 'checks.duration',
                cell: ({ estimated_duration }) => t('checks.minutes', { minutes: estimated_duration }),
              },
            ]}
          />
        )}
      </Loaded>
    </Screen>
  )
}
