import { T, useTexts } from '../../../ui/language.tsx'
import { type Condition, conditionOf } from './conditions.ts'
import { useWords } from './words.tsx'

/** A condition in words, with its parts below it. */
export function ConditionText({ of }: { of: unknown }) {
  const condition = conditionOf(of)
  if (!condition) return <pre dir="ltr">{JSON.stringify(of, null, 2)}</pre>
  return <Told condition={condition} />
}

function Told({ condition }: { condition: Condition }) {
  const { t, number } = useTexts()
  const words = useWords()
  if ('not' in condition)
    return (
      <>
        <p>
          <T id="security.condition.not" />:
        </p>
        <ul className="parts">
          <li>
            <Told condition={condition.not} />
          </li>
        </ul>
      </>
    )
  if ('all' in condition || 'any' in condition) {
    const parts = 'all' in condition ? condition.all : condition.any
    return (
      <>
        <p>
          <T id={'all' in condition ? 'security.condition.all' : 'security.condition.any'} />:
        </p>
        <ul className="parts">
          {parts.map((part, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place among the others
            <li key={at}>
              <Told condition={part} />
            </li>
          ))}
        </ul>
      </>
    )
  }
  if ('count' in condition) {
    const { count, of, by, within } = condition
    return (
      <p>
        {t('security.count.told', {
          count,
          of: words('counted', of),
          by: by === 'account' ? t('security.count.by.account') : t('security.count.by.address'),
          minutes: within / 60,
        })}
      </p>
    )
  }
  const said = [condition.value].flat().map((one) => {
    if (typeof one === 'boolean') return t(one ? 'security.yes' : 'security.no')
    return typeof one === 'number' ? number(one, { maximumFractionDigits: 3 }) : words('choice', one)
  })
  return (
    <p>
      {words('field', condition.field)} <em>{words('operator', condition.op)}</em>{' '}
      <bdi>
        <strong>{said.join(', ')}</strong>
      </bdi>
    </p>
  )
}
