import { FormattedMessage } from 'react-intl'
import { Screen } from '../components/screen.tsx'

export default function Circle() {
  return <Screen title={<FormattedMessage id="circle.title" />}>{null}</Screen>
}
