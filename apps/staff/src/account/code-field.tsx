import type { SupabaseClient } from '@supabase/supabase-js'
import { Field } from '../../../ui/form.tsx'
import { done } from '../../../ui/service.tsx'

/** Where the code of an authenticator app is typed. */
export function CodeField() {
  return (
    <Field
      name="code"
      label="account.code"
      hint="account.code-hint"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={10}
      isRequired
      autoFocus
    />
  )
}

/** Gives the code of any of an account's authenticator apps, which raises the session. */
export async function giveCode({ auth }: Pick<SupabaseClient, 'auth'>, typed: string): Promise<void> {
  const code = typed.replaceAll(/\s/g, '')
  const { totp } = await done(auth.mfa.listFactors())
  for (const [at, { id: factorId }] of totp.entries()) {
    const { error } = await auth.mfa.challengeAndVerify({ factorId, code })
    if (!error) return
    // Which app a code is of nobody says; a wrong one counts once for each app.
    if (at === totp.length - 1 || error.code !== 'mfa_verification_failed') throw error
  }
}
