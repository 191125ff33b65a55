import { describe, expect, inject, test, vi } from 'vitest'
import { subscribed } from '../../../../harness/factories/session-channel.ts'
import { newStudent, type Student } from '../../../../harness/factories/students.ts'
import { newNumber } from '../../../../harness/factories/support-contacts.ts'
import { localOnly, localStack, withDatabase } from '../../../../harness/stack/project.ts'

const project = inject('project')

/** A student with contacts who agreed to texts at any hour, and worrying check-ins of the last three days. */
async function worryingStudent(contacts: string[]): Promise<Student> {
  const student = await newStudent(project, ['text', 'support_circle'])
  await withDatabase(project, async (sql) => {
    await sql.begin(async (tx) => {
      await tx`select private.hear_answer()`
      await tx`
        insert into public.buddy_contacts (
          user_id, name, phone, email, priority_rank, verified, verified_at, phone_confirmed_at, phone_confirmed_by, texts_at_night
        )
        select ${student.id}, 'Robin ' || chr(64 + place::integer), phone, 'robin@example.com', place, true, now(), now(), 'reply', true
        from unnest(${contacts}::text[]) with ordinality as given (phone, place)`
    })
    await sql`
      insert into checkin.check_ins (user_id, type, status, risk_level, submitted_at, completed_at)
      select ${student.id}, 'daily', 'complete', 'moderate', at, at
      from (select now() - make_interval(days => ago) as at from generate_series(0, 2) ago) as days`
  })
  return student
}

const numbers = (amount: number) => Array.from({ length: amount }, newNumber)

/** What the job that cron runs each minute does. */
const tick = () => withDatabase(project, (sql) => sql`select private.tick_support_alerts(now())`)

async function textsTo(number: string): Promise<string[]> {
  const response = await fetch(`${localStack().inboxUrl}/api/messages?to=${encodeURIComponent(number)}`)
  const { messages }: { messages: { text: string }[] } = await response.json()
  return messages.map(({ text }) => text)
}

describe('a pattern of three days', () => {
  test(
    'reaches the first two contacts, and the student by mail and channel, and is taken back',
    localOnly('reads the inbox'),
    async () => {
      const [first = '', second = '', third = ''] = numbers(3)
      const student = await worryingStudent([first, second, third])
      await student.client.realtime.setAuth()
      const heard: { status: string; asked: { name: string }[] }[] = []
      const channel = student.client.channel(`support:${student.id}`, { config: { private: true } })
      channel.on('broadcast', { event: 'support_alert' }, ({ payload }) => heard.push(payload))
      await subscribed(channel)

      await tick()
      await vi.waitFor(
        async () => {
          for (const number of [first, second]) {
            expect(await textsTo(number)).toEqual([expect.stringContaining('worrying days')])
          }
          expect(await textsTo(student.email)).toEqual([expect.stringContaining('- Robin A\n- Robin B\n')])
          expect(heard[0]).toMatchObject({
            status: 'open',
            asked: [{ name: 'Robin A' }, { name: 'Robin B' }],
          })
        },
        { timeout: 60_000, interval: 200 },
      )
      expect(await textsTo(third)).toEqual([])

      const alerts = await student.client.from('support_alerts').select('status, worrying_days, step')
      expect(alerts.data).toEqual([{ status: 'open', worrying_days: 3, step: 1 }])
      const ended = await student.client.rpc('report_all_right')
      expect(ended.data).toMatchObject({ status: 'resolved', contacts_told: 2 })
      await vi.waitFor(
        async () => {
          expect(await textsTo(first)).toContainEqual(expect.stringContaining('says they are all right'))
          expect(heard.at(-1)).toMatchObject({ status: 'resolved' })
        },
        { timeout: 60_000, interval: 200 },
      )
      await tick()
      expect((await student.client.from('support_alerts').select('id')).data).toHaveLength(1)
      await student.client.removeAllChannels()
    },
  )

  test('opens one alert, however many runs of the job meet', async () => {
    const student = await worryingStudent(numbers(4))
    await Promise.all(Array.from({ length: 8 }, tick))
    await tick()
    const { data } = await student.client.from('support_alerts').select('status')
    expect(data).toEqual([{ status: 'open' }])
    const requests = await student.client.from('buddy_check_in_requests').select('request_type')
    expect(requests.data).toEqual([
      { request_type: 'system_initiated' },
      { request_type: 'system_initiated' },
    ])
  })

  test('is heard of on nobody else’s channel', async () => {
    const [student, other] = await Promise.all([worryingStudent([]), newStudent(project, [])])
    await other.client.realtime.setAuth()
    const channel = other.client.channel(`support:${student.id}`, { config: { private: true } })
    await expect(subscribed(channel)).rejects.toThrow()
    await other.client.removeAllChannels()
  })
})
