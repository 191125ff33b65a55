import { Section } from '../../../ui/elements.tsx'
import type { Id } from '../../../ui/language.tsx'
import { P, T, useTexts } from '../../../ui/language.tsx'
import { Figures, useFigures } from './figures.tsx'
import type { Dashboard, Dimension, Finding } from './readings.ts'

type Level = { name: Id; look: 'high' | 'moderate' | 'lower'; students: number; share: number }

/** How many active students showed risk in their last check-in. */
export function Risk({ figures: { summary, risk_analysis } }: { figures: Dashboard }) {
  const { t } = useTexts()
  const { count, percent } = useFigures()
  const { active_students: active } = summary
  const { high_risk_count: high, medium_risk_count: moderate } = risk_analysis
  const levels: Level[] = [
    { name: 'university.high-risk', look: 'high', students: high, share: high / active },
    { name: 'university.moderate-risk', look: 'moderate', students: moderate, share: moderate / active },
    {
      name: 'university.lower-risk',
      look: 'lower',
      students: active - high - moderate,
      share: (active - high - moderate) / active,
    },
  ]
  if (active === 0)
    return (
      <Section title="university.risk">
        <P className="muted" id="university.no-active" />
      </Section>
    )
  const inWords = levels.map(({ name, students }) => `${t(name)}: ${count(students)}`).join('; ')
  return (
    <Section title="university.risk">
      <P className="muted" id="university.risk-note" />
      <div role="img" aria-label={inWords} className="stacked">
        {levels.map(({ look, students }) => (
          <div key={look} className={look} style={{ flexGrow: students }} />
        ))}
      </div>
      <Figures
        label="university.risk-table"
        fileName="risk"
        rows={levels}
        keyOf={({ look }) => look}
        empty="university.no-active"
        columns={[
          {
            label: 'university.risk',
            value: ({ name }) => t(name),
            cell: ({ name, look }) => (
              <span className="legend">
                <span className={`swatch ${look}`} aria-hidden="true" />
                <T id={name} />
              </span>
            ),
          },
          {
            label: 'university.students',
            value: ({ students }) => students,
            cell: ({ students }) => count(students),
            isFigure: true,
          },
          {
            label: 'university.share',
            value: ({ share }) => share,
            cell: ({ share }) => percent(share),
            isFigure: true,
          },
        ]}
      />
    </Section>
  )
}

/** What follows from the figures by the service's rules. */
export function Standouts({ findings }: { findings: readonly Finding[] }) {
  const say = useFindings()
  return (
    <Section title="university.standouts">
      {findings.length === 0 ? (
        <P className="muted" id="university.no-standout" />
      ) : (
        <ul className="advice">
          {findings.map((finding) => (
            <li key={JSON.stringify(finding)} dir="auto">
              {say(finding)}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

const COHORTS: Record<Dimension, Id> = {
  faculty: 'university.finding-faculty',
  year: 'university.finding-year',
  residence: 'university.finding-residence',
}

/** Findings in the person's language. */
function useFindings() {
  const { t } = useTexts()
  const { count, score, percent } = useFigures()
  return (finding: Finding): string => {
    switch (finding.rule) {
      case 'high_risk':
      case 'moderate_risk': {
        const { students, active_students: active } = finding
        const id = finding.rule === 'high_risk' ? 'university.finding-high' : 'university.finding-moderate'
        return t(id, { students, active: count(active), share: percent(students / active) })
      }
      case 'falling_score': {
        const { before, after } = finding
        return t('university.finding-falling', {
          points: score(before - after),
          before: score(before),
          after: score(after),
        })
      }
      case 'low_cohort':
        return t(COHORTS[finding.dimension], {
          name: finding.name,
          average: score(finding.average_score),
          points: score(finding.average_of_all - finding.average_score),
          all: score(finding.average_of_all),
        })
      case 'few_active': {
        const { active_students: active, total_students: total } = finding
        return t('university.finding-few-active', {
          active,
          total: count(total),
          share: percent(active / total),
        })
      }
      case 'few_completed':
        return t('university.finding-few-completed', { share: percent(finding.completion_rate) })
    }
  }
}
