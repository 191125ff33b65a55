import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { Link } from 'wouter'
import { APPEARANCES, appearance, chooseAppearance } from '../appearance.ts'
import { Button, Choice, Field } from '../components/controls.tsx'
import { Form } from '../components/form.tsx'
import { LanguageChoice } from '../components/language-choice.tsx'
import { Screen } from '../components/screen.tsx'
import { Loaded } from '../components/states.tsx'
import { usePerson } from '../person.tsx'
import { useProfile } from '../profile.ts'
import { SESSION_KEY, useService } from '../service.tsx'

export default function Account() {
  const { supabase } = useService()
  const { email } = usePerson()
  // Mails of Auth are in the language of the account, everything else in that of the profile, which the app tells at each change.
  const tellAuth = (language: string) => void supabase.auth.updateUser({ data: { language } })
  return (
    <Screen title={<FormattedMessage id="account.title" />}>
      <p className="muted">
        <FormattedMessage id="account.signed-in" values={{ email: <bdi key="email">{email}</bdi> }} />
      </p>
      <Name />
      <LanguageChoice onChange={tellAuth} />
      <Appearance />
      <ul className="links">
        <li>
          <Link href="/consents">
            <FormattedMessage id="consents.title" />
          </Link>
        </li>
        <li>
          <Link href="/account/data">
            <FormattedMessage id="my-data.title" />
          </Link>
        </li>
        <li>
          <Link href="/reminders">
            <FormattedMessage id="home.reminders" />
          </Link>
        </li>
        <li>
          <Link href="/account/password">
            <FormattedMessage id="new-password.title" />
          </Link>
        </li>
      </ul>
      <SignOut />
    </Screen>
  )
}

function Name() {
  const { client } = useService()
  const queries = useQueryClient()
  const profile = useProfile()
  const [isSaved, setSaved] = useState(false)
  return (
    <Loaded query={profile}>
      {({ first_name, last_name }) => (
        <>
          <Form
            submit={<FormattedMessage id="account.save" />}
            onSubmit={async (typed) => {
              setSaved(false)
              await client.account.updateProfile({
                first_name: typed('first-name'),
                last_name: typed('last-name'),
              })
              setSaved(true)
              await queries.invalidateQueries({ queryKey: ['profile'] })
            }}
          >
            <Field
              label={<FormattedMessage id="sign-up.first-name" />}
              name="first-name"
              autoComplete="given-name"
              defaultValue={first_name}
              isRequired
            />
            <Field
              label={<FormattedMessage id="sign-up.last-name" />}
              name="last-name"
              autoComplete="family-name"
              defaultValue={last_name}
              isRequired
            />
          </Form>
          <div role="status">{isSaved && <FormattedMessage id="account.saved" />}</div>
        </>
      )}
    </Loaded>
  )
}

function Appearance() {
  const [chosen, setChosen] = useState(appearance)
  return (
    <Choice
      label={<FormattedMessage id="account.appearance" />}
      value={chosen}
      onChange={(one) => {
        chooseAppearance(one)
        setChosen(one)
      }}
      choices={APPEARANCES.map((one) => [one, <FormattedMessage key={one} id={`account.${one}`} />])}
    />
  )
}

/** Without a network Auth is not told, and would go on: the session ends on this device all the same. */
function leaveHere() {
  localStorage.removeItem(SESSION_KEY)
  location.reload()
}

/** Ends the session of this device. What waits to be sent stays on the device for whoever recorded it. */
function SignOut() {
  const { client, supabase } = useService()
  const { data: waiting = 0 } = useQuery({
    queryKey: ['unsent'],
    queryFn: async () => {
      const queued = await client.queue.list()
      return queued.filter(({ step }) => !['analysing', 'complete', 'failed', 'expired'].includes(step))
        .length
    },
    networkMode: 'always',
    staleTime: 0,
  })
  return (
    <section className="stack">
      {waiting > 0 && (
        <p className="notice">
          <FormattedMessage id="account.waiting" values={{ waiting }} />
        </p>
      )}
      <Button
        onPress={async () => {
          await supabase.removeAllChannels()
          const { error } = await supabase.auth.signOut({ scope: 'local' })
          if (error) leaveHere()
        }}
      >
        <FormattedMessage id="account.sign-out" />
      </Button>
    </section>
  )
}
