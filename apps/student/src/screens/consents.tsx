import { FormattedMessage } from 'react-intl'
import { Screen } from '../components/screen.tsx'

export default function Consents() {
  return <Screen title={<FormattedMessage id="consents.title" />}>{null}</Screen>
}
