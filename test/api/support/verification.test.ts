import { describe, expect, inject, test } from 'vitest'
import { inState } from '../../../harness/factories/outbox.ts'
import type { Student } from '../../../harness/factories/students.ts'
import {
  agreeByMail,
  askForVerification,
  codeOfFirstText,
  nameContact,
  newAddress,
  newInvitedContact,
  newMobileNumber,
  newNumber,
  newStudentWithCircle,
  verificationToken,
} from '../../../harness/factories/support-contacts.ts'
import { localOnly, localStack, serviceClient, withDatabase } from '../../../harness/stack/project.ts'
import { dose } from '../../depth.ts'

const project = inject('project')

const PARALLEL = 50

const ask = (student: Student, contact: string) => askForVerification(project, student, contact)

/** How many responses have each code; null is success. */
function codes(responses: { status: number; body: Record<string, unknown> }[]): Record<string, number> {
  const found: Record<string, number> = {}
  for (const { status, body } of responses) {
    const code = `${status} ${body.code ?? 'sent'}`
    found[code] = (found[code] ?? 0) + 1
  }
  return found
}

/** Lets time pass for the limits of a student. */
function anHourLater({ id }: Student) {
  return withDatabase(
    project,
    (sql) =>
      sql`update private.buddy_verification_sends set sent_at = sent_at - interval '1 hour' where user_id = ${id}`,
  )
}

/** Decides by a link, at the same time as often as there are decisions. */
function decide(token: string, decisions: { accepted: boolean }[]): Promise<string[]> {
  return Promise.all(
    decisions.map(({ accepted }) =>
      withDatabase(project, async (sql) => {
        const [row] = await sql<[{ outcome: string }]>`
          select private.decide_verification(
            private.link_token_hash(${token}), ${accepted}, null, false, 'America/New_York', false,
            '{"version": "test", "text": "Invented"}', null, null, 'form', now()
          ) as outcome`
        return row.outcome
      }),
    ),
  )
}

describe('a contact is asked', () => {
  test('by an email, which the audit tells the student of', localOnly('reads the inbox'), async () => {
    const student = await newStudentWithCircle(project)
    await student.client
      .from('profiles')
      .update({ first_name: 'Quentin', last_name: 'Example' })
      .eq('user_id', student.id)
    const email = newAddress()
    const contact = await nameContact(student, { email, name: 'Ottoline\nhttps://evil.example/' })
    expect(await ask(student, contact)).toMatchObject({
      status: 200,
      body: { success: true, message: expect.any(String) },
    })

    const [row] = await withDatabase(
      project,
      (sql) => sql<{ id: string; token: string; zones: string[] }[]>`
        select o.id, c.verification_token as token, c.number_time_zones as zones
        from private.outbox o
        join public.buddy_contacts c on c.id = o.contact_id
        where o.contact_id = ${contact}`,
    )
    await inState(project, row?.id ?? '', 'sent')
    const response = await fetch(`${localStack().inboxUrl}/api/messages?to=${encodeURIComponent(email)}`)
    const [message, ...more] = (await response.json()).messages
    expect(more).toEqual([])
    expect(message.subject).toBe('Quentin Example would like you in their support circle')
    expect(message.text).toMatch(/^Hi Ottoline,\n/)
    // By its name, which another test may just have changed.
    expect(message.text).toMatch(/ on the student wellbeing service of .+\.\n/)
    const links = String(message.text).match(/https?:\S+/g) ?? []
    expect(links).toEqual([expect.stringMatching(/\/api\/buddy\/verify\?token=[0-9a-f]{64}$/)])
    // Whoever can read the table cannot follow the link.
    expect(links[0]).not.toContain(row?.token)
    // Where the contact may be, should they agree without saying.
    expect(row?.zones).toEqual(expect.arrayContaining(['America/New_York', 'Pacific/Honolulu']))

    const { data } = await student.client.from('buddy_verification_audit').select()
    expect(data).toMatchObject([
      { buddy_contact_id: contact, event_type: 'verification_sent', metadata: {}, user_id: student.id },
    ])
  })

  test('once an hour, however many calls come at once', async () => {
    const student = await newStudentWithCircle(project)
    const contact = await nameContact(student)
    const responses = await Promise.all(Array.from({ length: PARALLEL }, () => ask(student, contact)))
    expect(codes(responses)).toEqual({ '200 sent': 1, '429 rate_limited': PARALLEL - 1 })
    for (const { body, headers } of responses.filter(({ status }) => status === 429)) {
      const { retry_after_s } = Object(body.details)
      expect(retry_after_s).toBeGreaterThan(3500)
      expect(retry_after_s).toBeLessThanOrEqual(3600)
      expect(headers.get('retry-after')).toBe(String(retry_after_s))
    }
  })

  test('once an hour under whatever spelling of the address, and three times in all', async () => {
    const student = await newStudentWithCircle(project)
    const name = `friend-${crypto.randomUUID()}`
    for (let hour = 0; hour < 3; hour += 1) {
      // Deleted and added again, by five spellings of one address.
      await student.client.from('buddy_contacts').delete().eq('user_id', student.id)
      const contacts = await Promise.all(
        ['', '+a', '+b+c', '+d', ''].map((tag, n) =>
          nameContact(student, {
            phone: `+1202555100${n}`,
            email: `${n % 2 ? name : name.toUpperCase()}${tag}@Example.com`,
          }),
        ),
      )
      const responses = await Promise.all(
        Array.from({ length: PARALLEL }, (_, n) => ask(student, contacts[n % 5] ?? '')),
      )
      expect(codes(responses)).toEqual({
        '200 sent': 1,
        [hour === 2 ? '429 verification_attempts_exhausted' : '429 rate_limited']: PARALLEL - 1,
      })
      await anHourLater(student)
      await withDatabase(
        project,
        (sql) => sql`delete from private.rate_limit_uses where subject = ${student.id}`,
      )
    }
    await student.client.from('buddy_contacts').delete().eq('user_id', student.id)
    const again = await nameContact(student, { email: `${name}+z@example.com` })
    expect(await ask(student, again)).toMatchObject({
      status: 429,
      body: { code: 'verification_attempts_exhausted' },
    })
    const { data } = await student.client
      .from('buddy_verification_audit')
      .select('event_type')
      .order('created_at')
    expect(data?.map(({ event_type }) => event_type)).toEqual([
      'verification_sent',
      'verification_resent',
      'verification_resent',
    ])
  })

  test('by their student alone', async () => {
    const [student, other] = await Promise.all([newStudentWithCircle(project), newStudentWithCircle(project)])
    const contact = await nameContact(student)
    expect(await ask(other, contact)).toMatchObject({ status: 404, body: { code: 'buddy_not_found' } })
    expect(await askForVerification(project, other, contact, student.id)).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    })
    expect(await ask(student, crypto.randomUUID())).toMatchObject({
      status: 404,
      body: { code: 'buddy_not_found' },
    })
    expect(await ask(student, contact)).toMatchObject({ status: 200 })
  })

  test('only if they can be', async () => {
    const student = await newStudentWithCircle(project)
    const { client } = student
    const service = serviceClient(project)
    const contact = await nameContact(student, { email: null })
    const expectCode = async (status: number, code: string) =>
      expect(await ask(student, contact)).toMatchObject({ status, body: { code } })

    await expectCode(400, 'buddy_email_missing')
    // A student's is refused when they type it; one that another release or an operator stored is, when it is to be used.
    await service
      .from('buddy_contacts')
      .update({ email: newAddress(), phone: '+447700900123' })
      .eq('id', contact)
    await expectCode(400, 'buddy_phone_invalid')
    await client
      .from('buddy_contacts')
      .update({ phone: newMobileNumber(), is_active: false })
      .eq('id', contact)
    await expectCode(409, 'buddy_unavailable')
    await client.from('buddy_contacts').update({ is_active: true }).eq('id', contact)
    await withDatabase(project, (sql) =>
      sql.begin(async (tx) => {
        await tx`select private.hear_answer()`
        await tx`update public.buddy_contacts set verified = true, verified_at = now() where id = ${contact}`
      }),
    )
    await expectCode(409, 'buddy_verified')
    await client.from('buddy_contacts').update({ phone: newMobileNumber() }).eq('id', contact)
    await client
      .from('consents')
      .update({ withdrawn_at: new Date().toISOString() })
      .eq('kind', 'support_circle')
    await expectCode(403, 'consent_required')
    const { data } = await service.from('buddy_verification_audit').select('id').eq('user_id', student.id)
    expect(data).toEqual([])
  })
})

describe('a link', () => {
  async function asked() {
    const student = await newStudentWithCircle(project)
    const contact = await nameContact(student)
    expect((await ask(student, contact)).status).toBe(200)
    return { student, contact, token: await verificationToken(project, contact) }
  }

  test('decides once, however many decisions come at once', async () => {
    const { student, contact, token } = await asked()
    const outcomes = await decide(
      token,
      Array.from({ length: PARALLEL }, (_, n) => ({ accepted: n % 2 === 0 })),
    )
    const decided = outcomes.filter((outcome) => outcome !== 'decided')
    expect(decided).toEqual([expect.toBeOneOf(['accepted', 'declined'])])
    const { data } = await student.client
      .from('buddy_contacts')
      .select('verified, is_active, phone_confirmed_at')
      .eq('id', contact)
      .single()
    const accepted = decided[0] === 'accepted'
    expect(data).toEqual({
      verified: accepted,
      is_active: accepted,
      phone_confirmed_at: null,
    })
    const audit = await student.client
      .from('buddy_verification_audit')
      .select('event_type')
      .neq('event_type', 'verification_sent')
    expect(audit.data).toEqual([{ event_type: `verification_${decided[0]}` }])
  })

  test('takes five tries of the code, however many come at once', async () => {
    const { student } = await asked()
    const phone = newNumber()
    const { token } = await newInvitedContact(project, student, { phone, priority_rank: 2 })
    expect(await agreeByMail(project, token)).toBe(200)
    const code = await codeOfFirstText(project, phone)
    const confirm = (guess: string) =>
      withDatabase(project, async (sql) => {
        const [row] = await sql`
          select private.confirm_by_code(private.link_token_hash(${token}), ${guess}, now()) as outcome`
        return row?.outcome
      })
    const guesses = Array.from({ length: 60 }, (_, n) => String(n).padStart(6, '0'))
    const wrong = guesses.filter((guess) => guess !== code).slice(0, PARALLEL)
    const outcomes = await Promise.all(wrong.map(confirm))
    expect(outcomes.filter((outcome) => outcome === 'wrong_code')).toHaveLength(4)
    expect(outcomes.filter((outcome) => outcome === 'too_many_tries')).toHaveLength(PARALLEL - 4)
    expect(await confirm(code)).toBe('too_many_tries')
  })

  test('of a number that was changed leads nowhere', async () => {
    const { student, contact, token } = await asked()
    const phone = newMobileNumber()
    await student.client.from('buddy_contacts').update({ phone }).eq('id', contact)
    expect(await decide(token, [{ accepted: true }])).toEqual(['unknown'])
  })

  test('and an account that is deleted meanwhile do not wait for each other', async () => {
    for (let round = 0; round < dose(3, 30); round += 1) {
      const { student, contact, token } = await asked()
      const [deleted, outcomes] = await Promise.all([
        serviceClient(project).auth.admin.deleteUser(student.id),
        decide(
          token,
          Array.from({ length: 5 }, () => ({ accepted: true })),
        ),
        student.client.rpc('reorder_buddies', { contact_ids: [contact] }),
        ask(student, contact).then(({ status }) => expect(status).toBeLessThan(500)),
      ])
      expect(deleted.error).toBeNull()
      for (const outcome of outcomes) expect(outcome).toBeOneOf(['accepted', 'decided', 'unknown'])
    }
  })
})
