import type postgres from 'postgres'
import type { EveryColumn } from '../stack/every-column.ts'
import { type Project, serviceClient, withDatabase } from '../stack/project.ts'

type NewUniversity = EveryColumn['public']['Tables']['universities']['Insert']

/** Makes an invented university with these columns. */
export async function newUniversityWith(
  project: Project,
  fields: Partial<NewUniversity> = {},
): Promise<NewUniversity & { id: string }> {
  const id = `u-${crypto.randomUUID()}`
  const university = { id, name: 'Invented', short_name: 'Invented', domain: `${id}.example.edu`, ...fields }
  const { error } = await serviceClient(project).from('universities').insert(university)
  if (error) throw error
  return university
}

/** Makes a university of a test's own, so that no other test sees it change. */
export async function newUniversity(project: Project, name = 'Invented University'): Promise<string> {
  const id = `u-${crypto.randomUUID()}`
  await withDatabase(
    project,
    (sql) => sql`
      insert into public.universities (id, name, short_name, domain, support_email, crisis_phone, resources)
      values (
        ${id}, ${name}, 'Invented', ${`${id}.example.edu`}, 'support@invented.example.edu', '+1-202-555-0130',
        ${sql.json([{ name: 'Wellbeing Office', phone: '+1-202-555-0131' }])}
      )`,
  )
  return id
}

/** Students of one faculty, year and residence, all alike. */
export type Cohort = {
  faculty?: string | null
  year?: string | null
  residence?: string | null
  students: number
  /** Risk of their last check-ins. */
  risk?: 'none' | 'mild' | 'moderate' | 'high'
  /** Days since, or null where there was none. */
  lastSeenDaysAgo?: number | null
}

/** Makes an invented university without people. */
export async function newBareUniversity(sql: postgres.Sql, name = 'Invented University'): Promise<string> {
  const id = `u-${crypto.randomUUID()}`
  await sql`
    insert into public.universities (id, name, short_name, domain)
    values (${id}, ${name}, 'Invented', ${`${id}.example.edu`})`
  return id
}

/** Makes the students of a cohort and returns their ids. */
export async function newCohort(sql: postgres.Sql, university: string, cohort: Cohort): Promise<string[]> {
  const { faculty = null, year = null, residence = null, risk = 'none', lastSeenDaysAgo = 1 } = cohort
  const people = await sql<{ id: string }[]>`
    insert into auth.users (id, email, aud, role, raw_user_meta_data, email_confirmed_at)
    select person, person || ${`@${university}.example.edu`}, 'authenticated', 'authenticated', '{}', now()
    from (select gen_random_uuid() as person from generate_series(1, ${cohort.students})) as people
    returning id`
  const ids = people.map(({ id }) => id)
  await sql`
    update public.students
    set faculty = ${faculty}, year_of_study = ${year}, residence = ${residence}, risk_level = ${risk},
      last_check_in_at = now() - ${lastSeenDaysAgo} * interval '1 day'
    where user_id = any(${ids})`
  return ids
}

/** Lets each of the students have ended one check-in so many days ago, completed or not. */
export async function checkedIn(
  sql: postgres.ISql,
  students: string[],
  daysAgo: number,
  score: number | null,
): Promise<void> {
  await sql`
    insert into private.student_days (day, user_id, ended, completed, score_sum)
    select (now() at time zone 'UTC')::date - ${daysAgo}::int, student, 1, ${score === null ? 0 : 1}, ${score ?? 0}
    from unnest(${students}::uuid[]) as student`
}

/**
 * Fills the past of a test's own universities and rolls up all days that are over, also those that were rolled up before.
 * Other tests roll up too, and take the days that they find away; none does between the two.
 */
export async function rollUpDays(
  sql: postgres.Sql,
  fill: (sql: postgres.TransactionSql) => Promise<unknown>,
): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(private.rollup_lock())`
    await fill(transaction)
    await transaction`delete from private.cohort_progress`
    await transaction`select private.roll_up_days()`
  })
}

/** The day that was so many days ago, as the service names it. */
export function dayAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}
