import postgres from 'postgres'
import { expect, inject, test } from 'vitest'
import { newSession, storeAnalysis } from '../../../harness/factories/sessions.ts'
import { HOME, newStaff, newStudent } from '../../../harness/factories/students.ts'
import { serviceClient, withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')

/** The chain verified, and as many entries held as it says: other suites append meanwhile, so later ones don't count. */
async function expectWholeChain(): Promise<void> {
  await withDatabase(project, async (sql) => {
    const [state] = await sql`select * from public.verify_audit_chain()`
    expect(state).toMatchObject({ intact: true, broken_at: null, problem: null })
    const [held] = await sql`
      select count(*) as entries, max(id) as latest from public.audit_logs where id <= ${state?.entries ?? null}`
    expect(held).toEqual({ entries: state?.entries, latest: state?.entries })
  })
}

test('50 transactions over 10 connections, each with several entries, leave a chain without gaps', async () => {
  const name = `c${crypto.randomUUID().slice(0, 8)}`
  const sql = postgres(project.databaseUrl, { max: 10, onnotice: () => {} })
  const people = await Promise.all(Array.from({ length: 5 }, () => newStudent(project, [])))
  await sql`
    insert into public.universities (id, name, short_name, domain) values (${name}, ${name}, ${name}, ${`${name}.example.edu`})`
  const outcomes = await Promise.allSettled(
    Array.from({ length: 50 }, (_, round) =>
      sql.begin(async (transaction) => {
        const person = people[round % people.length]?.id ?? ''
        // Rows that others of the fifty hold too, before and after the entries are due.
        await transaction`
          insert into public.user_roles (user_id, role, university_id) values (${person}, 'counselor', ${name})
          on conflict do nothing`
        await transaction`update public.universities set short_name = ${`round ${round}`} where id = ${name}`
        await transaction`delete from public.user_roles where user_id = ${person} and role = 'counselor'`
        // Some come to nothing.
        if (round % 10 === 9) throw new Error('undone')
      }),
    ),
  )
  const failures = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [String(outcome.reason)] : [],
  )
  expect(failures).toEqual(Array.from({ length: 5 }, () => 'Error: undone'))
  const [changes] = await sql`
    select count(*)::int as entries from public.audit_logs where target_id = ${name} and action = 'university_changed'`
  expect(changes?.entries).toBe(45)
  await sql.end()
  await expectWholeChain()
})

test('reads, consents, claims, sign-ins and deletions at once neither lock each other out nor break the chain', async () => {
  const counselors = await Promise.all(Array.from({ length: 3 }, () => newStaff(project, 'counselor')))
  const students = await Promise.all(
    Array.from({ length: 12 }, () => newStudent(project, ['counselor_access', 'text'])),
  )
  const reviews = await Promise.all(
    students.map(async (student) => {
      const session = await newSession(student.client)
      await withDatabase(project, (sql) => storeAnalysis(sql, student, session, 'text', { risk: 'high' }))
      const [review] = await withDatabase(
        project,
        (sql) => sql<[{ id: string }]>`select id from public.clinical_reviews where user_id = ${student.id}`,
      )
      return review.id
    }),
  )
  const service = serviceClient(project)
  const work = students.flatMap((student, place) => [
    ...counselors.map(({ client }) => client.rpc('claim_review', { review_id: reviews[place] ?? '' })),
    counselors[place % 3]?.client.rpc('log_access', { action: 'students_listed', university_id: HOME }),
    counselors[place % 3]?.client.rpc('log_access', { action: 'student_read', student_id: student.id }),
    student.client
      .from('consents')
      .update({ withdrawn_at: new Date().toISOString() })
      .eq('user_id', student.id),
    student.client.from('profiles').update({ first_name: 'Changed' }).eq('user_id', student.id),
    place % 2 === 0 ? service.auth.admin.deleteUser(student.id) : null,
    service.from('user_roles').insert({ user_id: student.id, role: 'counselor', university_id: 'eastbrook' }),
  ])
  const errors = (await Promise.all(work)).flatMap((answer) => (answer?.error ? [answer.error] : []))
  // An account that is deleted meanwhile can be given no role; a claim that a colleague has is refused.
  const unexpected = errors.filter(({ code }) => code !== '23503' && code !== '23514')
  expect(unexpected).toEqual([])
  const left = await service
    .from('profiles')
    .select('user_id')
    .in(
      'user_id',
      students.map(({ id }) => id),
    )
  expect(left.data).toHaveLength(6)
  await expectWholeChain()
})
