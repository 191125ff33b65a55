import { useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { useLocation, useParams } from 'wouter'
import { useChange } from '../change.ts'
import { Button, Field } from '../components/controls.tsx'
import { Form } from '../components/form.tsx'
import { Screen } from '../components/screen.tsx'
import { Problem } from '../components/states.tsx'
import { useService } from '../service.tsx'

/** The code of a mail: it confirms the address of a new account, or lets somebody in who has forgotten the password. */
export default function Code() {
  const { supabase } = useService()
  const type = useParams().kind === 'recovery' ? 'recovery' : 'signup'
  const [, navigate] = useLocation()
  const [email, setEmail] = useState(emailOfSignUp)
  const mail = useChange(async (to: string) => {
    const redirectTo = location.origin + location.pathname
    const { error } = await (type === 'signup'
      ? supabase.auth.resend({ type, email: to, options: { emailRedirectTo: redirectTo } })
      : supabase.auth.resetPasswordForEmail(to, { redirectTo }))
    if (error) throw error
  })
  return (
    <Screen
      title={
        type === 'signup' ? (
          <FormattedMessage id="code.title-signup" />
        ) : (
          <FormattedMessage id="code.title-recovery" />
        )
      }
    >
      <p>
        <FormattedMessage id="code.explanation" />
      </p>
      <Form
        submit={<FormattedMessage id="code.submit" />}
        onSubmit={async (typed) => {
          const { error } = await supabase.auth.verifyOtp({ email, token: typed('code'), type })
          if (error) throw error
          navigate('/account/password')
        }}
      >
        <Field
          label={<FormattedMessage id="code.email" />}
          type="email"
          autoComplete="email"
          value={email}
          onChange={setEmail}
          isRequired
        />
        <Button onPress={() => mail.mutate(email)} isPending={mail.isPending} isDisabled={email === ''}>
          <FormattedMessage id="code.send" />
        </Button>
        <div role="status">{mail.isSuccess && <FormattedMessage id="code.sent" />}</div>
        {mail.error && <Problem error={mail.error} />}
        <Field
          label={<FormattedMessage id="code.code" />}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          isRequired
        />
      </Form>
    </Screen>
  )
}

/** The address that somebody has just signed up with. */
function emailOfSignUp(): string {
  const state: { email?: string } | null = history.state
  return state?.email ?? ''
}
