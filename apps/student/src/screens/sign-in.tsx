import { FormattedMessage } from 'react-intl'
import { Link } from 'wouter'
import { Field } from '../components/controls.tsx'
import { Form } from '../components/form.tsx'
import { LanguageChoice } from '../components/language-choice.tsx'
import { Screen } from '../components/screen.tsx'
import { useService } from '../service.tsx'

export default function SignIn() {
  const { supabase } = useService()
  return (
    <Screen title={<FormattedMessage id="sign-in.title" />}>
      <Form
        submit={<FormattedMessage id="sign-in.submit" />}
        onSubmit={async (typed) => {
          const credentials = { email: typed('email'), password: typed('password') }
          const { error } = await supabase.auth.signInWithPassword(credentials)
          if (error) throw error
        }}
      >
        <Field
          label={<FormattedMessage id="sign-in.email" />}
          name="email"
          type="email"
          autoComplete="username"
          isRequired
        />
        <Field
          label={<FormattedMessage id="sign-in.password" />}
          name="password"
          type="password"
          autoComplete="current-password"
          isRequired
        />
      </Form>
      <ul className="links">
        <li>
          <Link href="/sign-up">
            <FormattedMessage id="sign-up.title" />
          </Link>
        </li>
        <li>
          <Link href="/code/signup">
            <FormattedMessage id="sign-in.code" />
          </Link>
        </li>
        <li>
          <Link href="/code/recovery">
            <FormattedMessage id="sign-in.forgotten" />
          </Link>
        </li>
      </ul>
      <LanguageChoice />
    </Screen>
  )
}
