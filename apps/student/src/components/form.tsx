import { type ReactNode, useState } from 'react'
import * as Aria from 'react-aria-components'
import { Button } from './controls.tsx'
import { Problem } from './states.tsx'

/** What was typed into the field of a name. */
type Typed = (name: string) => string

type FormProps = {
  onSubmit: (typed: Typed) => Promise<unknown>
  submit: ReactNode
  children: ReactNode
  kind?: 'primary' | 'danger'
}

/** Fields with a button. What was typed stays when it does not work, and what went wrong is shown above the button. */
export function Form({ onSubmit, submit, children, kind = 'primary' }: FormProps) {
  const [error, setError] = useState<unknown>()
  const [isPending, setPending] = useState(false)
  const send = async (form: HTMLFormElement) => {
    const data = new FormData(form)
    setPending(true)
    setError(undefined)
    await onSubmit((name) => String(data.get(name) ?? '').trim()).catch(setError)
    setPending(false)
  }
  return (
    <Aria.Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault()
        void send(event.currentTarget)
      }}
    >
      {children}
      {error !== undefined && <Problem error={error} />}
      <Button kind={kind} type="submit" isPending={isPending}>
        {submit}
      </Button>
    </Aria.Form>
  )
}
