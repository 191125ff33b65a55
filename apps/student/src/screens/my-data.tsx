import { FormattedMessage } from 'react-intl'
import { Screen } from '../components/screen.tsx'

export default function MyData() {
  return <Screen title={<FormattedMessage id="my-data.title" />}>{null}</Screen>
}
