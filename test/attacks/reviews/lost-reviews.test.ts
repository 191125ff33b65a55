import postgres, { type Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { newBareUniversity, newCohort } from '../../../harness/factories/universities.ts'
import { type Connection, connect } from '../../../harness/stack/racer.ts'

const project = inject('project')

let observer: Connection
let one: Connection
let other: Connection
beforeAll(async () => {
  const { databaseUrl } = project
  ;[observer, one, other] = await Promise.all([
    connect(databaseUrl),
    connect(databaseUrl),
    connect(databaseUrl),
  ])
})
afterAll(() => Promise.all([observer, one, other].map(({ sql }) => sql.end())))

const openReview = (sql: Sql, student: string) =>
  sql`select private.open_clinical_review(${student}, 'session', ${crypto.randomUUID()})`
const move = (sql: Sql, student: string, university: string | null) =>
  sql`update public.profiles set university_id = ${university} where user_id = ${student}`
const remove = (sql: Sql, university: string) => sql`delete from public.universities where id = ${university}`

/** A university whose crisis contact is `on-call@` its id. */
async function newWatchedUniversity(): Promise<string> {
  const id = await newBareUniversity(observer.sql)
  await observer.sql`
    insert into private.crisis_contacts (university_id, email) values (${id}, ${`on-call@${id}.example.edu`})`
  return id
}

/** Where a student's reviews are, and who was told of them, in order. */
async function reviewsOf(student: string) {
  const reviews = await observer.sql`
    select university_id, status::text from public.clinical_reviews where user_id = ${student}`
  const mails = await observer.sql`
    select recipient from private.outbox where user_id = ${student} and purpose = 'clinical_review' order by created_at`
  return { reviews: [...reviews], told: mails.map(({ recipient }) => recipient) }
}

/** A new student of a university. */
async function newStudentOf(university: string): Promise<string> {
  const [student = ''] = await newCohort(observer.sql, university, { students: 1 })
  return student
}

type Step = (sql: Sql) => Promise<unknown>

/** Runs two steps in transactions of their own, the later while the earlier has not ended; the code of the later one's error. */
async function atOnce(earlier: Step, later: Step, level = 'read committed'): Promise<string | null> {
  await one.sql`begin`
  await earlier(one.sql)
  await other.sql.unsafe(`begin isolation level ${level}`)
  await other.sql`select from public.universities limit 1`
  let isDone = false
  const ended = later(other.sql)
    .then(() => other.sql`commit`)
    .then(
      () => null,
      async (error: unknown) => {
        await other.sql`rollback`
        return error instanceof postgres.PostgresError ? error.code : String(error)
      },
    )
    .finally(() => {
      isDone = true
    })
  await vi.waitFor(async () => {
    const [row] = await observer.sql`select pg_blocking_pids(${other.pid}) = '{}' as free`
    if (row?.free && !isDone) throw new Error('The later one goes on')
  })
  await one.sql`commit`
  return ended
}

describe('a review that is not closed', () => {
  test('keeps its university from being deleted, as people do, and the error says what to do', async () => {
    const university = await newWatchedUniversity()
    const student = await newStudentOf(university)
    await expect(remove(observer.sql, university)).rejects.toMatchObject({
      code: '23001',
      message: `${university} still has 1 people, 1 roles and 0 reviews that are not closed.`,
      hint: expect.stringContaining('public.profiles'),
    })
    await openReview(observer.sql, student)
    await expect(remove(observer.sql, university)).rejects.toThrow('1 reviews that are not closed')
    const elsewhere = await newWatchedUniversity()
    await move(observer.sql, student, elsewhere)
    await remove(observer.sql, university)
    const { reviews, told } = await reviewsOf(student)
    expect(reviews).toEqual([{ university_id: elsewhere, status: 'open' }])
    expect(told).toEqual([`on-call@${university}.example.edu`, `on-call@${elsewhere}.example.edu`])
  })

  test('stays with its university when the student leaves for none, which cannot be deleted then', async () => {
    const university = await newWatchedUniversity()
    const student = await newStudentOf(university)
    await openReview(observer.sql, student)
    await move(observer.sql, student, null)
    expect((await reviewsOf(student)).reviews).toEqual([{ university_id: university, status: 'open' }])
    await expect(remove(observer.sql, university)).rejects.toThrow('0 people, 0 roles and 1 reviews')
  })

  test.each(['read committed', 'repeatable read'])(
    'that opens while its university is deleted is not lost, under %s',
    async (level) => {
      const university = await newWatchedUniversity()
      const elsewhere = await newWatchedUniversity()
      const student = await newStudentOf(elsewhere)
      await openReview(observer.sql, student)
      const code = await atOnce(
        (sql) => move(sql, student, university),
        (sql) => remove(sql, university),
        level,
      )
      expect(['23001', '23503', '40001']).toContain(code)
      expect((await reviewsOf(student)).reviews).toEqual([{ university_id: university, status: 'open' }])
    },
  )

  test('does not come to a university that is being deleted', async () => {
    const [university, elsewhere] = [await newWatchedUniversity(), await newWatchedUniversity()]
    const student = await newStudentOf(elsewhere)
    await openReview(observer.sql, student)
    const code = await atOnce(
      (sql) => remove(sql, university),
      (sql) => move(sql, student, university),
    )
    expect(code).toBe('23503')
    expect((await reviewsOf(student)).reviews).toEqual([{ university_id: elsewhere, status: 'open' }])
  })

  test('that opens while the student moves goes along, and the new crisis contact is told', async () => {
    const [university, elsewhere] = [await newWatchedUniversity(), await newWatchedUniversity()]
    const [early, late] = [await newStudentOf(university), await newStudentOf(university)]
    expect(
      await atOnce(
        (sql) => openReview(sql, early),
        (sql) => move(sql, early, elsewhere),
      ),
    ).toBeNull()
    expect(
      await atOnce(
        (sql) => move(sql, late, elsewhere),
        (sql) => openReview(sql, late),
      ),
    ).toBeNull()
    for (const student of [early, late]) {
      const { reviews, told } = await reviewsOf(student)
      expect(reviews).toEqual([{ university_id: elsewhere, status: 'open' }])
      expect(told.at(-1)).toBe(`on-call@${elsewhere}.example.edu`)
    }
  })
})
