import { readFile } from 'node:fs/promises'
import { describe, expect, inject, test, vi } from 'vitest'
import {
  inState,
  pipelineSecret,
  requestDelivery,
  stored,
  tick,
  writeOne,
} from '../../../harness/factories/outbox.ts'
import { newStudent } from '../../../harness/factories/students.ts'
import { localOnly, localStack, withDatabase } from '../../../harness/stack/project.ts'

const stack = inject('project')

type Received = { channel: string; to: string; subject: string; text: string }

async function inbox(recipient: string): Promise<Received[]> {
  const response = await fetch(`${localStack().inboxUrl}/api/messages?to=${encodeURIComponent(recipient)}`)
  return (await response.json()).messages
}

const address = () => `desk-${crypto.randomUUID()}@northfield.example.edu`
const number = () =>
  `+1202555${String(Math.floor(Math.random() * 10_000)).padStart(4, '0')}${Date.now() % 10_000}`

/** A university, and a student of it in whom a high risk was seen. */
async function inReview(supportEmail: string | null, crisisContact: string | null) {
  const name = `invented-${crypto.randomUUID()}`
  const student = await newStudent(stack, [])
  const review = await withDatabase(stack, async (sql) => {
    await sql`
      insert into public.universities (id, name, short_name, domain, support_email)
      values (${name}, 'An invented university', 'Invented', ${`${name}.example.edu`}, ${supportEmail})`
    if (crisisContact) await sql`insert into private.crisis_contacts values (${name}, ${crisisContact})`
    await sql`
      update public.profiles set university_id = ${name}, first_name = 'Ottoline', last_name = 'Quillfeather'
      where user_id = ${student.id}`
    await sql`select private.open_clinical_review(${student.id}, 'session', gen_random_uuid())`
    const [row] = await sql<{ id: string; message: string }[]>`
      select r.id, o.id as message
      from public.clinical_reviews r
      join private.outbox o on o.user_id = r.user_id
      where r.user_id = ${student.id}`
    if (!row) throw new Error('The review was not opened')
    return row
  })
  return { student, review }
}

describe('a message in the outbox', localOnly('reads the inbox'), () => {
  test.each([
    ['email', address(), 'inbox'],
    ['sms', number(), 'twilio'],
  ] as const)(
    'of kind %s reaches the inbox once, however often the sender is called',
    async (channel, recipient, provider) => {
      const secret = await pipelineSecret(stack)
      const id = await writeOne(stack, { channel, recipient, body: 'Grüße – 1 & 2\n<b>plain</b>' })
      const dispatches = await Promise.all(Array.from({ length: 8 }, () => requestDelivery(stack, secret)))
      expect(dispatches.map(({ status }) => status)).toEqual(Array(8).fill(202))
      expect(await inState(stack, id, 'sent')).toMatchObject({
        attempts: 1,
        provider,
        error_code: null,
      })
      expect(await inbox(recipient)).toEqual([
        expect.objectContaining({
          channel,
          to: recipient,
          subject: channel === 'email' ? 'An invented subject' : '',
          text: 'Grüße – 1 & 2\n<b>plain</b>',
        }),
      ])
    },
  )

  test('is seen on the inbox page', async () => {
    const recipient = address()
    await inState(stack, await writeOne(stack, { channel: 'email', recipient }), 'sent')
    const page = await (await fetch(`${localStack().inboxUrl}/?to=${encodeURIComponent(recipient)}`)).text()
    expect(page).toContain('An invented subject')
  })

  test('is not written when what it tells about is not stored', async () => {
    const recipient = address()
    await withDatabase(stack, async (sql) => {
      const abandoned = sql.begin(async (transaction) => {
        await transaction`
          insert into private.outbox (channel, purpose, recipient, body)
          values ('email', 'training_reminder', ${recipient}, 'never')`
        throw new Error('abandoned')
      })
      await expect(abandoned).rejects.toThrow('abandoned')
    })
    await inState(stack, await writeOne(stack, { channel: 'email', recipient: address() }), 'sent')
    expect(await inbox(recipient)).toEqual([])
  })

  test('leaves neither its recipient nor its words in the log', async () => {
    const recipient = address()
    const id = await writeOne(stack, { channel: 'email', recipient, body: 'unmistakable-words' })
    await inState(stack, id, 'sent')
    const log = await vi.waitFor(
      async () => {
        const text = await readFile(localStack().logFile, 'utf8')
        expect(text).toContain(id)
        return text
      },
      { timeout: 30_000 },
    )
    expect(log).not.toContain(recipient)
    expect(log).not.toContain('unmistakable-words')
  })
})

describe('the message about a clinical review', () => {
  test('reaches the crisis contact and names nobody', localOnly('reads the inbox'), async () => {
    const contact = address()
    const { student, review } = await inReview(address(), contact)
    await inState(stack, review.message, 'sent')
    const [message, ...others] = await inbox(contact)
    expect(others).toEqual([])
    expect(message?.text).toContain(review.id)
    const whole = JSON.stringify(message)
    for (const part of [student.id, student.email, 'Ottoline', 'Quillfeather'])
      expect(whole).not.toContain(part)
  })

  test(
    'reaches the support office where no crisis contact is named',
    localOnly('reads the inbox'),
    async () => {
      const office = address()
      const { review } = await inReview(office, null)
      await inState(stack, review.message, 'sent')
      expect(await inbox(office)).toHaveLength(1)
    },
  )

  test(
    'is a dead letter, and an error in the log, where the university names nobody',
    localOnly('reads the log'),
    async () => {
      const { review } = await inReview(null, null)
      expect(await stored(stack, review.message)).toMatchObject({
        status: 'dead',
        error_code: 'no_recipient',
      })
      await withDatabase(stack, async (sql) => {
        expect(
          await sql`select purpose, status, error_code from private.undelivered_messages where id = ${review.message}`,
        ).toEqual([{ purpose: 'clinical_review', status: 'dead', error_code: 'no_recipient' }])
        expect(await sql`select private.requeue_message(${review.message}) as again`).toEqual([
          { again: false },
        ])
      })
      await vi.waitFor(
        async () => {
          await tick(stack)
          const lines = (await readFile(localStack().logFile, 'utf8'))
            .split('\n')
            .filter((line) => line.includes(review.message))
          expect(
            lines.some((line) => line.includes('"level":"error"') && line.includes('"message_dead"')),
          ).toBe(true)
          expect(lines.join()).toContain('no_recipient')
        },
        { timeout: 30_000, interval: 100 },
      )
    },
  )
})

describe('the sender', () => {
  test.each([
    ['nobody', async () => null],
    ['a student', async () => (await newStudent(stack, [])).token],
    ['the secret key', async () => stack.secretKey],
    ['a secret that is one character off', async () => `${(await pipelineSecret(stack)).slice(0, -1)}!`],
  ])('does not open to %s', async (_, token) => {
    expect(await requestDelivery(stack, await token())).toMatchObject({
      status: 401,
      body: { code: 'unauthorized' },
    })
  })

  test('rejects a webhook of another table', async () => {
    const secret = await pipelineSecret(stack)
    expect(await requestDelivery(stack, secret, { table: 'analysis_jobs' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_parameters' },
    })
  })
})
