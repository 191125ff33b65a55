import { useLocation } from 'wouter'
import type { PolicyGrammar } from '../../../../types/shapes.ts'
import { Tick } from '../../../ui/choices.tsx'
import { draftsOf, useDraft } from '../../../ui/drafts.tsx'
import { Button, Section } from '../../../ui/elements.tsx'
import { Select } from '../../../ui/filters.tsx'
import { Field, Form, type Typed } from '../../../ui/form.tsx'
import { P, T, useTexts } from '../../../ui/language.tsx'
import { type Client, done, useRead } from '../../../ui/service.tsx'
import { ConditionForm } from './condition-form.tsx'
import { conditionOf } from './conditions.ts'
import type { Policy, PolicyAction } from './policy-shown.tsx'
import { Preview } from './preview.tsx'

type Draft = Pick<
  Policy,
  'name' | 'category' | 'type' | 'conditions' | 'actions' | 'enforcement_points' | 'priority'
>

/** What policies may say: as the database checks it. */
export const useGrammar = () =>
  useRead(['policy-grammar'], (client) => done(client.rpc('policy_grammar')), {
    staleTime: Number.POSITIVE_INFINITY,
  })

type FormProps = {
  grammar: PolicyGrammar
  policy: Draft
  save: (draft: Draft, client: Client) => Promise<{ id: string }>
}

/** What of a policy is no field of the form. */
type Composed = { json: string; actions: readonly PolicyAction[]; points: Draft['enforcement_points'] }

/** Policies that are being written. */
const POLICIES = draftsOf<Composed>()

/** The conditions as fields and as JSON beside them: what is typed here is seen there. */
export function PolicyForm({ grammar, policy, save }: FormProps) {
  const { t } = useTexts()
  const [, go] = useLocation()
  const { value, isChanged, change, drop } = useDraft<Composed>(POLICIES, 'policy', {
    json: JSON.stringify(policy.conditions, null, 2),
    actions: policy.actions,
    points: policy.enforcement_points,
  })
  const { json, actions, points } = value
  const setJson = (json: string) => change({ ...value, json })
  const read = readJson(json)
  const shown = conditionOf(read)
  const conditions = () => {
    if (!isObject(read)) throw new Error(t('security.json.invalid'))
    return read
  }
  async function submit(typed: Typed, client: Client) {
    const { id } = await save(
      {
        name: typed('name'),
        category: grammar.categories.find((one) => one === typed('category')) ?? policy.category,
        type: grammar.types.find((one) => one === typed('type')) ?? policy.type,
        priority: Number(typed('priority')),
        conditions: conditions(),
        actions: [...actions],
        enforcement_points: points,
      },
      client,
    )
    drop()
    go(`/policies/${id}`, { replace: true })
  }
  return (
    <>
      <div className="wide-form">
        <Form submit="security.policy.save" onSubmit={submit}>
          <Field label="security.name" name="name" defaultValue={policy.name} maxLength={200} isRequired />
          <div className="filters start">
            <Select
              label="security.category"
              name="category"
              defaultValue={policy.category}
              options={grammar.categories}
            >
              {(one) => t(`security.category.${one}`)}
            </Select>
            <Select
              label="security.policy.type"
              name="type"
              defaultValue={policy.type}
              options={grammar.types}
            >
              {(one) => t(`security.policy.type.${one}`)}
            </Select>
            <Field
              label="security.priority"
              hint="security.priority.hint"
              name="priority"
              type="number"
              defaultValue={String(policy.priority)}
              isRequired
            />
          </div>
          <fieldset className="list">
            <legend>
              <T id="security.points" />
            </legend>
            {grammar.enforcement_points.map((point) => (
              <Tick
                key={point}
                isSelected={points.includes(point)}
                onChange={(isChosen) =>
                  change({
                    ...value,
                    points: grammar.enforcement_points.filter((one) =>
                      one === point ? isChosen : points.includes(one),
                    ),
                  })
                }
              >
                {t(`security.point.${point}`)}
              </Tick>
            ))}
          </fieldset>
          <ActionTicks
            grammar={grammar}
            actions={actions}
            onChange={(actions) => change({ ...value, actions })}
          />
          <Section title="security.conditions">
            <div className="beside">
              <div className="list">
                {shown ? (
                  <ConditionForm
                    value={shown}
                    grammar={grammar}
                    onChange={(changed) => setJson(JSON.stringify(changed, null, 2))}
                  />
                ) : (
                  <P
                    className="notice"
                    id={read === undefined ? 'security.json.invalid' : 'security.json.other'}
                  />
                )}
              </div>
              <Field
                label="security.json"
                rows={json.split('\n').length + 1}
                value={json}
                onChange={setJson}
                className="field code"
              />
            </div>
          </Section>
        </Form>
        {isChanged && <Button label="form.discard" onPress={drop} />}
      </div>
      <Preview of={() => ({ conditions: conditions(), actions: [...actions], points })} />
    </>
  )
}

const isObject = (value: unknown): value is Policy['conditions'] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type TicksProps = {
  grammar: PolicyGrammar
  actions: readonly PolicyAction[]
  onChange: (actions: readonly PolicyAction[]) => void
}

/** What is done, one tick each; a limit has its figures. */
function ActionTicks({ grammar, actions, onChange }: TicksProps) {
  const { t } = useTexts()
  const limit = actions.find(({ action }) => action === 'apply_rate_limits')
  const set = (change: { requests?: number; period?: number }) =>
    onChange(actions.map((one) => (one === limit ? { ...limit, ...change } : one)))
  return (
    <fieldset className="list">
      <legend>
        <T id="security.actions" />
      </legend>
      {grammar.actions.map((action) => (
        <Tick
          key={action}
          isSelected={actions.some((one) => one.action === action)}
          onChange={(isChosen) =>
            onChange(
              isChosen
                ? [
                    ...actions,
                    action === 'apply_rate_limits' ? { action, requests: 60, period: 60 } : { action },
                  ]
                : actions.filter((one) => one.action !== action),
            )
          }
        >
          {t(`security.does.${action}`)}
        </Tick>
      ))}
      {limit && (
        <div className="filters">
          <Field
            label="security.limit.requests"
            type="number"
            value={String(limit.requests)}
            onChange={(typed) => set({ requests: Number(typed) })}
          />
          <Field
            label="security.limit.period"
            type="number"
            value={String(limit.period)}
            onChange={(typed) => set({ period: Number(typed) })}
          />
        </div>
      )}
    </fieldset>
  )
}
