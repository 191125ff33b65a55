import { FormattedMessage } from 'react-intl'
import { Screen } from '../components/screen.tsx'

export default function Session() {
  return <Screen title={<FormattedMessage id="session.title" />}>{null}</Screen>
}
