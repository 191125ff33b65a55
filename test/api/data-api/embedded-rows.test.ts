import { expect, inject, test } from 'vitest'
import { newStudent } from '../../../harness/factories/students.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')

test('a request of the Data API cannot embed every session of the student in each of them', async () => {
  const { client } = await newStudent(project, [])
  const inserted = await client.from('assessment_sessions').insert({ assessment_type: 'daily' })
  expect(inserted.error).toBeNull()
  for (const embedded of ['profiles', 'students', 'consents', 'session_analyses']) {
    const columns: string = `id, ${embedded}(*)`
    const { data, error } = await client.from('assessment_sessions').select(columns)
    expect({ data, code: error?.code }).toEqual({ data: null, code: 'PGRST200' })
  }
})

// An embedded row embeds the one that it came from, and that all of its rows once more, as often as the request says. So of each
// student at most one row may refer to a row that is exposed. Roles are for administrators to grant; an assignment by name has no role,
// so that the person who sees it sees one of each module.
test('no foreign key lets the rows of a student multiply', async () => {
  const open = await withDatabase(
    project,
    (sql) => sql<{ name: string }[]>`
      select f.conname as name
      from pg_constraint f
      join pg_class parent on parent.oid = f.confrelid
      where f.contype = 'f'
        and f.connamespace in ('public'::regnamespace, 'checkin'::regnamespace)
        and parent.relnamespace in ('public'::regnamespace, 'checkin'::regnamespace)
        and has_any_column_privilege('authenticated', f.conrelid, 'select')
        and exists (select from pg_attribute a where a.attrelid = f.conrelid and a.attname = 'user_id')
        and f.conname not in ('user_roles_university_id_fkey', 'training_assignments_module_id_fkey')
        and not exists (
          select
          from pg_index i
          where i.indrelid = f.conrelid and i.indisunique and i.indpred is null
            and not exists (
              select
              from pg_attribute a
              where a.attrelid = i.indrelid and a.attnum = any (i.indkey::smallint[])
                and a.attname <> 'user_id' and a.attnum <> all (f.conkey)
            )
        )
      order by name`,
  )
  expect(open).toEqual([])
})
