import type { CrisisResource, EndedCheckIn } from '@student-wellbeing/client'
import type { ReactNode } from 'react'
import { useIntl } from 'react-intl'
import { ButtonLink } from './controls.tsx'
import { CrisisResources } from './crisis-resources.tsx'
import '../styles/result.css'

type Result = NonNullable<EndedCheckIn['result']>

/** What a check-in and a session have in common. */
export type Scored = Pick<Result, 'score' | 'score_interval' | 'uncertainty' | 'calibrated'> & {
  /** The person's usual score on the same scale; null without one. */
  usual: number | null
  /** `points`: the score minus the usual one. A text: why there is nothing to compare with. */
  change: (Pick<Result, 'direction_of_change' | 'significance'> & { points: number }) | string
  /** Null where what the service suggests says enough. */
  risk: Result['risk_level'] | null
  resources: CrisisResource[]
}

/** A score, how far it can be trusted, what has changed, and what the person may do; `children` is what the service suggests. */
export function Score({ scored, children }: { scored: Scored; children: ReactNode }) {
  const { $t } = useIntl()
  const { score, score_interval: interval, calibrated, usual, change, risk } = scored
  const [low, high] = interval ?? [0, 0]
  const values = {
    ...{
      score: Math.round(score),
      low: Math.round(low),
      high: Math.round(high),
      usual: Math.round(usual ?? 0),
    },
    ...{ has_interval: String(interval !== null), has_usual: String(usual !== null) },
  }
  const isUrgent = risk === 'moderate' || risk === 'high'
  const next = (
    <section className="stack">
      <h2>{$t({ id: 'result.next' })}</h2>
      {risk && <p>{$t({ id: 'result.risk' }, { risk })}</p>}
      {children}
      <CrisisResources resources={scored.resources} />
      <ButtonLink to="/circle">{$t({ id: 'result.circle' })}</ButtonLink>
    </section>
  )
  return (
    <>
      {isUrgent && next}
      <section className="stack">
        <p className="score">
          {$t({ id: 'result.score' }, { ...values, b: (number) => <strong key="score">{number}</strong> })}
        </p>
        <div className="scale" role="img" aria-label={$t({ id: 'result.scale' }, values)}>
          {interval && <div style={{ insetInlineStart: `${low}%`, inlineSize: `${high - low}%` }} />}
          {usual !== null && <div className="usual" style={{ insetInlineStart: `${usual}%` }} />}
          <div className="mark" style={{ insetInlineStart: `${score}%` }} />
        </div>
        {usual !== null && <p className="muted small">{$t({ id: 'result.usual' }, values)}</p>}
        {interval && (
          <p>{$t({ id: calibrated ? 'result.interval-calibrated' : 'result.interval' }, values)}</p>
        )}
        <p>{$t({ id: 'result.certainty' }, { certainty: certaintyOf(scored.uncertainty) })}</p>
        <p>
          {typeof change === 'string'
            ? change
            : $t({ id: 'result.change' }, { ...change, points: Math.abs(Math.round(change.points)) })}
        </p>
      </section>
      {!isUrgent && next}
    </>
  )
}

/** In which of three words the uncertainty is said; from 0.6 on the service's own sentences call a score a rough guess. */
function certaintyOf(uncertainty: number): 'fair' | 'limited' | 'rough' {
  if (uncertainty >= 0.6) return 'rough'
  return uncertainty >= 0.3 ? 'limited' : 'fair'
}

/** What the service says in English alone. */
export function English({ title, sentences }: { title?: string; sentences: string[] }) {
  if (sentences.length === 0) return null
  return (
    <section className="stack">
      {title && <h2>{title}</h2>}
      <ul lang="en" dir="ltr">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  )
}
