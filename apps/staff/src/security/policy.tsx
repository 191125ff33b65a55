import { useParams } from 'wouter'
import { Confirm } from '../../../ui/dialog.tsx'
import { ButtonLink, Loaded, Screen, Section } from '../../../ui/elements.tsx'
import { P, useTexts } from '../../../ui/language.tsx'
import { type Client, done, useRead } from '../../../ui/service.tsx'
import { Ago, Facts, When } from '../../../ui/shown.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { ConditionText } from './condition-text.tsx'
import { ActionsShown, type Policy, PolicyState } from './policy-shown.tsx'
import { Preview } from './preview.tsx'

/** Reads one policy by its id. */
export const usePolicy = (id: string) =>
  useRead(['policy', id], (client) => done(client.from('security_policies').select().eq('id', id).single()))

/** One policy in words, with its switch and whom it would have stopped. */
export default function PolicyScreen() {
  const { id } = useParams<{ id: string }>()
  return (
    <Screen title="security.policy">
      <Loaded query={usePolicy(id)}>{(policy) => <Shown policy={policy} />}</Loaded>
    </Screen>
  )
}

function Shown({ policy }: { policy: Policy }) {
  const { t, number } = useTexts()
  return (
    <>
      <section>
        <p className="lead">
          <bdi>{policy.name}</bdi>
        </p>
        <PolicyState of={policy} />
        <Facts
          of={[
            ['security.actions', <ActionsShown key="actions" of={policy.actions} />],
            [
              'security.points',
              policy.enforcement_points.map((point) => t(`security.point.${point}`)).join(', '),
            ],
            ['security.category', t(`security.category.${policy.category}`)],
            ['security.policy.type', t(`security.policy.type.${policy.type}`)],
            ['security.priority', number(policy.priority)],
            ['security.applied', number(policy.trigger_count)],
            ['security.applied-last', policy.last_triggered && <Ago at={policy.last_triggered} />],
            ['security.changed', <When key="changed" at={policy.updated_at} />],
            ['security.id', <bdi key="id">{policy.id}</bdi>],
          ]}
        />
        <div className="row">
          <Switched policy={policy} />
          <ButtonLink to={`/policies/${policy.id}/change`} label="security.change" />
        </div>
      </section>
      <Section title="security.conditions">
        <ConditionText of={policy.conditions} />
        <details>
          <summary>{t('security.json')}</summary>
          <pre dir="ltr">{JSON.stringify(policy.conditions, null, 2)}</pre>
        </details>
      </Section>
      <Preview
        of={() => ({
          conditions: policy.conditions,
          actions: policy.actions,
          points: policy.enforcement_points,
        })}
      />
    </>
  )
}

/** What each button makes of a policy. */
const STATES = {
  on: { enabled: true, dry_run: false },
  'dry-run': { enabled: true, dry_run: true },
  off: { enabled: false },
} as const

type State = keyof typeof STATES

/** Switches a policy on, to counting alone, or off: asked first, as it is in force at once, with the way back. */
function Switched({ policy }: { policy: Policy }) {
  const tell = useToast()
  const { id, name, enabled, dry_run } = policy
  const now: State = !enabled ? 'off' : dry_run ? 'dry-run' : 'on'
  const change = (client: Client, to: Partial<Pick<Policy, 'enabled' | 'dry_run'>>) =>
    done(client.from('security_policies').update(to).eq('id', id).select('id').single())
  const states: State[] = ['on', 'dry-run', 'off']
  return states
    .filter((state) => state !== now)
    .map((state) => (
      <Confirm
        key={state}
        label={`security.switch.${state}`}
        kind={state === 'on' ? 'primary' : state === 'off' ? 'danger' : 'plain'}
        title={`security.switch.${state}`}
        question={`security.switch.${state}.asked`}
        target={name}
        run={async (_, client) => {
          await change(client, STATES[state])
          tell({
            message: 'security.switched',
            values: { name },
            undo: (again) => change(again, { enabled, dry_run }),
          })
        }}
      >
        {state === 'on' && <P className="muted" id="security.switch.preview" />}
      </Confirm>
    ))
}
