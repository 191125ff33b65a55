import { useState } from 'react'
import { useLocation } from 'wouter'
import { useBrandColor } from '../../../ui/brand.ts'
import { Screen } from '../../../ui/elements.tsx'
import { AccountField, Form, type Typed } from '../../../ui/form.tsx'
import { T, useLanguage } from '../../../ui/language.tsx'
import { HERE, useRead, useService } from '../../../ui/service.tsx'

export default function SignUp() {
  const { client } = useService()
  const { language } = useLanguage()
  const [, navigate] = useLocation()
  const [email, setEmail] = useState('')
  // By the domain, so that one that is being typed is not asked for at every letter of a name.
  const key = ['university-of', email.split('@')[1]]
  const isWhole = { enabled: /@.+\.\w\w/.test(email) }
  const { data: university } = useRead(key, () => client.universities.ofEmail(email), isWhole)
  useBrandColor(university?.branding.primary_color)
  async function signUp(typed: Typed) {
    const [password, firstName, lastName] = [typed('new-password'), typed('given-name'), typed('family-name')]
    await client.account.signUp({ email, password, firstName, lastName, language, redirectTo: HERE })
    navigate('/code/signup', { state: { email } })
  }
  return (
    <Screen title="sign-up.title">
      <Form submit="sign-up.submit" onSubmit={signUp}>
        <AccountField is="email" value={email} onChange={setEmail} />
        <p role="status">
          {university && <T id="sign-up.university" name={university.name} />}
          {university === null && <T id="sign-up.no-university" />}
        </p>
        <AccountField is="given-name" />
        <AccountField is="family-name" />
        <AccountField is="new-password" />
      </Form>
    </Screen>
  )
}
