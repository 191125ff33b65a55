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

/** A claim and a note are mail and a row about a student; so a claim waits for the account before it takes the review. */
test('a review that is claimed while its student’s account is deleted goes with the account, and neither waits for the other', async () => {
  const [student, counselor] = await Promise.all([
    newStudent(project, ['text']),
    newStaff(project, 'counselor'),
  ])
  const session = await newSession(student.client)
  await withDatabase(project, (sql) => storeAnalysis(sql, student, session, 'text', { risk: 'high' }))
  const sql = postgres(project.databaseUrl, { max: 2, onnotice: () => {} })
  const [review] = await sql<[{ id: string }]>`
    select id from public.clinical_reviews where user_id = ${student.id}`
  const claimed = await sql.begin(async (tx) => {
    await tx`select from auth.users where id = ${student.id} for update`
    const claim = Promise.resolve(counselor.client.rpc('claim_review', { review_id: review.id }))
    await expect.poll(() => waitingFor(tx)).toBe(1)
    await tx`delete from auth.users where id = ${student.id}`
    return { claim }
  })
  expect(await claimed.claim).toMatchObject({ data: null, error: null })
  expect(await sql`select from public.clinical_reviews where id = ${review.id}`).toHaveLength(0)
  await sql.end()
})
