import { useParams } from 'wouter'
import { Loaded, Screen } from '../../../ui/elements.tsx'
import { done } from '../../../ui/service.tsx'
import { usePolicy } from './policy.tsx'
import { PolicyForm, useGrammar } from './policy-form.tsx'

/** Changes a policy; its switch stays as it is. */
export default function ChangePolicy() {
  const { id } = useParams<{ id: string }>()
  const policy = usePolicy(id)
  return (
    <Screen title="security.policy.change">
      <Loaded query={useGrammar()}>
        {(grammar) => (
          <Loaded query={policy}>
            {(stored) => (
              <PolicyForm
                grammar={grammar}
                policy={stored}
                save={(draft, client) =>
                  done(client.from('security_policies').update(draft).eq('id', id).select('id').single())
                }
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </Screen>
  )
}
