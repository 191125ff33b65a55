import * as z from 'zod'
import { limit, offset, order, search } from '../http/fields.ts'
import { route } from '../http/route.ts'
import { universityId } from '../universities/requests.ts'
import { studentPage, studentRecord } from './student.ts'

/** `GET /api/students`. */
export const listStudents = route({
  id: 'listStudents',
  method: 'get',
  path: '/api/students',
  tag: 'Students',
  summary: 'Lists the students of a university who agreed to counselor_access; for its counselors',
  description: 'Each call is in the audit log.',
  security: 'user',
  limit: 'data-api',
  query: z.strictObject({
    university_id: universityId.optional().describe('May be left out by a counselor of one university.'),
    search: search.optional(),
    sort: z.enum(['name', 'last_check_in', 'score', 'risk']).default('name').describe('What to sort by.'),
    order,
    limit,
    offset,
  }),
  response: studentPage.extend({
    limit: z.int().describe('Most that a page has.'),
    offset: z.int().describe('How many are before this page.'),
  }),
  errors: ['forbidden'],
  example: { query: { university_id: 'northfield', sort: 'risk', order: 'desc', limit: 20 } },
})

/** `GET /api/students/{id}`. */
export const readStudent = route({
  id: 'readStudent',
  method: 'get',
  path: '/api/students/{id}',
  tag: 'Students',
  summary: 'Reads a student with the last scores; for counselors and for the student',
  description:
    'A counselor reads students who agreed to counselor_access, and the names of those whose review is not closed. Each read by a counselor is in the audit log.',
  security: 'user',
  limit: 'data-api',
  params: z.object({
    id: z
      .guid()
      .transform((id) => id.toLowerCase())
      .describe("The student's account."),
  }),
  response: studentRecord,
  errors: ['student_not_found'],
  example: { params: { id: '5b0f2d0e-0d0c-4c0e-9d6e-0f6d1d7a1c11' } },
})
