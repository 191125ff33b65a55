import type { ReactNode } from 'react'
import * as Aria from 'react-aria-components'

/** A box to tick. */
export function Tick({ children, ...props }: Omit<Aria.CheckboxProps, 'children'> & { children: ReactNode }) {
  return (
    <Aria.Checkbox {...props} className="tick">
      <span className="box" aria-hidden="true" />
      <span>{children}</span>
    </Aria.Checkbox>
  )
}

type Choices<Value extends string> = {
  label: ReactNode
  value: Value
  onChange: (value: Value) => void
  choices: readonly (readonly [value: Value, label: ReactNode])[]
}

/** One of a few, all in sight. */
export function Choice<Value extends string>({ label, value, onChange, choices }: Choices<Value>) {
  const choose = (chosen: string) => {
    const found = choices.find(([one]) => one === chosen)
    if (found) onChange(found[0])
  }
  return (
    <Aria.RadioGroup className="field choice" value={value} onChange={choose}>
      <Aria.Label>{label}</Aria.Label>
      <div className="row">
        {choices.map(([one, name]) => (
          <Aria.Radio key={one} value={one} className="button plain">
            {name}
          </Aria.Radio>
        ))}
      </div>
    </Aria.RadioGroup>
  )
}
