import { Screen } from '../../../ui/elements.tsx'
import { Action, LanguageChoice } from '../../../ui/form.tsx'
import { done } from '../../../ui/service.tsx'

export default function Account() {
  return (
    <Screen title="account.title">
      <LanguageChoice />
      <Action label="account.sign-out" run={({ auth }) => done(auth.signOut())} />
    </Screen>
  )
}
