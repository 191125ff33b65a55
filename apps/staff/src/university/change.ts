import type { Database } from '../../../../types/database.ts'
import { done, useService } from '../../../ui/service.tsx'
import type { paths } from '../generated/api.ts'
import type { University } from './chosen.tsx'

type Change = paths['/api/university/{universityId}']['put']['requestBody']['content']['application/json']

/** Changes a university by the call that says which field is not right. */
export function useUniversityChange({ id }: University) {
  const { api } = useService()
  return (body: Change) =>
    done(api.PUT('/api/university/{universityId}', { params: { path: { universityId: id } }, body }))
}

type Columns = Pick<
  Database['public']['Tables']['universities']['Update'],
  'short_name' | 'country' | 'time_zone' | 'languages'
>

/** Changes what that call does not take; an error where nothing was changed. */
export function useColumnChange({ id }: University) {
  const { client } = useService()
  return (columns: Columns) =>
    done(client.from('universities').update(columns).eq('id', id).select('id').single())
}
