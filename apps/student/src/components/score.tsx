import { FormattedMessage, useIntl } from 'react-intl'

/** A score with its interval, and how far both can be trusted. */
export function Score({
  score,
  interval,
  uncertainty,
  calibrated,
  usual,
}: {
  score: number
  interval: [number, number] | null
  /** 0 certain to 1 uncertain. */
  uncertainty: number
  calibrated: boolean
  /** The person's usual score; null without one. */
  usual: number | null
}) {
  const intl = useIntl()
  const whole = (value: number) => intl.formatNumber(value, { maximumFractionDigits: 0 })
  const values = {
    score: whole(score),
    low: interval && whole(interval[0]),
    high: interval && whole(interval[1]),
    usual: usual !== null && whole(usual),
    has_interval: interval !== null,
    has_usual: usual !== null,
  }
  return (
    <section className="score stack">
      <p className="number">
        <FormattedMessage id="result.score" values={{ ...values, b: (number) => <strong>{number}</strong> }} />
      </p>
      <div className="scale" role="img" aria-label={intl.formatMessage({ id: 'result.scale' }, values)}>
        {interval && (
          <div
            className="interval"
            style={{ insetInlineStart: `${interval[0]}%`, inlineSize: `${interval[1] - interval[0]}%` }}
          />
        )}
        {usual !== null && <div className="usual" style={{ insetInlineStart: `${usual}%` }} />}
        <div className="mark" style={{ insetInlineStart: `${score}%` }} />
      </div>
      {interval && (
        <p>
          <FormattedMessage id={calibrated ? 'result.interval-calibrated' : 'result.interval'} values={values} />
        </p>
      )}
      {usual !== null && (
        <p className="muted small">
          <FormattedMessage id="result.usual" values={values} />
        </p>
      )}
      <p>
        <FormattedMessage id="result.certainty" values={{ certainty: certaintyOf(uncertainty) }} />
      </p>
    </section>
  )
}

/** In which of three words the uncertainty is said; from 0.6 on the service's own summaries call a score a rough guess. */
function certaintyOf(uncertainty: number): 'fair' | 'limited' | 'rough' {
  if (uncertainty >= 0.6) return 'rough'
  return uncertainty >= 0.3 ? 'limited' : 'fair'
}

/** How a score differs from the person's usual one. */
export function Change({
  direction,
  significance,
  points,
}: {
  direction: 'better' | 'same' | 'worse'
  significance: 'low' | 'medium' | 'high'
  /** The score minus the usual one. */
  points: number
}) {
  const intl = useIntl()
  return (
    <p>
      <FormattedMessage
        id="result.change"
        values={{
          direction,
          significance,
          points: intl.formatNumber(points, { maximumFractionDigits: 0, signDisplay: 'exceptZero' }),
        }}
      />
    </p>
  )
}

/** Sentences that the service has in English alone. */
export function English({ sentences }: { sentences: string[] }) {
  return (
    <ul lang="en" dir="ltr">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  )
}
