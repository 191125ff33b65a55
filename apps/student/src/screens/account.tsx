import type { WellbeingClient } from '@student-wellbeing/client'
import { useContext, useState } from 'react'
import { Choice } from '../../../ui/choices.tsx'
import { Links, Loaded, Screen } from '../../../ui/elements.tsx'
import { AccountField, Action, Form, LanguageChoice, type Typed } from '../../../ui/form.tsx'
import { P, T, useTexts } from '../../../ui/language.tsx'
import { APPEARANCES, appearance, showAppearance } from '../../../ui/remembered.ts'
import { HERE, useRead, useService } from '../../../ui/service.tsx'
import { PersonContext } from '../person.tsx'
import { SESSION_KEY } from '../service.tsx'

const WAYS = {
  '/consents': 'consents.title',
  '/account/data': 'my-data.title',
  '/reminders': 'home.reminders',
  '/account/password': 'new-password.title',
} as const

export default function Account() {
  const { supabase } = useService()
  const { t } = useTexts()
  const person = useContext(PersonContext)
  const [chosen, setChosen] = useState(appearance)
  // Mails of Auth are in the language of the account, everything else in that of the profile, which the app tells at each change.
  const tellAuth = (language: string) => void supabase.auth.updateUser({ data: { language } })
  function choose(one: typeof chosen) {
    showAppearance(one)
    setChosen(one)
  }
  return (
    <Screen title="account.title">
      <P className="muted" id="account.signed-in" email={person?.email} />
      <Name />
      <LanguageChoice onChange={tellAuth} />
      <Choice label="account.appearance" value={chosen} onChange={choose} choices={APPEARANCES}>
        {(one) => <T id={`account.${one}`} />}
      </Choice>
      <Links to={WAYS} />
      <SignOut />
      <a className="button" href="./licenses.md" target="_blank" rel="noreferrer">
        {t('account.licenses')}
      </a>
    </Screen>
  )
}

function Name() {
  const save = (typed: Typed, { account }: WellbeingClient) =>
    account.updateProfile({ first_name: typed('given-name'), last_name: typed('family-name') })
  return (
    <Loaded query={useRead(['profile'], ({ account }) => account.profile())}>
      {({ first_name, last_name }) => (
        <Form submit="account.save" done="account.saved" onSubmit={save}>
          <AccountField is="given-name" defaultValue={first_name} />
          <AccountField is="family-name" defaultValue={last_name} />
        </Form>
      )}
    </Loaded>
  )
}

/** Ends the session of this device. What waits to be sent stays on the device for whoever recorded it. */
function SignOut() {
  const { supabase } = useService()
  const kept = { networkMode: 'always', staleTime: 0 } as const
  const { data = [] } = useRead(['queue'], ({ queue }) => queue.list(), kept)
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
    <section>
      {waiting > 0 && <P className="notice" id="account.waiting" waiting={waiting} />}
      <Action label="account.sign-out" run={signOut} />
    </section>
  )
}
