import { beforeAll, describe, expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import { apiClient } from '../../../harness/client/openapi-client.ts'
import { newStaff, newStudent, type Student } from '../../../harness/factories/students.ts'
import {
  checkedIn,
  dayAgo,
  newBareUniversity,
  newCohort,
  rollUpDays,
} from '../../../harness/factories/universities.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')

let university: string
let admin: Student

// Law has 20 students in year 1 and 12 in year 2, History 11, Music 4 and nobody else: 47. One more never checked in.
beforeAll(async () => {
  university = await withDatabase(project, async (sql) => {
    const id = await newBareUniversity(sql)
    const first = await newCohort(sql, id, {
      faculty: 'Law',
      year: '1',
      residence: 'on_campus',
      students: 20,
    })
    const second = await newCohort(sql, id, {
      faculty: 'Law',
      year: '2',
      residence: 'off_campus',
      students: 12,
      risk: 'high',
      lastSeenDaysAgo: 20,
    })
    const history = await newCohort(sql, id, {
      faculty: 'History',
      year: '1',
      students: 11,
      risk: 'moderate',
    })
    await newCohort(sql, id, { faculty: 'Music', year: '1', students: 4, lastSeenDaysAgo: null })
    await rollUpDays(sql, async (transaction) => {
      for (const daysAgo of [1, 2, 3, 20]) await checkedIn(transaction, first, daysAgo, 70)
      for (const daysAgo of [20, 45]) await checkedIn(transaction, second, daysAgo, 40)
      await checkedIn(transaction, history, 1, 60)
      await checkedIn(transaction, first.slice(0, 9), 5, 90)
      await checkedIn(transaction, first.slice(0, 12), 4, 70)
      await checkedIn(transaction, first.slice(12), 4, null)
    })
    return id
  })
  admin = await newStaff(project, 'university_admin', university)
})

function dashboard(
  query: { date_range?: '7d' | '30d' | '90d' | '1y'; cohort_filters?: Record<string, string> } = {},
) {
  return apiClient(project, admin.token).GET('/api/analytics/dashboard', {
    params: { query: { university_id: university, ...query } },
  })
}

describe('the dashboard', () => {
  test('shows the last 30 days of a university where nothing else is asked for', async () => {
    const { data } = await dashboard()
    expect(data).toEqual({
      summary: {
        total_students: 43,
        active_students: 43,
        assessments_completed: 115,
        average_wellbeing_score: 65.91,
      },
      trends: {
        wellbeing_trend: [
          { date: dayAgo(20), average_score: 58.75, student_count: 32 },
          { date: dayAgo(4), average_score: 70, student_count: 12 },
          { date: dayAgo(3), average_score: 70, student_count: 20 },
          { date: dayAgo(2), average_score: 70, student_count: 20 },
          { date: dayAgo(1), average_score: 66.45, student_count: 31 },
        ],
        engagement_trend: [
          { date: dayAgo(20), completion_rate: 1 },
          { date: dayAgo(4), completion_rate: 0.6 },
          { date: dayAgo(3), completion_rate: 1 },
          { date: dayAgo(2), completion_rate: 1 },
          { date: dayAgo(1), completion_rate: 1 },
        ],
        // Of any university: soon after midnight other tests' check-ins are of the day before, where it still is that day.
        scoring_versions: (data?.trends.scoring_versions ?? [null]).map(() => ({
          algorithm_version: expect.stringMatching(/^wb-/),
          from: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
          to: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
        })),
      },
      findings: [
        { rule: 'high_risk', students: 12, active_students: 43 },
        { rule: 'moderate_risk', students: 11, active_students: 43 },
        expect.objectContaining({ rule: 'low_cohort', dimension: 'year', name: '2', average_score: 40 }),
        expect.objectContaining({ rule: 'low_cohort', dimension: 'residence', name: 'off_campus' }),
        expect.objectContaining({ rule: 'low_cohort', dimension: 'faculty', name: 'History' }),
      ],
      risk_analysis: {
        high_risk_count: 12,
        medium_risk_count: 11,
        intervention_recommendations: [
          expect.stringMatching(/^12 of 43 active students \(28%\) showed high risk/),
          expect.stringMatching(/^11 of 43 active students \(26%\) showed moderate risk/),
          expect.stringMatching(/^Students in year 2 average 40\.0, 25\.9 points below all/),
          expect.stringMatching(/^Students with the residence off_campus average 40\.0/),
          expect.stringMatching(/^Students of the faculty History average 60\.0/),
        ],
      },
      cohort_breakdown: {
        by_faculty: { History: 60, Law: 66.54 },
        by_year: { '1': 68.93, '2': 40 },
        by_residence: { off_campus: 40, on_campus: 70 },
      },
    })
  })

  test.each([
    ['7d', 83, 31],
    ['30d', 115, 43],
    ['90d', 127, 43],
    ['1y', 127, 43],
  ] as const)('counts the check-ins and active students of %s', async (date_range, completed, active) => {
    const { data } = await dashboard({ date_range })
    expect(data?.summary).toMatchObject({ assessments_completed: completed, active_students: active })
  })

  test('leaves out a day on which fewer than ten students checked in', async () => {
    const { data } = await dashboard()
    expect(data?.trends.wellbeing_trend.map(({ date }) => date)).not.toContain(dayAgo(5))
  })

  test('shows a cohort by faculty, year, residence or several of them', async () => {
    const law = await dashboard({ cohort_filters: { faculty: 'Law' } })
    expect(law.data?.summary).toMatchObject({ total_students: 32, assessments_completed: 104 })
    const secondYear = await dashboard({ cohort_filters: { faculty: 'Law', year: '2' } })
    expect(secondYear.data?.summary).toMatchObject({ total_students: 12, average_wellbeing_score: 40 })
    const campus = await dashboard({ cohort_filters: { residence: 'on_campus' } })
    expect(campus.data?.cohort_breakdown).toEqual({
      by_faculty: { Law: 70 },
      by_year: { '1': 70 },
      by_residence: { on_campus: 70 },
    })
  })

  test('takes the cohort as JSON too', async () => {
    const filters = encodeURIComponent(JSON.stringify({ faculty: 'Law', year: '2' }))
    const { status, body } = await call(
      project,
      admin.token,
      'GET',
      `api/analytics/dashboard?university_id=${university}&cohort_filters=${filters}`,
    )
    expect([status, body.summary]).toEqual([200, expect.objectContaining({ total_students: 12 })])
  })

  test('has no average where nothing was scored in the range', async () => {
    const { data } = await dashboard({ date_range: '7d', cohort_filters: { faculty: 'Law', year: '2' } })
    expect(data?.summary).toEqual({
      total_students: 12,
      active_students: 0,
      assessments_completed: 0,
      average_wellbeing_score: null,
    })
  })

  test.each([
    ['a cohort of four', { faculty: 'Music' }],
    ['a cohort that does not exist', { faculty: 'Alchemy' }],
    ['nobody, in the words of the database', { faculty: "' or true --" }],
  ])('withholds %s, in the same words', async (_, cohort_filters) => {
    const { error, response } = await dashboard({ cohort_filters })
    expect([response.status, error?.code, error?.error]).toEqual([
      403,
      'cohort_withheld',
      'These would be figures of fewer than ten students.',
    ])
  })

  test.each([
    'date_range=2d',
    'cohort_filters[faculty]=',
    'cohort_filters[faculty]=%00',
    'cohort_filters={"faculty":"\\ud800"}',
    'cohort_filters={"faculty":{}}',
    'cohort_filters=[]',
    'cohort_filters={',
    'cohort_filters[shoe]=9',
    'colour=blue',
  ])('refuses %s', async (query) => {
    const { status, body } = await call(
      project,
      admin.token,
      'GET',
      `api/analytics/dashboard?university_id=${university}&${query}`,
    )
    expect([status, body.code]).toEqual([400, 'invalid_parameters'])
  })
})

describe('the cohorts', () => {
  test('are shown with their change against the range before', async () => {
    const { data } = await apiClient(project, admin.token).GET('/api/analytics/wellbeing', {
      params: { query: { university_id: university } },
    })
    expect(data).toMatchObject({ from: dayAgo(30), to: dayAgo(1), date_range: '30d' })
    expect(data?.university).toMatchObject({ total_students: 43, average_score: 65.91, change: 25.91 })
    expect(
      data?.cohorts.map(({ dimension, name, total_students }) => [dimension, name, total_students]),
    ).toEqual([
      ['faculty', 'History', 11],
      ['faculty', 'Law', 32],
      ['year', '1', 31],
      ['year', '2', 12],
      ['residence', 'off_campus', 12],
      ['residence', 'on_campus', 20],
    ])
  })
})

describe('the trends', () => {
  test('sum up days, weeks or months', async () => {
    const api = apiClient(project, admin.token)
    const query = { university_id: university, cohort_filters: { faculty: 'Law', year: '1' } }
    const daily = await api.GET('/api/analytics/trends', { params: { query: { ...query, step: 'day' } } })
    expect(daily.data?.points).toEqual(
      [
        { daysAgo: 20, students: 20, completed: 1 },
        { daysAgo: 4, students: 12, completed: 0.6 },
        { daysAgo: 3, students: 20, completed: 1 },
        { daysAgo: 2, students: 20, completed: 1 },
        { daysAgo: 1, students: 20, completed: 1 },
      ].map(({ daysAgo, students, completed }) => ({
        date: dayAgo(daysAgo),
        average_score: 70,
        assessments_completed: students,
        completion_rate: completed,
        students_per_day: students,
      })),
    )
    for (const step of ['week', 'month'] as const) {
      const { data } = await api.GET('/api/analytics/trends', { params: { query: { ...query, step } } })
      expect(data?.points.reduce((sum, point) => sum + point.assessments_completed, 0)).toBe(92)
    }
  })
})

describe('the views for Studio', () => {
  test('hold the same figures as the answers', async () => {
    const { data } = await dashboard({ date_range: '90d' })
    await withDatabase(project, async (sql) => {
      const days = await sql`
        select day::text as date, average_score::float, students as student_count, completion_rate::float
        from public.wellbeing_by_day
        where university_id = ${university} and coalesce(faculty, year_of_study, residence) is null
        order by day`
      expect(days.map(({ completion_rate: _, ...day }) => day)).toEqual(data?.trends.wellbeing_trend)
      expect(days.map(({ date, completion_rate }) => ({ date, completion_rate }))).toEqual(
        data?.trends.engagement_trend,
      )
      const cohorts = await sql`
        select faculty, students::int, active_30d::int, high_risk_30d::int, moderate_risk_30d::int
        from public.risk_by_cohort
        where university_id = ${university} and coalesce(year_of_study, residence) is null
        order by faculty`
      expect(cohorts).toEqual([
        { faculty: 'History', students: 11, active_30d: 11, high_risk_30d: 0, moderate_risk_30d: 11 },
        { faculty: 'Law', students: 32, active_30d: 32, high_risk_30d: 12, moderate_risk_30d: 0 },
        { faculty: null, students: 43, active_30d: 43, high_risk_30d: 12, moderate_risk_30d: 11 },
      ])
    })
  })
})

describe('who is no administrator of the university', () => {
  const paths = ['dashboard', 'wellbeing', 'trends']

  test.each(paths)('is refused %s, whatever else they are', async (path) => {
    const people = await Promise.all([
      newStudent(project, []),
      newStaff(project, 'counselor', university),
      newStaff(project, 'university_admin', 'northfield'),
      newStaff(project, 'security_admin'),
    ])
    for (const { token } of people) {
      const theirs = await call(project, token, 'GET', `api/analytics/${path}?university_id=${university}`)
      const unknown = await call(project, token, 'GET', `api/analytics/${path}?university_id=no-such-place`)
      expect([theirs.status, theirs.body.code]).toEqual([403, 'forbidden'])
      expect({ ...theirs.body, timestamp: '' }).toEqual({ ...unknown.body, timestamp: '' })
    }
  })

  test('sees nothing by asking the database either', async () => {
    const student = await newStudent(project, [])
    const { data: figures } = await student.client.rpc('analytics_dashboard', { university_id: university })
    const { data: days } = await student.client.from('cohort_days').select('*')
    const { data: risks } = await student.client.from('risk_by_cohort').select('*')
    expect([figures, days, risks]).toEqual([null, [], []])
  })

  test('is refused as soon as the role is taken away', async () => {
    const person = await newStaff(project, 'university_admin', university)
    const path = `api/analytics/wellbeing?university_id=${university}`
    expect((await call(project, person.token, 'GET', path)).status).toBe(200)
    await withDatabase(project, (sql) => sql`delete from public.user_roles where user_id = ${person.id}`)
    expect((await call(project, person.token, 'GET', path)).status).toBe(403)
  })
})

test('an administrator reads the same figures with supabase-js', async () => {
  const { data } = await admin.client.rpc('analytics_dashboard', {
    university_id: university,
    faculty: 'Law',
  })
  expect(data).toMatchObject({ summary: { total_students: 32 } })
  const { data: days } = await admin.client
    .from('wellbeing_by_day')
    .select('day, average_score')
    .eq('university_id', university)
    .is('faculty', null)
    .is('year_of_study', null)
    .is('residence', null)
    .order('day', { ascending: false })
    .limit(1)
  expect(days).toEqual([{ day: dayAgo(1), average_score: 66.45 }])
})
