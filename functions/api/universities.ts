import { literally } from '../_shared/data-api/like-pattern.ts'
import { ServiceError } from '../_shared/errors.ts'
import type { App } from '../_shared/http/app.ts'
import { callerClient, type ProjectClient } from '../_shared/http/project-client.ts'
import { serve } from '../_shared/http/serve.ts'
import {
  changeUniversity,
  listUniversities,
  readListedUniversity,
  readUniversity,
} from '../_shared/universities/routes.ts'
import {
  COLUMNS,
  columnsOf,
  refusalOf,
  type University,
  universityOf,
} from '../_shared/universities/university.ts'
import type { Services } from './services.ts'

/** What PostgREST answers where the offset is beyond the last row. */
const BEYOND_THE_END = 'PGRST103'

/** `/api/university/*` and `/api/universities/*`. */
export function universitiesRoutes(api: App, services: Services): void {
  const { environment } = services

  serve(api, services, readUniversity, async ({ params }, call) =>
    read(callerClient(environment, call), params.universityId),
  )

  serve(api, services, readListedUniversity, async ({ params }, call) =>
    read(callerClient(environment, call), params.id),
  )

  serve(api, services, changeUniversity, async ({ params, body }, call) => {
    const { data, error } = await callerClient(environment, call)
      .from('universities')
      .update(columnsOf(body))
      .eq('id', params.universityId)
      .select(COLUMNS)
      .maybeSingle()
    if (error) throw refusalOf(error) ?? error
    if (!data) throw new ServiceError('forbidden', 'Only the administrators of this university change it.')
    return universityOf(data)
  })

  serve(api, services, listUniversities, async ({ query }, call) => {
    const { search, sort, order, limit, offset } = query
    const supabase = callerClient(environment, call)
    const page = await matching(supabase, search)
      .order(sort, { ascending: order === 'asc' })
      .order('id')
      .range(offset, offset + limit - 1)
    if (page.error?.code === BEYOND_THE_END) {
      const { count, error } = await matching(supabase, search).limit(1)
      if (error) throw error
      return { universities: [], total: count ?? 0, limit, offset }
    }
    if (page.error) throw page.error
    return { universities: page.data.map(universityOf), total: page.count ?? 0, limit, offset }
  })
}

async function read(supabase: ProjectClient, id: string): Promise<University> {
  const { data, error } = await supabase.from('universities').select(COLUMNS).eq('id', id).maybeSingle()
  if (error) throw error
  if (!data) throw new ServiceError('university_not_found', 'There is no such university among yours.')
  return universityOf(data)
}

function matching(supabase: ProjectClient, search = '') {
  const universities = supabase.from('universities').select(COLUMNS, { count: 'exact' })
  // PostgREST takes `*` for `%` in a pattern and knows no escape for it; a regular expression can say each character.
  return search.trim() === '' ? universities : universities.filter('name', 'imatch', literally(search))
}
