import { FormattedMessage } from 'react-intl'
import { Screen } from '../components/screen.tsx'

/** Whom to turn to: for everybody, also before signing in and without a network. */
export default function Crisis() {
  return <Screen title={<FormattedMessage id="crisis.title" />}>{null}</Screen>
}
