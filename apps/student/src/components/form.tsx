import { type ReactNode, useState } from 'react'
import * as Aria from 'react-aria-components'
import { Button } from './controls.tsx'
import { Problem } from './states.tsx'

/** What was typed into the field of a name. */
export type Typed = (name: string) => string

type FormProps = {
  onSubmit: (typed: Typed) => Promise<unknown>
  submit: ReactNode
  /** What to say once it has worked. */
  done?: ReactNode
  kind?: 'primary' | 'danger'
  children: ReactNode
}

/** Fields with a button. What was typed stays when it does not work, and what went wrong is shown above the button. */
export function Form({ onSubmit, submit, done, children, kind = 'primary' }: FormProps) {
  const [outcome, setOutcome] = useState<{ error?: unknown; isPending?: boolean; isDone?: boolean }>({})
  function send(form: HTMLFormElement) {
    const data = new FormData(form)
    setOutcome({ isPending: true })
    const typed: Typed = (name) => {
      const text = String(data.get(name) ?? '')
      // A password may begin or end with a space.
      return name.endsWith('password') ? text : text.trim()
    }
    onSubmit(typed).then(
      () => setOutcome({ isDone: true }),
      (error: unknown) => setOutcome({ error }),
    )
  }
  return (
    <Aria.Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault()
        send(event.currentTarget)
      }}
    >
      {children}
      {'error' in outcome && <Problem error={outcome.error} />}
      <Button kind={kind} type="submit" isPending={outcome.isPending}>
        {submit}
      </Button>
      <div role="status">{outcome.isDone && done}</div>
    </Aria.Form>
  )
}
