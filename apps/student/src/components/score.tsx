import type { ReactNode } from 'react'
import { useIntl } from 'react-intl'
import { ButtonLink } from './controls.tsx'
import { CrisisResources, type Resources } from './crisis-resources.tsx'

type ScoreProps = {
  score: number
  interval: [number, number] | null
  /** 0 certain to 1 uncertain. */
  uncertainty: number
  calibrated: boolean
  /** The person's usual score; null without one. */
  usual: number | null
}

/** A score with its interval, and how far both can be trusted. */
export function Score({ score, interval, uncertainty, calibrated, usual }: ScoreProps) {
  const { $t } = useIntl()
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
  return (
    <section className="stack">
      <p className="score">
        {$t({ id: 'result.score' }, { ...values, b: (number) => <strong key="score">{number}</strong> })}
      </p>
      <div className="scale" role="img" aria-label={$t({ id: 'result.scale' }, values)}>
        {interval && (
          <div className="interval" style={{ insetInlineStart: `${low}%`, inlineSize: `${high - low}%` }} />
        )}
        {usual !== null && <div className="usual" style={{ insetInlineStart: `${usual}%` }} />}
        <div className="mark" style={{ insetInlineStart: `${score}%` }} />
      </div>
      {usual !== null && <p className="muted small">{$t({ id: 'result.usual' }, values)}</p>}
      {interval && <p>{$t({ id: calibrated ? 'result.interval-calibrated' : 'result.interval' }, values)}</p>}
      <p>{$t({ id: 'result.certainty' }, { certainty: certaintyOf(uncertainty) })}</p>
    </section>
  )
}

/** In which of three words the uncertainty is said; from 0.6 on the service's own summaries call a score a rough guess. */
function certaintyOf(uncertainty: number): 'fair' | 'limited' | 'rough' {
  if (uncertainty >= 0.6) return 'rough'
  return uncertainty >= 0.3 ? 'limited' : 'fair'
}

type ChangeProps = {
  direction: 'better' | 'same' | 'worse'
  significance: 'low' | 'medium' | 'high'
  /** The score minus the usual one. */
  points: number
}

/** How a score differs from the person's usual one. */
export function Change({ direction, significance, points }: ChangeProps) {
  const { $t } = useIntl()
  const values = { direction, significance, points: Math.abs(Math.round(points)) }
  return <p>{$t({ id: 'result.change' }, values)}</p>
}

type NextProps = {
  /** What the service found; null where its own sentences, the children, say enough. */
  risk: 'none' | 'mild' | 'moderate' | 'high' | null
  resources: Resources
  children?: ReactNode
}

/** What the person may do now, and whom to turn to, whatever was found. */
export function Next({ risk, resources, children }: NextProps) {
  const { $t } = useIntl()
  return (
    <section className="stack">
      <h2>{$t({ id: 'result.next' })}</h2>
      {risk && <p>{$t({ id: 'result.risk' }, { risk })}</p>}
      {children}
      <ButtonLink to="/circle">{$t({ id: 'result.circle' })}</ButtonLink>
      <CrisisResources resources={resources} />
    </section>
  )
}

/** Sentences that the service has in English alone. */
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
