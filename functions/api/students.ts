import { ServiceError } from '../_shared/errors.ts'
import type { App } from '../_shared/http/app.ts'
import { callerClient, type ProjectClient } from '../_shared/http/project-client.ts'
import { serve } from '../_shared/http/serve.ts'
import { universitiesCounseled } from '../_shared/http/staff-roles.ts'
import { ownRecord } from '../_shared/students/own-record.ts'
import { listStudents, readStudent } from '../_shared/students/routes.ts'
import { studentPage, studentRecord } from '../_shared/students/student.ts'
import type { Services } from './services.ts'

/** `/api/students/*`. Staff read through functions of the database, which want the read in the audit log first. */
export function studentsRoutes(api: App, services: Services): void {
  const { environment } = services

  serve(api, services, listStudents, async ({ query }, call) => {
    const { search, sort, order, limit, offset } = query
    const supabase = callerClient(environment, call)
    const university_id = await universityAsked(supabase, query.university_id)
    await note(supabase, { action: 'students_listed', university_id })
    const { data, error } = await supabase.rpc('list_students', {
      university_id,
      search,
      sort,
      descending: order === 'desc',
      page_limit: limit,
      page_offset: offset,
    })
    if (error) throw error
    return { ...studentPage.parse(data), limit, offset }
  })

  serve(api, services, readStudent, async ({ params: { id } }, call) => {
    const supabase = callerClient(environment, call)
    const own = id === call.caller.userId ? await ownRecord(supabase, id) : null
    if (own) return own
    await note(supabase, { action: 'student_read', student_id: id })
    const { data, error } = await supabase.rpc('read_student', { student_id: id })
    if (error) throw error
    if (data === null) {
      throw new ServiceError('student_not_found', 'There is no such student, or you may not see them.')
    }
    return studentRecord.parse(data)
  })
}

type Read =
  | { action: 'students_listed'; university_id: string }
  | { action: 'student_read'; student_id: string }

/** Notes a read in the audit log, whose answer may come within a minute; does nothing for who is no counselor. */
async function note(supabase: ProjectClient, read: Read): Promise<void> {
  const { error } = await supabase.rpc('log_access', read)
  if (error) throw error
}

/** The university that a counselor's list is of. */
async function universityAsked(supabase: ProjectClient, named: string | undefined): Promise<string> {
  const counseled = await universitiesCounseled(supabase)
  const [only] = counseled
  if (only === undefined || (named !== undefined && !counseled.includes(named))) {
    throw new ServiceError('forbidden', 'Only the counselors of a university list its students.')
  }
  if (named !== undefined) return named
  if (counseled.length === 1) return only
  const problem = 'name one of your universities'
  throw new ServiceError('invalid_parameters', `Check the field university_id: ${problem}`, {
    issues: [{ field: 'university_id', problem }],
  })
}
