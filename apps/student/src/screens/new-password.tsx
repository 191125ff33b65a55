import { useState } from 'react'
import { ButtonLink, Screen } from '../components/elements.tsx'
import { AccountField, Form } from '../components/form.tsx'
import { P } from '../language.tsx'
import { done, useService } from '../service.tsx'

/** Offered after a code too: whoever else knew the password of the account is out then. */
export default function NewPassword() {
  const { supabase } = useService()
  const [isSaved, setIsSaved] = useState(false)
  async function save(password: string) {
    await done(supabase.auth.updateUser({ password }))
    setIsSaved(true)
  }
  return (
    <Screen title="new-password.title">
      <P role="status" id={isSaved ? 'new-password.saved' : 'new-password.explanation'} />
      {!isSaved && (
        <Form submit="new-password.submit" onSubmit={(typed) => save(typed('new-password'))}>
          <AccountField is="new-password" />
        </Form>
      )}
      <ButtonLink to="/" label={isSaved ? 'new-password.on' : 'new-password.keep'} />
    </Screen>
  )
}
