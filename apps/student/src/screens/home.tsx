import type { WellbeingClient } from '@student-wellbeing/client'
import { ButtonLink, Links, Loaded, Screen, Section } from '../../../ui/elements.tsx'
import { P, useTexts } from '../../../ui/language.tsx'
import { useRead } from '../../../ui/service.tsx'
import { AgreeFirst } from '../components/help.tsx'
import { Waiting } from '../components/waiting.tsx'
import { useConsents } from '../service.tsx'

export default function Home() {
  const { data } = useRead(['profile'], ({ account }) => account.profile())
  return (
    <Screen title={data ? 'home.greeting' : 'home.title'} values={{ name: data?.first_name }}>
      <ConsentsToGive />
      <DueReminder />
      <section className="card">
        <P id="home.explanation" />
        <ButtonLink to="/check-in" kind="primary" label="home.check-in" />
      </section>
      <Waiting />
      <LastResult />
      <Links to={{ '/reminders': 'home.reminders', '/consents': 'consents.title' }} />
    </Screen>
  )
}

/** Where nothing may be analysed yet, or a later text asks again. */
function ConsentsToGive() {
  const { data: consents = [] } = useConsents()
  const isAskedAgain = consents.some(({ in_force, version }) => !in_force && version !== null)
  const isNew = consents.every(({ version }) => version === null)
  if (consents.length === 0 || !(isNew || isAskedAgain)) return null
  return <AgreeFirst id={isNew ? 'home.new' : 'home.asked-again'} label="consents.title" />
}

const NOW_AND_THEN = { networkMode: 'always', staleTime: 0, refetchInterval: 60_000 } as const

async function readWhetherDue({ reminders }: WellbeingClient) {
  const reminder = await reminders.get()
  return reminder !== null && reminders.isDue(reminder)
}

/** Says, from the time of today's reminder on, that there was no check-in yet. */
function DueReminder() {
  const { data: isDue } = useRead(['reminder', 'due'], readWhetherDue, NOW_AND_THEN)
  return isDue ? <P role="status" className="notice" id="reminders.due" /> : null
}

function LastResult() {
  const { date } = useTexts()
  return (
    <Section title="home.last">
      <Loaded query={useRead(['history', 31], (client) => client.history())}>
        {(entries) => {
          const last = entries.find(({ source, score }) => source === 'check_in' && score !== null)
          if (!last) return <P className="muted" id="home.none" />
          const values = { score: last.score, date: date(last.at) }
          return <ButtonLink to={`/check-ins/${last.id}`} label="home.score" values={values} />
        }}
      </Loaded>
    </Section>
  )
}
