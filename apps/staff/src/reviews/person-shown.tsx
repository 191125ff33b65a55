import { type ReactNode, useId } from 'react'
import { Section } from '../../../ui/elements.tsx'
import { ScoreHistory } from '../../../ui/history.tsx'
import type { Point } from '../../../ui/history-chart.tsx'
import { type Id, P, T } from '../../../ui/language.tsx'
import { Ago, Facts, Status, When } from '../../../ui/shown.tsx'
import type { HistoryRow, ListedStudent, SignsOfLife } from './reads.ts'

/** A person's name, whichever way it is written. */
export function Name({ of, unknown = 'reviews.no-name' }: { of: string | null; unknown?: Id }) {
  return of === null ? <T id={unknown} /> : <bdi>{of}</bdi>
}

/** A part of a screen under a person's name. */
export function About({ name, children }: { name: string | null; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        <Name of={name} />
      </h2>
      {children}
    </section>
  )
}

const TONES = { high: 'bad', moderate: 'warning', mild: 'neutral', none: 'neutral' } as const

/** A risk level, as a word. */
export function Risk({ level }: { level: ListedStudent['risk_level'] }) {
  return <Status label="reviews.risk" values={{ level }} tone={TONES[level]} />
}

/** When a student was last heard of, in three ways that are not the same. */
export function SignsOfLifeFacts({ of }: { of: SignsOfLife }) {
  const sign = (at: string | null) =>
    at === null ? (
      <T id="reviews.never" />
    ) : (
      <>
        <Ago at={at} />{' '}
        <span className="muted">
          (<When at={at} />)
        </span>
      </>
    )
  return (
    <Section title="reviews.signs">
      <Facts
        of={[
          ['reviews.last-check-in', sign(of.last_check_in_at)],
          ['reviews.last-upload', sign(of.last_upload_at)],
          ['reviews.last-contact', sign(of.last_contact_at)],
        ]}
      />
      <P className="muted" id="reviews.signs-explained" />
    </Section>
  )
}

const LABELS = {
  chart: 'reviews.history-chart',
  caption: 'reviews.history-table',
  change: 'reviews.history-change',
} as const

/** What a student agreed that counselors see: their scores over time, and what they mean. Null: they did not agree. */
export function ConsentedHistory({ rows }: { rows: readonly HistoryRow[] | null }) {
  if (rows === null) return <P className="muted" id="reviews.no-consent" />
  if (rows.length === 0) return <P className="muted" id="reviews.no-history" />
  const entries = rows.map(asPoint)
  return (
    <>
      <P className="muted" id="reviews.history-explained" />
      <ScoreHistory
        entries={entries}
        since={Math.min(...entries.map(({ at }) => Date.parse(at)))}
        labels={LABELS}
      >
        {({ risk_level }) => <Risk level={risk_level} />}
      </ScoreHistory>
    </>
  )
}

function asPoint({ score_low, score_high, baseline_score, ...entry }: HistoryRow) {
  const point: Point = {
    ...entry,
    score_interval: score_low === null || score_high === null ? null : [score_low, score_high],
    baseline: baseline_score === null ? null : { score: baseline_score },
  }
  return { ...point, risk_level: entry.risk_level }
}
