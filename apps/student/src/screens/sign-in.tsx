import { useIntl } from 'react-intl'
import { AccountField } from '../components/account-field.tsx'
import { Form } from '../components/form.tsx'
import { LanguageChoice } from '../components/language-choice.tsx'
import { Links } from '../components/links.tsx'
import { Screen } from '../components/screen.tsx'
import { done, useService } from '../service.tsx'

const OTHER_WAYS = [
  ['/sign-up', 'sign-up.title'],
  ['/code/signup', 'sign-in.code'],
  ['/code/recovery', 'sign-in.forgotten'],
] as const

export default function SignIn() {
  const { supabase } = useService()
  const { $t } = useIntl()
  const signIn = (email: string, password: string) =>
    done(supabase.auth.signInWithPassword({ email, password }))
  return (
    <Screen title={$t({ id: 'sign-in.title' })}>
      <Form
        submit={$t({ id: 'sign-in.submit' })}
        onSubmit={(typed) => signIn(typed('email'), typed('current-password'))}
      >
        <AccountField is="email" />
        <AccountField is="current-password" />
      </Form>
      <Links to={OTHER_WAYS} />
      <LanguageChoice />
    </Screen>
  )
}
