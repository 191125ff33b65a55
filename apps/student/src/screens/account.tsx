import { FormattedMessage } from 'react-intl'
import { Screen } from '../components/screen.tsx'

export default function Account() {
  return <Screen title={<FormattedMessage id="account.title" />}>{null}</Screen>
}
