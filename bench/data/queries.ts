import type { Sql, TransactionSql } from 'postgres'

/** Who a query is asked for. */
export type Asker = { id: string; university: string }

export type Query = {
  name: string
  /** Role that the asker holds. */
  asker: 'university_admin' | 'counselor' | 'student'
  /** What has to be true in the transaction before; not timed. */
  prepare?: (sql: TransactionSql, asker: Asker) => Promise<unknown>
  run: Ask
  /** The same without access rules, for the table owner; `null` where the owner cannot ask it. */
  twin: Ask | null
  /** Whether the bars hold for it; else it is there for comparison. */
  isBarred: boolean
  /** Fewest characters of an answer that is not empty. */
  leastAnswer: number
}

type Ask = (sql: TransactionSql, asker: Asker) => Promise<readonly Record<string, unknown>[]>

const note: Ask = (sql, { university }) => sql`
  select public.log_access('students_listed', ${university}) as body`

const page =
  (sort: 'name' | 'risk', from: 'student_page' | 'student_rows'): Ask =>
  (sql, { university }) =>
    sql`
      select coalesce(json_agg(s), '[]')::text as body
      from ${sql.unsafe(`private.${from}`)}(${university}, null, ${sort}, ${sort === 'risk'}, 50, 0) s`

const dashboard: Ask = (sql, { university }) => sql`
  select public.analytics_dashboard(university_id => ${university}, date_range => '1y')::text as body`

/** What PostgREST makes of check_ins?select=…,fusion_results(…)&user_id=eq.…&order=created_at.desc&limit=50. */
const lastCheckIns: Ask = (sql, { id }) => sql`
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
  asker: 'counselor',
  prepare: note,
  run: page(sort, 'student_page'),
  twin: page(sort, 'student_rows'),
  isBarred: true,
  leastAnswer: 5_000,
})

export const QUERIES: readonly Query[] = [
  {
    name: 'dashboard, a university, 1y',
    asker: 'university_admin',
    run: dashboard,
    twin: dashboard,
    isBarred: true,
    leastAnswer: 5_000,
  },
  list('name'),
  list('risk'),
  {
    name: 'student list, as asked, its read noted',
    asker: 'counselor',
    prepare: note,
    run: (sql, { university }) =>
      sql`select public.list_students(university_id => ${university})::text as body`,
    twin: null,
    isBarred: false,
    leastAnswer: 5_000,
  },
  {
    name: 'noting the read in the audit log',
    asker: 'counselor',
    run: note,
    twin: null,
    isBarred: false,
    leastAnswer: 0,
  },
  {
    name: 'last 50 check-ins with results',
    asker: 'student',
    run: lastCheckIns,
    twin: lastCheckIns,
    isBarred: true,
    leastAnswer: 20_000,
  },
]

/** Accounts that ask, of each role: some students who have been there all the time. */
export async function findAskers(sql: Sql): Promise<Record<Query['asker'], Asker[]>> {
  const staff = (role: string) => sql<Asker[]>`
    select user_id as id, university_id as university from public.user_roles where role = ${role}::public.app_role
    order by id limit 1`
  const students = await sql<Asker[]>`
    select user_id as id, university_id as university from public.students order by user_id limit ${STUDENTS}`
  return {
    university_admin: await staff('university_admin'),
    counselor: await staff('counselor'),
    student: students,
  }
}

/** How many students take turns; few enough for their rows to stay in the database's own memory. */
const STUDENTS = 20
