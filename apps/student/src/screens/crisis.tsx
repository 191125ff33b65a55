import { useQuery } from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import { CrisisResources } from '../components/crisis-resources.tsx'
import { Screen } from '../components/screen.tsx'
import { Loading } from '../components/states.tsx'
import { useService } from '../service.tsx'

/** Whom to turn to: for everybody, also before signing in, and without a network what was known last. */
export default function Crisis() {
  const { client } = useService()
  const { $t } = useIntl()
  const queryFn = () => client.crisisResources()
  const { data, isPending } = useQuery({ queryKey: ['crisis'], queryFn, networkMode: 'always' })
  return (
    <Screen title={$t({ id: 'crisis.title' })}>
      <p>{$t({ id: 'crisis.explanation' })}</p>
      {isPending && <Loading />}
      {data && <CrisisResources resources={data} />}
      {!data?.length && <p className="notice">{$t({ id: 'crisis.unknown' })}</p>}
    </Screen>
  )
}
