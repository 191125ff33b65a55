import { useQuery } from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import { ButtonLink } from '../components/controls.tsx'
import { DueReminder } from '../components/due-reminder.tsx'
import { Links } from '../components/links.tsx'
import { Screen } from '../components/screen.tsx'
import { Empty, Loaded } from '../components/states.tsx'
import { Waiting } from '../components/waiting.tsx'
import { useConsents } from '../consents.ts'
import { useService } from '../service.tsx'

const WAYS = [
  ['/reminders', 'home.reminders'],
  ['/consents', 'consents.title'],
] as const

export default function Home() {
  const { client } = useService()
  const { $t } = useIntl()
  const { data } = useQuery({ queryKey: ['profile'], queryFn: () => client.account.profile() })
  return (
    <Screen title={data ? $t({ id: 'home.greeting' }, { name: data.first_name }) : $t({ id: 'home.title' })}>
      <ConsentsToGive />
      <DueReminder />
      <section className="card">
        <p>{$t({ id: 'home.explanation' })}</p>
        <ButtonLink to="/check-in" kind="primary">
          {$t({ id: 'home.check-in' })}
        </ButtonLink>
      </section>
      <Waiting />
      <LastResult />
      <Links to={WAYS} />
    </Screen>
  )
}

/** Where nothing may be analysed yet, or a later text asks again. */
function ConsentsToGive() {
  const { $t } = useIntl()
  const { data: consents = [] } = useConsents()
  const isAskedAgain = consents.some(({ in_force, version }) => !in_force && version !== null)
  const isNew = consents.every(({ version }) => version === null)
  if (consents.length === 0 || !(isNew || isAskedAgain)) return null
  return (
    <section className="notice">
      <p>{$t({ id: isNew ? 'home.new' : 'home.asked-again' })}</p>
      <ButtonLink to="/consents">{$t({ id: 'consents.title' })}</ButtonLink>
    </section>
  )
}

function LastResult() {
  const { client } = useService()
  const { $t, formatDate } = useIntl()
  const history = useQuery({ queryKey: ['history', 31], queryFn: () => client.history() })
  return (
    <section className="stack">
      <h2>{$t({ id: 'home.last' })}</h2>
      <Loaded query={history}>
        {(entries) => {
          const last = entries.find(({ source, score }) => source === 'check_in' && score !== null)
          if (!last) return <Empty>{$t({ id: 'home.none' })}</Empty>
          const values = { score: last.score, date: formatDate(last.at, { dateStyle: 'long' }) }
          return <ButtonLink to={`/check-ins/${last.id}`}>{$t({ id: 'home.score' }, values)}</ButtonLink>
        }}
      </Loaded>
    </section>
  )
}
