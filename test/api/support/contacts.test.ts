import { describe, expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import { makeDue, stored, tick } from '../../../harness/factories/outbox.ts'
import { newStudent, type Student } from '../../../harness/factories/students.ts'
import {
  nameContact,
  newAddress,
  newMobileNumber,
  newStudentWithCircle,
} from '../../../harness/factories/support-contacts.ts'
import { serviceClient, withDatabase } from '../../../harness/stack/project.ts'
import { dose } from '../../depth.ts'

const project = inject('project')

const PARALLEL = 50

/** What numbers of a round begin with. */
const AREAS = ['+1206', '+1212', '+1303', '+1305']

/** Phone numbers that differ. */
const phones = (count: number) => Array.from({ length: count }, (_, n) => `+1202555${String(1000 + n)}`)

async function active({ client }: Student) {
  const { data, error } = await client
    .from('buddy_contacts')
    .select('id, priority_rank')
    .eq('is_active', true)
    .order('priority_rank')
  if (error) throw error
  return data
}

describe('of parallel calls', () => {
  test('that name people, five are taken, each with a rank of its own', async () => {
    const student = await newStudentWithCircle(project)
    const results = await Promise.all(
      phones(PARALLEL).map((phone) =>
        student.client.from('buddy_contacts').insert({ name: 'Ottoline', phone }),
      ),
    )
    expect((await active(student)).map(({ priority_rank }) => priority_rank)).toEqual([1, 2, 3, 4, 5])
    expect(results.filter(({ error }) => error === null)).toHaveLength(5)
    for (const { error, status } of results.filter(({ error }) => error !== null)) {
      expect({ status, code: error?.code, hint: error?.hint }).toEqual({
        status: 409,
        code: 'PT409',
        hint: 'buddy_limit',
      })
    }
  })

  test('that activate people, five are taken', async () => {
    const student = await newStudentWithCircle(project)
    const ids: string[] = []
    for (const phone of phones(10)) {
      const id = await nameContact(student, { phone })
      await student.client.from('buddy_contacts').update({ is_active: false }).eq('id', id)
      ids.push(id)
    }
    const results = await Promise.all(
      Array.from({ length: PARALLEL }, (_, n) =>
        student.client
          .from('buddy_contacts')
          .update({ is_active: true })
          .eq('id', ids[n % ids.length] ?? ''),
      ),
    )
    expect((await active(student)).map(({ priority_rank }) => priority_rank)).toEqual([1, 2, 3, 4, 5])
    expect(results.filter(({ status }) => ![204, 409].includes(status))).toEqual([])
  })

  test('that name, order, activate and delete people, none fails but for a rule', async () => {
    const student = await newStudentWithCircle(project)
    const { client } = student
    const service = serviceClient(project)
    const [first = '', ...others] = await Promise.all(
      phones(4).map((phone) => nameContact(student, { phone })),
    )
    for (let round = 0; round < dose(4, 40); round += 1) {
      const ids = (await active(student)).map(({ id }) => id)
      // The service's own, which gives several contacts one number, is refused by the index where they are active.
      const byService = service
        .from('buddy_contacts')
        .update({ phone: newMobileNumber() })
        .in('id', others)
        .then((response) => response)
      const results = await Promise.all([
        ...phones(8).map((phone) =>
          client
            .from('buddy_contacts')
            .insert({ name: 'Percy', phone: phone.replace('+1202', AREAS[round % AREAS.length] ?? '') }),
        ),
        client.from('buddy_contacts').update({ is_active: false }).eq('id', first),
        client.from('buddy_contacts').update({ is_active: true }).eq('user_id', student.id),
        client.from('buddy_contacts').delete().eq('name', 'Percy'),
        ...[ids, ids.toReversed(), ids].map((contact_ids) => client.rpc('reorder_buddies', { contact_ids })),
      ])
      expect([undefined, '23505']).toContain((await byService).error?.code)
      const failed = results.filter(({ error }) => error !== null).map(({ error }) => error?.code)
      expect(failed.filter((code) => !['PT409', 'PT400', 'PT404'].includes(code ?? ''))).toEqual([])
      const ranks = (await active(student)).map(({ priority_rank }) => priority_rank)
      expect(new Set(ranks).size).toBe(ranks.length)
      expect(ranks.length).toBeLessThanOrEqual(5)
    }
  })
})

test('people are ordered by one call', async () => {
  const student = await newStudentWithCircle(project)
  const ids: string[] = []
  for (const phone of phones(5)) ids.push(await nameContact(student, { phone }))
  const { data, error } = await student.client.rpc('reorder_buddies', { contact_ids: ids.toReversed() })
  expect({ data, error }).toEqual({ data: ids.toReversed(), error: null })
  expect((await active(student)).map(({ id }) => id)).toEqual(ids.toReversed())
  const missing = await student.client.rpc('reorder_buddies', { contact_ids: ids.slice(1) })
  expect({ status: missing.status, hint: missing.error?.hint }).toEqual({
    status: 400,
    hint: 'invalid_value',
  })
})

describe('through /api/database', () => {
  const insert = (student: Student, data: object) =>
    call(project, student.token, 'POST', 'api/database/insert', { table: 'buddy_contacts', data })

  test('the rules answer with their codes', async () => {
    const stranger = await newStudent(project, [])
    const person = { name: 'Ottoline', phone: newMobileNumber(), email: newAddress() }
    expect(await insert(stranger, person)).toMatchObject({ status: 403, body: { code: 'consent_required' } })

    const student = await newStudentWithCircle(project)
    for (const phone of phones(5)) {
      expect(await insert(student, { ...person, phone })).toMatchObject({ status: 200, body: { count: 1 } })
    }
    expect(await insert(student, { ...person, phone: '+12025559999' })).toMatchObject({
      status: 409,
      body: {
        code: 'buddy_limit',
        error: 'A support circle has at most five active people. Deactivate one first.',
      },
    })
    expect(await insert(student, { ...person, phone: '(202) 555-0100' })).toMatchObject({
      status: 409,
      body: { code: 'buddy_limit' },
    })
    const change = await call(project, student.token, 'POST', 'api/database/update', {
      table: 'buddy_contacts',
      data: { phone: '+44 20 7946 0123' },
      filters: { name: 'Ottoline' },
    })
    expect(change).toMatchObject({ status: 400, body: { code: 'buddy_phone_landline' } })
    const pause = await call(project, student.token, 'POST', 'api/database/insert', {
      table: 'support_preferences',
      data: { alerts_paused_until: new Date(Date.now() + 15 * 86_400_000).toISOString() },
    })
    expect(pause).toMatchObject({
      status: 400,
      body: { code: 'invalid_value', error: 'Alerts can be paused for 14 days at most.' },
    })
  })
})

test('a consent that is withdrawn before a message is sent cancels it', async () => {
  const student = await newStudentWithCircle(project)
  const phone = newMobileNumber()
  const contact = await nameContact(student, { phone })
  const message = await withDatabase(project, (sql) =>
    sql.begin(async (transaction) => {
      await transaction`
        select private.send_verification(${student.id}, ${contact}, ${phone}, null, null, now())`
      const [queued] = await transaction<[{ id: string }]>`
        update private.outbox set send_at = now() + interval '1 hour' where contact_id = ${contact} returning id`
      return queued.id
    }),
  )
  expect(await stored(project, message)).toMatchObject({ status: 'queued' })
  const withdrawn = await student.client
    .from('consents')
    .update({ withdrawn_at: new Date().toISOString() })
    .eq('kind', 'support_circle')
  expect(withdrawn.error).toBeNull()
  await makeDue(project, message)
  await tick(project)
  expect(await stored(project, message)).toMatchObject({ status: 'cancelled', attempts: 0 })
})
