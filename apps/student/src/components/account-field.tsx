import { useIntl } from 'react-intl'
import { Field } from './controls.tsx'

type Token = 'email' | 'current-password' | 'new-password' | 'given-name' | 'family-name' | 'one-time-code'

type AccountFieldProps = {
  is: Token
  defaultValue?: string
  value?: string
  onChange?: (value: string) => void
}

/** What an account consists of, by the name that browsers and password managers know it by. */
export function AccountField({ is, ...props }: AccountFieldProps) {
  const { $t } = useIntl()
  const type = is === 'email' ? 'email' : is.endsWith('password') ? 'password' : 'text'
  return (
    <Field {...props} name={is} autoComplete={is} type={type} label={$t({ id: `field.${is}` })} isRequired />
  )
}
