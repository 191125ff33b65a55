import { useState } from 'react'
import { useIntl } from 'react-intl'
import { AccountField } from '../components/account-field.tsx'
import { ButtonLink } from '../components/controls.tsx'
import { Form } from '../components/form.tsx'
import { Screen } from '../components/screen.tsx'
import { done, useService } from '../service.tsx'

/** Offered after a code too: whoever else knew the password of the account is out then. */
export default function NewPassword() {
  const { supabase } = useService()
  const { $t } = useIntl()
  const [isSaved, setSaved] = useState(false)
  async function save(password: string) {
    await done(supabase.auth.updateUser({ password }))
    setSaved(true)
  }
  return (
    <Screen title={$t({ id: 'new-password.title' })}>
      <p role="status">{$t({ id: isSaved ? 'new-password.saved' : 'new-password.explanation' })}</p>
      {!isSaved && (
        <Form submit={$t({ id: 'new-password.submit' })} onSubmit={(typed) => save(typed('new-password'))}>
          <AccountField is="new-password" />
        </Form>
      )}
      <div>
        <ButtonLink to="/">{$t({ id: isSaved ? 'new-password.on' : 'new-password.keep' })}</ButtonLink>
      </div>
    </Screen>
  )
}
