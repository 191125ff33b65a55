import { useState } from 'react'
import { Constants, type Tables } from '../../../../types/database.ts'
import { Links, Loaded, Screen, Section } from '../../../ui/elements.tsx'
import { Filters, Select } from '../../../ui/filters.tsx'
import { Action } from '../../../ui/form.tsx'
import { P, useTexts } from '../../../ui/language.tsx'
import { done, useRead } from '../../../ui/service.tsx'
import { Ago, Facts, Status, When } from '../../../ui/shown.tsx'
import { DataTable, Pager } from '../../../ui/table.tsx'
import { type Framework, Standing } from './shown.tsx'
import './checks.css'

const PAGE = 20

const FRAMEWORKS = Constants.public.Enums.compliance_framework

type Control = Pick<
  Tables<'compliance_controls'>,
  'id' | 'framework' | 'reference' | 'title' | 'automated_status' | 'automated_at' | 'decision'
>

/** What fails stands first. */
const URGENCY = ['non_compliant', 'partial', 'not_assessed', 'compliant', 'not_applicable'] as const

/** How a control stands: as an assessor decided, else as its checks found. */
const standingOf = ({ decision, automated_status }: Control) => decision ?? automated_status

/** Whether an assessor says otherwise than the checks. Where those could not tell, nothing contradicts. */
const differs = ({ decision, automated_status }: Control) =>
  decision !== null && automated_status !== 'not_assessed' && decision !== automated_status

export default function Compliance() {
  const { t } = useTexts()
  const [framework, setFramework] = useState<Framework | ''>('')
  const [which, setWhich] = useState<'failing' | 'all'>('failing')
  const controls = useRead(['compliance-controls'], (client) =>
    done(
      client
        .from('compliance_controls')
        .select('id, framework, reference, title, automated_status, automated_at, decision')
        .order('id'),
    ),
  )
  return (
    <Screen title="checks.compliance">
      <P className="muted" id="checks.compliance-about" />
      <Loaded query={controls}>
        {(all) => {
          const shown = all
            .filter((one) => framework === '' || one.framework === framework)
            .filter((one) => which === 'all' || URGENCY.indexOf(standingOf(one)) < 3 || differs(one))
            .toSorted((one, other) => URGENCY.indexOf(standingOf(one)) - URGENCY.indexOf(standingOf(other)))
          return (
            <>
              <div className="cards">
                {FRAMEWORKS.map((one) => (
                  <Summary
                    key={one}
                    framework={one}
                    controls={all.filter((control) => control.framework === one)}
                  />
                ))}
              </div>
              <Links to={{ '/compliance/facts': 'checks.facts' }} />
              <Section title="checks.controls">
                <Filters>
                  <Select
                    label="checks.framework"
                    options={['', ...FRAMEWORKS]}
                    value={framework}
                    onChange={setFramework}
                  >
                    {(one) => (one === '' ? t('checks.all') : t(`checks.framework.${one}`))}
                  </Select>
                  <Select label="checks.shown" options={['failing', 'all']} value={which} onChange={setWhich}>
                    {(one) => t(`checks.shown.${one}`)}
                  </Select>
                </Filters>
                <DataTable
                  label="checks.controls"
                  rows={shown}
                  keyOf={({ id }) => id}
                  to={({ id }) => `/compliance/controls/${id}`}
                  empty="checks.controls-none"
                  columns={[
                    {
                      label: 'checks.control',
                      cell: ({ title, reference }) => (
                        <span lang="en" dir="ltr">
                          {reference} {title}
                        </span>
                      ),
                    },
                    { label: 'checks.framework', cell: (one) => t(`checks.framework.${one.framework}`) },
                    {
                      label: 'checks.by-checks',
                      cell: (one) => <Standing of={`control.${one.automated_status}`} />,
                    },
                    {
                      label: 'checks.by-assessor',
                      cell: (one) =>
                        one.decision && (
                          <>
                            <Standing of={`control.${one.decision}`} />{' '}
                            {differs(one) && <Status label="checks.differs" tone="warning" />}
                          </>
                        ),
                    },
                  ]}
                />
              </Section>
            </>
          )
        }}
      </Loaded>
      <Assessments />
    </Screen>
  )
}

function Summary({ framework, controls }: { framework: Framework; controls: Control[] }) {
  const { t, number } = useTexts()
  const assessed = controls
    .flatMap(({ automated_at }) => automated_at ?? [])
    .toSorted()
    .at(-1)
  const count = (status: (typeof URGENCY)[number]) =>
    controls.filter((one) => standingOf(one) === status).length
  return (
    <section className="card">
      <h2>{t(`checks.framework.${framework}`)}</h2>
      <Facts
        of={[
          ['checks.control.non_compliant', number(count('non_compliant'))],
          ['checks.control.partial', number(count('partial'))],
          ['checks.control.not_assessed', number(count('not_assessed'))],
          ['checks.control.compliant', number(count('compliant'))],
          ['checks.control.not_applicable', number(count('not_applicable'))],
          ['checks.assessed', assessed ? <Ago key="at" at={assessed} /> : t('checks.never-assessed')],
        ]}
      />
      <Action
        label="checks.assess"
        values={{ framework: t(`checks.framework.${framework}`) }}
        pending="checks.assessing"
        run={(client) => done(client.rpc('assess_compliance', { framework }))}
      />
    </section>
  )
}

function Assessments() {
  const { t } = useTexts()
  const [page, setPage] = useState(0)
  const made = useRead(['compliance-assessments', page], async (client) => {
    const { data, count, error } = await client
      .from('compliance_assessments')
      .select('id, framework, ended_at, requested_by', { count: 'exact' })
      .order('ended_at', { ascending: false })
      .range(page * PAGE, (page + 1) * PAGE - 1)
    if (error) throw error
    return { rows: data, total: count ?? 0 }
  })
  return (
    <Section title="checks.reports">
      <Loaded query={made}>
        {({ rows, total }) => (
          <>
            <DataTable
              label="checks.reports"
              rows={rows}
              keyOf={({ id }) => id}
              to={({ id }) => `/compliance/${id}`}
              empty="checks.reports-none"
              columns={[
                { label: 'checks.assessed', cell: ({ ended_at }) => <When at={ended_at} /> },
                { label: 'checks.framework', cell: ({ framework }) => t(`checks.framework.${framework}`) },
                {
                  label: 'checks.begun-by',
                  cell: ({ requested_by }) =>
                    t(requested_by === null ? 'checks.by-schedule' : 'checks.by-person'),
                },
              ]}
            />
            <Pager page={page} total={total} hasNext={(page + 1) * PAGE < total} onChange={setPage} />
          </>
        )}
      </Loaded>
    </Section>
  )
}
