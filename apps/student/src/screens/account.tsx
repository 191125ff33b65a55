import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { APPEARANCES, appearance, showAppearance } from '../appearance.ts'
import { AccountField } from '../components/account-field.tsx'
import { Choice } from '../components/choices.tsx'
import { Button } from '../components/controls.tsx'
import { Form, type Typed } from '../components/form.tsx'
import { LanguageChoice } from '../components/language-choice.tsx'
import { Links } from '../components/links.tsx'
import { Screen } from '../components/screen.tsx'
import { Loaded } from '../components/states.tsx'
import { usePerson } from '../person.tsx'
import { HERE, SESSION_KEY, useService } from '../service.tsx'

const WAYS = [
  ['/consents', 'consents.title'],
  ['/account/data', 'my-data.title'],
  ['/reminders', 'home.reminders'],
  ['/account/password', 'new-password.title'],
] as const

export default function Account() {
  const { supabase } = useService()
  const { $t } = useIntl()
  const { email } = usePerson()
  const [chosen, setChosen] = useState(appearance)
  // Mails of Auth are in the language of the account, everything else in that of the profile, which the app tells at each change.
  const tellAuth = (language: string) => void supabase.auth.updateUser({ data: { language } })
  return (
    <Screen title={$t({ id: 'account.title' })}>
      <p className="muted">{$t({ id: 'account.signed-in' }, { email })}</p>
      <Name />
      <LanguageChoice onChange={tellAuth} />
      <Choice
        label={$t({ id: 'account.appearance' })}
        value={chosen}
        onChange={(one) => {
          showAppearance(one)
          setChosen(one)
        }}
        choices={APPEARANCES.map((one) => [one, $t({ id: `account.${one}` })])}
      />
      <Links to={WAYS} />
      <SignOut />
    </Screen>
  )
}

function Name() {
  const { client } = useService()
  const { $t } = useIntl()
  const queries = useQueryClient()
  const profile = useQuery({ queryKey: ['profile'], queryFn: () => client.account.profile() })
  async function save(typed: Typed) {
    await client.account.updateProfile({ first_name: typed('given-name'), last_name: typed('family-name') })
    await queries.invalidateQueries({ queryKey: ['profile'] })
  }
  return (
    <Loaded query={profile}>
      {({ first_name, last_name }) => (
        <Form submit={$t({ id: 'account.save' })} done={$t({ id: 'account.saved' })} onSubmit={save}>
          <AccountField is="given-name" defaultValue={first_name} />
          <AccountField is="family-name" defaultValue={last_name} />
        </Form>
      )}
    </Loaded>
  )
}

/** Ends the session of this device. What waits to be sent stays on the device for whoever recorded it. */
function SignOut() {
  const { client, supabase } = useService()
  const { $t } = useIntl()
  const queryFn = () => client.queue.list()
  const { data = [] } = useQuery({ queryKey: ['queue'], queryFn, networkMode: 'always', staleTime: 0 })
  const waiting = data.filter(({ ended, step }) => ended === null && step !== 'analysing').length
  async function signOut() {
    await supabase.removeAllChannels()
    await supabase.auth.signOut({ scope: 'local' })
    // Without a network Auth is not told, and keeps the session: it ends on this device all the same, with all that was in memory.
    localStorage.removeItem(SESSION_KEY)
    location.replace(HERE)
    location.reload()
  }
  return (
    <section className="stack">
      {waiting > 0 && <p className="notice">{$t({ id: 'account.waiting' }, { waiting })}</p>}
      <Button onPress={signOut}>{$t({ id: 'account.sign-out' })}</Button>
    </section>
  )
}
