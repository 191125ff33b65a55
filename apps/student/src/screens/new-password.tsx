import { useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { ButtonLink, Field } from '../components/controls.tsx'
import { Form } from '../components/form.tsx'
import { Screen } from '../components/screen.tsx'
import { useService } from '../service.tsx'

/** Offered after a code too: whoever else knew the password of the account is out then. */
export default function NewPassword() {
  const { supabase } = useService()
  const [isSaved, setSaved] = useState(false)
  return (
    <Screen title={<FormattedMessage id="new-password.title" />}>
      {isSaved ? (
        <p role="status">
          <FormattedMessage id="new-password.saved" />
        </p>
      ) : (
        <>
          <p>
            <FormattedMessage id="new-password.explanation" />
          </p>
          <Form
            submit={<FormattedMessage id="new-password.submit" />}
            onSubmit={async (typed) => {
              const { error } = await supabase.auth.updateUser({ password: typed('password') })
              if (error) throw error
              setSaved(true)
            }}
          >
            <Field
              label={<FormattedMessage id="new-password.title" />}
              name="password"
              type="password"
              autoComplete="new-password"
              isRequired
            />
          </Form>
        </>
      )}
      <div>
        <ButtonLink to="/" kind={isSaved ? 'primary' : 'plain'}>
          {isSaved ? <FormattedMessage id="new-password.on" /> : <FormattedMessage id="new-password.keep" />}
        </ButtonLink>
      </div>
    </Screen>
  )
}
