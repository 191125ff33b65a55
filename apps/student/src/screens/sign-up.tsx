import { FormattedMessage } from 'react-intl'
import { Screen } from '../components/screen.tsx'

export default function SignUp() {
  return <Screen title={<FormattedMessage id="sign-up.title" />}>{null}</Screen>
}
