import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import * as Aria from 'react-aria-components'
import { useTypedBefore } from './drafts.tsx'
import { type Id, useTexts } from './language.tsx'

/** Fields that narrow down what is below them. */
export function Filters({ children }: { children: ReactNode }) {
  return <search className="filters">{children}</search>
}

type SearchProps = { label: Id; hint?: Id; onChange: (words: string) => void; initial?: string }

/** What somebody looks for, told once they pause or press Enter. */
export function Search({ label, hint, onChange, initial = '' }: SearchProps) {
  const { t } = useTexts()
  const [words, setWords] = useState(initial)
  const [told, setTold] = useState(initial)
  const tell = useEffectEvent((now: string) => {
    setTold(now)
    onChange(now)
  })
  const now = words.trim()
  useEffect(() => {
    if (now === told) return
    const pause = setTimeout(() => tell(now), 300)
    return () => clearTimeout(pause)
  }, [now, told])
  return (
    <Aria.SearchField className="field" value={words} onChange={setWords} onSubmit={() => tell(now)}>
      <Aria.Label>{t(label)}</Aria.Label>
      <Aria.Input />
      {hint && <Aria.Text slot="description">{t(hint)}</Aria.Text>}
    </Aria.SearchField>
  )
}

type SelectProps<Value extends string> = {
  label: Id
  options: readonly Value[]
  /** What an option says, in the person's language. */
  children: (option: Value) => string
  /** Where it filters or is followed. */
  value?: Value
  onChange?: (value: Value) => void
  /** Where it is a field of a form. */
  name?: string
  defaultValue?: Value
  isRequired?: boolean
  isDisabled?: boolean
}

/** One of several, as the device lets people choose. An option `''` stands for all or none. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, options, children, onChange, isRequired, isDisabled, ...select } = props
  const { t } = useTexts()
  const initial = useTypedBefore(select.name, select.defaultValue)
  return (
    <label className="field">
      <span>{t(label)}</span>
      <select
        {...select}
        defaultValue={select.value === undefined ? initial : undefined}
        required={isRequired}
        disabled={isDisabled}
        onChange={({ target }) => {
          for (const option of options) if (option === target.value) onChange?.(option)
        }}
      >
        {options.map((option) => (
          <option key={option} value={option}>
            {children(option)}
          </option>
        ))}
      </select>
    </label>
  )
}

type DateProps = {
  label: Id
  /** `date` is a day such as 2026-03-01, `datetime-local` a minute where the person is: `minuteOf` and `instantOf`. */
  type?: 'date' | 'datetime-local' | 'time'
  value?: string
  onChange?: (value: string) => void
  name?: string
  defaultValue?: string
  min?: string
  max?: string
  isRequired?: boolean
}

/** A day or a minute, as the device lets people choose. Empty is ''. */
export function DateField({ label, type = 'date', onChange, isRequired, ...input }: DateProps) {
  const { t } = useTexts()
  const initial = useTypedBefore(input.name, input.defaultValue)
  return (
    <label className="field">
      <span>{t(label)}</span>
      <input
        {...input}
        defaultValue={input.value === undefined ? initial : undefined}
        type={type}
        required={isRequired}
        onChange={({ target }) => onChange?.(target.value)}
      />
    </label>
  )
}

/** What a `datetime-local` field shows for an instant. */
export function minuteOf(instant: string | number | Date): string {
  const at = new Date(instant)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** The instant of what a `datetime-local` field has; null where it is empty. */
export function instantOf(minute: string): string | null {
  return minute === '' ? null : new Date(minute).toISOString()
}
