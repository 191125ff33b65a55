import { useContext } from 'react'
import * as Aria from 'react-aria-components'
import { Link, useLocation } from 'wouter'
import { Button } from '../../ui/elements.tsx'
import { type Id, T, useTexts } from '../../ui/language.tsx'
import { PersonContext } from './person.tsx'

/** A screen with its name. */
export type Way = { path: string; label: Id }

/** So many ways stand at the foot of a phone; all of them are in its menu. */
const AT_HAND = 2

/** The name of the app; where its screens are in sight also whoever is signed in, and a way to lock it. */
export function Header({ onLock }: { onLock?: () => void }) {
  const { t } = useTexts()
  const person = useContext(PersonContext)
  return (
    <header>
      <Link href="/">{t('account.app')}</Link>
      {onLock && <bdi className="who">{person?.email}</bdi>}
      {onLock && <Button label="account.lock" onPress={onLock} />}
    </header>
  )
}

/** The ways to the screens of somebody's roles: beside them where there is room, on a phone at its foot. */
export function Navigation({ ways }: { ways: readonly Way[] }) {
  const { t } = useTexts()
  return (
    <>
      <nav className="side" aria-label={t('account.navigation')}>
        <Areas ways={ways} />
      </nav>
      <nav className="foot" aria-label={t('account.navigation')}>
        {ways.slice(0, AT_HAND).map((way) => (
          <WayLink key={way.path} {...way} />
        ))}
        {ways.length > AT_HAND && <Menu ways={ways} />}
      </nav>
    </>
  )
}

function Menu({ ways }: { ways: readonly Way[] }) {
  const [path] = useLocation()
  return (
    <Aria.DialogTrigger key={path}>
      <Aria.Button className="menu">
        <T id="account.menu" />
      </Aria.Button>
      <Aria.ModalOverlay className="overlay" isDismissable>
        <Aria.Modal className="dialog">
          <Aria.Dialog>
            {({ close }) => (
              <>
                <Aria.Heading slot="title" level={2}>
                  <T id="account.navigation" />
                </Aria.Heading>
                <Areas ways={ways} />
                <Button label="action.close" onPress={close} />
              </>
            )}
          </Aria.Dialog>
        </Aria.Modal>
      </Aria.ModalOverlay>
    </Aria.DialogTrigger>
  )
}

/** The ways by the areas that their names begin with, in the order of the screens. */
function Areas({ ways }: { ways: readonly Way[] }) {
  const { t, known } = useTexts()
  const areas = Map.groupBy(ways, ({ label }) => label.split('.')[0])
  return [...areas].map(([area, inArea]) => {
    const name = known(`area.${area}`)
    return (
      <section key={area}>
        {name && areas.size > 1 && <h2 className="area">{t(name)}</h2>}
        <ul>
          {inArea.map((way) => (
            <li key={way.path}>
              <WayLink {...way} />
            </li>
          ))}
        </ul>
      </section>
    )
  })
}

/** A way; that of the screen in sight, and of those that are reached from it, is marked. */
function WayLink({ path, label }: Way) {
  const { t } = useTexts()
  const [here] = useLocation()
  const isHere = here === path || here.startsWith(`${path}/`)
  return (
    <Link href={path} className={isHere ? 'here' : ''} aria-current={here === path ? 'page' : undefined}>
      {t(label)}
    </Link>
  )
}
