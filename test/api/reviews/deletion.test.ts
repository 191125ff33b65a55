import postgres from 'postgres'
import { expect, inject, test } from 'vitest'
import { newSession, storeAnalysis } from '../../../harness/factories/sessions.ts'
import { newStaff, newStudent } from '../../../harness/factories/students.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')

/** How many sessions wait for a lock that this one holds. */
async function waitingFor(sql: postgres.TransactionSql): Promise<number> {
  const [row] = await sql<[{ waiting: number }]>`
    select count(*)::int as waiting from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid))`
  return row.waiting
}

test.each(['student', 'counselor'] as const)(
  'what is done with a review while the account of its %s is deleted comes to nothing, and neither waits for the other',
  async (who) => {
    const [student, counselor] = await Promise.all([
      newStudent(project, ['text']),
      newStaff(project, 'counselor'),
    ])
    const session = await newSession(student.client)
    await withDatabase(project, (sql) => storeAnalysis(sql, student, session, 'text', { risk: 'high' }))
    const sql = postgres(project.databaseUrl, { max: 2, onnotice: () => {} })
    const [review] = await sql<[{ id: string }]>`
    select id from public.clinical_reviews where user_id = ${student.id}`
    if (who === 'counselor') await counselor.client.rpc('claim_review', { review_id: review.id })
    const { id } = { student, counselor }[who]
    const { answer } = await sql.begin(async (tx) => {
      await tx`select from auth.users where id = ${id} for update`
      // Of an open review the claim, which is told by mail about the student.
      const answer = Promise.resolve(
        who === 'student'
          ? counselor.client.rpc('claim_review', { review_id: review.id })
          : counselor.client.rpc('add_review_note', { review_id: review.id, note: 'Called.' }),
      )
      await expect.poll(() => waitingFor(tx)).toBe(1)
      await tx`delete from auth.users where id = ${id}`
      return { answer }
    })
    expect(await answer).toMatchObject({ data: null, error: null })
    expect(await sql`select status from public.clinical_reviews where id = ${review.id}`).toEqual(
      who === 'student' ? [] : [{ status: 'open' }],
    )
    await sql.end()
  },
)
