import { FormattedMessage } from 'react-intl'
import { Screen } from '../components/screen.tsx'

export default function NewPassword() {
  return <Screen title={<FormattedMessage id="new-password.title" />}>{null}</Screen>
}
