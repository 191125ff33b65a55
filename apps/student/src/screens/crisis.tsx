import { useQuery } from '@tanstack/react-query'
import { FormattedMessage } from 'react-intl'
import { CrisisResources } from '../components/crisis-resources.tsx'
import { Screen } from '../components/screen.tsx'
import { Loading } from '../components/states.tsx'
import { useService } from '../service.tsx'

/** Whom to turn to: for everybody, also before signing in, and without a network what was known last. */
export default function Crisis() {
  const { client } = useService()
  const resources = useQuery({
    queryKey: ['crisis'],
    queryFn: () => client.crisisResources(),
    networkMode: 'always',
  })
  return (
    <Screen title={<FormattedMessage id="crisis.title" />}>
      <p>
        <FormattedMessage id="crisis.explanation" />
      </p>
      {resources.isPending && <Loading />}
      {resources.data && <CrisisResources resources={resources.data} />}
      {(resources.error || resources.data?.length === 0) && (
        <p className="notice">
          <FormattedMessage id="crisis.unknown" />
        </p>
      )}
    </Screen>
  )
}
