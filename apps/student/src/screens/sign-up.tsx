import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { useLocation } from 'wouter'
import { Field } from '../components/controls.tsx'
import { Form } from '../components/form.tsx'
import { Screen } from '../components/screen.tsx'
import { useLanguage } from '../language.tsx'
import { useService } from '../service.tsx'
import { useBrandColor } from '../university.ts'

export default function SignUp() {
  const { client } = useService()
  const { language } = useLanguage()
  const [, navigate] = useLocation()
  return (
    <Screen title={<FormattedMessage id="sign-up.title" />}>
      <Form
        submit={<FormattedMessage id="sign-up.submit" />}
        onSubmit={async (typed) => {
          const email = typed('email')
          await client.account.signUp({
            email,
            password: typed('password'),
            firstName: typed('first-name'),
            lastName: typed('last-name'),
            language,
          })
          navigate('/code/signup', { state: { email } })
        }}
      >
        <EmailOfUniversity />
        <Field
          label={<FormattedMessage id="sign-up.first-name" />}
          name="first-name"
          autoComplete="given-name"
          isRequired
        />
        <Field
          label={<FormattedMessage id="sign-up.last-name" />}
          name="last-name"
          autoComplete="family-name"
          isRequired
        />
        <Field
          label={<FormattedMessage id="sign-up.password" />}
          name="password"
          type="password"
          autoComplete="new-password"
          isRequired
        />
      </Form>
    </Screen>
  )
}

/** The address, and whose sign-up it leads to. */
function EmailOfUniversity() {
  const { client } = useService()
  const [email, setEmail] = useState('')
  const { data: university } = useQuery({
    queryKey: ['university-of', email],
    queryFn: () => client.universities.ofEmail(email),
    enabled: email.includes('@'),
  })
  useBrandColor(university?.branding.primary_color)
  return (
    <>
      <Field
        label={<FormattedMessage id="sign-up.email" />}
        name="email"
        type="email"
        autoComplete="email"
        isRequired
        onBlur={({ target }) => setEmail(target instanceof HTMLInputElement ? target.value.trim() : '')}
      />
      <div role="status">
        {university && <FormattedMessage id="sign-up.university" values={{ name: university.name }} />}
        {university === null && <FormattedMessage id="sign-up.no-university" />}
      </div>
    </>
  )
}
