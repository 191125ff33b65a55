import type postgres from 'postgres'
import {
  type Cohort,
  newBareUniversity,
  newCohort,
  rollUpDays,
} from '../../../harness/factories/universities.ts'

const DAYS = 90
/** A day on which next to nobody checked in. */
export const QUIET_DAY = 12

type Habits = { score: number; share: number; fall?: number }

const COHORTS: (Cohort & Habits)[] = [
  { faculty: 'Engineering', year: '1', residence: 'on_campus', students: 64, score: 66, share: 0.7 },
  {
    faculty: 'Engineering',
    year: '2',
    residence: 'off_campus',
    students: 48,
    score: 61,
    share: 0.55,
    risk: 'moderate',
  },
  {
    faculty: 'Law & Politics',
    year: '1',
    residence: 'on_campus',
    students: 40,
    score: 58,
    share: 0.6,
    fall: 12,
  },
  { faculty: 'Medicine', year: '3', residence: 'on_campus', students: 52, score: 70, share: 0.8 },
  { faculty: 'Medicine', year: '1', residence: 'family', students: 14, score: 49, share: 0.8, risk: 'high' },
  { faculty: '<b>Arts</b>', year: '2', residence: 'off_campus', students: 30, score: 68, share: 0.5 },
  { faculty: 'Theology', year: '2', residence: 'family', students: 4, score: 30, share: 1 },
  {
    faculty: 'Medicine',
    year: '2',
    residence: 'family',
    students: 26,
    score: 60,
    share: 0,
    lastSeenDaysAgo: 50,
  },
]

/** A university with a term behind it: weekends, a falling average, a day that is withheld, a cohort that is. */
export async function newTerm(sql: postgres.Sql, name = 'Lakeview College (invented)'): Promise<string> {
  const university = await newBareUniversity(sql, name)
  const cohorts: (Cohort & Habits & { ids: string[] })[] = []
  for (const cohort of COHORTS) {
    cohorts.push({ ...cohort, ids: await newCohort(sql, university, cohort) })
  }
  await rollUpDays(sql, async (transaction) => {
    for (const cohort of cohorts) await checkInOften(transaction, cohort)
  })
  return university
}

/** Gives each student of a cohort the days on which they checked in. */
async function checkInOften(sql: postgres.ISql, cohort: Cohort & Habits & { ids: string[] }): Promise<void> {
  await sql`
    insert into private.student_days (day, user_id, ended, completed, score_sum)
    select day, student, 1, case when completes then 1 else 0 end, case when completes then score else 0 end
    from (
      select
        (now() at time zone 'UTC')::date - ago as day,
        student,
        (place * 7 + ago * 5) % 11 <> 0 as completes,
        least(99, greatest(1, ${cohort.score} + 6 * sin(ago / 9.0) - ${cohort.fall ?? 2} * (1 - ago / ${DAYS}::float8)
          + (place * 31 + ago * 17) % 13 - 6)) as score,
        ((place * 37 + ago * 13) % 100) / 100.0
          < ${cohort.share} * case when extract(isodow from now() - ago * interval '1 day') > 5 then 0.5 else 1 end as takes_part
      from generate_series(1, ${DAYS}) as ago,
        unnest(${cohort.ids}::uuid[]) with ordinality as s (student, place)
      where ago <> ${QUIET_DAY}
    ) as term
    where takes_part`
}
