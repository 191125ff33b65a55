import { useQuery } from '@tanstack/react-query'
import { FormattedDate, FormattedMessage, FormattedNumber } from 'react-intl'
import { Link } from 'wouter'
import { ButtonLink } from '../components/controls.tsx'
import { DueReminder } from '../components/due-reminder.tsx'
import { Screen } from '../components/screen.tsx'
import { Empty, Loaded } from '../components/states.tsx'
import { useConsents } from '../consents.ts'
import { useProfile } from '../profile.ts'
import { useService } from '../service.tsx'

export default function Home() {
  const { data: profile } = useProfile()
  return (
    <Screen
      title={
        profile ? (
          <FormattedMessage id="home.greeting" values={{ name: profile.first_name }} />
        ) : (
          <FormattedMessage id="home.title" />
        )
      }
    >
      <ConsentsToGive />
      <DueReminder />
      <section className="card">
        <p>
          <FormattedMessage id="home.explanation" />
        </p>
        <ButtonLink to="/check-in" kind="primary">
          <FormattedMessage id="home.check-in" />
        </ButtonLink>
      </section>
      <LastResult />
      <ul className="links">
        <li>
          <Link href="/reminders">
            <FormattedMessage id="home.reminders" />
          </Link>
        </li>
        <li>
          <Link href="/consents">
            <FormattedMessage id="consents.title" />
          </Link>
        </li>
      </ul>
    </Screen>
  )
}

/** Where nothing may be analysed yet, or a later text asks again. */
function ConsentsToGive() {
  const { data: consents } = useConsents()
  if (!consents) return null
  const isAskedAgain = consents.some(({ in_force, version }) => !in_force && version !== null)
  const isNew = consents.every(({ version }) => version === null)
  if (!isNew && !isAskedAgain) return null
  return (
    <section className="notice">
      <p>{isNew ? <FormattedMessage id="home.new" /> : <FormattedMessage id="home.asked-again" />}</p>
      <ButtonLink to="/consents">
        <FormattedMessage id="consents.title" />
      </ButtonLink>
    </section>
  )
}

function LastResult() {
  const { client } = useService()
  const history = useQuery({ queryKey: ['history', 30], queryFn: () => client.history({ days: 30 }) })
  return (
    <section className="stack">
      <h2>
        <FormattedMessage id="home.last" />
      </h2>
      <Loaded query={history}>
        {(entries) => {
          const last = entries.find(({ source, score }) => source === 'check_in' && score !== null)
          if (!last?.score) {
            return (
              <Empty>
                <FormattedMessage id="home.none" />
              </Empty>
            )
          }
          return (
            <Link href={`/check-ins/${last.id}`} className="button plain">
              <FormattedMessage
                id="home.score"
                values={{
                  score: <FormattedNumber value={last.score} maximumFractionDigits={0} />,
                  date: <FormattedDate value={last.at} dateStyle="long" />,
                }}
              />
            </Link>
          )
        }}
      </Loaded>
    </section>
  )
}
