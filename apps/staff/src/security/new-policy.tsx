import { Loaded, Screen } from '../../../ui/elements.tsx'
import { P } from '../../../ui/language.tsx'
import { done } from '../../../ui/service.tsx'
import { newComparison } from './conditions.ts'
import { PolicyForm, useGrammar } from './policy-form.tsx'

/** Makes a policy, which only counts at first. */
export default function NewPolicy() {
  return (
    <Screen title="security.policy.new">
      <P id="security.policy.new.about" />
      <Loaded query={useGrammar()}>
        {(grammar) => (
          <PolicyForm
            grammar={grammar}
            policy={{
              name: '',
              category: 'access_control',
              type: 'preventive',
              conditions: { all: [newComparison(grammar)] },
              actions: [{ action: 'log_events' }],
              enforcement_points: ['request', 'sign_in'],
              priority: 500,
            }}
            save={(draft, client) =>
              done(
                client
                  .from('security_policies')
                  .insert({ ...draft, dry_run: true })
                  .select('id')
                  .single(),
              )
            }
          />
        )}
      </Loaded>
    </Screen>
  )
}
