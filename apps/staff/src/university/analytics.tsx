import { useState } from 'react'
import { Loaded, Section } from '../../../ui/elements.tsx'
import { Filters, Select } from '../../../ui/filters.tsx'
import type { Id } from '../../../ui/language.tsx'
import { P, T, useTexts } from '../../../ui/language.tsx'
import { type University, UniversityScreen } from './chosen.tsx'
import { Averages, EveryCohort } from './cohorts.tsx'
import { useFigures } from './figures.tsx'
import {
  type Cohort,
  type Dashboard,
  DIMENSIONS,
  type Dimension,
  RANGE_NAMES,
  RANGES,
  type Range,
  useDashboard,
  useWellbeing,
  type WellbeingOfAll,
} from './readings.ts'
import { ReviewTimes } from './review-times.tsx'
import { Risk, Standouts } from './risk.tsx'
import { Engagement, Wellbeing } from './trends.tsx'
import './university.css'

const DIMENSION_NAMES: Record<Dimension, { label: Id; all: Id }> = {
  faculty: { label: 'university.faculty', all: 'university.all-faculties' },
  year: { label: 'university.year', all: 'university.all-years' },
  residence: { label: 'university.residence', all: 'university.all-residences' },
}

/** How the students of a university are, in figures of ten or more of them. */
export default function Analytics() {
  return (
    <UniversityScreen title="university.analytics">
      {(university) => <Chosen university={university} />}
    </UniversityScreen>
  )
}

function Chosen({ university }: { university: University }) {
  const { t, locale } = useTexts()
  const [range, setRange] = useState<Range>('30d')
  const [cohort, setCohort] = useState<Cohort>({})
  const asked = { university_id: university.id, date_range: range }
  const whole = useWellbeing(asked)
  const figures = useDashboard({ ...asked, cohort })

  function restrict(dimension: Dimension, name: string) {
    const { [dimension]: _, ...others } = cohort
    setCohort(name === '' ? others : { ...others, [dimension]: name })
  }
  /** Cohorts that can be shown, and the chosen one even if it cannot. */
  function options(dimension: Dimension): string[] {
    const names = (whole.data?.cohorts ?? []).filter((one) => one.dimension === dimension)
    const all = new Set([...names.map(({ name }) => name), ...[cohort[dimension] ?? []].flat()])
    return ['', ...[...all].sort(new Intl.Collator(locale, { numeric: true }).compare)]
  }
  return (
    <>
      <Filters>
        <Select label="university.range" options={RANGES} value={range} onChange={setRange}>
          {(one) => t(RANGE_NAMES[one])}
        </Select>
        {DIMENSIONS.map((dimension) => (
          <Select
            key={dimension}
            label={DIMENSION_NAMES[dimension].label}
            options={options(dimension)}
            value={cohort[dimension] ?? ''}
            onChange={(name) => restrict(dimension, name)}
          >
            {(name) => (name === '' ? t(DIMENSION_NAMES[dimension].all) : name)}
          </Select>
        ))}
      </Filters>
      <Loaded query={whole}>
        {(ofAll) => {
          if (ofAll === null) return <Withheld id="university.withheld-yet" />
          return (
            <>
              <Shown range={range} cohort={cohort} to={ofAll.to} />
              <Loaded query={figures}>
                {(chosen) =>
                  chosen === null ? (
                    <Withheld id="university.withheld-cohort" />
                  ) : (
                    <Charts
                      university={university}
                      whole={ofAll}
                      figures={chosen}
                      isWhole={Object.keys(cohort).length === 0}
                    />
                  )
                }
              </Loaded>
              <ReviewTimes university={university} range={range} />
            </>
          )
        }}
      </Loaded>
      <P className="muted" id="university.rule-of-ten" />
    </>
  )
}

function Shown({ range, cohort, to }: { range: Range; cohort: Cohort; to: string }) {
  const { t } = useTexts()
  const { longDay } = useFigures()
  const parts = [t(RANGE_NAMES[range]), ...DIMENSIONS.flatMap((one) => cohort[one] ?? [])]
  return (
    <p className="shown" dir="auto" role="status">
      {parts.join(' · ')} · <T id="university.through" day={<time dateTime={to}>{longDay(to)}</time>} />
    </p>
  )
}

function Withheld({ id }: { id: Id }) {
  return (
    <div className="notice">
      <Section title="university.withheld">
        <P id={id} />
      </Section>
    </div>
  )
}

type ChartsProps = { university: University; whole: WellbeingOfAll; figures: Dashboard; isWhole: boolean }

function Charts({ university, whole, figures, isWhole }: ChartsProps) {
  return (
    <>
      <ScoringNote versions={whole.scoring_versions} />
      <Summary figures={figures} change={isWhole ? whole.university.change : null} />
      <Wellbeing trends={figures.trends} span={whole} />
      <div className="columns">
        <Risk figures={figures} />
        <Standouts findings={figures.findings} />
      </div>
      <Engagement trends={figures.trends} span={whole} />
      <Averages figures={figures} />
      <EveryCohort whole={whole} universityName={university.name} />
    </>
  )
}

/** When which version scored, where there was more than one in the ranges that are compared. */
function ScoringNote({ versions }: { versions: WellbeingOfAll['scoring_versions'] }) {
  const { longDay } = useFigures()
  if (versions.length < 2) return null
  return (
    <div className="notice">
      <Section title="university.scoring-changed">
        <P id="university.scoring-not-compared" />
        <ul>
          {versions.map(({ algorithm_version, from, to }) => (
            <li key={`${algorithm_version} ${from}`}>
              <T
                id="university.scoring-version"
                version={algorithm_version}
                from={longDay(from)}
                to={longDay(to)}
              />
            </li>
          ))}
        </ul>
      </Section>
    </div>
  )
}

/** The four figures that come first. */
function Summary({ figures: { summary }, change }: { figures: Dashboard; change: number | null }) {
  const { t } = useTexts()
  const { count, score, percent, difference } = useFigures()
  const { total_students: total, active_students: active } = summary
  const share = total === 0 ? '' : t('university.of-students', { share: percent(active / total) })
  const against =
    change === null ? t('university.of-100') : t('university.change-in-words', { change: difference(change) })
  const cards = [
    ['university.average', score(summary.average_wellbeing_score), against],
    ['university.students', count(total), t('university.who-can-be-shown')],
    ['university.active', count(active), share],
    ['university.check-ins', count(summary.assessments_completed), t('university.completed-note')],
  ] as const
  return (
    <dl className="summary">
      {cards.map(([label, value, note]) => (
        <div key={label} className="card">
          <dt>{t(label)}</dt>
          <dd>
            <strong>{value}</strong> <span className="muted">{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
