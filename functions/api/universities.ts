import * as z from 'zod'
import { literally } from '../_shared/data-api/conditions.ts'
import { ServiceError } from '../_shared/errors.ts'
import { limit, offset, order, search } from '../_shared/fields.ts'
import { cacheableResponse, etagOf } from '../_shared/http/cacheable.ts'
import { consumeOpenRateLimit } from '../_shared/http/rate-limit.ts'
import { endpoint } from '../_shared/http/serve.ts'
import { clientAddress } from '../_shared/platform/client-address.ts'
import { callerClient, type ProjectClient } from '../_shared/platform/clients.ts'
import {
  COLUMNS,
  columnsOf,
  invalidChange,
  mailDomain,
  openUniversities,
  openUniversitiesOf,
  type University,
  university,
  universityChange,
  universityId,
  universityOf,
} from '../_shared/universities/university.ts'

/** PostgREST's code for an offset beyond the last row. */
const BEYOND_THE_END = 'PGRST103'

const common = { tag: 'Universities', security: 'user', limit: 'data-api' } as const

const readUniversity = endpoint(
  {
    ...common,
    id: 'readUniversity',
    method: 'get',
    path: '/api/university/{universityId}',
    summary: 'Reads a university of the caller',
    params: z.object({ universityId }),
    response: university,
    errors: ['university_not_found'],
    example: { params: { universityId: 'northfield' } },
  },
  async ({ params }, call) => read(callerClient(call), params.universityId),
)

const changeUniversity = endpoint(
  {
    ...common,
    staff: ['university_admin'],
    staffAt: 'universityId',
    id: 'changeUniversity',
    method: 'put',
    path: '/api/university/{universityId}',
    summary: 'Changes a university; for its administrators',
    description:
      'What the body leaves out stays as it is. Every change is in the audit log, before and after.',
    params: z.object({ universityId }),
    body: universityChange,
    response: university,
    errors: ['forbidden'],
    example: {
      params: { universityId: 'northfield' },
      body: { branding: { primary_color: '#1f4e79' }, settings: { assessment_frequency: 'weekly' } },
    },
  },
  async ({ params, body }, call) => {
    const { data, error } = await callerClient(call)
      .from('universities')
      .update(columnsOf(body))
      .eq('id', params.universityId)
      .select(COLUMNS)
      .maybeSingle()
    if (error) throw invalidChange(error) ?? error
    if (!data) throw new ServiceError('forbidden', 'Only the administrators of this university change it.')
    return universityOf(data)
  },
)

const listUniversities = endpoint(
  {
    ...common,
    id: 'listUniversities',
    method: 'get',
    path: '/api/universities',
    summary: 'Lists the universities of the caller; a security administrator sees all',
    query: z.strictObject({
      search: search.optional(),
      sort: z.enum(['name', 'short_name', 'id']).default('name').describe('What to sort by.'),
      order,
      limit,
      offset,
    }),
    response: z.strictObject({
      universities: z.array(university).describe('Universities of this page.'),
      total: z.int().describe('Number of universities on all pages.'),
      limit: z.int().describe('Most universities that a page has.'),
      offset: z.int().describe('Number of universities before this page.'),
    }),
    example: { query: { search: 'north', limit: 10 } },
  },
  async ({ query }, call) => {
    const { search, sort, order, limit, offset } = query
    const supabase = callerClient(call)
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
  },
)

const readListedUniversity = endpoint(
  {
    ...common,
    id: 'readListedUniversity',
    method: 'get',
    path: '/api/universities/{id}',
    summary: 'Reads a university of the list',
    params: z.object({ id: universityId }),
    response: university,
    errors: ['university_not_found'],
    example: { params: { id: 'northfield' } },
  },
  async ({ params }, call) => read(callerClient(call), params.id),
)

const findUniversities = endpoint(
  {
    id: 'findUniversities',
    method: 'get',
    path: '/api/public/universities',
    tag: 'Universities',
    summary: 'Finds the university of an email domain, before anybody signs in',
    description:
      'What an app shows before somebody signs in: one university or none, the one to which a sign-up with an address of that domain leads. Kept for five minutes, and asked for again with `If-None-Match`. 300 calls a minute from an address.',
    security: 'none',
    query: z.strictObject({ domain: mailDomain }),
    response: z.strictObject({
      universities: openUniversities.describe(
        'Empty where no university has the domain, nor one that it is below.',
      ),
    }),
    otherwise: { 304: 'It is still what has the `ETag` that was sent in `If-None-Match`.' },
    errors: ['rate_limited'],
    example: { query: { domain: 'northfield.example.edu' } },
  },
  async ({ query }, call) => {
    await consumeOpenRateLimit(
      call.database,
      call.context,
      clientAddress(call.request) ?? 'unknown',
      'universities',
    )
    const [found] = await call.database<[{ universities: unknown }]>`
      select private.universities_for_domain(${query.domain}) as universities`
    const body = { universities: openUniversitiesOf(found.universities) }
    return cacheableResponse(body, etagOf(body), call)
  },
)

/** `/api/university/*`, `/api/universities/*` and `/api/public/universities`. */
export const UNIVERSITIES = [
  findUniversities,
  readUniversity,
  changeUniversity,
  listUniversities,
  readListedUniversity,
] as const

async function read(supabase: ProjectClient, id: string): Promise<University> {
  const { data, error } = await supabase.from('universities').select(COLUMNS).eq('id', id).maybeSingle()
  if (error) throw error
  if (!data) throw new ServiceError('university_not_found', 'There is no such university among yours.')
  return universityOf(data)
}

function matching(supabase: ProjectClient, search = '') {
  const universities = supabase.from('universities').select(COLUMNS, { count: 'exact' })
  // PostgREST reads `*` as `%` in a pattern and has no escape for it; a regular expression can name each character.
  return search.trim() === '' ? universities : universities.filter('name', 'imatch', literally(search))
}
