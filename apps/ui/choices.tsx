import type { ReactNode } from 'react'
import * as Aria from 'react-aria-components'
import { type Id, useTexts } from './language.tsx'

/** A box to tick. */
export function Tick({ children, ...props }: Omit<Aria.CheckboxProps, 'children'> & { children: ReactNode }) {
  return (
    <Aria.Checkbox {...props} className="tick">
      <span aria-hidden="true" />
      <span>{children}</span>
    </Aria.Checkbox>
  )
}

type Choices<Value extends string> = {
  label: Id
  value: Value
  onChange: (value: Value) => void
  choices: readonly Value[]
  children: (choice: Value) => ReactNode
}

/** One of a few, all in sight. */
export function Choice<Value extends string>({ label, value, onChange, choices, children }: Choices<Value>) {
  const { t } = useTexts()
  const choose = (chosen: string) => choices.filter((one) => one === chosen).forEach(onChange)
  return (
    <Aria.RadioGroup className="field" value={value} onChange={choose}>
      <Aria.Label>{t(label)}</Aria.Label>
      <div className="row">
        {choices.map((one) => (
          <Aria.Radio key={one} value={one} className="button">
            {children(one)}
          </Aria.Radio>
        ))}
      </div>
    </Aria.RadioGroup>
  )
}

/** Something that is on or off, at once. */
export function Switch({ children, ...props }: Omit<Aria.SwitchProps, 'children'> & { children: ReactNode }) {
  return (
    <Aria.Switch {...props} className="tick switch">
      <span aria-hidden="true" />
      <span>{children}</span>
    </Aria.Switch>
  )
}
