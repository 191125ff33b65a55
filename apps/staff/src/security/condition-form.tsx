import type { PolicyGrammar } from '../../../../types/shapes.ts'
import { Tick } from '../../../ui/choices.tsx'
import { Button } from '../../../ui/elements.tsx'
import { Select } from '../../../ui/filters.tsx'
import { Field } from '../../../ui/form.tsx'
import { T, useTexts } from '../../../ui/language.tsx'
import {
  type Comparison,
  type Condition,
  comparisonWith,
  isList,
  KINDS,
  kindOf,
  madeInto,
  newComparison,
} from './conditions.ts'
import { useWords } from './words.tsx'

type Props<Of = Condition> = {
  value: Of
  onChange: (value: Condition) => void
  grammar: PolicyGrammar
}

/** A condition as fields, one inside the other as the grammar has them. */
export function ConditionForm({ value, onChange, grammar, remove }: Props & { remove?: () => void }) {
  const { t } = useTexts()
  const kind = kindOf(value)
  return (
    <fieldset className="condition">
      <legend className="visually-hidden">{t(`security.condition.${kind}`)}</legend>
      <div className="row">
        <Select
          label="security.condition"
          options={KINDS}
          value={kind}
          onChange={(chosen) => onChange(madeInto(chosen, value, grammar))}
        >
          {(one) => t(`security.condition.${one}`)}
        </Select>
        {remove && <Button label="security.condition.remove" onPress={remove} />}
      </div>
      {'all' in value && <Parts parts={value.all} onChange={(all) => onChange({ all })} grammar={grammar} />}
      {'any' in value && <Parts parts={value.any} onChange={(any) => onChange({ any })} grammar={grammar} />}
      {'not' in value && (
        <ConditionForm value={value.not} onChange={(not) => onChange({ not })} grammar={grammar} />
      )}
      {'field' in value && <Compared value={value} onChange={onChange} grammar={grammar} />}
      {'count' in value && <Counted value={value} onChange={onChange} grammar={grammar} />}
    </fieldset>
  )
}

type PartsProps = {
  parts: readonly Condition[]
  onChange: (parts: Condition[]) => void
  grammar: PolicyGrammar
}

function Parts({ parts, onChange, grammar }: PartsProps) {
  return (
    <>
      {parts.map((part, at) => (
        <ConditionForm
          // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place among the others
          key={at}
          value={part}
          grammar={grammar}
          onChange={(changed) => onChange(parts.with(at, changed))}
          {...(parts.length > 1 && { remove: () => onChange(parts.toSpliced(at, 1)) })}
        />
      ))}
      <Button label="security.condition.add" onPress={() => onChange([...parts, newComparison(grammar)])} />
    </>
  )
}

function Compared({ value, onChange, grammar }: Props<Comparison>) {
  const { t } = useTexts()
  const words = useWords()
  const field = grammar.fields.find((one) => one.field === value.field)
  if (!field) return <T id="security.condition.unknown" />
  const { choices, kind, operators } = field
  const change = (compared: Comparison['value']) => onChange({ ...value, value: compared })
  return (
    <>
      <div className="filters">
        <Select
          label="security.field"
          options={grammar.fields.map((one) => one.field)}
          value={value.field}
          onChange={(chosen) => {
            const next = grammar.fields.find((one) => one.field === chosen)
            if (next) onChange(comparisonWith(next, value))
          }}
        >
          {(one) => words('field', one)}
        </Select>
        <Select
          label="security.operator"
          options={operators}
          value={value.op}
          onChange={(op) => onChange(comparisonWith(field, { ...value, op }))}
        >
          {(one) => words('operator', one)}
        </Select>
        {typeof value.value === 'boolean' && (
          <Select
            label="security.value"
            options={['true', 'false']}
            value={String(value.value)}
            onChange={(chosen) => change(chosen === 'true')}
          >
            {(one) => t(one === 'true' ? 'security.yes' : 'security.no')}
          </Select>
        )}
        {typeof value.value !== 'boolean' && !Array.isArray(value.value) && choices && (
          <Select label="security.value" options={choices} value={String(value.value)} onChange={change}>
            {(one) => words('choice', one)}
          </Select>
        )}
        {typeof value.value !== 'boolean' && !Array.isArray(value.value) && !choices && (
          <Field
            label="security.value"
            type={kind === 'number' ? 'number' : 'text'}
            value={String(value.value)}
            onChange={(typed) => change(kind === 'number' ? Number(typed) : typed)}
            maxLength={200}
          />
        )}
        {isList(value.op) && !choices && (
          <Field
            label="security.values"
            hint="security.list-hint"
            defaultValue={[value.value].flat().join(', ')}
            onChange={(typed) => change(listed(typed, kind === 'number'))}
          />
        )}
      </div>
      {isList(value.op) && choices && (
        <div className="row">
          {choices.map((choice) => {
            const chosen = [value.value].flat()
            return (
              <Tick
                key={choice}
                isSelected={chosen.includes(choice)}
                onChange={(isChosen) =>
                  change(choices.filter((one) => (one === choice ? isChosen : chosen.includes(one))))
                }
              >
                {words('choice', choice)}
              </Tick>
            )
          })}
        </div>
      )}
    </>
  )
}

const listed = (typed: string, isNumber: boolean): (string | number)[] =>
  typed
    .split(/[\n,]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => (isNumber ? Number(part) : part))

type Count = Extract<Condition, { count: number }>

const MINUTE_S = 60

function Counted({ value, onChange, grammar }: Props<Count>) {
  const words = useWords()
  const { t } = useTexts()
  return (
    <div className="filters">
      <Field
        label="security.count"
        type="number"
        value={String(value.count)}
        onChange={(typed) => onChange({ ...value, count: Number(typed) })}
      />
      <Select
        label="security.count.of"
        options={grammar.events}
        value={value.of}
        onChange={(of) => onChange({ ...value, of })}
      >
        {(one) => words('counted', one)}
      </Select>
      <Select
        label="security.count.by"
        options={['address', 'account'] as const}
        value={value.by === 'account' ? 'account' : 'address'}
        onChange={(by) => onChange({ ...value, by })}
      >
        {(one) => t(`security.count.by.${one}`)}
      </Select>
      <Field
        label="security.count.within"
        type="number"
        value={String(value.within / MINUTE_S)}
        onChange={(typed) => onChange({ ...value, within: Math.round(Number(typed) * MINUTE_S) })}
      />
    </div>
  )
}
