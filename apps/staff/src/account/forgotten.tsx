import { Links, Screen } from '../../../ui/elements.tsx'
import { AccountField, Form, type Typed } from '../../../ui/form.tsx'
import { P } from '../../../ui/language.tsx'
import { done, HERE, useService } from '../../../ui/service.tsx'

/** Has a mail sent that leads to a new password. It says the same whether or not there is such an account. */
export default function Forgotten() {
  const { auth } = useService().client
  const send = (typed: Typed) => done(auth.resetPasswordForEmail(typed('email'), { redirectTo: HERE }))
  return (
    <Screen title="account.forgotten">
      <P id="account.forgotten-explanation" />
      <Form submit="account.send-mail" done="account.mail-sent" onSubmit={send}>
        <AccountField is="email" />
      </Form>
      <Links to={{ '/': 'account.sign-in' }} />
    </Screen>
  )
}
