import { beforeAll, describe, expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import { scored, startWith } from '../../../harness/factories/check-ins.ts'
import { openReviewsOf } from '../../../harness/factories/reviews.ts'
import { newSession, storeAnalysis } from '../../../harness/factories/sessions.ts'
import { logAccess, newStaff, newStudent, type Student } from '../../../harness/factories/students.ts'
import { serviceClient, withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')
const CRISIS = 'I cannot go on like this. I want to kill myself and I have a plan to do it tonight.'

let cora: Student
let cyd: Student
beforeAll(async () => {
  ;[cora, cyd] = await Promise.all([newCounselor(), newCounselor()])
})

const newCounselor = (university?: string) => newStaff(project, 'counselor', university)

/** A student whose session shows high risk, and the id of the review that this opened. */
async function studentInReview(): Promise<{ student: Student; review: string }> {
  const student = await newStudent(project, ['audio', 'text'])
  const session = await newSession(student.client)
  await withDatabase(project, (sql) => storeAnalysis(sql, student, session, 'text', { risk: 'high' }))
  return { student, review: (await reviewsOf(student))[0]?.id }
}

/** What the database holds of a student's reviews. */
function reviewsOf({ id }: Student) {
  return withDatabase(
    project,
    (sql) => sql`
      select id, source, status, opened_at, claimed_by, claimed_at, closed_by, closed_at
      from public.clinical_reviews where user_id = ${id} order by opened_at`,
  )
}

/** What the audit log holds of the lists that somebody read. */
function listsReadBy({ id }: Student) {
  return withDatabase(
    project,
    (sql) => sql`
      select actor_role, user_agent from private.audit_log where actor_id = ${id} and action = 'reviews_listed' order by id`,
  )
}

/** What somebody sees of a student's reviews in the queue. */
async function seenBy(person: Student, student: Student) {
  const reviews = (await reviewsOf(student)).map(({ id }) => id)
  const { data, error } = await person.client.rpc('review_queue')
  if (error) throw error
  return data.filter(({ id }) => reviews.includes(id))
}

/** Claims a review, as docs/reviews.md says: null comes back when it is not to be had. */
async function claim(person: Student, review: string) {
  const { data, error } = await person.client.rpc('claim_review', { review_id: review })
  if (error) throw error
  return data
}

const release = ({ client }: Student, review: string) => client.rpc('reopen_review', { review_id: review })
const close = ({ client }: Student, review: string) => client.rpc('close_review', { review_id: review })

describe('an open review', () => {
  test('is seen by the counselors of the student’s university, with the name', async () => {
    const { student, review } = await studentInReview()
    await student.client
      .from('profiles')
      .update({ first_name: 'Ada', last_name: 'Invented' })
      .eq('user_id', student.id)
    const row = {
      id: review,
      university_id: 'northfield',
      user_id: student.id,
      source: 'session',
      risk_level: 'high',
      status: 'open',
      opened_at: expect.any(String),
      claimed_at: null,
      claimed_by: null,
      last_risk_at: expect.any(String),
    }
    // What tells apart students of one name.
    const label = { email: student.email, student_number: null, faculty: null, year_of_study: null }
    for (const counselor of [cora, cyd]) {
      const { user_id, ...withoutStudent } = row
      expect(await seenBy(counselor, student)).toEqual([withoutStudent])
      expect(await openReviewsOf(counselor, student)).toEqual([
        {
          ...row,
          ...label,
          first_name: 'Ada',
          last_name: 'Invented',
          note_due_since: null,
          lapses_at: null,
          reopens_until: null,
          claimed_by_name: null,
          university_name: 'Northfield University (invented)',
          // A call of their app, and neither a check-in nor an upload.
          signs_of_life: {
            last_check_in_at: null,
            last_upload_at: null,
            last_contact_at: expect.any(String),
          },
        },
      ])
    }
  })

  test('is shown with the name only where the audit log records it', async () => {
    const { student } = await studentInReview()
    const counselor = await newCounselor()
    await seenBy(counselor, student)
    expect(await listsReadBy(counselor)).toEqual([])
    await openReviewsOf(counselor, student)
    expect(await listsReadBy(counselor)).toMatchObject([{ actor_role: 'authenticated' }])
    // The list opened the name to its own request alone.
    const { data } = await counselor.client.from('profiles').select('user_id').eq('user_id', student.id)
    expect(data).toEqual([])
  })

  test('shows a counselor nothing else of the student', async () => {
    const { student } = await studentInReview()
    const { id } = await startWith(project, student, {})
    await call(project, student.token, 'POST', `checkins/${id}/complete`, { transcript: CRISIS })
    const { client } = cora
    const seen = await Promise.all([
      client.from('assessment_sessions').select('id').eq('user_id', student.id),
      client.from('session_analyses').select('session_id').eq('user_id', student.id),
      client.from('session_scores').select('session_id').eq('user_id', student.id),
      client.from('consents').select('id').eq('user_id', student.id),
      client.schema('checkin').from('check_ins').select('id').eq('user_id', student.id),
      client.schema('checkin').from('fusion_results').select('check_in_id').eq('check_in_id', id),
      client.storage.from('check-in-media').list(`${student.id}/${id}`),
    ])
    expect(seen.map(({ data, error }) => error ?? data)).toEqual(seen.map(() => []))
  })

  test.each<[string, (student: Student) => Promise<Student>]>([
    ['the student', async (student) => student],
    ['another student', () => newStudent(project, [])],
    ['a counselor of another university', () => newCounselor('eastbrook')],
  ])('is neither seen nor claimed by %s', async (_, outsider) => {
    const { student, review } = await studentInReview()
    const person = await outsider(student)
    expect(await seenBy(person, student)).toEqual([])
    expect(await openReviewsOf(person, student)).toEqual([])
    expect(await claim(person, review)).toBeNull()
    expect((await close(person, review)).data).toBeNull()
    expect(await reviewsOf(student)).toMatchObject([{ status: 'open', claimed_by: null }])
  })

  test('is seen no more from the moment that the role is revoked', async () => {
    const { student, review } = await studentInReview()
    const counselor = await newCounselor()
    expect(await seenBy(counselor, student)).toHaveLength(1)
    await withDatabase(
      project,
      (sql) => sql`delete from public.user_roles where user_id = ${counselor.id} and role = 'counselor'`,
    )
    expect(await seenBy(counselor, student)).toEqual([])
    expect(await claim(counselor, review)).toBeNull()
  })

  test('can be selected, made, removed or given another content by nobody over REST', async () => {
    const { student, review } = await studentInReview()
    const reviews = () => cora.client.from('clinical_reviews')
    const rejected = await Promise.all([
      reviews().select('id'),
      cora.client.from('open_clinical_reviews').select('id'),
      reviews().update({ status: 'claimed' }).eq('id', review),
      reviews().insert({ user_id: student.id, source: 'session', source_id: review }),
      reviews().delete().eq('id', review),
      reviews().update({ claimed_by: cyd.id }).eq('id', review),
      reviews().update({ user_id: cora.id }).eq('id', review),
      reviews().update({ risk_level: 'none' }).eq('id', review),
    ])
    expect(rejected.map(({ error }) => error?.code)).toEqual(rejected.map(() => '42501'))
  })
})

describe('one student', () => {
  test('cannot drown the crisis contact: risk in twenty sessions at once is one review and one message', async () => {
    const student = await newStudent(project, ['text'])
    const sessions = await Promise.all(Array.from({ length: 20 }, () => newSession(student.client)))
    await Promise.all(
      sessions.map((session) =>
        withDatabase(project, (sql) => storeAnalysis(sql, student, session, 'text', { risk: 'high' })),
      ),
    )
    const [review, ...others] = await reviewsOf(student)
    expect(others).toEqual([])
    const [found] = await withDatabase(
      project,
      (sql) => sql`
        select
          (select array_agg(source_id) from private.clinical_review_sources where review_id = ${review?.id}) as sources,
          (select count(*)::integer from private.outbox where user_id = ${student.id}) as messages`,
    )
    expect(new Set(found?.sources)).toEqual(new Set(sessions.map(({ id }) => id)))
    expect(found?.messages).toBe(1)
  })
})

describe('claiming', () => {
  test('gives the review to the counselor, with the server’s time', async () => {
    const { student, review } = await studentInReview()
    expect(await claim(cora, review)).toEqual({ id: review, status: 'claimed', claimed_by: cora.id })
    expect(await reviewsOf(student)).toMatchObject([{ claimed_by: cora.id, claimed_at: expect.any(Date) }])
    expect(await seenBy(cyd, student)).toMatchObject([{ status: 'claimed', claimed_by: cora.id }])
  })

  test('of a review that a colleague has gives nothing and changes nothing', async () => {
    const { student, review } = await studentInReview()
    await claim(cora, review)
    expect(await claim(cyd, review)).toBeNull()
    for (const { error } of [await close(cyd, review), await release(cyd, review)]) {
      expect(error).toMatchObject({ code: '23514', message: 'Another counselor has claimed this review.' })
    }
    expect(await reviewsOf(student)).toMatchObject([{ status: 'claimed', claimed_by: cora.id }])
  })

  test('at once leaves it with one counselor, who alone is told so', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { student, review } = await studentInReview()
      const claims = await Promise.all([claim(cora, review), claim(cyd, review), claim(cora, review)])
      const winners = claims.filter((won) => won !== null)
      expect(winners).toHaveLength(1)
      const [review_] = await reviewsOf(student)
      expect(winners[0]).toEqual({ id: review, status: 'claimed', claimed_by: review_?.claimed_by })
    }
  })
})

describe('a claimed review', () => {
  test('is closed by its counselor, and is no longer among the open ones', async () => {
    const { student, review } = await studentInReview()
    await claim(cora, review)
    const closed = await close(cora, review)
    expect(closed).toMatchObject({ error: null, data: { id: review, status: 'closed', claimed_by: cora.id } })
    expect(await seenBy(cora, student)).toEqual([])
    expect(await reviewsOf(student)).toMatchObject([
      { status: 'closed', closed_by: cora.id, closed_at: expect.any(Date) },
    ])
    // The name was shown for the review only.
    expect(await openReviewsOf(cora, student)).toEqual([])
    await logAccess(cora, { action: 'student_read', student_id: student.id })
    expect(await cora.client.rpc('read_student', { student_id: student.id })).toMatchObject({
      error: null,
      data: null,
    })
  })

  test('is claimed and closed in a counselor’s name with the secret key', async () => {
    const { student, review } = await studentInReview()
    const reviews = () => serviceClient(project).from('clinical_reviews')
    const claimed = await reviews().update({ status: 'claimed', claimed_by: cora.id }).eq('id', review)
    const closed = await reviews().update({ status: 'closed', closed_by: cyd.id }).eq('id', review)
    expect([claimed.error, closed.error]).toEqual([null, null])
    expect(await reviewsOf(student)).toMatchObject([{ claimed_by: cora.id, closed_by: cyd.id }])
  })

  test('is handed back and claimed by a colleague', async () => {
    const { review } = await studentInReview()
    await claim(cora, review)
    expect(await release(cora, review)).toMatchObject({
      error: null,
      data: { status: 'open', claimed_by: null },
    })
    expect(await claim(cyd, review)).toMatchObject({ claimed_by: cyd.id })
  })

  test('is not closed before it is claimed, nor opened again a day after it was closed', async () => {
    const { review } = await studentInReview()
    expect((await close(cora, review)).error?.code).toBe('23514')
    await claim(cora, review)
    await close(cora, review)
    const again = await cora.client.rpc('claim_review', { review_id: review })
    expect(again.error).toMatchObject({
      code: '23514',
      message: 'A review that is closed cannot become claimed.',
    })
    await withDatabase(
      project,
      (sql) =>
        sql`update public.clinical_reviews set closed_at = now() - interval '24 hours' where id = ${review}`,
    )
    expect((await release(cora, review)).error?.code).toBe('23514')
  })
})

describe('a check-in with words of crisis', () => {
  test('has its review and its message when complete responds, stored with the submission', async () => {
    const student = await newStudent(project, ['text'])
    const { id } = await startWith(project, student, {})
    const response = await call(project, student.token, 'POST', `checkins/${id}/complete`, {
      transcript: CRISIS,
    })
    expect(response.status).toBe(200)
    const found = await withDatabase(
      project,
      (sql) => sql`
        select
          r.source, r.source_id, r.university_id, m.channel, m.purpose, m.recipient,
          -- One transaction has one time; the workers' jobs are made in the one that submits.
          r.opened_at = c.submitted_at and m.created_at = c.submitted_at as stored_with_the_handing_in
        from public.clinical_reviews r
        join private.outbox m on m.user_id = r.user_id
        join checkin.check_ins c on c.id = r.source_id
        where r.user_id = ${student.id}`,
    )
    expect(found).toEqual([
      {
        source: 'check_in',
        source_id: id,
        university_id: 'northfield',
        channel: 'email',
        purpose: 'clinical_review',
        recipient: 'support@northfield.example.edu',
        stored_with_the_handing_in: true,
      },
    ])
  })

  test('has one review and one message when it is scored, however often it is submitted', async () => {
    const student = await newStudent(project, ['text'])
    const { id } = await startWith(project, student, {})
    const twice = [0, 1].map(() =>
      call(project, student.token, 'POST', `checkins/${id}/complete`, { transcript: CRISIS }),
    )
    expect((await Promise.all(twice)).map(({ status }) => status)).toEqual([200, 200])
    const result = await scored(project, student, id, { transcript: CRISIS })
    expect(result.risk_level).toBe('high')
    expect(await reviewsOf(student)).toMatchObject([{ source: 'check_in', status: 'open' }])
    const messages = await withDatabase(
      project,
      (sql) => sql`select id from private.outbox where user_id = ${student.id}`,
    )
    expect(messages).toHaveLength(1)
    expect(await seenBy(cora, student)).toHaveLength(1)
  })

  test('has none when the words show no risk', async () => {
    const student = await newStudent(project, ['text'])
    const { id } = await startWith(project, student, {})
    const transcript =
      'I had a calm week. My friends came over on Sunday and we cooked together, and I slept well on most nights.'
    expect((await scored(project, student, id, { transcript })).risk_level).not.toBe('high')
    expect(await reviewsOf(student)).toEqual([])
  })
})
