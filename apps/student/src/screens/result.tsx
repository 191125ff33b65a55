import { FormattedMessage } from 'react-intl'
import { Screen } from '../components/screen.tsx'

export default function Result() {
  return <Screen title={<FormattedMessage id="result.title" />}>{null}</Screen>
}
