import { FormattedMessage } from 'react-intl'
import { Screen } from '../components/screen.tsx'

export default function SignIn() {
  return <Screen title={<FormattedMessage id="sign-in.title" />}>{null}</Screen>
}
