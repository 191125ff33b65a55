import { useState } from 'react'
import { useLocation } from 'wouter'
import { Screen } from '../../../ui/elements.tsx'
import { Field, Form, type Typed } from '../../../ui/form.tsx'
import { P } from '../../../ui/language.tsx'
import { type Client, done } from '../../../ui/service.tsx'

/** Looks up one account by its email address, which stands in no address of the app. */
export default function Accounts() {
  const [, go] = useLocation()
  const [isMissing, setIsMissing] = useState(false)
  async function look(typed: Typed, client: Client) {
    const person = typed('person')
    await done(client.rpc('log_access', { action: 'account_read', search: person }))
    const account = await done(client.rpc('read_account', { person }))
    setIsMissing(account === null)
    if (account) go(`/accounts/${account.user_id}`)
  }
  return (
    <Screen title="security.accounts">
      <P id="security.accounts.about" />
      <Form submit="security.look-up" onSubmit={look}>
        <Field
          label="security.person"
          name="person"
          maxLength={320}
          isRequired
          onChange={() => setIsMissing(false)}
        />
      </Form>
      <div role="status">{isMissing && <P className="notice" id="security.account.none" />}</div>
    </Screen>
  )
}
