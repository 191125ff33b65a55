import type { SupabaseClient } from '@supabase/supabase-js'
import { Screen } from '../../../ui/elements.tsx'
import { AccountField, Action, Form, type Typed } from '../../../ui/form.tsx'
import { P } from '../../../ui/language.tsx'
import { done, useService } from '../../../ui/service.tsx'
import { usePerson, useSignOut } from '../person.tsx'
import { CodeField, giveCode } from './code-field.tsx'

/** Nobody was here for a while: nothing is in sight until the second factor is given, or the password where the account has none. */
export default function Lock({ unlock }: { unlock: () => void }) {
  const { client } = useService()
  const { email, hasFactor } = usePerson()
  async function open(typed: Typed) {
    if (hasFactor) await giveCode(client, typed('code'))
    else await checkPassword(client, email, typed('current-password'))
    unlock()
  }
  return (
    <Screen title="account.locked">
      <P id="account.locked-explanation" email={email} />
      <Form submit="account.unlock" onSubmit={open}>
        {hasFactor ? <CodeField /> : <AccountField is="current-password" autoFocus />}
      </Form>
      <Action label="account.sign-out" run={useSignOut()} />
    </Screen>
  )
}

/** The session of before is given up for the new one. */
async function checkPassword({ auth }: Pick<SupabaseClient, 'auth'>, email: string, password: string) {
  const { data } = await auth.getSession()
  await done(auth.signInWithPassword({ email, password }))
  if (data.session) await auth.admin.signOut(data.session.access_token, 'local').catch(() => undefined)
}
