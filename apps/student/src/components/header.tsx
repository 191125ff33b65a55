import { useContext } from 'react'
import { useIntl } from 'react-intl'
import { Link } from 'wouter'
import { PersonContext } from '../person.tsx'
import { useUniversity } from '../university.ts'
import { useOnline } from './states.tsx'

const WAYS = [
  ['/', 'header.home'],
  ['/history', 'header.history'],
  ['/circle', 'header.circle'],
  ['/account', 'header.account'],
] as const

/** Whose service it is, the ways to the screens, and from everywhere the way to help. */
export function Header() {
  const { $t } = useIntl()
  const person = useContext(PersonContext)
  const university = useUniversity(person)
  const isOnline = useOnline()
  return (
    <>
      <header className="header">
        <Link href="/" className="brand">
          {university?.short_name ?? $t({ id: 'app.name' })}
        </Link>
        <Link href="/crisis" className="button help">
          {$t({ id: 'header.help' })}
        </Link>
      </header>
      {person && (
        <nav className="navigation" aria-label={$t({ id: 'header.navigation' })}>
          {WAYS.map(([path, id]) => (
            <Link key={path} href={path} className={(isHere) => (isHere ? 'here' : '')}>
              {$t({ id })}
            </Link>
          ))}
        </nav>
      )}
      {!isOnline && (
        <p role="status" className="banner">
          {$t({ id: 'header.offline' })}
        </p>
      )}
    </>
  )
}
