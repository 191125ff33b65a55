import { useIntl } from 'react-intl'
import { Links } from '../components/links.tsx'
import { Screen } from '../components/screen.tsx'

export default function Missing() {
  const { $t } = useIntl()
  return (
    <Screen title={$t({ id: 'missing.title' })}>
      <Links to={[['/', 'missing.home']]} />
    </Screen>
  )
}
