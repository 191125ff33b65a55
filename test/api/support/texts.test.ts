import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  askContact,
  deliveryOf,
  hasOptedOut,
  newNumber,
  newPair,
} from '../../../harness/factories/support-contacts.ts'
import {
  arrive,
  callback,
  incoming,
  newSid,
  signed,
  statusOf,
  stopFrom,
  text,
  withHeader,
} from '../../../harness/factories/twilio-requests.ts'
import { type ConfiguredStack, startConfiguredStack } from '../../../harness/stack/own-stack.ts'
import { localOnly, withDatabase } from '../../../harness/stack/project.ts'
import { type ProviderServer, startProvider } from '../../../harness/stack/provider.ts'
import { functionUrl, PUBLIC_URL, twilioSettings } from '../../../harness/stack/twilio.ts'
import { FORGED_STATUSES, forgedTexts } from '../../attacks/messaging/forged-texts.ts'
import { HOSTILE_TEXTS } from '../../attacks/requests/past-the-functions.ts'
import { dose } from '../../depth.ts'

let provider: ProviderServer
let project: ConfiguredStack
/** Numbers on the provider's own list of opt-outs. */
const blocked = new Set<string>()

beforeAll(async () => {
  provider = await startProvider(({ body }) =>
    blocked.has(new URLSearchParams(body).get('To') ?? '')
      ? { status: 400, body: { code: 21610, status: 400, message: 'x' } }
      : { status: 201, body: { sid: newSid(), status: 'queued' } },
  )
  project = await startConfiguredStack(twilioSettings(provider.url))
})
afterAll(async () => {
  await project.stop()
  await provider.stop()
})

/** In full, thousands of requests take their time. */
const LONG = { timeout: dose(300_000, 3_600_000) }

const STOPPED = 'You get no more texts from this number. Reply START to get them again.'

describe('a text that comes in', localOnly('starts a stack with Twilio'), () => {
  test.each(forgedTexts(() => project.apiUrl))(
    'is refused, and changes nothing, when it %s',
    async (_, requestOf) => {
      const { contact, phone } = await newPair(project)
      const request = await askContact(project, contact, { due: 'later' })
      expect(await arrive(project, requestOf(phone))).toMatchObject({
        status: 403,
        text: expect.stringContaining('"forbidden"'),
      })
      expect(await hasOptedOut(project, phone)).toBe(false)
      expect(await deliveryOf(project, request)).toMatchObject({ status: 'queued' })
    },
  )

  test('is taken from Twilio behind a proxy that changes host and scheme', async () => {
    const phone = newNumber()
    const request = withHeader(
      withHeader(stopFrom(phone), 'x-forwarded-proto', 'http'),
      'x-forwarded-host',
      'internal.example.com',
    )
    expect(project.apiUrl).not.toContain(new URL(PUBLIC_URL).host)
    expect(await arrive(project, request)).toMatchObject({ status: 200 })
    expect(await hasOptedOut(project, phone)).toBe(true)
  })

  test('too large is not read', async () => {
    const request = signed('/buddy/texts', incoming(newNumber(), 'x'.repeat(70_000)))
    expect(await arrive(project, request)).toMatchObject({
      status: 400,
      text: expect.stringContaining('body_too_large'),
    })
  })

  test('that was heard has no effect again', async () => {
    const phone = newNumber()
    const request = stopFrom(phone)
    expect((await arrive(project, request)).text).toContain(STOPPED)
    await text(project, phone, 'START')
    expect(await arrive(project, request)).toMatchObject({
      status: 200,
      text: expect.stringContaining('<Response></Response>'),
    })
    expect(await hasOptedOut(project, phone)).toBe(false)
  })

  test(
    'with hostile words, numbers and ids in it is taken or refused, and repeats nothing of them',
    LONG,
    async () => {
      const some = HOSTILE_TEXTS.filter((_, place) => place % dose(12, 1) === 0)
      for (const hostile of some) {
        for (const fields of [
          incoming(newNumber(), hostile),
          incoming(hostile, 'STOP'),
          incoming(newNumber(), 'hello', { OptOutType: hostile, MessageSid: hostile }),
        ]) {
          const response = await arrive(project, signed('/buddy/texts', fields))
          expect([200, 400, 403], JSON.stringify(hostile).slice(0, 200)).toContain(response.status)
          expect(response.text).not.toMatch(/<script|Error\b|at \w+ \(/)
        }
        const reported = await arrive(
          project,
          callback(crypto.randomUUID(), statusOf(hostile, newSid(), hostile)),
        )
        expect([204, 400, 403], JSON.stringify(hostile).slice(0, 200)).toContain(reported.status)
      }
      const errors = project.logged.filter(
        (line) => /"level":"error"/.test(line) && /"function":"buddy"/.test(line),
      )
      expect(errors).toEqual([])
    },
  )

  test('without a number changes nothing', async () => {
    expect(await text(project, 'EXAMPLE', 'stop')).toBeNull()
  })

  test('leaves neither number nor words in the log', async () => {
    const phone = newNumber()
    await text(project, phone, 'unmistakable-words, stop texting me')
    await expect
      .poll(() =>
        project.logged.some((line) => line.includes('"text_heard"') && line.includes(`…${phone.slice(-2)}"`)),
      )
      .toBe(true)
    const lines = project.logged.join('\n')
    expect(lines).not.toContain(phone)
    expect(lines).not.toContain('unmistakable')
  })
})

describe('a stop', localOnly('starts a stack with Twilio'), () => {
  test('cancels what waits for the number, of all students, and forbids more', async () => {
    const one = await newPair(project)
    const other = await newPair(project, { phone: one.phone })
    const bystander = await newPair(project)
    const requests = [
      await askContact(project, one.contact, { due: 'later' }),
      await askContact(project, other.contact, { due: 'later' }),
    ]
    const untouched = await askContact(project, bystander.contact, { due: 'later' })
    expect(await text(project, one.phone, 'please stop texting me')).toBe(STOPPED)
    for (const request of requests) {
      expect(await deliveryOf(project, request)).toEqual({
        delivery_status: 'cancelled',
        sent: false,
        status: 'cancelled',
        provider_status: null,
        code: 'not_reachable',
      })
    }
    expect(await deliveryOf(project, untouched)).toMatchObject({ status: 'queued' })
    await expect(askContact(project, other.contact)).rejects.toThrow('cannot be asked')
    expect(provider.received.filter(({ body }) => new URLSearchParams(body).get('To') === one.phone)).toEqual(
      [],
    )
  })

  test('is confirmed once, however often and at once it is said', async () => {
    const phone = newNumber()
    const answers = await Promise.all(Array.from({ length: 8 }, () => text(project, phone, 'Please stop')))
    expect(answers.filter((answer) => answer !== null)).toEqual([STOPPED])
    expect(await text(project, phone, 'stop it now')).toBeNull()
    expect(await text(project, phone, 'who are you?')).toBeNull()
  })

  test('is confirmed once in Spanish where it is said so, and a call for help answered', async () => {
    const phone = newNumber()
    const answers = await Promise.all(
      ['No me escriban más', 'BASTA', 'deje de enviarme mensajes', 'Alto'].map((words) =>
        text(project, phone, words),
      ),
    )
    expect(answers.filter((answer) => answer !== null)).toEqual([
      'Ya no recibe mensajes de este servicio. Responda START para recibirlos de nuevo.',
    ])
    expect(await text(project, phone, 'ayuda')).toBeNull()
    expect(await text(project, newNumber(), 'Ayuda')).toContain('contacto de apoyo')
  })

  test.each([
    ['STOP', {}],
    ['basta', { OptOutType: 'STOP' }],
  ])('that Twilio confirms itself (%s) is not confirmed twice', async (words, more) => {
    const phone = newNumber()
    expect(await text(project, phone, words, more)).toBeNull()
    expect(await hasOptedOut(project, phone)).toBe(true)
  })

  test('is lifted by START, which restores no consent that was withdrawn', async () => {
    const kept = await newPair(project)
    const withdrawn = await newPair(project, { phone: kept.phone })
    await text(project, kept.phone, 'STOP')
    await withDatabase(
      project,
      (sql) => sql`
      update public.buddy_contacts
      set is_active = false, priority_rank = null, verified = false, declined_at = now()
      where id = ${withdrawn.contact}`,
    )
    expect(await text(project, kept.phone, 'Start')).toBeNull()
    expect(
      await deliveryOf(project, await askContact(project, kept.contact, { due: 'later' })),
    ).toMatchObject({
      status: 'queued',
    })
    await expect(askContact(project, withdrawn.contact)).rejects.toThrow('cannot be asked')
  })

  test.each(['as it takes the text', 'afterwards'])(
    'that Twilio alone knows is taken over where it says so %s',
    async (when) => {
      const { contact, phone } = await newPair(project)
      const other = await newPair(project, { phone })
      const waiting = await askContact(project, other.contact, { due: 'later' })
      if (when === 'afterwards') {
        const asked = await askContact(project, contact, { due: 'later' })
        await arrive(project, callback(asked.message, statusOf(phone, newSid(), 'failed', '21610')))
        expect(await deliveryOf(project, asked)).toMatchObject({ delivery_status: 'failed', code: '21610' })
      } else {
        blocked.add(phone)
        const asked = await askContact(project, contact)
        await expect
          .poll(() => deliveryOf(project, asked), { timeout: 60_000 })
          .toMatchObject({ delivery_status: 'cancelled', sent: false, code: '21610' })
      }
      expect(await hasOptedOut(project, phone)).toBe(true)
      expect(await deliveryOf(project, waiting)).toMatchObject({ delivery_status: 'cancelled' })
    },
  )
})

describe('a reply', localOnly('starts a stack with Twilio'), () => {
  test('in other words is told once a day that nobody reads it', async () => {
    const { phone } = await newPair(project)
    expect(await text(project, phone, 'She does not pick up')).toContain('call your emergency number')
    expect(await text(project, phone, 'What now?')).toBeNull()
  })

  test('that asks for help is told who writes, why, and how to stop, where Twilio does not say so', async () => {
    const { phone } = await newPair(project)
    const answer = await text(project, phone, 'Help!')
    expect(answer).toContain('support contact')
    expect(answer).toContain('support@northfield.example.edu')
    expect(answer).toContain('Reply STOP')
    expect(await text(project, phone, 'HELP')).toBeNull()
  })
})

describe('what became of a text', localOnly('starts a stack with Twilio'), () => {
  const orders = [
    ['queued', 'sent', 'delivered'],
    ['delivered', 'sent', 'queued'],
    ['sent', 'undelivered', 'sent', 'undelivered'],
    ['undelivered', 'failed', 'sending'],
    ['failed', 'undelivered', 'sent'],
    ['undelivered', 'delivered', 'failed', 'undelivered'],
    ['delivered', 'undelivered', 'delivered'],
  ]
  test.each(orders)('ends the same twice and in any order (%s, %s, %s …)', async (...statuses) => {
    const { contact, phone } = await newPair(project)
    const request = await askContact(project, contact, { due: 'later' })
    const sid = newSid()
    const code = (status: string) =>
      status === 'undelivered' ? '30005' : status === 'failed' ? '30008' : undefined
    for (const status of statuses) {
      const { status: answered } = await arrive(
        project,
        callback(request.message, statusOf(phone, sid, status, code(status))),
      )
      expect(answered).toBe(204)
    }
    const final = ['delivered', 'undelivered', 'failed'].find((one) => statuses.includes(one)) ?? 'sent'
    expect(await deliveryOf(project, request)).toEqual({
      delivery_status: final,
      sent: true,
      status: 'sent',
      provider_status: final,
      code: code(final) ?? null,
    })
  })

  test.each(FORGED_STATUSES)('is refused %s', async (_, requestOf) => {
    const { contact, phone } = await newPair(project)
    const request = await askContact(project, contact, { due: 'later' })
    expect(await arrive(project, requestOf(request.message, phone))).toMatchObject({ status: 403 })
    expect(await deliveryOf(project, request)).toMatchObject({
      delivery_status: 'queued',
      provider_status: null,
    })
  })

  test('of a text that is not known is taken and forgotten', async () => {
    expect(
      await arrive(project, callback(crypto.randomUUID(), statusOf(newNumber(), newSid(), 'delivered'))),
    ).toMatchObject({ status: 204 })
  })

  test('is asked for with every text that is sent', async () => {
    const { contact, phone } = await newPair(project)
    const request = await askContact(project, contact)
    await expect
      .poll(async () => (await deliveryOf(project, request)).delivery_status, { timeout: 60_000 })
      .toBe('sent')
    const [sent] = provider.received.filter(({ body }) => new URLSearchParams(body).get('To') === phone)
    const url = new URLSearchParams(sent?.body).get('StatusCallback') ?? ''
    expect(url).toBe(`${functionUrl('/buddy/text-status')}?message=${request.message}`)
    const fields = statusOf(phone, newSid(), 'delivered')
    expect(await arrive(project, signed(url.slice(functionUrl('').length), fields, url))).toMatchObject({
      status: 204,
    })
    expect(await deliveryOf(project, request)).toMatchObject({ delivery_status: 'delivered', status: 'sent' })
  })
})
