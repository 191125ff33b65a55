import { useState } from 'react'
import { Constants } from '../../../../types/database.ts'
import { Loaded, Screen } from '../../../ui/elements.tsx'
import { Filters, Select } from '../../../ui/filters.tsx'
import { P, useTexts } from '../../../ui/language.tsx'
import { useRead } from '../../../ui/service.tsx'
import { Ago, When } from '../../../ui/shown.tsx'
import { DataTable, Pager } from '../../../ui/table.tsx'
import { Standing } from './shown.tsx'

const PAGE = 50

const { vulnerability_status: STATUSES, vulnerability_severity: SEVERITIES } = Constants.public.Enums

export default function Vulnerabilities() {
  const { t, number } = useTexts()
  const [status, setStatus] = useState<(typeof STATUSES)[number] | ''>('open')
  const [severity, setSeverity] = useState<(typeof SEVERITIES)[number] | ''>('')
  const [page, setPage] = useState(0)
  const found = useRead(
    ['vulnerabilities', status, severity, page],
    async (client) => {
      let rows = client
        .from('vulnerabilities')
        .select(
          'id, probe, title, severity, status, found_at, last_found_at, times_found, accepted_until, fixed_at, regression_of',
          {
            count: 'exact',
          },
        )
      if (status !== '') rows = rows.eq('status', status)
      if (severity !== '') rows = rows.eq('severity', severity)
      const { data, count, error } = await rows
        .order('status')
        .order('severity', { ascending: false })
        .order('found_at')
        .order('id')
        .range(page * PAGE, (page + 1) * PAGE - 1)
      if (error) throw error
      return { rows: data, total: count ?? 0 }
    },
    { refetchInterval: 30_000 },
  )
  return (
    <Screen title="checks.vulnerabilities">
      <P className="muted" id="checks.vulnerabilities-about" />
      <Filters>
        <Select
          label="checks.standing"
          options={['', ...STATUSES]}
          value={status}
          onChange={(one) => {
            setStatus(one)
            setPage(0)
          }}
        >
          {(one) => (one === '' ? t('checks.all') : t(`checks.fault.${one}`))}
        </Select>
        <Select
          label="checks.severity"
          options={['', ...SEVERITIES.toReversed()]}
          value={severity}
          onChange={(one) => {
            setSeverity(one)
            setPage(0)
          }}
        >
          {(one) => (one === '' ? t('checks.all') : t(`checks.severity.${one}`))}
        </Select>
      </Filters>
      <Loaded query={found}>
        {({ rows, total }) => (
          <>
            <DataTable
              label="checks.vulnerabilities"
              rows={rows}
              keyOf={({ id }) => id}
              to={({ id }) => `/vulnerabilities/${id}`}
              empty="checks.vulnerabilities-none"
              columns={[
                {
                  label: 'checks.vulnerability',
                  cell: ({ title }) => (
                    <span lang="en" dir="auto">
                      {title}
                    </span>
                  ),
                },
                { label: 'checks.severity', cell: (row) => <Standing of={`severity.${row.severity}`} /> },
                { label: 'checks.standing', cell: (row) => <Standing of={`fault.${row.status}`} /> },
                { label: 'checks.found-first', cell: ({ found_at }) => <Ago at={found_at} /> },
                { label: 'checks.found-last', cell: ({ last_found_at }) => <Ago at={last_found_at} /> },
                {
                  label: 'checks.times-found',
                  cell: ({ times_found }) => number(times_found),
                  isFigure: true,
                },
                {
                  label: 'checks.until',
                  cell: (row) =>
                    row.status === 'accepted' && row.accepted_until && <When at={row.accepted_until} />,
                },
              ]}
            />
            <Pager page={page} total={total} hasNext={(page + 1) * PAGE < total} onChange={setPage} />
          </>
        )}
      </Loaded>
    </Screen>
  )
}
