import { expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import { ended, startWith } from '../../../harness/factories/check-ins.ts'
import { logAccess, newStaff, newStudent, type Student } from '../../../harness/factories/students.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')

/** What a call of the counselor's app returns. Throws what it fails with, and where there is nothing. */
async function given<Data>(answer: PromiseLike<{ data: Data; error: unknown }>): Promise<NonNullable<Data>> {
  const { data, error } = await answer
  if (error) throw error
  if (data === null || data === undefined) throw new Error('Nothing was returned')
  return data
}

/** Who did what with a review, by the audit log, oldest first. */
function stepsOf(review: string) {
  return withDatabase(
    project,
    (sql) => sql`
      select actor_id as by, actor_role as role, coalesce(before ->> 'status', '') as from, coalesce(after ->> 'status', '') as to, details
      from private.audit_log where target_type = 'clinical_reviews' and target_id = ${review} order by id`,
  )
}

async function closedReviewsOf(reader: Student, { id }: Student): Promise<unknown[]> {
  await logAccess(reader, { action: 'reviews_listed' })
  const listed = await given(reader.client.rpc('list_closed_reviews'))
  return (Array.isArray(listed) ? listed : []).filter((review) => JSON.stringify(review).includes(id))
}

test('a review is taken at night, written on, handed over, closed with an outcome and reopened, each step with a name', async () => {
  const [student, cora, cyd] = await Promise.all([
    newStudent(project, ['text']),
    newStaff(project, 'counselor'),
    newStaff(project, 'counselor'),
  ])
  await student.client
    .from('profiles')
    .update({ first_name: 'Ada', last_name: 'Invented' })
    .eq('user_id', student.id)
  await student.client.from('students').update({ faculty: 'Law' }).eq('user_id', student.id)
  const { id: checkIn } = await startWith(project, student, {})
  await call(project, student.token, 'POST', `checkins/${checkIn}/complete`, {
    transcript: 'I will kill myself tonight.',
  })

  const queue = await given(cora.client.rpc('review_queue'))
  const open = await withDatabase(
    project,
    (sql) => sql<{ id: string }[]>`select id from public.clinical_reviews where user_id = ${student.id}`,
  )
  const review = open[0]?.id ?? ''
  expect(queue.map(({ id }) => id)).toContain(review)

  expect(await given(cora.client.rpc('claim_review', { review_id: review }))).toMatchObject({
    claimed_by: cora.id,
  })
  const note = { review_id: review, note: 'Called at 02:10, is with a friend.' }
  expect(await given(cora.client.rpc('add_review_note', note))).toMatchObject({
    created_at: expect.any(String),
  })
  const colleagues = await given(cora.client.rpc('list_counselors'))
  expect(colleagues.map(({ user_id }) => user_id)).toEqual(expect.arrayContaining([cora.id, cyd.id]))
  const over = { review_id: review, counselor_id: cyd.id }
  expect(await given(cora.client.rpc('hand_over_review', over))).toMatchObject({ claimed_by: cyd.id })

  const read = () => given(cyd.client.rpc('read_review', { review_id: review }))
  expect((await cyd.client.rpc('read_review', { review_id: review })).error).toMatchObject({
    message: 'Log this access first.',
  })
  await logAccess(cyd, { action: 'student_read', student_id: student.id })
  expect(await read()).toMatchObject({
    first_name: 'Ada',
    email: student.email,
    faculty: 'Law',
    notes: [{ author: cora.id, note: note.note }],
  })
  // What the analysis finds after a review is closed opens another.
  await ended(project, student, checkIn)
  const closing = { review_id: review, outcome: 'safety_plan', note: 'Plan made.' } as const
  expect(await given(cyd.client.rpc('close_review', closing))).toMatchObject({ status: 'closed' })
  expect(await closedReviewsOf(cora, student)).toMatchObject([
    {
      id: review,
      first_name: 'Ada',
      outcome: 'safety_plan',
      closed_by: cyd.id,
      closed_at: expect.any(String),
    },
  ])
  expect(await given(cora.client.rpc('reopen_review', { review_id: review }))).toMatchObject({
    status: 'open',
    claimed_by: null,
  })
  expect(await closedReviewsOf(cora, student)).toEqual([])

  const by = (person: Student, from: string, to: string, details = {}) => ({
    by: person.id,
    role: 'authenticated',
    from,
    to,
    details,
  })
  expect(await stepsOf(review)).toEqual([
    { by: null, role: 'postgres', from: '', to: 'open', details: {} },
    by(cora, 'open', 'claimed'),
    by(cora, '', '', { note_added: true }),
    by(cora, '', ''),
    by(cyd, '', '', { note_added: true }),
    by(cyd, 'claimed', 'closed'),
    by(cora, 'closed', 'open'),
  ])
  const told = await withDatabase(
    project,
    (sql) => sql`
      select purpose, recipient from private.outbox where user_id = ${student.id} order by created_at, purpose`,
  )
  expect(told).toEqual([
    { purpose: 'clinical_review', recipient: 'support@northfield.example.edu' },
    { purpose: 'clinical_review_claimed', recipient: 'support@northfield.example.edu' },
    { purpose: 'clinical_review_handed_over', recipient: cyd.email },
  ])
})
