import { Screen } from '../../../ui/elements.tsx'
import { AccountField, Form, LanguageChoice, type Typed } from '../../../ui/form.tsx'
import { done, useService } from '../../../ui/service.tsx'

export default function SignIn() {
  const { auth } = useService().client
  const signIn = (typed: Typed) =>
    done(auth.signInWithPassword({ email: typed('email'), password: typed('current-password') }))
  return (
    <Screen title="account.sign-in">
      <Form submit="account.sign-in" onSubmit={signIn}>
        <AccountField is="email" />
        <AccountField is="current-password" />
      </Form>
      <LanguageChoice />
    </Screen>
  )
}
