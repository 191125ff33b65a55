import { describe, expect, inject, test, vi } from 'vitest'
import { apiClient } from '../../../harness/client/openapi-client.ts'
import { tick } from '../../../harness/factories/outbox.ts'
import type { Student } from '../../../harness/factories/students.ts'
import {
  agreeByMail,
  askForVerification,
  nameContact,
  newAddress,
  newContact,
  newInvitedContact,
  newNumber,
  newStudentWithCircle,
  replyFrom,
  textsOf,
  verificationToken,
} from '../../../harness/factories/support-contacts.ts'
import { localOnly, withDatabase } from '../../../harness/stack/project.ts'
import { dose } from '../../depth.ts'

const project = inject('project')
const SOON = { timeout: 20_000, interval: 200 }

/** A name with a bank's words, a number to call and a host. */
const BANK = 'Your bank locked your card, call +1 202 555 0100 or see evil.example.com'

/** Students of one person: each names a mailbox of their own beside somebody else's number, and agrees there. */
async function attack(
  phone: string,
  accounts: number,
): Promise<{ student: Student; contact: string; token: string }[]> {
  const attackers = []
  for (let account = 0; account < accounts; account += 1) {
    const student = await newStudentWithCircle(project, BANK)
    const invited = await newInvitedContact(project, student, { name: BANK, phone })
    expect(await agreeByMail(project, invited.token)).toBe(200)
    attackers.push({ student, ...invited })
  }
  return attackers
}

const ask = (student: Student, contact: string) =>
  apiClient(project, student.token).POST('/api/buddy/request-check-in', { body: { buddyContactId: contact } })

const contactRow = ({ client }: Student, contact: string) =>
  client.from('buddy_contacts').select('verified, phone_confirmed_at').eq('id', contact).single()

/** Waits until the first text to a number was sent; returns its code. */
async function codeSentTo(phone: string): Promise<string> {
  const [text] = await vi.waitFor(async () => {
    await tick(project)
    const sent = (await textsOf(project, phone)).filter(({ status }) => status === 'sent')
    expect(sent).toHaveLength(1)
    return sent
  }, SOON)
  return /\d{6}/.exec(text?.body ?? '')?.[0] ?? ''
}

describe("a student who names their own mailbox and a stranger's number", () => {
  test('has the stranger get one text of fixed words, whoever else of their accounts asks', async () => {
    const phone = newNumber()
    const attackers = await attack(phone, 3)
    for (const { student, contact } of attackers) {
      const { data } = await ask(student, contact)
      expect(data).toMatchObject({ success: true, sending: 'when_they_agree', send_at: null })
      expect((await contactRow(student, contact)).data).toEqual({ verified: true, phone_confirmed_at: null })
    }
    await codeSentTo(phone)
    const texts = await textsOf(project, phone)
    expect(texts.map(({ purpose, status }) => `${purpose} ${status}`).sort()).toEqual([
      'buddy_check_in queued',
      'buddy_check_in queued',
      'buddy_check_in queued',
      'buddy_first_text sent',
    ])
    expect(texts.find(({ status }) => status === 'sent')?.body).toMatch(
      /^Student wellbeing: student "Your bank locked your card cal" named your number as contact\. Reply YES to agree, or type \d{6} on our email's page\. STOP to refuse$/,
    )
    // The day in which the number could have agreed is over.
    await withDatabase(
      project,
      (sql) =>
        sql`update private.outbox set send_at = now() where recipient = ${phone} and status = 'queued'`,
    )
    await vi.waitFor(async () => {
      await tick(project)
      const left = (await textsOf(project, phone)).filter(({ status }) => status !== 'cancelled')
      expect(left.map(({ purpose }) => purpose)).toEqual(['buddy_first_text'])
    }, SOON)
  })

  test('has the stranger get one text, however many accounts agree at once', async () => {
    const phone = newNumber()
    const tokens = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const student = await newStudentWithCircle(project, BANK)
        return (await newInvitedContact(project, student, { phone })).token
      }),
    )
    const statuses = await Promise.all(tokens.map((token) => agreeByMail(project, token)))
    expect(statuses).toEqual(tokens.map(() => 200))
    expect((await textsOf(project, phone)).map(({ purpose }) => purpose)).toEqual(['buddy_first_text'])
  })

  test('is refused for all by a STOP to that text', localOnly('replies by the inbox'), async () => {
    const phone = newNumber()
    const [first] = await attack(phone, 1)
    await codeSentTo(phone)
    await replyFrom(phone, "I don't know this person")
    const [second] = await attack(phone, 1)
    for (const attacker of [first, second]) {
      if (!attacker) throw new Error('There is no attacker')
      expect((await ask(attacker.student, attacker.contact)).error?.code).toBe('buddy_unavailable')
    }
    const texts = await textsOf(project, phone)
    expect(texts.filter(({ status }) => status !== 'cancelled').map(({ purpose }) => purpose)).toEqual([
      'buddy_first_text',
    ])
  })

  test('opens no alert to that number: the crisis contact is told at once', async () => {
    const phone = newNumber()
    const [attacker] = await attack(phone, 1)
    const alert = await withDatabase(project, async (sql) => {
      await sql`select private.open_support_alert(${attacker?.student.id ?? ''}, 3, now())`
      const [row] = await sql`
        select status, crisis_contact_told_at is not null as told
        from public.support_alerts where user_id = ${attacker?.student.id ?? ''}`
      return row
    })
    expect(alert).toEqual({ status: 'escalated', told: true })
    expect((await textsOf(project, phone)).map(({ purpose }) => purpose)).toEqual(['buddy_first_text'])
  })

  test('cannot guess the code: five tries', async () => {
    const phone = newNumber()
    const [attacker] = await attack(phone, 1)
    const code = await codeSentTo(phone)
    const token = attacker?.token ?? ''
    const statuses = []
    for (let wrong = 1; wrong <= 5; wrong += 1) {
      const guess = String((Number(code) + wrong) % 1_000_000).padStart(6, '0')
      statuses.push(await confirm(token, guess))
    }
    expect(statuses).toEqual([422, 422, 422, 422, 403])
    expect(await confirm(token, code)).toBe(403)
  })
})

describe('the number itself agrees', () => {
  test(
    'by YES, for the contact that the text was about and no other',
    localOnly('replies by the inbox'),
    async () => {
      const phone = newNumber()
      const [first, second] = await attack(phone, 2)
      if (!first || !second) throw new Error('There are no students')
      await ask(first.student, first.contact)
      await codeSentTo(phone)
      await replyFrom(phone, 'Yes please')
      expect((await contactRow(first.student, first.contact)).data?.phone_confirmed_at).not.toBeNull()
      expect((await contactRow(second.student, second.contact)).data?.phone_confirmed_at).toBeNull()
      const waiting = (await textsOf(project, phone)).find(({ purpose }) => purpose === 'buddy_check_in')
      expect(waiting?.status).not.toBe('cancelled')
    },
  )

  test('by the code on the page; the same mailbox and number of another student then agree at once', async () => {
    const [phone, email] = [newNumber(), newAddress()]
    const rows = []
    for (let friend = 0; friend < 2; friend += 1) {
      const student = await newStudentWithCircle(project)
      const { contact, token } = await newInvitedContact(project, student, { phone, email })
      await agreeByMail(project, token)
      if (friend === 0) expect(await confirm(token, await codeSentTo(phone))).toBe(200)
      rows.push((await contactRow(student, contact)).data?.phone_confirmed_at)
    }
    expect(rows).toEqual([expect.any(String), expect.any(String)])
    expect((await textsOf(project, phone)).map(({ purpose }) => purpose)).toEqual(['buddy_first_text'])
  })
})

test('a request and an agreement that come at once neither wait for each other nor leave the text waiting', async () => {
  for (let round = 0; round < dose(8, 100); round += 1) {
    const phone = newNumber()
    const [attacker] = await attack(phone, 1)
    if (!attacker) throw new Error('There is no student')
    const { student, contact, token } = attacker
    const code = await codeSentTo(phone)
    const [asked, status] = await Promise.all([
      ask(student, contact),
      confirm(token, code),
      // A reply and a stop take the number's lock first.
      hear(phone, 'yes'),
      round % 2 ? hear(phone, 'help') : student.client.rpc('reorder_buddies', { contact_ids: [contact] }),
    ])
    expect([asked.response.status, status]).toEqual([200, 200])
    const [text] = await withDatabase(
      project,
      (sql) => sql`
        select send_at <= now() as is_due from private.outbox where recipient = ${phone} and purpose = 'buddy_check_in'`,
    )
    expect(text).toEqual({ is_due: true })
  }
})

test("a number's code is in no export of the student who named it", async () => {
  const phone = newNumber()
  const [attacker] = await attack(phone, 1)
  const code = await codeSentTo(phone)
  const rows = await withDatabase(
    project,
    (sql) => sql<{ row: string }[]>`
      select row from private.exported_rows(${attacker?.student.id ?? ''}, 'private', 'outbox', null, now()) as row`,
  )
  const messages = rows.map(({ row }) => JSON.parse(row))
  expect(messages.map(({ purpose }) => purpose)).toContain('buddy_first_text')
  // Neither a code nor a link of any length.
  for (const { body = '' } of messages) {
    expect(body).not.toContain(code)
    expect(body).not.toMatch(/[0-9a-f]{16}|(?<![0-9])[0-9]{6}(?![0-9])/)
  }
})

describe('many students', () => {
  test('cannot ask a mailbox again whose reader does not know who asked, until an operator lifts it', async () => {
    const email = newAddress()
    const [one, other] = await Promise.all([newStudentWithCircle(project), newStudentWithCircle(project)])
    const contact = await nameContact(one, { email })
    await askForVerification(project, one, contact)
    const token = await verificationToken(project, contact)
    expect(await submit(token, { decision: 'decline', why: 'unknown_person' })).toBe(200)
    const again = await nameContact(other, { email: email.replace('@', '+tag@') })
    expect(await askForVerification(project, other, again)).toMatchObject({
      status: 409,
      body: { code: 'buddy_unavailable' },
    })
    await withDatabase(project, (sql) => sql`select private.lift_refusal(${email})`)
    expect((await askForVerification(project, other, again)).status).toBe(200)
  })

  test('write to a mailbox ten times a day, and about a number with few', async () => {
    const [email, phone] = [newAddress(), newNumber()]
    const sent = async (of: { email: string; phone: string }, students: number, ago: string) =>
      withDatabase(project, async (sql) => {
        for (let n = 0; n < students; n += 1) {
          const { id } = await newStudentWithCircle(project)
          await sql`
            insert into private.buddy_verification_sends (user_id, mailbox_hash, number_hash, sent_at)
            values (${id}, private.mailbox_hash(${of.email}), private.hash_of_number(${of.phone}), now() - ${ago}::interval)`
        }
      })
    const student = await newStudentWithCircle(project)
    await sent({ email, phone: newNumber() }, 10, '23 hours')
    const flooded = await nameContact(student, { email })
    expect(await askForVerification(project, student, flooded)).toMatchObject({
      status: 429,
      body: { code: 'rate_limited' },
    })
    await sent({ email: newAddress(), phone }, 15, '29 days')
    const crowded = await newContact(project, student, { phone, verified: false, priority_rank: 2 })
    const [asked] = await withDatabase(
      project,
      (sql) => sql`
        select outcome from private.send_verification(${student.id}, ${crowded}, ${phone}, null, null, now())`,
    )
    expect(asked?.outcome).toBe('unavailable')
  })

  test('ask a number six times a day, also one that agreed', async () => {
    const phone = newNumber()
    const codes = []
    for (let friend = 0; friend < 7; friend += 1) {
      const student = await newStudentWithCircle(project)
      const contact = await newContact(project, student, { phone })
      const { response, error } = await ask(student, contact)
      codes.push(error?.code ?? response.status)
    }
    expect(codes).toEqual([200, 200, 200, 200, 200, 200, 'rate_limited'])
  })
})

test('a number of a country that texts do not go to is not taken', async () => {
  const { client } = await newStudentWithCircle(project)
  for (const phone of ['+18765550100', '+882161234567', '+2425550100']) {
    const { error, status } = await client
      .from('buddy_contacts')
      .insert({ name: 'Sam', phone, email: newAddress() })
    expect([status, error?.hint]).toEqual([400, 'buddy_country_unsupported'])
  }
})

const hear = (phone: string, meaning: string) =>
  withDatabase(
    project,
    (sql) => sql`select private.hear_text(${`SM${crypto.randomUUID()}`}, ${phone}, ${meaning}, now())`,
  )

const confirm = (token: string, code: string) => submit(token, { decision: 'confirm', code })

async function submit(token: string, form: Record<string, string>): Promise<number> {
  const { status } = await fetch(`${project.apiUrl}/functions/v1/api/buddy/verify?token=${token}`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  return status
}
