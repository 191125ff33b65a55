import { FormattedMessage } from 'react-intl'
import { Screen } from '../components/screen.tsx'

export default function Reminders() {
  return <Screen title={<FormattedMessage id="reminders.title" />}>{null}</Screen>
}
