import type { ReactNode } from 'react'
import * as Aria from 'react-aria-components'
import { FormattedMessage } from 'react-intl'
import { Link } from 'wouter'

type Kind = 'primary' | 'plain' | 'danger'

type ButtonProps = Omit<Aria.ButtonProps, 'className'> & { kind?: Kind }

/** A button of one of three looks; `plain` unless said otherwise. One that is pending keeps the focus, and does nothing. */
export function Button({ kind = 'plain', isPending, type, onPress, ...props }: ButtonProps) {
  const now = isPending ? { 'data-pending': true, type: 'button' as const } : { type, onPress }
  return <Aria.Button {...props} {...now} className={`button ${kind}`} />
}

/** A link that looks like a button: it leads to another screen. */
export function ButtonLink({
  to,
  kind = 'plain',
  children,
}: {
  to: string
  kind?: Kind
  children: ReactNode
}) {
  return (
    <Link href={to} className={`button ${kind}`}>
      {children}
    </Link>
  )
}

type FieldProps = Aria.TextFieldProps & {
  label: ReactNode
  hint?: ReactNode
  /** Several lines. */
  rows?: number
}

/** A field with its label, a hint, and what is wrong with what was typed. */
export function Field({ label, hint, rows, ...props }: FieldProps) {
  return (
    <Aria.TextField {...props} className="field">
      <Aria.Label>{label}</Aria.Label>
      {rows ? <Aria.TextArea rows={rows} /> : <Aria.Input />}
      {hint && <Aria.Text slot="description">{hint}</Aria.Text>}
      <Aria.FieldError>
        {({ validationDetails, defaultChildren }) => {
          if (validationDetails.valueMissing) return <FormattedMessage id="field.missing" />
          return validationDetails.typeMismatch ? <FormattedMessage id="field.not-email" /> : defaultChildren
        }}
      </Aria.FieldError>
    </Aria.TextField>
  )
}
