import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { useLocation } from 'wouter'
import { AccountField } from '../components/account-field.tsx'
import { Form, type Typed } from '../components/form.tsx'
import { Screen } from '../components/screen.tsx'
import { useLanguage } from '../language.tsx'
import { HERE, useService } from '../service.tsx'
import { useBrandColor } from '../university.ts'

export default function SignUp() {
  const { client } = useService()
  const { $t } = useIntl()
  const { language } = useLanguage()
  const [, navigate] = useLocation()
  const [email, setEmail] = useState('')
  const { data: university } = useQuery({
    // By the domain, so that one that is being typed is not asked for at every letter of a name.
    queryKey: ['university-of', email.split('@')[1]],
    queryFn: () => client.universities.ofEmail(email),
    enabled: /@.+\.\w\w/.test(email),
  })
  useBrandColor(university?.branding.primary_color)
  async function signUp(typed: Typed) {
    const [password, firstName, lastName] = [typed('new-password'), typed('given-name'), typed('family-name')]
    await client.account.signUp({ email, password, firstName, lastName, language, redirectTo: HERE })
    navigate('/code/signup', { state: { email } })
  }
  return (
    <Screen title={$t({ id: 'sign-up.title' })}>
      <Form submit={$t({ id: 'sign-up.submit' })} onSubmit={signUp}>
        <AccountField is="email" value={email} onChange={setEmail} />
        <div role="status">
          {university && $t({ id: 'sign-up.university' }, { name: university.name })}
          {university === null && $t({ id: 'sign-up.no-university' })}
        </div>
        <AccountField is="given-name" />
        <AccountField is="family-name" />
        <AccountField is="new-password" />
      </Form>
    </Screen>
  )
}
