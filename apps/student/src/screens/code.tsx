import { useState } from 'react'
import { useIntl } from 'react-intl'
import { useLocation, useParams } from 'wouter'
import { useChange } from '../change.ts'
import { AccountField } from '../components/account-field.tsx'
import { Button } from '../components/controls.tsx'
import { Form } from '../components/form.tsx'
import { Screen } from '../components/screen.tsx'
import { Problem } from '../components/states.tsx'
import { done, HERE, useService } from '../service.tsx'

/** The code of a mail: it confirms the address of a new account, or lets somebody in who has forgotten the password. */
export default function Code() {
  const { auth } = useService().supabase
  const { $t } = useIntl()
  const type = useParams().kind === 'recovery' ? 'recovery' : 'signup'
  const [, navigate] = useLocation()
  const [email, setEmail] = useState(emailOfSignUp)
  const mail = useChange(() => {
    if (type === 'recovery') return done(auth.resetPasswordForEmail(email, { redirectTo: HERE }))
    return done(auth.resend({ type, email, options: { emailRedirectTo: HERE } }))
  })
  async function verify(token: string) {
    await done(auth.verifyOtp({ email, token, type }))
    navigate('/account/password')
  }
  return (
    <Screen title={$t({ id: `code.title-${type}` })}>
      <p>{$t({ id: 'code.explanation' })}</p>
      <Form submit={$t({ id: 'code.submit' })} onSubmit={(typed) => verify(typed('one-time-code'))}>
        <AccountField is="email" value={email} onChange={setEmail} />
        <Button onPress={() => mail.mutate()} isPending={mail.isPending} isDisabled={email === ''}>
          {$t({ id: 'code.send' })}
        </Button>
        <div role="status">{mail.isSuccess && $t({ id: 'code.sent' })}</div>
        {mail.error && <Problem error={mail.error} />}
        <AccountField is="one-time-code" />
      </Form>
    </Screen>
  )
}

/** The address that somebody has just signed up with. */
function emailOfSignUp(): string {
  const state: { email?: string } | null = history.state
  return state?.email ?? ''
}
