import type { ComponentProps } from 'react'
import { FormattedMessage } from 'react-intl'
import { Link } from 'wouter'

type Links = readonly (readonly [path: string, label: ComponentProps<typeof FormattedMessage>['id']])[]

/** A list of ways to other screens. */
export function Links({ to }: { to: Links }) {
  return (
    <ul className="links">
      {to.map(([path, label]) => (
        <li key={path}>
          <Link href={path}>
            <FormattedMessage id={label} />
          </Link>
        </li>
      ))}
    </ul>
  )
}
