import { useState } from 'react'
import { ButtonLink, Screen } from '../../../ui/elements.tsx'
import { AccountField, Form } from '../../../ui/form.tsx'
import { P } from '../../../ui/language.tsx'
import { done, useService } from '../../../ui/service.tsx'

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
