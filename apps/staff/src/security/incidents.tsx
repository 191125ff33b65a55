import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { ButtonLink, Loaded, Screen } from '../../../ui/elements.tsx'
import { Filters, Select } from '../../../ui/filters.tsx'
import { Action } from '../../../ui/form.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { done, useRead, useService } from '../../../ui/service.tsx'
import { Ago } from '../../../ui/shown.tsx'
import { DataTable, Pager } from '../../../ui/table.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { useStaff, useUniversities } from '../people.ts'
import { usePerson } from '../person.tsx'
import { calledOf, SEVERITIES, SeverityShown, StatusShown, TYPES, UniversityShown } from './words.tsx'

const PAGE = 50
const STATUSES = [
  'active',
  'open',
  'investigating',
  'contained',
  'ended',
  'resolved',
  'closed',
  'all',
] as const

type Filter = {
  status: (typeof STATUSES)[number]
  severity: (typeof SEVERITIES)[number] | ''
  type: (typeof TYPES)[number] | ''
  university: string
  owner: '' | 'mine' | 'nobody'
}

const ANY: Filter = { status: 'active', severity: '', type: '', university: '', owner: '' }

/** What goes on, the worst first; what has ended, where it is asked for. */
export default function Incidents() {
  const { api } = useService()
  const { t } = useTexts()
  const { id: own } = usePerson()
  const tell = useToast()
  const { data: staff } = useStaff()
  const { data: universities = [] } = useUniversities()
  const [filter, setFilter] = useState(ANY)
  const [page, setPage] = useState(0)
  const { status, severity, type, university, owner } = filter
  const incidents = useRead(
    ['incidents', filter, page],
    () =>
      done(
        api.GET('/api/security/incidents', {
          params: {
            query: {
              status,
              limit: PAGE,
              offset: page * PAGE,
              ...(severity && { severity }),
              ...(type && { type }),
              ...(university && { university_id: university }),
              ...(owner && { owner: owner === 'mine' ? own : owner }),
            },
          },
        }),
      ),
    // Nothing announces an incident: detection looks every minute.
    { refetchInterval: 15_000, placeholderData: keepPreviousData },
  )
  function narrow(change: Partial<Filter>) {
    setFilter({ ...filter, ...change })
    setPage(0)
  }
  async function detect() {
    const { detected } = await done(api.POST('/api/security/incidents/detect'))
    const opened = detected.filter((one) => one.opened).length
    tell({ message: 'security.detected', values: { opened, seen: detected.length } })
  }
  return (
    <Screen title="security.incidents">
      <div className="row">
        <ButtonLink kind="primary" to="/incidents/new" label="security.record" />
        <Action label="security.detect" run={detect} />
      </div>
      <Filters>
        <Select
          label="security.status"
          options={STATUSES}
          value={status}
          onChange={(chosen) => narrow({ status: chosen })}
        >
          {(one) => t(`security.status.${one}`)}
        </Select>
        <Select
          label="security.severity"
          options={['', ...SEVERITIES]}
          value={severity}
          onChange={(chosen) => narrow({ severity: chosen })}
        >
          {(one) => t(one ? `security.severity.${one}` : 'security.any')}
        </Select>
      </Filters>
      <details>
        <summary>{t('security.more-filters')}</summary>
        <Filters>
          <Select
            label="security.type"
            options={['', ...TYPES]}
            value={type}
            onChange={(chosen) => narrow({ type: chosen })}
          >
            {(one) => t(one ? `security.type.${one}` : 'security.any')}
          </Select>
          <Select
            label="security.university"
            options={['', ...universities.map(({ id }) => id)]}
            value={university}
            onChange={(chosen) => narrow({ university: chosen })}
          >
            {(one) => universities.find(({ id }) => id === one)?.name ?? t('security.any')}
          </Select>
          <Select
            label="security.owner"
            options={['', 'mine', 'nobody'] as const}
            value={owner}
            onChange={(chosen) => narrow({ owner: chosen })}
          >
            {(one) => t(one ? `security.owner.${one}` : 'security.any')}
          </Select>
        </Filters>
      </details>
      <Loaded query={incidents}>
        {({ data, count }) => (
          <>
            <DataTable
              label="security.incidents"
              empty={status === 'active' ? 'security.incidents.none' : 'security.none-such'}
              rows={data}
              keyOf={({ id }) => id}
              to={({ id }) => `/incidents/${id}`}
              columns={[
                { label: 'security.what', cell: ({ title }) => <bdi>{title}</bdi> },
                { label: 'security.severity', cell: (one) => <SeverityShown of={one.severity} /> },
                { label: 'security.status', cell: (one) => <StatusShown of={one.status} /> },
                { label: 'security.last-seen', cell: ({ last_seen_at }) => <Ago at={last_seen_at} /> },
                {
                  label: 'security.owner',
                  cell: (one) => {
                    // Whoever is invited is nobody yet.
                    const colleague = one.owner && staff?.find(({ user_id }) => user_id === one.owner)
                    return colleague ? <bdi>{calledOf(colleague)}</bdi> : t('security.owner.nobody')
                  },
                },
                {
                  label: 'security.university',
                  cell: ({ university_id }) =>
                    university_id ? <UniversityShown id={university_id} /> : t('security.all-universities'),
                },
              ]}
            />
            <Pager page={page} hasNext={(page + 1) * PAGE < count} total={count} onChange={setPage} />
          </>
        )}
      </Loaded>
    </Screen>
  )
}
