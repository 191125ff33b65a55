import { Link, useParams } from 'wouter'
import type { Tables } from '../../../../types/database.ts'
import { ButtonLink, Loaded, Screen } from '../../../ui/elements.tsx'
import { T, useTexts } from '../../../ui/language.tsx'
import { done, useRead } from '../../../ui/service.tsx'
import { Ago, Facts, When } from '../../../ui/shown.tsx'
import { type Column, DataTable } from '../../../ui/table.tsx'
import { Missing, Seen, Standing } from './shown.tsx'

export default function SecurityRun() {
  const { id, run } = useParams<{ id: string; run: string }>()
  return (
    <Screen title="checks.run-title">
      <ButtonLink to={`/security-tests/${id}`} label="checks.to-test" />
      <Run id={run} />
    </Screen>
  )
}

type Listed = Pick<
  Tables<'security_test_runs'>,
  'id' | 'status' | 'scheduled' | 'created_at' | 'ended_at'
> & {
  results: Pick<Tables<'security_test_results'>, 'probe' | 'status' | 'findings'>[]
}

/** What a list of runs says of each. */
export const RUN_COLUMNS: readonly Column<Listed>[] = [
  { label: 'checks.began', cell: ({ created_at }) => <When at={created_at} /> },
  { label: 'checks.outcome', cell: ({ status }) => <Standing of={`run.${status}`} /> },
  {
    label: 'checks.begun-by',
    cell: ({ scheduled }) => <T id={scheduled ? 'checks.by-schedule' : 'checks.by-person'} />,
  },
  {
    label: 'checks.faults',
    cell: ({ results }) => <Figure value={results.reduce((sum, { findings }) => sum + findings.length, 0)} />,
    isFigure: true,
  },
]

function Figure({ value }: { value: number }) {
  return useTexts().number(value)
}

/** A run with what each of its probes found; while it goes on, how far it is. */
export function Run({ id }: { id: string }) {
  const { t, number } = useTexts()
  const run = useRead(
    ['security-test-run', id],
    (client) =>
      done(
        client
          .from('security_test_runs')
          .select('id, status, scheduled, created_at, ended_at, results:security_test_results(*)')
          .eq('id', id)
          .order('probe', { referencedTable: 'results' })
          .maybeSingle(),
      ),
    { refetchInterval: ({ state }) => (state.data?.status === 'running' ? 3000 : false) },
  )
  return (
    <Loaded query={run}>
      {(found) => {
        if (!found) return <Missing />
        const { status, scheduled, created_at, ended_at, results } = found
        const ended = results.filter((result) => result.ended_at !== null).length
        return (
          <>
            <Facts
              of={[
                ['checks.outcome', <Standing key="outcome" of={`run.${status}`} />],
                ['checks.began', <When key="began" at={created_at} />],
                ['checks.ended', ended_at && <When key="ended" at={ended_at} />],
                ['checks.begun-by', t(scheduled ? 'checks.by-schedule' : 'checks.by-person')],
              ]}
            />
            {status === 'running' && (
              <label className="field">
                <span role="status">{t('checks.probes-ended', { some: ended, all: results.length })}</span>
                <progress max={results.length} value={ended} />
              </label>
            )}
            {status === 'failed' && (
              <p className="notice">
                <T id="checks.run-failed" />
              </p>
            )}
            <DataTable
              label="checks.results"
              rows={results}
              keyOf={({ probe }) => probe}
              empty="checks.probes-none"
              columns={[
                { label: 'checks.probe-name', cell: ({ probe }) => t(`checks.probe.${probe}`) },
                { label: 'checks.result', cell: (result) => <Result of={result} /> },
                {
                  label: 'checks.attacks',
                  cell: ({ checks }) => checks !== null && number(checks),
                  isFigure: true,
                },
                { label: 'checks.ended', cell: ({ ended_at: at }) => at && <Ago at={at} /> },
              ]}
            />
            {results.flatMap(({ probe, findings }) =>
              findings.map((finding) => (
                <section key={`${probe} ${finding.fault}`} className="card">
                  <h3 lang="en" dir="auto">
                    {finding.title}
                  </h3>
                  <p>
                    <Standing of={`severity.${finding.severity}`} />
                  </p>
                  <p className="muted">{t(`checks.probe.${probe}`)}</p>
                  <Seen of={{ fault: finding.fault, ...finding.evidence }} />
                </section>
              )),
            )}
            {results.some(({ findings }) => findings.length > 0) && (
              <Link href="/vulnerabilities">{t('checks.vulnerabilities')}</Link>
            )}
          </>
        )
      }}
    </Loaded>
  )
}

function Result({ of: { status, findings, error_code } }: { of: Tables<'security_test_results'> }) {
  return (
    <>
      <Standing of={`probed.${status}`} />{' '}
      {status === 'faults_found' && <T id="checks.found-faults" faults={findings.length} />}
      {status === 'failed' && <code>{error_code}</code>}
    </>
  )
}
