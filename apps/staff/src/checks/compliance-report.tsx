import { useParams } from 'wouter'
import { Button, Loaded, Screen, Section } from '../../../ui/elements.tsx'
import { T, useTexts } from '../../../ui/language.tsx'
import { done, useRead, useService } from '../../../ui/service.tsx'
import { Download, Facts, Status, When } from '../../../ui/shown.tsx'
import { DataTable } from '../../../ui/table.tsx'
import type { paths } from '../generated/api.ts'
import { Check, EvidenceList } from './compliance-control.tsx'
import { Back, Standing } from './shown.tsx'
import './checks.css'

const STATUSES = ['compliant', 'partial', 'non_compliant', 'not_assessed', 'not_applicable'] as const

/** The report of an assessment, to read, to print and to take along: everything that the assessment holds. */
export default function ComplianceReport() {
  const { id } = useParams<{ id: string }>()
  const { api } = useService()
  const { t } = useTexts()
  const report = useRead(
    ['compliance-report', id],
    () => done(api.POST('/api/compliance/reports', { body: { assessment_id: id, format: 'json' } })),
    { staleTime: Number.POSITIVE_INFINITY },
  )
  const assessment = report.data && 'controls' in report.data ? report.data : null
  const framework = assessment ? t(`checks.framework.${assessment.framework}`) : ''
  async function file(format: 'json' | 'oscal') {
    const content = await done(api.POST('/api/compliance/reports', { body: { assessment_id: id, format } }))
    return JSON.stringify(content, null, 2)
  }
  return (
    <Screen title={assessment ? 'checks.report-title' : 'checks.reports'} values={{ framework }}>
      <div className="unprinted list">
        <Back to="/compliance" label="checks.compliance" />
        <div className="row">
          <Button label="checks.print" onPress={() => window.print()} />
          <Download
            label="checks.as-json"
            fileName={`${id}.json`}
            type="application/json"
            read={() => file('json')}
          />
          <Download
            label="checks.as-oscal"
            fileName={`${id}.oscal.json`}
            type="application/json"
            read={() => file('oscal')}
          />
        </div>
      </div>
      <Loaded query={report}>{() => assessment && <Report of={assessment} />}</Loaded>
    </Screen>
  )
}

type Assessment = Extract<
  paths['/api/compliance/reports']['post']['responses'][200]['content']['application/json'],
  { controls: unknown }
>

function Report({
  of: { id, started_at, ended_at, sha256, summary, controls, evidence },
}: {
  of: Assessment
}) {
  const { number } = useTexts()
  const checks = new Map(evidence.map((check) => [check.check_id, check]))
  return (
    <>
      <Facts
        of={[
          ['checks.assessment', <code key="id">{id}</code>],
          ['checks.began', <When key="began" at={started_at} />],
          ['checks.ended', <When key="ended" at={ended_at} />],
          ['checks.sha256', <code key="sha256">{sha256}</code>],
        ]}
      />
      <Section title="checks.summary">
        <DataTable
          label="checks.summary"
          rows={STATUSES}
          keyOf={(status) => status}
          empty="checks.controls-none"
          columns={[
            { label: 'checks.standing', cell: (status) => <Standing of={`control.${status}`} /> },
            {
              label: 'checks.by-checks',
              cell: (status) => number(summary.automated[status]),
              isFigure: true,
            },
            {
              label: 'checks.by-assessor',
              // Those without a decision are counted there.
              cell: (status) => (status === 'not_assessed' ? null : number(summary.decided[status])),
              isFigure: true,
            },
          ]}
        />
        <p>
          <T id="checks.differing" differing={summary.differing} />
        </p>
      </Section>
      <Section title="checks.controls">
        {controls.map((control) => (
          <article key={control.id} className="card">
            <h3 lang="en" dir="auto">
              {control.reference} {control.title}
            </h3>
            <p lang="en" dir="auto">
              {control.requirement}
            </p>
            <Facts
              of={[
                ['checks.by-checks', <Standing key="checks" of={`control.${control.automated_status}`} />],
                [
                  'checks.by-assessor',
                  control.decision && (
                    <>
                      <Standing of={`control.${control.decision.status}`} />{' '}
                      <When at={control.decision.decided_at} />{' '}
                      {control.automated_status !== 'not_assessed' &&
                        control.decision.status !== control.automated_status && (
                          <Status label="checks.differs" tone="warning" />
                        )}
                    </>
                  ),
                ],
                ['checks.reason', control.decision?.reason],
              ]}
            />
            {control.decision && <EvidenceList of={control.decision.evidence} />}
            {control.checks.length === 0 ? (
              <p className="muted">
                <T id="checks.takes-person" />
              </p>
            ) : (
              <ul>
                {control.checks.flatMap((check_id) => {
                  const check = checks.get(check_id)
                  return check ? (
                    <li key={check_id}>
                      <bdi lang="en">{check.title}</bdi> <Standing of={`check.${check.result}`} />
                    </li>
                  ) : (
                    []
                  )
                })}
              </ul>
            )}
          </article>
        ))}
      </Section>
      <Section title="checks.evidence">
        {evidence.map((check) => (
          <div key={check.check_id} className="evidence">
            <Check check={check} />
            <details dir="ltr">
              <summary>
                <T id="checks.query" />
              </summary>
              <pre>{check.query.trim()}</pre>
            </details>
            <Facts
              of={[
                ['checks.checked', <When key="at" at={check.checked_at} />],
                ['checks.sha256', <code key="hash">{check.hash}</code>],
              ]}
            />
          </div>
        ))}
      </Section>
    </>
  )
}
