import * as z from 'zod'
import type { Database } from '../../types/database.ts'
import { universitiesWithRole } from '../_shared/accounts/roles.ts'
import { serviceErrorOf } from '../_shared/data-api/postgrest-errors.ts'
import { ServiceError } from '../_shared/errors.ts'
import { id, limit, offset, order, search } from '../_shared/fields.ts'
import { endpoint } from '../_shared/http/serve.ts'
import { callerClient, type ProjectClient } from '../_shared/platform/clients.ts'
import { counseledRecord, ownRecord, studentPage, studentRecord } from '../_shared/students/student.ts'
import { universityId } from '../_shared/universities/university.ts'

const common = { method: 'get', tag: 'Students', security: 'user', limit: 'data-api' } as const

const listStudents = endpoint(
  {
    ...common,
    staff: ['counselor'],
    staffAt: 'university_id',
    id: 'listStudents',
    path: '/api/students',
    summary: 'Lists the students of a university who agreed to counselor_access; for its counselors',
    description: 'Each call is in the audit log.',
    query: z.strictObject({
      university_id: universityId.optional().describe('May be left out by a counselor of one university.'),
      search: search.optional(),
      sort: z.enum(['name', 'last_check_in', 'score', 'risk']).default('name').describe('What to sort by.'),
      order,
      limit,
      offset,
    }),
    response: studentPage.extend({
      limit: z.int().describe('Most students that a page has.'),
      offset: z.int().describe('Number of students before this page.'),
    }),
    errors: ['forbidden'],
    example: { query: { university_id: 'northfield', sort: 'risk', order: 'desc', limit: 20 } },
  },
  async ({ query }, call) => {
    const { search, sort, order, limit, offset } = query
    const supabase = callerClient(call)
    const university_id = query.university_id ?? (await onlyUniversity(supabase))
    const page = {
      university_id,
      search,
      sort,
      descending: order === 'desc',
      page_limit: limit,
      page_offset: offset,
    }
    await logAccess(supabase, { action: 'students_listed', ...page })
    const { data, error } = await supabase.rpc('list_students', page)
    if (error) throw error
    return { ...studentPage.parse(data), limit, offset }
  },
)

const readStudent = endpoint(
  {
    ...common,
    id: 'readStudent',
    path: '/api/students/{id}',
    summary: 'Reads a student with the last scores; for counselors and for the student',
    description:
      'A counselor reads students who agreed to counselor_access, and the names of those whose review is not closed. Each read by a counselor is in the audit log.',
    params: z.object({ id: id.describe("The student's account.") }),
    response: studentRecord,
    errors: ['student_not_found'],
    example: { params: { id: '5b0f2d0e-0d0c-4c0e-9d6e-0f6d1d7a1c11' } },
  },
  async ({ params: { id } }, call) => {
    const supabase = callerClient(call)
    const own = id === call.caller.userId ? await ownRecord(supabase, id) : null
    if (own) return own
    await logAccess(supabase, { action: 'student_read', student_id: id })
    const { data, error } = await supabase.rpc('read_student', { student_id: id })
    if (error) throw error
    if (data === null) {
      throw new ServiceError('student_not_found', 'There is no such student, or you may not see them.')
    }
    return counseledRecord(data)
  },
)

/** `/api/students/*`. Staff read through functions of the database, which require an entry in the audit log first. */
export const STUDENTS = [listStudents, readStudent] as const

type LogAccess = Database['public']['Functions']['log_access']['Args']

/** Logs a read, which must follow within a minute with the same arguments; does nothing for anybody but a counselor. */
async function logAccess(supabase: ProjectClient, access: LogAccess): Promise<void> {
  const { error } = await supabase.rpc('log_access', access)
  if (error) throw serviceErrorOf(error)
}

/** The one university of a counselor who names none. Throws `invalid_parameters` where there are several. */
async function onlyUniversity(supabase: ProjectClient): Promise<string> {
  const [only, ...others] = await universitiesWithRole(supabase, 'counselor')
  if (only !== undefined && others.length === 0) return only
  const problem = 'name one of your universities'
  throw new ServiceError('invalid_parameters', `Check the field university_id: ${problem}`, {
    issues: [{ field: 'university_id', problem }],
  })
}
