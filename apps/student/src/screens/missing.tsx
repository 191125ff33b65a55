import { FormattedMessage } from 'react-intl'
import { ButtonLink } from '../components/controls.tsx'
import { Screen } from '../components/screen.tsx'

export default function Missing() {
  return (
    <Screen title={<FormattedMessage id="missing.title" />}>
      <div>
        <ButtonLink to="/">
          <FormattedMessage id="missing.home" />
        </ButtonLink>
      </div>
    </Screen>
  )
}
