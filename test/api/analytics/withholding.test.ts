import fc from 'fast-check'
import type { BuiltDatabase } from 'local-supabase'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localOnly, migratedDatabase } from '../../../harness/stack/project.ts'

// Scores are powers of two, one for each student, so that a sum of scores says whose it is. A double holds
// 53 of them, and an average of forty its two digits besides.
const MOST_STUDENTS = 40
const SMALLEST = 10
const DAY = '2026-03-02'
const SEEN = [null, 3, 3, 3, 3, 3, 3, 20, 20, 60]
const RANGES = ['7d', '30d', '90d', '1y']
const FACULTIES = [null, 'Law', 'History', 'Music']
const YEARS = [null, '1', '2']
const RESIDENCES = [null, 'hall', 'town']
const ADMINISTRATOR = '00000000-0000-4000-8000-999999999999'

type Enrolled = { faculty: string | null; year: string | null; residence: string | null }
type Person = Enrolled & { checkedIn: boolean; seen: number | null }

/** Whom a figure is about: students by their place in the list. */
type Group = ReadonlySet<number>

const person: fc.Arbitrary<Person> = fc.record({
  faculty: fc.constantFrom(null, 'Law', 'Law', 'Law', 'Law', 'History', 'History', 'Music'),
  year: fc.constantFrom(null, '1', '1', '1', '1', '2'),
  residence: fc.constantFrom(null, 'hall', 'hall', 'hall', 'town'),
  checkedIn: fc.constantFrom(true, true, true, false),
  seen: fc.constantFrom(...SEEN),
})
// Enough students that some cohorts are large enough and others not.
const people = fc.array(person, { minLength: 20, maxLength: MOST_STUDENTS, size: 'max' })

let database: BuiltDatabase
let sql: postgres.Sql

beforeAll(async () => {
  database = await migratedDatabase('withholding')
  sql = postgres(database.adminUrl, { max: 1, onnotice: () => {} })
  await sql`
    insert into public.universities (id, name, short_name, domain)
    values ('hillside', 'Hillside University (invented)', 'Hillside', 'hillside.example.edu')`
  await sql`
    insert into auth.users (id, email, aud, role, raw_user_meta_data, email_confirmed_at)
    select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, n || '@hillside.example.edu',
      'authenticated', 'authenticated', '{}', now()
    from generate_series(1, ${MOST_STUDENTS}) as n`
  await sql`
    insert into auth.users (id, email, aud, role, raw_user_meta_data, email_confirmed_at)
    values (${ADMINISTRATOR}, 'admin@hillside.example.edu', 'authenticated', 'authenticated', '{}', now())`
  await sql`insert into auth.sessions (id, user_id) values (${ADMINISTRATOR}, ${ADMINISTRATOR})`
  await sql`
    insert into public.user_roles (user_id, role, university_id)
    values (${ADMINISTRATOR}, 'university_admin', 'hillside')`
})

afterAll(async () => {
  await sql.end()
  await database.drop()
})

describe('whatever the cohorts are', localOnly('builds databases'), () => {
  test('no figure of a day, and no difference of two, is about fewer than ten students', async () => {
    await fc.assert(
      fc.asyncProperty(people, async (persons) => {
        const groups = await afterClosing(persons, async (transaction) => {
          const rows = await transaction<{ score_sum: number; students: number }[]>`
            select score_sum, students from public.cohort_days`
          return rows.map(({ score_sum, students }) => {
            const group = studentsIn(score_sum)
            expect(group.size).toBe(students)
            return group
          })
        })
        expectNothingSmall(groups, persons)
      }),
      { numRuns: 60, endOnFailure: true },
    )
  })

  test('no count of risk, and no difference of two, is about fewer than ten students', async () => {
    await fc.assert(
      fc.asyncProperty(people, async (persons) => {
        const groups = await standingGroups(persons)
        expectNothingSmall(groups, persons)
      }),
      { numRuns: 8, endOnFailure: true },
    )
  })

  test('no two answers tell of fewer than ten students, with whatever filters and ranges they were asked for', async () => {
    await fc.assert(
      fc.asyncProperty(people, async (persons) => {
        const answers = await afterClosing(persons, everyFigure)
        expectNothingSmall(
          answers.flatMap(({ scored }) => (scored.size > 0 ? [scored] : [])),
          persons,
        )
        for (const one of answers) {
          expect(one.active).toBeLessThanOrEqual(one.total)
          for (const other of answers) {
            if (!isPartOf(other, one)) continue
            expectNoneOrTen(one.total - other.total)
            expectNoneOrTen(one.active - other.active)
            expectNoneOrTen(one.total - other.active)
          }
        }
        for (const range of RANGES) {
          const asked = answers.filter((answer) => answer.range === range)
          const whole = asked.find(({ filters }) => filters.every((filter) => filter === null))
          const faculties = asked.filter(
            ({ filters: [faculty, ...rest] }) => faculty !== null && !rest.some(Boolean),
          )
          if (!whole) continue
          expectNoneOrTen(whole.total - sumOf(faculties, 'total'))
          expectNoneOrTen(whole.active - sumOf(faculties, 'active'))
        }
      }),
      { numRuns: 10, endOnFailure: true },
    )
  })

  test('students are left out only where fewer than ten would stand alone', async () => {
    await fc.assert(
      fc.asyncProperty(people, async (persons) => {
        const [row] = await afterClosing(
          persons,
          (transaction) => transaction<{ total: number | null; checked_in: number | null }[]>`
            select
              (select sum(students)::int from public.cohort_snapshots where grain = 0) as total,
              (select students from public.cohort_days where grain = 0) as checked_in`,
        )
        const checkedIn = persons.filter((one) => one.checkedIn).length
        expect(persons.length - (row?.total ?? 0)).toBeLessThan(SMALLEST)
        expect(checkedIn - (row?.checked_in ?? 0)).toBeLessThan(SMALLEST)
      }),
      { numRuns: 40, endOnFailure: true },
    )
  })
})

type Answer = {
  range: string
  filters: readonly (string | null)[]
  total: number
  active: number
  /** Whose scores the average is of. */
  scored: Group
}

type Summary = {
  total_students: number
  active_students: number
  assessments_completed: number
  average_wellbeing_score: number | null
}

/** What an administrator is answered to every cohort and range. */
async function everyFigure(transaction: postgres.TransactionSql): Promise<Answer[]> {
  const claims = JSON.stringify({ sub: ADMINISTRATOR, session_id: ADMINISTRATOR, role: 'authenticated' })
  await transaction`select set_config('request.jwt.claims', ${claims}, true), set_config('role', 'authenticated', true)`
  const rows = await transaction<
    (Summary & { range: string; faculty: string; year: string; residence: string })[]
  >`
    select range, faculty, year, residence, summary.*
    from unnest(${RANGES}::text[]) as range, unnest(${FACULTIES}::text[]) as faculty, unnest(${YEARS}::text[]) as year,
      unnest(${RESIDENCES}::text[]) as residence,
      jsonb_to_record(public.analytics_dashboard('hillside', range, faculty, year, residence) -> 'summary') as summary (
        total_students integer, active_students integer, assessments_completed integer,
        average_wellbeing_score double precision
      )
    where total_students is not null`
  return rows.map(({ range, faculty, year, residence, ...summary }) => ({
    range,
    filters: [faculty, year, residence],
    total: summary.total_students,
    active: summary.active_students,
    scored: studentsIn(Math.round(summary.assessments_completed * (summary.average_wellbeing_score ?? 0))),
  }))
}

/** Whether the students of an answer are among those of another: by a shorter range or more filters. */
function isPartOf(part: Answer, whole: Answer): boolean {
  return (
    RANGES.indexOf(part.range) <= RANGES.indexOf(whole.range) &&
    whole.filters.every((filter, place) => filter === null || filter === part.filters[place])
  )
}

function expectNoneOrTen(students: number): void {
  expect(students === 0 || students >= SMALLEST, `${students} students stand alone`).toBe(true)
}

function sumOf(answers: readonly Answer[], count: 'total' | 'active'): number {
  return answers.reduce((sum, answer) => sum + answer[count], 0)
}

/** Closes a day of these students, reads what is published of it, and takes it all back. */
async function afterClosing<Result>(
  persons: readonly Person[],
  read: (transaction: postgres.TransactionSql) => Promise<Result>,
  risky: readonly number[] = [],
): Promise<Result> {
  const undone = new Error('undone')
  let result: { value: Result } | undefined
  try {
    await sql.begin(async (transaction) => {
      const rows = persons.map((one, place) => ({
        user_id: `00000000-0000-4000-8000-${String(place + 1).padStart(12, '0')}`,
        faculty: one.faculty,
        year: one.year,
        residence: one.residence,
        days_ago: one.seen,
        risk: risky.includes(place) ? 'high' : 'none',
        score: one.checkedIn ? 2 ** place : null,
      }))
      const given = transaction`
        jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as g (
          user_id uuid, faculty text, year text, residence text, days_ago integer, risk checkin.risk_level,
          score double precision
        )`
      await transaction`delete from private.cohort_progress`
      await transaction`delete from public.cohort_days`
      await transaction`
        delete from public.students
        where user_id not in (select user_id from ${given})`
      await transaction`
        update public.students s
        set faculty = g.faculty, year_of_study = g.year, residence = g.residence, risk_level = g.risk,
          last_check_in_at = ${DAY}::date - g.days_ago * interval '1 day'
        from ${given}
        where s.user_id = g.user_id`
      await transaction`
        insert into private.student_days (day, user_id, ended, completed, score_sum)
        select ${DAY}, g.user_id, 1, 1, g.score from ${given} where g.score is not null`
      await transaction`select private.roll_up_days(${DAY})`
      result = { value: await read(transaction) }
      throw undone
    })
  } catch (error) {
    if (error !== undone) throw error
  }
  if (!result) throw new Error('Nothing was read')
  return result.value
}

/** Whom each count of risk is about: closes the day once for each student, with that student alone at high risk. */
async function standingGroups(persons: readonly Person[]): Promise<Group[]> {
  const groups = new Map<string, Set<number>>()
  for (const place of persons.keys()) {
    const rows = await afterClosing(
      persons,
      (transaction) => transaction<{ key: string; students: number; high_risk: number }[]>`
        select concat_ws('/', faculty, year_of_study, residence, seen_within_days) as key, students, high_risk
        from public.cohort_snapshots`,
      [place],
    )
    for (const { key, high_risk } of rows) {
      const group = groups.get(key) ?? new Set()
      if (high_risk > 0) group.add(place)
      groups.set(key, group)
    }
  }
  return [...groups.values()]
}

/**
 * Students who are in the same published groups cannot be told apart by any sums and differences of figures; nobody may
 * be told apart from all but eight others, other than by being in no group.
 */
function expectNothingSmall(groups: readonly Group[], persons: readonly Person[]): void {
  const alike = new Map<string, number>()
  for (const place of persons.keys()) {
    const membership = groups.map((group) => (group.has(place) ? '1' : '0')).join('')
    if (membership.includes('1')) alike.set(membership, (alike.get(membership) ?? 0) + 1)
  }
  for (const size of alike.values()) expect(size).toBeGreaterThanOrEqual(SMALLEST)
  for (const one of groups) {
    expect(one.size).toBeGreaterThanOrEqual(SMALLEST)
    for (const other of groups) {
      if (![...other].every((place) => one.has(place))) continue
      expectNoneOrTen(one.size - other.size)
    }
  }
}

function studentsIn(scoreSum: number): Group {
  const places = new Set<number>()
  let rest = scoreSum
  for (let place = MOST_STUDENTS - 1; place >= 0; place--) {
    if (rest < 2 ** place) continue
    rest -= 2 ** place
    places.add(place)
  }
  return places
}

describe('days that are closed', localOnly('builds databases'), () => {
  test('wait for a check-in that is being counted', async () => {
    await using counting = connection()
    await using closing = connection()
    await counting.sql`begin`
    await counting.sql`select pg_advisory_xact_lock_shared(private.rollup_lock())`
    const closed = closing.sql`select private.roll_up_days(${DAY})`.execute()
    await expect.poll(() => waitingForLock(), { timeout: 10_000 }).toBe(1)
    await counting.sql`commit`
    await closed
  })

  test('are closed once by two that come at the same time', async () => {
    await using one = connection()
    await using other = connection()
    await sql`
      insert into private.student_days (day, user_id, ended, completed, score_sum)
      select '2026-03-05', user_id, 1, 1, 50 from public.students`
    await Promise.all([one, other].map(({ sql }) => sql`select private.roll_up_days('2026-03-05')`))
    const rows = await sql`select students, completed from public.cohort_days where day = '2026-03-05'`
    expect(rows).toEqual([{ students: MOST_STUDENTS + 1, completed: MOST_STUDENTS + 1 }])
  })
})

function connection() {
  const own = postgres(database.adminUrl, { max: 1, onnotice: () => {} })
  return { sql: own, [Symbol.asyncDispose]: () => own.end() }
}

async function waitingForLock(): Promise<number> {
  const [row] = await sql<{ waiting: number }[]>`
    select count(*)::int as waiting from pg_locks
    where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`
  return row?.waiting ?? 0
}
