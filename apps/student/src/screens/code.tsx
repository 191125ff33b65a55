import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { Screen } from '../../../ui/elements.tsx'
import { AccountField, Action, Form } from '../../../ui/form.tsx'
import { P, T } from '../../../ui/language.tsx'
import { done, HERE, useService } from '../../../ui/service.tsx'

/** The code of a mail: it confirms the address of a new account, or lets somebody in who has forgotten the password. */
export default function Code() {
  const { auth } = useService().supabase
  const type = useParams().kind === 'recovery' ? 'recovery' : 'signup'
  const [, navigate] = useLocation()
  // With the address that somebody has just signed up with.
  const [email, setEmail] = useState<string>(history.state?.email ?? '')
  const [isSent, setIsSent] = useState(false)
  async function send() {
    setIsSent(false)
    if (type === 'recovery') await done(auth.resetPasswordForEmail(email, { redirectTo: HERE }))
    else await done(auth.resend({ type, email, options: { emailRedirectTo: HERE } }))
    setIsSent(true)
  }
  async function verify(token: string) {
    await done(auth.verifyOtp({ email, token, type }))
    navigate('/account/password')
  }
  return (
    <Screen title={`code.title-${type}`}>
      <P id="code.explanation" />
      <Form submit="code.submit" onSubmit={(typed) => verify(typed('one-time-code'))}>
        <AccountField is="email" value={email} onChange={setEmail} />
        <Action label="code.send" run={send} isDisabled={email === ''} />
        <p role="status">{isSent && <T id="code.sent" />}</p>
        <AccountField is="one-time-code" />
      </Form>
    </Screen>
  )
}
