import { type Id, useTexts } from '../../../ui/language.tsx'

type AmountProps = {
  label: Id
  max: number
  /** Where it is followed; NaN while the field is empty. */
  value?: number
  onChange?: (value: number) => void
  /** Where it is a field of a form. */
  name?: string
  defaultValue?: number
}

/** A whole number from 1. */
export function Amount({ label, value, onChange, ...input }: AmountProps) {
  const { t } = useTexts()
  const followed = value === undefined ? {} : { value: Number.isNaN(value) ? '' : value }
  return (
    <label className="field">
      <span>{t(label)}</span>
      <input
        {...input}
        {...followed}
        type="number"
        min={1}
        required
        onChange={({ target }) => onChange?.(target.valueAsNumber)}
      />
    </label>
  )
}
