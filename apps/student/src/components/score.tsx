import type { CrisisResource, EndedCheckIn } from '@student-wellbeing/client'
import type { ReactNode } from 'react'
import { ButtonLink, Section } from '../../../ui/elements.tsx'
import { type Id, P, useTexts } from '../../../ui/language.tsx'
import { CrisisResources } from './help.tsx'

type Result = NonNullable<EndedCheckIn['result']>

/** What a check-in and a session have in common. */
type Scored = Pick<Result, 'score' | 'score_interval' | 'uncertainty' | 'calibrated'> & {
  /** The person's usual score on the same scale; null without one. */
  usual: number | null
  /** `points`: the score minus the usual one. A text: why there is nothing to compare with. */
  change: (Pick<Result, 'direction_of_change' | 'significance'> & { points: number }) | string
  /** Null where what the service suggests says enough. */
  risk: Result['risk_level'] | null
  resources: CrisisResource[]
}

const strong = (number: ReactNode) => <strong key="score">{number}</strong>

/** A score, how far it can be trusted, what has changed, and what the person may do; `children` is what the service suggests. */
export function Score({ scored, children }: { scored: Scored; children: ReactNode }) {
  const { t } = useTexts()
  const { score, score_interval: interval, calibrated, usual, change, risk } = scored
  const [low, high] = interval ?? [0, 0]
  const range = { low: Math.round(low), high: Math.round(high) }
  const values = {
    ...range,
    score: Math.round(score),
    usual: Math.round(usual ?? 0),
    has_interval: String(interval !== null),
    has_usual: String(usual !== null),
  }
  const points = typeof change === 'string' ? 0 : Math.abs(Math.round(change.points))
  const isUrgent = risk === 'moderate' || risk === 'high'
  const next = (
    <Section title="result.next">
      {risk && <P id="result.risk" risk={risk} />}
      {children}
      <CrisisResources resources={scored.resources} />
      <ButtonLink to="/circle" label="result.circle" />
    </Section>
  )
  return (
    <>
      {isUrgent && next}
      <section>
        <P className="score" id="result.score" score={values.score} b={strong} />
        <div className="scale" role="img" aria-label={t('result.scale', values)}>
          {interval && <div style={{ insetInlineStart: `${low}%`, inlineSize: `${high - low}%` }} />}
          {usual !== null && <div className="usual" style={{ insetInlineStart: `${usual}%` }} />}
          <div className="mark" style={{ insetInlineStart: `${score}%` }} />
        </div>
        {usual !== null && <P className="muted" id="result.usual" usual={values.usual} />}
        {interval && <P id={calibrated ? 'result.interval-calibrated' : 'result.interval'} {...range} />}
        <P id="result.certainty" certainty={certaintyOf(scored.uncertainty)} />
        {typeof change === 'string' ? <p>{change}</p> : <P id="result.change" {...change} points={points} />}
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
export function English({ title, sentences }: { title?: Id; sentences: string[] }) {
  if (sentences.length === 0) return null
  const list = (
    <ul lang="en" dir="ltr">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  )
  return title ? <Section title={title}>{list}</Section> : list
}
