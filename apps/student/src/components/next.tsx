import type { ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import { ButtonLink } from './controls.tsx'
import { CrisisResources, type Resources } from './crisis-resources.tsx'

/** What the person may do now, by the risk that the service found, and whom to turn to, whatever it found. */
export function Next({
  risk,
  resources,
  children,
}: {
  risk: 'none' | 'mild' | 'moderate' | 'high'
  resources: Resources
  /** What the service suggests. */
  children?: ReactNode
}) {
  return (
    <section className="stack">
      <h2>
        <FormattedMessage id="result.next" />
      </h2>
      <p>
        <FormattedMessage id="result.risk" values={{ risk }} />
      </p>
      {children}
      <ButtonLink to="/circle">
        <FormattedMessage id="result.circle" />
      </ButtonLink>
      <CrisisResources resources={resources} />
    </section>
  )
}
