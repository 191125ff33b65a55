import { useState } from 'react'
import { useParams } from 'wouter'
import { Switch } from '../../../ui/choices.tsx'
import { Loaded, Problem, Section } from '../../../ui/elements.tsx'
import { Action } from '../../../ui/form.tsx'
import { T, useTexts } from '../../../ui/language.tsx'
import { done, useChange, useRead, useService } from '../../../ui/service.tsx'
import { Facts, When } from '../../../ui/shown.tsx'
import { DataTable, Pager } from '../../../ui/table.tsx'
import { RUN_COLUMNS, Run } from './security-run.tsx'
import { TestDialog } from './security-test-dialog.tsx'
import { Schedule } from './security-tests.tsx'
import { Back, Missing, NamedScreen, type Probe } from './shown.tsx'

const PAGE = 20

/** How often a run that goes on is looked at, and others. */
const [BUSY, IDLE] = [3000, 30_000]

export default function SecurityTest() {
  const { id } = useParams<{ id: string }>()
  const test = useRead(['security-test', id], (client) =>
    done(
      client
        .from('security_tests')
        .select('id, name, probes, schedule, enabled, next_run_at')
        .eq('id', id)
        .maybeSingle(),
    ),
  )
  return (
    <NamedScreen name={test.data?.name} otherwise="checks.tests">
      <Back to="/security-tests" label="checks.tests" />
      <Loaded query={test}>{(found) => (found ? <Test test={found} /> : <Missing />)}</Loaded>
    </NamedScreen>
  )
}

type Row = Parameters<typeof Schedule>[0] & {
  id: string
  name: string
  probes: Probe[]
  next_run_at: string | null
}

function Test({ test }: { test: Row }) {
  const { number } = useTexts()
  const { client } = useService()
  const [page, setPage] = useState(0)
  const runs = useRead(
    ['security-test-runs', test.id, page],
    async (reader) => {
      const { data, count, error } = await reader
        .from('security_test_runs')
        .select(
          'id, status, scheduled, created_at, ended_at, results:security_test_results(probe, status, findings)',
          { count: 'exact' },
        )
        .eq('test_id', test.id)
        .order('created_at', { ascending: false })
        .range(page * PAGE, (page + 1) * PAGE - 1)
      if (error) throw error
      return { rows: data, total: count ?? 0 }
    },
    {
      refetchInterval: ({ state }) =>
        state.data?.rows.some(({ status }) => status === 'running') ? BUSY : IDLE,
    },
  )
  const enabling = useChange((test_enabled: boolean) =>
    done(client.rpc('change_security_test', { test: test.id, test_enabled })),
  )
  const isRunning = page === 0 && runs.data?.rows[0]?.status === 'running'
  return (
    <>
      <Facts
        of={[
          ['checks.schedule', <Schedule key="schedule" {...test} />],
          [
            'checks.next-run',
            test.enabled && test.next_run_at ? <When key="next" at={test.next_run_at} /> : null,
          ],
          ['checks.probes', number(test.probes.length)],
        ]}
      />
      <div className="row">
        <Action
          kind="primary"
          label={isRunning ? 'checks.running' : 'checks.run-now'}
          isDisabled={isRunning}
          run={(caller) => done(caller.rpc('execute_security_test', { test: test.id }))}
        />
        <TestDialog
          button={{ label: 'checks.change' }}
          title="checks.test-change"
          submit="checks.store"
          test={test}
          store={({ name, probes, schedule }, caller) =>
            done(
              caller.rpc('change_security_test', {
                test: test.id,
                test_name: name,
                test_probes: probes,
                test_schedule: schedule,
              }),
            )
          }
        />
      </div>
      {test.schedule !== 'on_demand' && (
        <Switch isSelected={test.enabled} onChange={(enabled) => enabling.mutate(enabled)}>
          <T id="checks.runs-by-itself" />
        </Switch>
      )}
      {enabling.error && <Problem error={enabling.error} />}
      <Loaded query={runs}>
        {({ rows, total }) => (
          <>
            {page === 0 && rows[0] && (
              <Section title="checks.latest-run">
                <Run id={rows[0].id} />
              </Section>
            )}
            <Section title="checks.history">
              <DataTable
                label="checks.history"
                rows={rows}
                keyOf={(run) => run.id}
                to={(run) => `/security-tests/${test.id}/runs/${run.id}`}
                empty="checks.runs-none"
                columns={RUN_COLUMNS}
              />
              <Pager page={page} total={total} hasNext={(page + 1) * PAGE < total} onChange={setPage} />
            </Section>
          </>
        )}
      </Loaded>
    </>
  )
}
