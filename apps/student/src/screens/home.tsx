import { FormattedMessage } from 'react-intl'
import { Screen } from '../components/screen.tsx'

export default function Home() {
  return <Screen title={<FormattedMessage id="home.title" />}>{null}</Screen>
}
