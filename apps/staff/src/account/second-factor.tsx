import { useQuery } from '@tanstack/react-query'
import { Loaded, Screen } from '../../../ui/elements.tsx'
import { Action, Form } from '../../../ui/form.tsx'
import { P, useTexts } from '../../../ui/language.tsx'
import { done, useService } from '../../../ui/service.tsx'
import { useSignOut } from '../person.tsx'
import { CodeField, giveCode } from './code-field.tsx'

/** The second step of signing in: the code of an authenticator app, or one is added first. */
export default function SecondFactor({ due }: { due: 'code' | 'app' }) {
  const { client } = useService()
  return (
    <Screen title={due === 'code' ? 'account.second-factor' : 'account.add-factor'}>
      {due === 'code' ? (
        <Form submit="account.continue" onSubmit={(typed) => giveCode(client, typed('code'))}>
          <CodeField />
        </Form>
      ) : (
        <>
          <P id="account.factor-needed" />
          <NewFactor />
        </>
      )}
      <Action label="account.sign-out" run={useSignOut()} />
    </Screen>
  )
}

/** Adds an authenticator app: its key as a picture, and to type, until a code of it has been given. */
export function NewFactor({ onAdded }: { onAdded?: () => void }) {
  const { client } = useService()
  const { t } = useTexts()
  const begun = useQuery({
    queryKey: ['new-factor'],
    queryFn: async () => {
      const { all } = await done(client.auth.mfa.listFactors())
      // Those that were begun and left would be in the way.
      for (const { id, status } of all)
        if (status === 'unverified') await client.auth.mfa.unenroll({ factorId: id })
      const friendlyName = `${t('account.factor-name')} ${all.length + 1}-${crypto.randomUUID().slice(0, 4)}`
      return done(client.auth.mfa.enroll({ factorType: 'totp', friendlyName, issuer: t('account.app') }))
    },
    // A wrong code, after which everything in sight is asked for again, begins no other app.
    staleTime: 'static',
    gcTime: 0,
  })
  return (
    <Loaded query={begun}>
      {({ id, totp }) => (
        <Form
          submit="account.confirm-factor"
          onSubmit={async (typed) => {
            await done(
              client.auth.mfa.challengeAndVerify({ factorId: id, code: typed('code').replaceAll(/\s/g, '') }),
            )
            onAdded?.()
          }}
        >
          <P id="account.scan" />
          <img className="qr" src={totp.qr_code} alt={t('account.qr')} />
          <P id="account.key" />
          <code className="key" dir="ltr">
            {totp.secret}
          </code>
          <CodeField />
        </Form>
      )}
    </Loaded>
  )
}
