import { useContext } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'wouter'
import { PersonContext } from '../person.tsx'
import { useUniversity } from '../university.ts'
import { useOnline } from './states.tsx'

/** Whose service it is, the ways to the screens, and from everywhere the way to help. */
export function Header() {
  const person = useContext(PersonContext)
  const university = useUniversity(person)
  const online = useOnline()
  const intl = useIntl()
  return (
    <>
      <header className="header">
        <Link href="/" className="brand">
          {university?.short_name ?? <FormattedMessage id="app.name" />}
        </Link>
        <Link href="/crisis" className="button help">
          <FormattedMessage id="header.help" />
        </Link>
      </header>
      {person && (
        <nav className="navigation" aria-label={intl.formatMessage({ id: 'header.navigation' })}>
          {WAYS.map(([path, id]) => (
            <Link key={path} href={path} className={(active) => (active ? 'here' : '')}>
              <FormattedMessage id={id} />
            </Link>
          ))}
        </nav>
      )}
      {!online && (
        <p role="status" className="banner">
          <FormattedMessage id="header.offline" />
        </p>
      )}
    </>
  )
}

const WAYS = [
  ['/', 'header.home'],
  ['/history', 'header.history'],
  ['/circle', 'header.circle'],
  ['/account', 'header.account'],
] as const
