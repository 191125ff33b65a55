import * as z from 'zod'
import { limit, offset, order, search } from '../http/fields.ts'
import { route } from '../http/route.ts'
import { universityChange, universityId } from './requests.ts'
import { university } from './university.ts'

/** `GET /api/university/{universityId}`. */
export const readUniversity = route({
  id: 'readUniversity',
  method: 'get',
  path: '/api/university/{universityId}',
  tag: 'Universities',
  summary: 'Reads a university of the caller',
  security: 'user',
  limit: 'data-api',
  params: z.object({ universityId }),
  response: university,
  errors: ['university_not_found'],
  example: { params: { universityId: 'northfield' } },
})

/** `PUT /api/university/{universityId}`. */
export const changeUniversity = route({
  id: 'changeUniversity',
  method: 'put',
  path: '/api/university/{universityId}',
  tag: 'Universities',
  summary: 'Changes a university; for its administrators',
  description: 'What the body leaves out stays as it is. Every change is in the audit log, before and after.',
  security: 'user',
  limit: 'data-api',
  params: z.object({ universityId }),
  body: universityChange,
  response: university,
  errors: ['forbidden'],
  example: {
    params: { universityId: 'northfield' },
    body: { branding: { primary_color: '#1f4e79' }, settings: { assessment_frequency: 'weekly' } },
  },
})

/** `GET /api/universities`. */
export const listUniversities = route({
  id: 'listUniversities',
  method: 'get',
  path: '/api/universities',
  tag: 'Universities',
  summary: 'Lists the universities of the caller; a security administrator sees all',
  security: 'user',
  limit: 'data-api',
  query: z.strictObject({
    search: search.optional(),
    sort: z.enum(['name', 'short_name', 'id']).default('name').describe('What to sort by.'),
    order,
    limit,
    offset,
  }),
  response: z.strictObject({
    universities: z.array(university).describe('Universities of this page.'),
    total: z.int().describe('Universities that there are on all pages.'),
    limit: z.int().describe('Most that a page has.'),
    offset: z.int().describe('How many are before this page.'),
  }),
  example: { query: { search: 'north', limit: 10 } },
})

/** `GET /api/universities/{id}`. */
export const readListedUniversity = route({
  id: 'readListedUniversity',
  method: 'get',
  path: '/api/universities/{id}',
  tag: 'Universities',
  summary: 'Reads a university of the list',
  security: 'user',
  limit: 'data-api',
  params: z.object({ id: universityId }),
  response: university,
  errors: ['university_not_found'],
  example: { params: { id: 'northfield' } },
})
