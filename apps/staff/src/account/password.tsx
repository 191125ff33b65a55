import { useState } from 'react'
import { Links, Screen } from '../../../ui/elements.tsx'
import { AccountField, Form, type Typed } from '../../../ui/form.tsx'
import { P } from '../../../ui/language.tsx'
import { done, useService } from '../../../ui/service.tsx'

/** Another password. Of a session that is older than a day Auth wants the code of a mail too. */
export default function Password() {
  const { auth } = useService().client
  const [needsCode, setNeedsCode] = useState(false)
  const [isSaved, setIsSaved] = useState(false)
  async function save(typed: Typed) {
    const nonce = needsCode ? { nonce: typed('one-time-code') } : {}
    const { error } = await auth.updateUser({ password: typed('new-password'), ...nonce })
    if (error?.code === 'reauthentication_needed') {
      await done(auth.reauthenticate())
      setNeedsCode(true)
    } else if (error) throw error
    else setIsSaved(true)
  }
  return (
    <Screen title="account.password">
      <P role="status" id={isSaved ? 'account.password-saved' : 'account.password-explanation'} />
      {!isSaved && (
        <Form submit="account.save-password" onSubmit={save}>
          <AccountField is="new-password" maxLength={72} />
          <P className="muted" id="link.password-rule" />
          {needsCode && <P role="status" className="notice" id="account.mail-code" />}
          {needsCode && <AccountField is="one-time-code" />}
        </Form>
      )}
      <Links to={{ '/account': 'account.title' }} />
    </Screen>
  )
}
