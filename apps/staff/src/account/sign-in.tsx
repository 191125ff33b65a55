import { Links, Screen } from '../../../ui/elements.tsx'
import { AccountField, Form, LanguageChoice, type Typed } from '../../../ui/form.tsx'
import { done, useService } from '../../../ui/service.tsx'
import { stayActive } from '../idle.ts'

export default function SignIn() {
  const { auth } = useService().client
  async function signIn(typed: Typed) {
    stayActive()
    await done(auth.signInWithPassword({ email: typed('email'), password: typed('current-password') }))
  }
  return (
    <Screen title="account.sign-in">
      <Form submit="account.sign-in" onSubmit={signIn}>
        <AccountField is="email" />
        <AccountField is="current-password" />
      </Form>
      <Links to={{ '/forgotten': 'account.forgotten' }} />
      <LanguageChoice />
    </Screen>
  )
}
