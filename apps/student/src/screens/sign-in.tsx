import { Links, Screen } from '../../../ui/elements.tsx'
import { AccountField, Form, LanguageChoice, type Typed } from '../../../ui/form.tsx'
import { done, useService } from '../../../ui/service.tsx'

const OTHER_WAYS = {
  '/sign-up': 'sign-up.title',
  '/code/signup': 'sign-in.code',
  '/code/recovery': 'sign-in.forgotten',
} as const

export default function SignIn() {
  const { auth } = useService().supabase
  const signIn = (typed: Typed) =>
    done(auth.signInWithPassword({ email: typed('email'), password: typed('current-password') }))
  return (
    <Screen title="sign-in.title">
      <Form submit="sign-in.submit" onSubmit={signIn}>
        <AccountField is="email" />
        <AccountField is="current-password" />
      </Form>
      <Links to={OTHER_WAYS} />
      <LanguageChoice />
    </Screen>
  )
}
