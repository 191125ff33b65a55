import { afterEach, describe, expect, inject, test } from 'vitest'
import { subscribed } from '../../../harness/factories/session-channel.ts'
import { newSession, storeAnalysis } from '../../../harness/factories/sessions.ts'
import { logAccess, newStaff, newStudent, type Student } from '../../../harness/factories/students.ts'
import { type Client, withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')
const SOON = { timeout: 20_000 }
const ELSEWHERE = 'eastbrook'
const opened: Client[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((client) => client.removeAllChannels()))
})

const highRisk = async (student: Student): Promise<string> => {
  const session = await newSession(student.client)
  return withDatabase(project, async (sql) => {
    await storeAnalysis(sql, student, session, 'text', { risk: 'high' })
    const [review] = await sql<[{ id: string }]>`
      select id from public.clinical_reviews where user_id = ${student.id} and status <> 'closed'`
    return review.id
  })
}

/** Joins somebody's own channel of reviews and collects the reviews that it names. */
async function queueOf(person: Student): Promise<string[]> {
  opened.push(person.client)
  const heard: string[] = []
  const channel = person.client.channel(`reviews:${person.id}`, { config: { private: true } })
  channel.on('broadcast', { event: 'changed' }, ({ payload }) => heard.push(payload.review_id))
  await subscribed(channel)
  return heard
}

/** All that a counselor's screens ask for and do, of one review and its student. */
async function everythingOf({ client }: Student, student: string, review: string) {
  const now = Date.now()
  const time = (hours: number) => new Date(now + hours * 3_600_000).toISOString()
  await logAccess({ client }, { action: 'student_read', student_id: student }).catch(() => {})
  await logAccess({ client }, { action: 'reviews_listed' }).catch(() => {})
  const calls = {
    queue: await client.rpc('review_queue'),
    open: await client.rpc('list_open_reviews'),
    review: await client.rpc('read_review', { review_id: review }),
    student: await client.rpc('read_student', { student_id: student }),
    nudges: await client.rpc('list_nudges', { student_id: student }),
    taken: await client.rpc('claim_review', { review_id: review }),
    note: await client.rpc('add_review_note', { review_id: review, note: 'Called.' }),
    handed: await client.rpc('hand_over_review', { review_id: review, counselor_id: student }),
    closed: await client.rpc('close_review', { review_id: review, outcome: 'referred' }),
    reopened: await client.rpc('reopen_review', { review_id: review }),
    nudged: await client.rpc('nudge_student', { student_id: student, kind: 'come_by' }),
    cover: await client.rpc('read_cover', {
      from_at: time(0),
      until_at: time(24),
      university_id: 'northfield',
    }),
    shift: await client.rpc('add_shift', {
      starts_at: time(1),
      ends_at: time(2),
      university_id: 'northfield',
    }),
  }
  return Object.fromEntries(
    Object.entries(calls).map(([name, { data, error }]) => [name, error?.code ?? JSON.stringify(data)]),
  )
}

const NOTHING = {
  review: 'null',
  student: 'null',
  nudges: 'null',
  taken: 'null',
  note: 'null',
  handed: 'null',
  closed: 'null',
  reopened: 'null',
  nudged: 'PT404',
  cover: '42501',
  shift: '42501',
}

describe('of a review and its student', () => {
  test('a student, and a counselor elsewhere, see and do nothing', async () => {
    const ada = await newStudent(project, ['text'])
    const strangers = [await newStudent(project), await newStaff(project, 'counselor', ELSEWHERE)]
    const queues = await Promise.all(strangers.map(queueOf))
    const review = await highRisk(ada)
    for (const stranger of strangers) {
      const seen = await everythingOf(stranger, ada.id, review)
      expect(seen).toMatchObject(NOTHING)
      expect(`${seen.queue} ${seen.open}`).not.toContain(review)
      await expect(
        subscribed(stranger.client.channel('reviews:northfield', { config: { private: true } })),
      ).rejects.toThrow(/^Unauthorized/)
    }
    expect(queues).toEqual([[], []])
  })

  test('nobody joins a counselor’s channel but they', async () => {
    const [cora, cyd] = [await newStaff(project, 'counselor'), await newStaff(project, 'counselor')]
    opened.push(cyd.client)
    const channel = cyd.client.channel(`reviews:${cora.id}`, { config: { private: true } })
    await expect(subscribed(channel)).rejects.toThrow(/^Unauthorized/)
  })

  test('a counselor who lost the role sees and does nothing, with the token and on the channel from before', async () => {
    const [ada, ben] = [await newStudent(project, ['text']), await newStudent(project, ['text'])]
    const [revoked, colleague] = [await newStaff(project, 'counselor'), await newStaff(project, 'counselor')]
    const [gone, stayed] = [await queueOf(revoked), await queueOf(colleague)]
    const first = await highRisk(ada)
    await expect.poll(() => gone, SOON).toContain(first)

    await withDatabase(
      project,
      (sql) => sql`delete from public.user_roles where user_id = ${revoked.id} and role = 'counselor'`,
    )
    const second = await highRisk(ben)
    await expect.poll(() => stayed, SOON).toContain(second)
    expect(gone).not.toContain(second)
    for (const [student, review] of [
      [ada, first],
      [ben, second],
    ] as const)
      expect(await everythingOf(revoked, student.id, review)).toMatchObject({
        ...NOTHING,
        queue: '[]',
        open: '[]',
      })
  })
})
