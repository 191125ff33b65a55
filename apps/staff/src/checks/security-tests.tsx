import { useLocation } from 'wouter'
import type { Constants } from '../../../../types/database.ts'
import { Loaded, Screen, Section } from '../../../ui/elements.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { done, useRead } from '../../../ui/service.tsx'
import { Ago, Facts, Status, When } from '../../../ui/shown.tsx'
import { DataTable } from '../../../ui/table.tsx'
import { TestDialog } from './security-test-dialog.tsx'
import { Standing } from './shown.tsx'

export default function SecurityTests() {
  const { t, number } = useTexts()
  const [, go] = useLocation()
  const tests = useRead(['security-tests'], (client) => done(client.rpc('list_security_tests')), {
    refetchInterval: 15_000,
  })
  const statistics = useRead(
    ['security-test-statistics'],
    (client) => done(client.rpc('security_test_statistics')),
    {
      refetchInterval: 30_000,
    },
  )
  return (
    <Screen title="checks.tests">
      <TestDialog
        button={{ label: 'checks.test-new', kind: 'primary' }}
        title="checks.test-new"
        submit="checks.create"
        store={async (test, client) => {
          const { id } = await done(
            client.rpc('create_security_test', {
              test_name: test.name,
              test_probes: test.probes,
              test_schedule: test.schedule,
            }),
          )
          go(`/security-tests/${id}`)
        }}
      />
      <Loaded query={tests}>
        {(rows) => (
          <DataTable
            label="checks.tests"
            rows={rows}
            keyOf={({ id }) => id}
            to={({ id }) => `/security-tests/${id}`}
            empty="checks.tests-none"
            columns={[
              {
                label: 'checks.name',
                cell: ({ name }) => <span dir="auto">{name}</span>,
                sortBy: ({ name }) => name,
              },
              {
                label: 'checks.schedule',
                cell: ({ schedule, enabled }) => <Schedule schedule={schedule} enabled={enabled} />,
              },
              { label: 'checks.probes', cell: ({ probes }) => number(probes), isFigure: true },
              {
                label: 'checks.last-run',
                cell: ({ last_run_at }) => last_run_at && <Ago at={last_run_at} />,
              },
              {
                label: 'checks.outcome',
                cell: ({ last_status }) =>
                  last_status ? <Standing of={`run.${last_status}`} /> : t('checks.never-run'),
              },
            ]}
          />
        )}
      </Loaded>
      <Loaded query={statistics}>
        {(figures) =>
          figures && (
            <>
              <Section title="checks.last-30-days">
                <Facts
                  of={[
                    ['checks.runs', number(figures.runs.last_30_days)],
                    ['checks.runs-completed', number(figures.runs.completed)],
                    ['checks.runs-failed', number(figures.runs.failed)],
                    [
                      'checks.ended',
                      figures.runs.last_ended_at && <When key="ended" at={figures.runs.last_ended_at} />,
                    ],
                  ]}
                />
              </Section>
              <Section title="checks.probes-last">
                <DataTable
                  label="checks.probes-last"
                  rows={figures.probes}
                  keyOf={({ probe }) => probe}
                  empty="checks.probes-none"
                  columns={[
                    { label: 'checks.probe-name', cell: ({ probe }) => t(`checks.probe.${probe}`) },
                    { label: 'checks.result', cell: ({ status }) => <Standing of={`probed.${status}`} /> },
                    {
                      label: 'checks.attacks',
                      cell: ({ checks }) => checks !== null && number(checks),
                      sortBy: ({ checks }) => checks,
                      isFigure: true,
                    },
                    {
                      label: 'checks.faults',
                      cell: ({ faults }) => number(faults),
                      sortBy: ({ faults }) => faults,
                      isFigure: true,
                    },
                    {
                      label: 'checks.ended',
                      cell: ({ ended_at }) => <Ago at={ended_at} />,
                      sortBy: ({ ended_at }) => ended_at,
                    },
                  ]}
                />
              </Section>
              <Section title="checks.by-severity">
                <DataTable
                  label="checks.by-severity"
                  rows={figures.vulnerabilities}
                  keyOf={({ severity }) => severity}
                  empty="checks.vulnerabilities-none"
                  columns={[
                    {
                      label: 'checks.severity',
                      cell: ({ severity }) => <Standing of={`severity.${severity}`} />,
                    },
                    { label: 'checks.fault.open', cell: ({ open }) => number(open), isFigure: true },
                    {
                      label: 'checks.fault.accepted',
                      cell: ({ accepted }) => number(accepted),
                      isFigure: true,
                    },
                    { label: 'checks.fault.fixed', cell: ({ fixed }) => number(fixed), isFigure: true },
                    {
                      label: 'checks.regressions',
                      cell: ({ regressions }) => number(regressions),
                      isFigure: true,
                    },
                    {
                      label: 'checks.oldest-open',
                      cell: ({ oldest_open_at }) => oldest_open_at && <Ago at={oldest_open_at} />,
                    },
                    {
                      label: 'checks.median-to-fix',
                      cell: ({ median_hours_to_fix: hours }) =>
                        hours !== null && t('checks.hours', { hours: number(hours) }),
                      isFigure: true,
                    },
                    {
                      label: 'checks.mean-to-fix',
                      cell: ({ mean_hours_to_fix: hours }) =>
                        hours !== null && t('checks.hours', { hours: number(hours) }),
                      isFigure: true,
                    },
                  ]}
                />
              </Section>
            </>
          )
        }
      </Loaded>
    </Screen>
  )
}

type Scheduled = {
  schedule: (typeof Constants.public.Enums.security_test_schedule)[number]
  enabled: boolean
}

/** When a test runs by itself, and whether that counts. */
export function Schedule({ schedule, enabled }: Scheduled) {
  const { t } = useTexts()
  return (
    <>
      {t(`checks.schedule.${schedule}`)}{' '}
      {!enabled && schedule !== 'on_demand' && <Status label="checks.switched-off" tone="warning" />}
    </>
  )
}
