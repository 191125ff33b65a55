import type { ReactNode } from 'react'
import * as Aria from 'react-aria-components'
import { Button, type Look } from './elements.tsx'
import { Form, type Typed } from './form.tsx'
import { type Id, P, T, type Values } from './language.tsx'
import type { Client } from './service.tsx'

type DialogProps = {
  /** The button that opens it. */
  button: Look & { isDisabled?: boolean }
  title: Id
  values?: Values
  /** Something is asked that cannot be passed over. */
  isQuestion?: boolean
  children: (close: () => void) => ReactNode
}

/** A button that opens a part over the screen. Escape closes it, and whoever opened it is back at the button. */
export function Dialog({ button, title, values, isQuestion = false, children }: DialogProps) {
  return (
    <Aria.DialogTrigger>
      <Button {...button} />
      <Aria.ModalOverlay className="overlay" isDismissable={!isQuestion}>
        <Aria.Modal className="dialog">
          <Aria.Dialog role={isQuestion ? 'alertdialog' : 'dialog'}>
            {({ close }) => (
              <>
                <Aria.Heading slot="title" level={2}>
                  <T {...values} id={title} />
                </Aria.Heading>
                {children(close)}
              </>
            )}
          </Aria.Dialog>
        </Aria.Modal>
      </Aria.ModalOverlay>
    </Aria.DialogTrigger>
  )
}

type ConfirmProps = Look & {
  isDisabled?: boolean
  title: Id
  /** What will happen, and whether it can be undone. */
  question: Id
  /** Whom or what it concerns, as the person knows it. */
  target: ReactNode
  /** Which one it is of several with the same button, where the target is no text. */
  of?: string
  /** What the button says that does it; the first button's words if not said. */
  submit?: Id
  run: (typed: Typed, client: Client) => Promise<unknown>
  /** Fields that are asked for with it: a reason, for how long. */
  children?: ReactNode
}

/** A button that asks first, and shows whom or what it concerns. What does not work is said in the question. */
export function Confirm(props: ConfirmProps) {
  const { title, question, target, of, submit, run, children, isDisabled, kind = 'danger', ...look } = props
  return (
    <Dialog button={{ ...look, kind, isDisabled }} title={title} values={look.values} isQuestion>
      {(close) => (
        <>
          <p className="target">{typeof target === 'string' ? <bdi>{target}</bdi> : target}</p>
          <P {...look.values} id={question} />
          <Form
            submit={submit ?? look.label}
            of={of ?? (typeof target === 'string' ? target : undefined)}
            kind={kind === 'danger' ? 'danger' : 'primary'}
            cancel={close}
            onSubmit={async (typed, client) => {
              await run(typed, client)
              close()
            }}
          >
            {children}
          </Form>
        </>
      )}
    </Dialog>
  )
}
