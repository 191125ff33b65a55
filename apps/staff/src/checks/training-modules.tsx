import { ButtonLink, Loaded, Screen } from '../../../ui/elements.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { done, useRead } from '../../../ui/service.tsx'
import { DataTable } from '../../../ui/table.tsx'
import { Standing } from './shown.tsx'

/** How each module stands, of those who have to take it. */
export function useTrainingStatistics() {
  return useRead(['training-statistics'], (client) => done(client.rpc('training_statistics')))
}

export default function TrainingModules() {
  const { number, t } = useTexts()
  return (
    <Screen title="checks.modules">
      <ButtonLink to="/training-modules/new" label="checks.module-new" kind="primary" />
      <Loaded query={useTrainingStatistics()}>
        {(modules) => (
          <DataTable
            label="checks.modules"
            rows={modules}
            keyOf={({ module_id }) => module_id}
            to={({ module_id }) => `/training-modules/${module_id}`}
            empty="checks.modules-none"
            columns={[
              {
                label: 'checks.module',
                cell: ({ title }) => <span dir="auto">{title}</span>,
                sortBy: ({ title }) => title,
              },
              {
                label: 'checks.published',
                cell: ({ published }) => <Standing of={published ? 'published.yes' : 'published.no'} />,
              },
              {
                label: 'checks.assigned',
                cell: ({ assigned }) => number(assigned),
                sortBy: ({ assigned }) => assigned,
                isFigure: true,
              },
              {
                label: 'checks.learning.completed',
                cell: ({ completed }) => number(completed),
                sortBy: ({ completed }) => completed,
                isFigure: true,
              },
              {
                label: 'checks.learning.in_progress',
                cell: ({ in_progress }) => number(in_progress),
                sortBy: ({ in_progress }) => in_progress,
                isFigure: true,
              },
              {
                label: 'checks.learning.overdue',
                cell: ({ overdue }) => number(overdue),
                sortBy: ({ overdue }) => overdue,
                isFigure: true,
              },
              {
                label: 'checks.attempts-passed',
                cell: ({ attempts, passed }) => t('checks.of', { some: passed, all: attempts }),
                isFigure: true,
              },
              {
                label: 'checks.average',
                cell: ({ average_score }) =>
                  average_score !== null && number(average_score / 100, { style: 'percent' }),
                sortBy: ({ average_score }) => average_score,
                isFigure: true,
              },
            ]}
          />
        )}
      </Loaded>
    </Screen>
  )
}
