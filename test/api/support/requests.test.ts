import type postgres from 'postgres'
import { describe, expect, inject, test } from 'vitest'
import { apiClient } from '../../../harness/client/openapi-client.ts'
import type { Student } from '../../../harness/factories/students.ts'
import {
  newContact,
  newNumber,
  newPair,
  newStudentWithCircle,
} from '../../../harness/factories/support-contacts.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')
const DAY_S = 86_400
const SOON = { timeout: 20_000 }

function ask(student: Student, contact: string) {
  return apiClient(project, student.token).POST('/api/buddy/request-check-in', {
    body: { buddyContactId: contact },
  })
}

function requestsOf(student: Student) {
  return withDatabase(
    project,
    (sql) => sql`
      select r.*, o.body, o.recipient, o.send_at, o.purpose
      from public.buddy_check_in_requests r
      left join private.outbox o on o.request_id = r.id
      where r.user_id = ${student.id}`,
  )
}

/** A time zone in which it is about this hour now. */
function zoneAtHour(hour: number): string {
  const ahead = ((hour - new Date().getUTCHours() + 36) % 24) - 12
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}

describe('a student asks a contact to check in', () => {
  test('and the text of the specification is sent at once where texts may come at night', async () => {
    const { student, contact } = await newPair(project, { name: 'Alex', time_zone: zoneAtHour(2) })
    const { data } = await ask(student, contact)
    expect(data).toMatchObject({
      success: true,
      sending: 'now',
      message: 'Your contact gets the text now.',
    })
    const [request] = await requestsOf(student)
    expect(request).toMatchObject({
      id: data?.request_id,
      buddy_contact_id: contact,
      request_type: 'user_initiated',
      purpose: 'buddy_check_in',
      response_type: null,
    })
    expect(request?.body).toMatch(
      /^Student wellbeing: Hi Alex, Robin asks you to check in today: http\S+\/buddy\/checkin\/[\w-]{22} Reply STOP to opt out$/,
    )
  })

  test('and is told when the text waits for the morning', async () => {
    const { student, contact } = await newPair(project, { time_zone: zoneAtHour(2), texts_at_night: false })
    const { data } = await ask(student, contact)
    expect(data?.sending).toBe('in_the_morning')
    const wait = Date.parse(data?.send_at ?? '') - Date.now()
    expect(wait).toBeGreaterThan(4 * 3_600_000)
    expect(wait).toBeLessThan(7 * 3_600_000)
    const [request] = await requestsOf(student)
    expect(request?.delivery_status).toBe('queued')
  })

  test('once in 24 hours, of 50 calls at once too', async () => {
    const { student, contact } = await newPair(project)
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(student, contact)))
    expect(answers.filter(({ response }) => response.status === 200)).toHaveLength(1)
    const refused = answers.filter(({ error }) => error?.code === 'rate_limited')
    expect(refused).toHaveLength(49)
    for (const { response } of refused) {
      const wait = Number(response.headers.get('retry-after'))
      expect(wait).toBeGreaterThan(DAY_S - 120)
      expect(wait).toBeLessThanOrEqual(DAY_S)
    }
    expect(await requestsOf(student)).toHaveLength(1)
  })

  test('and once in 24 hours for a number, whichever contact has it', async () => {
    const phone = newNumber()
    const { student, contact } = await newPair(project, { phone })
    expect((await ask(student, contact)).response.status).toBe(200)
    // One that is cancelled before it is sent does not count.
    await expect.poll(async () => (await requestsOf(student))[0]?.delivery_status, SOON).not.toBe('queued')
    await withDatabase(project, (sql) => sql`delete from public.buddy_contacts where id = ${contact}`)
    const again = await newContact(project, student, { phone, name: 'Samuel' })
    expect((await ask(student, again)).error?.code).toBe('rate_limited')
    const another = await newPair(project, { phone })
    expect((await ask(another.student, another.contact)).response.status).toBe(200)
  })

  test('again after 24 hours, and not a second earlier', async () => {
    const { student, contact } = await newPair(project)
    const askAt = (sql: postgres.Sql, at: string) =>
      sql`select private.request_check_in(${student.id}, ${contact}, ${at}) as result`.then(
        ([row]) => row?.result,
      )
    await withDatabase(project, async (sql) => {
      expect(await askAt(sql, '2026-03-01T10:00:00Z')).toMatchObject({ outcome: 'requested' })
      expect(await askAt(sql, '2026-03-02T09:59:59Z')).toEqual({ outcome: 'rate_limited', retry_after_s: 1 })
      expect(await askAt(sql, '2026-03-02T10:00:00Z')).toMatchObject({ outcome: 'requested' })
    })
  })

  test('again at once where the first text was cancelled', async () => {
    const { student, contact } = await newPair(project, { time_zone: zoneAtHour(2), texts_at_night: false })
    await ask(student, contact)
    await withDatabase(
      project,
      (sql) => sql`
        update public.buddy_check_in_requests set delivery_status = 'cancelled' where user_id = ${student.id}`,
    )
    expect((await ask(student, contact)).response.status).toBe(200)
  })

  test('and not one who cannot be asked, with one code for all reasons', async () => {
    const optedOut = newNumber()
    const student = await newStudentWithCircle(project)
    const paused = await newContact(project, student, { priority_rank: 3 })
    await withDatabase(project, async (sql) => {
      await sql`
        insert into private.text_opt_outs (number_hash, heard_by)
        values (private.hash_of_number(${optedOut}), 'reply')`
      await sql`
        update public.buddy_contacts set is_active = false, priority_rank = null where id = ${paused}`
    })
    const contacts = [
      await newContact(project, student, { verified: false }),
      await newContact(project, student, { phone: optedOut, priority_rank: 2 }),
      paused,
    ]
    for (const contact of contacts) {
      const { error, response } = await ask(student, contact)
      expect([response.status, error?.code]).toEqual([409, 'buddy_unavailable'])
    }
    expect(await requestsOf(student)).toHaveLength(0)
  })

  test('and not that of another student', async () => {
    const { contact } = await newPair(project)
    const stranger = await newStudentWithCircle(project)
    const { error, response } = await ask(stranger, contact)
    expect([response.status, error?.code]).toEqual([404, 'buddy_not_found'])
  })

  test('and not without consent', async () => {
    const { student, contact } = await newPair(project)
    await withDatabase(
      project,
      (sql) => sql`
        update public.consents set withdrawn_at = now() where user_id = ${student.id} and kind = 'support_circle'`,
    )
    const { error, response } = await ask(student, contact)
    expect([response.status, error?.code, error?.details?.kind]).toEqual([
      403,
      'consent_required',
      'support_circle',
    ])
    expect(await requestsOf(student)).toHaveLength(0)
  })
})
