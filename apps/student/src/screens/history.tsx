import { FormattedMessage } from 'react-intl'
import { Screen } from '../components/screen.tsx'

export default function History() {
  return <Screen title={<FormattedMessage id="history.title" />}>{null}</Screen>
}
