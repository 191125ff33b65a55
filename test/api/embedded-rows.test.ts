import { expect, inject, test } from 'vitest'
import { newStudent } from '../factories/students.ts'
import { withDatabase } from '../stack/project.ts'

const project = inject('project')

test('a request of the Data API cannot embed every session of the student in each of them', async () => {
  const { client } = await newStudent(project, [])
  const inserted = await client
    .from('assessment_sessions')
    .insert(Array.from({ length: 2 }, () => ({ assessment_type: 'daily' as const })))
  expect(inserted.error).toBeNull()
  for (const embedded of ['profiles', 'students', 'consents', 'assessment_sessions']) {
    const columns: string = `id, ${embedded}(*)`
    const { data, error } = await client.from('assessment_sessions').select(columns)
    expect({ data, code: error?.code }).toEqual({ data: null, code: 'PGRST200' })
  }
})

// An embedded row embeds the one that it came from, and that all of its rows once more: as often as the request says. So a table
// with rows of a student is on the many side of a foreign key only where a unique key bounds them by the values of enums.
test('no foreign key that a request can embed has any number of rows of one student', async () => {
  const unbounded = await withDatabase(
    project,
    (sql) => sql<{ name: string }[]>`
      select f.conname as name
      from pg_constraint f
      where f.contype = 'f'
        and f.connamespace in ('public'::regnamespace, 'checkin'::regnamespace)
        and f.confrelid in (
          select oid from pg_class where relnamespace in ('public'::regnamespace, 'checkin'::regnamespace)
        )
        and has_any_column_privilege('authenticated', f.conrelid, 'select')
        and exists (select from pg_attribute a where a.attrelid = f.conrelid and a.attname = 'user_id')
        and not exists (
          select
          from pg_index i
          where i.indrelid = f.conrelid and i.indisunique and i.indpred is null
            and not exists (
              select
              from unnest(i.indkey::smallint[]) as key (number)
              join pg_attribute a on a.attrelid = i.indrelid and a.attnum = key.number
              join pg_type t on t.oid = a.atttypid
              where a.attname <> 'user_id' and a.attnum <> all (f.conkey) and t.typtype <> 'e'
            )
        )
      order by name`,
  )
  expect(unbounded).toEqual([])
})
