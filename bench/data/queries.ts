import type { Sql, TransactionSql } from 'postgres'

/** The account on whose behalf a query runs. */
export type Caller = { id: string; university: string }

export type Query = {
  name: string
  /** The caller's role. */
  caller: 'university_admin' | 'counselor' | 'student'
  /** Runs earlier in the same transaction; not timed. */
  prepare?: (sql: TransactionSql, caller: Caller) => Promise<unknown>
  run: Run
  /** The same query without access rules, as the table owner; `null` where the owner cannot run it. */
  asOwner: Run | null
  /** Whether the limits apply to it; otherwise it is measured for comparison. */
  isLimited: boolean
  /** Fewest characters of a result that is not empty. */
  minimumLength: number
}

type Run = (sql: TransactionSql, caller: Caller) => Promise<readonly Record<string, unknown>[]>

const logAccess =
  (sort: 'name' | 'risk' = 'name'): Run =>
  (sql, { university }) =>
    sql`
      select public.log_access('students_listed', ${university}, sort => ${sort}, descending => ${sort === 'risk'}) as body`

/** `private.student_page` without what it checks. */
export const STUDENT_ROWS = `
  create function pg_temp.student_rows(
    university text, search text, sort private.student_sort, descending boolean, page_limit integer, page_offset integer
  )
  returns setof private.listed_student
  language plpgsql
  stable
  set search_path = ''
  as $$
  begin
    return query execute private.student_query(search, sort, descending) using university, page_limit, page_offset;
  end
  $$`

const page =
  (sort: 'name' | 'risk', from: 'private.student_page' | 'pg_temp.student_rows'): Run =>
  (sql, { university }) =>
    sql`
      select coalesce(json_agg(s), '[]')::text as body
      from ${sql.unsafe(from)}(${university}, null, ${sort}, ${sort === 'risk'}, 50, 0) s`

const dashboard: Run = (sql, { university }) => sql`
  select public.analytics_dashboard(university_id => ${university}, date_range => '1y')::text as body`

/** The SQL that PostgREST generates for check_ins?select=…,fusion_results(…)&user_id=eq.…&order=created_at.desc&limit=50. */
const lastCheckIns: Run = (sql, { id }) => sql`
  with pgrst_source as (
    select
      c.id, c.type, c.status, c.created_at, c.completed_at,
      row_to_json(check_ins_fusion_results_1.*)::jsonb as fusion_results
    from checkin.check_ins c
    left join lateral (
      select
        f.score, f.uncertainty, f.direction_of_change, f.significance, f.risk_level, f.summary, f.themes,
        f.drivers_positive, f.drivers_negative, f.components, f.baseline
      from checkin.fusion_results f
      where f.check_in_id = c.id
    ) check_ins_fusion_results_1 on true
    where c.user_id = ${id}
    order by c.created_at desc
    limit 50
  )
  select
    null::bigint as total_result_set,
    count(_postgrest_t) as page_total,
    coalesce(json_agg(_postgrest_t), '[]')::text as body
  from (select * from pgrst_source) _postgrest_t`

const list = (sort: 'name' | 'risk'): Query => ({
  name: `student list, a page of 50 by ${sort}`,
  caller: 'counselor',
  prepare: logAccess(sort),
  run: page(sort, 'private.student_page'),
  asOwner: page(sort, 'pg_temp.student_rows'),
  isLimited: true,
  minimumLength: 5_000,
})

export const QUERIES: readonly Query[] = [
  {
    name: 'dashboard, a university, 1y',
    caller: 'university_admin',
    run: dashboard,
    asOwner: dashboard,
    isLimited: true,
    minimumLength: 5_000,
  },
  list('name'),
  list('risk'),
  {
    name: 'student list, as called, with its access logged',
    caller: 'counselor',
    prepare: logAccess(),
    run: (sql, { university }) =>
      sql`select public.list_students(university_id => ${university})::text as body`,
    asOwner: null,
    isLimited: false,
    minimumLength: 5_000,
  },
  {
    name: 'logging the access in the audit log',
    caller: 'counselor',
    run: logAccess(),
    asOwner: null,
    isLimited: false,
    minimumLength: 0,
  },
  {
    name: 'last 50 check-ins with results',
    caller: 'student',
    run: lastCheckIns,
    asOwner: lastCheckIns,
    isLimited: true,
    minimumLength: 20_000,
  },
]

/** Callers of each role; the students are the first ones, who were there all the time. */
export async function findCallers(sql: Sql): Promise<Record<Query['caller'], Caller[]>> {
  const staff = (role: string) => sql<Caller[]>`
    select user_id as id, university_id as university from public.user_roles where role = ${role}::public.app_role
    order by id limit 1`
  const students = await sql<Caller[]>`
    select user_id as id, university_id as university from public.students order by user_id limit ${STUDENTS}`
  return {
    university_admin: await staff('university_admin'),
    counselor: await staff('counselor'),
    student: students,
  }
}

/** Students whose requests alternate; few enough for their rows to stay in the database's own memory. */
const STUDENTS = 20
