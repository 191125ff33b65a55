import { FormattedMessage } from 'react-intl'
import { Screen } from '../components/screen.tsx'

export default function CheckIn() {
  return <Screen title={<FormattedMessage id="check-in.title" />}>{null}</Screen>
}
