import { describe, expect, inject, test } from 'vitest'
import { ZONE_GROUPS } from '../../../functions/_shared/support/pages/time-zones.ts'
import { requireDescribed, servedDocument } from '../../../harness/client/described-response.ts'
import {
  codeOfFirstText,
  newInvitedContact,
  newNumber,
  newStudentWithCircle,
  newToken,
} from '../../../harness/factories/support-contacts.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')
const PATH = '/api/buddy/verify'
const ZONE = 'Europe/Berlin'

/** A contact who was sent an email. */
async function newInvited(names: { student?: string; contact?: string } = {}) {
  const student = await newStudentWithCircle(project, names.student)
  const phone = newNumber()
  const invited = await newInvitedContact(project, student, {
    ...{ phone, ...(names.contact && { name: names.contact }) },
  })
  return { student, ...invited, phone }
}

/** Asks for the page, whose response has to be as the served description says. */
async function ask(
  query: string | { token?: string; action?: string; reason?: string; language?: string },
  init: RequestInit = {},
) {
  const response = await fetch(
    `${project.apiUrl}/functions/v1${PATH}?${new URLSearchParams(typeof query === 'string' ? query : { ...query })}`,
    init,
  )
  const method = init.method ?? 'GET'
  if (method !== 'HEAD')
    await requireDescribed(await servedDocument(project), { path: PATH, method }, response)
  return { status: response.status, html: await response.text() }
}

function submit(token: string, form: object) {
  return ask({ token }, { method: 'POST', body: new URLSearchParams({ ...form }) })
}

/** All that a decision changes. */
function stateOf(contact: string) {
  return withDatabase(project, async (sql) => {
    const [row] = await sql`
      select verified, is_active, declined_at, verified_at, time_zone, texts_at_night
      from public.buddy_contacts where id = ${contact}`
    const audit = await sql`
      select a.event_type, a.metadata, o.ip_address, o.user_agent
      from public.buddy_verification_audit a
      left join private.buddy_verification_origins o on o.entry_id = a.id
      where a.buddy_contact_id = ${contact}
      order by a.created_at`
    return { ...row, audit }
  })
}

describe('the page of a verification', () => {
  test('says who asks, what a contact does, what is kept and how to stop', async () => {
    const { token } = await newInvited()
    const { status, html } = await ask({ token })
    expect(status).toBe(200)
    for (const part of [
      'Will you be a support contact for Robin?',
      'Hi Sam.',
      'What a contact does',
      'What we keep',
      'How to stop',
      'Reply STOP',
    ]) {
      expect(html).toContain(part)
    }
    expect(html.match(/\bscores?\b|\brisk\b|\btheme|\btranscript|action=(accept|decline)/i)).toBeNull()
  })

  test('is opened, asked for its headers, and sent with nothing filled in, and nothing changes', async () => {
    const { token, contact } = await newInvited()
    const before = await stateOf(contact)
    for (let time = 0; time < 3; time++) await ask({ token })
    await ask({ token }, { method: 'HEAD' })
    for (const action of ['accept', 'decline']) {
      expect((await ask({ token, action }, { method: 'HEAD' })).status).toBe(200)
    }
    for (const form of [
      {},
      { decision: 'accept' },
      { decision: 'accept', time_zone: '' },
      { decision: 'accept', texts_at_night: 'yes' },
      { decision: 'accept', time_zone: 'Atlantis/City', agreed: 'yes' },
      { decision: 'accept', time_zone: 'Europe/Dublin' },
      { decision: 'decline' },
      { decision: 'decline', why: '', reason: '' },
    ]) {
      const { status, html } = await submit(token, form)
      expect([status, html.includes('role="alert"')]).toEqual([422, true])
    }
    // A code before an agreement is none: the page is shown as it is.
    expect((await submit(token, { decision: 'confirm', code: '123456' })).status).toBe(200)
    expect(await stateOf(contact)).toEqual(before)
  })

  test('says that an address is wrong which asks for something else than to agree or to decline', async () => {
    const { token, contact } = await newInvited()
    const before = await stateOf(contact)
    for (const action of ['maybe', 'ACCEPT', 'accept,decline', '']) {
      const { status, html } = await ask({ token, action })
      expect([action, status, html.includes('This link does not work')]).toEqual([action, 400, true])
      expect(html).not.toMatch(/<form|Robin|Sam/)
    }
    expect(await stateOf(contact)).toEqual(before)
    expect((await ask({ token })).status).toBe(200)
  })

  test.each([
    ['two actions', (token: string) => `token=${token}&action=foo&action=accept`],
    ['the same action twice', (token: string) => `token=${token}&action=decline&action=decline`],
    ['two tokens', (token: string) => `token=${newToken().token}&token=${token}&action=accept`],
  ])('says that an address is wrong which has %s', async (_, queryOf) => {
    const { token, contact } = await newInvited()
    const before = await stateOf(contact)
    const { status, html } = await ask(queryOf(token))
    expect([status, html.includes('This link does not work')]).toEqual([400, true])
    const form = new URLSearchParams({ decision: 'accept', time_zone: ZONE, agreed: 'yes' })
    expect((await ask(queryOf(token), { method: 'POST', body: form })).status).toBe(400)
    expect(await stateOf(contact)).toEqual(before)
  })

  test('takes an agreement, and keeps what was agreed to', async () => {
    const { token, contact } = await newInvited()
    const form = { decision: 'accept', time_zone: ZONE, texts_at_night: 'yes', agreed: 'yes' }
    const { status, html } = await submit(token, form)
    expect([status, html.includes('Thank you, Sam')]).toEqual([200, true])
    const state = await stateOf(contact)
    expect(state).toMatchObject({ verified: true, time_zone: ZONE, texts_at_night: true })
    const accepted = state.audit.filter(({ event_type }) => event_type === 'verification_accepted')
    expect(accepted).toHaveLength(1)
    expect(JSON.stringify(accepted[0]?.metadata)).toContain('I agree to be a support contact for Robin')
    expect(accepted[0]?.ip_address).not.toBeNull()
    expect((await ask({ token })).html).toContain('You have already agreed')
    expect((await ask({ token })).html).toContain('Confirm your number')
    await submit(token, { decision: 'decline', why: 'other' })
    expect(await stateOf(contact)).toEqual(state)
  })

  test.each([
    ['in words', { why: 'other', reason: ' I am moving\r\naway. ' }, 'I am moving  away.'],
    ['from the list', { why: 'unknown_person', reason: '' }, "I don't know this person"],
    ['not at all', { why: 'other', reason: ' ' }, null],
    ['at length', { why: 'other', reason: `${'a'.repeat(499)}😊 and more` }, `${'a'.repeat(499)}😊`],
  ])('takes a decline with a reason %s', async (_, reason, stored) => {
    const { token, contact } = await newInvited()
    const { status, html } = await submit(token, { decision: 'decline', ...reason })
    expect([status, html.includes('You are not a contact')]).toEqual([200, true])
    const { audit, ...state } = await stateOf(contact)
    expect(state).toMatchObject({ verified: false, is_active: false, declined_at: expect.any(Date) })
    const [declined] = audit.filter(({ event_type }) => event_type === 'verification_declined')
    expect(declined?.metadata.reason ?? null).toBe(stored)
    expect((await ask({ token })).html).toContain('You are not a contact')
  })

  test('then takes the code of the text that the number got, with five tries', async () => {
    const { token, phone } = await newInvited()
    await submit(token, { decision: 'accept', time_zone: ZONE, agreed: 'yes' })
    const code = await codeOfFirstText(project, phone)
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    const first = await submit(token, { decision: 'confirm', code: wrong })
    expect([first.status, first.html.includes('This is not the code')]).toEqual([422, true])
    expect(first.html).not.toContain(wrong)
    expect((await submit(token, { decision: 'confirm', code: 'x' })).status).toBe(422)
    // Spaces are how people read six digits out.
    const right = await submit(token, { decision: 'confirm', code: `${code.slice(0, 3)} ${code.slice(3)}` })
    expect([right.status, right.html.includes('There is nothing to do now')]).toEqual([200, true])
    expect((await ask({ token })).html).not.toContain('Confirm your number')

    const other = await newInvited()
    await submit(other.token, { decision: 'accept', time_zone: ZONE, agreed: 'yes' })
    const statuses = []
    for (let tried = 0; tried < 5; tried += 1)
      statuses.push((await submit(other.token, { decision: 'confirm', code: wrong })).status)
    statuses.push(
      (await submit(other.token, { decision: 'confirm', code: await codeOfFirstText(project, other.phone) }))
        .status,
    )
    expect(statuses).toEqual([422, 422, 422, 422, 403, 403])
  })

  test('keeps what was typed, and says all that is missing', async () => {
    const { token } = await newInvited()
    const { status, html } = await submit(token, {
      decision: 'accept',
      texts_at_night: 'yes',
      language: 'fr',
    })
    expect(status).toBe(422)
    for (const part of ['Choose your time zone.', 'Tick the box if you agree.'])
      expect(html).toContain(`<li>${part}</li>`)
    expect(html).toMatch(/name="texts_at_night" value="yes" checked/)
    expect(html).toMatch(/<option value="fr" lang="fr" selected>/)
    const unticked = await submit(token, { decision: 'accept', time_zone: 'Asia/Kolkata' })
    expect(unticked.html).toMatch(/<option value="Asia\/Kolkata" selected>/)
    expect(unticked.html).not.toContain('Choose your time zone.')
    const declined = await submit(token, { decision: 'decline', reason: 'I am "abroad"' })
    expect(declined.html).toContain('value="I am &quot;abroad&quot;"')
  })

  test('has the zone of the country of the number chosen', async () => {
    const { token, contact } = await newInvited()
    const chosen = async (zones: string[]) => {
      await withDatabase(
        project,
        (sql) => sql`update public.buddy_contacts set number_time_zones = ${zones} where id = ${contact}`,
      )
      return /<option value="([^"]*)" selected>/.exec((await ask({ token })).html)?.[1]
    }
    expect(await chosen(['Europe/London'])).toBe('Europe/London')
    expect(await chosen(['Africa/Ceuta', 'Atlantic/Canary', 'Europe/Madrid'])).toBe('Europe/Madrid')
    // Of several the university's, where it is one of them; else nobody can tell which.
    expect(await chosen(['America/New_York', 'America/Los_Angeles'])).toBe('America/New_York')
    expect(await chosen(['America/Chicago', 'America/Los_Angeles'])).toBe(undefined)
  })

  test("is in the student's language until the contact chooses another, which later messages have too", async () => {
    const { token, contact, student } = await newInvited()
    await withDatabase(
      project,
      (sql) => sql`update public.profiles set language = 'de-AT' where user_id = ${student.id}`,
    )
    expect((await ask({ token })).html).toMatch(
      /<html lang="de">[\s\S]*Möchten Sie Kontaktperson für Robin sein\?/,
    )
    const inArabic = await ask({ token, language: 'ar' })
    expect(inArabic.html).toMatch(/<html lang="ar" dir="rtl">[\s\S]*هل تود أن تكون جهة دعم لـ Robin؟/)
    const agreed = await submit(token, { decision: 'accept', time_zone: ZONE, agreed: 'yes', language: 'es' })
    expect(agreed.html).toMatch(/<html lang="es">[\s\S]*Gracias, Sam/)
    expect(agreed.html).toContain(`href="../../buddy/settings/${token}?language=es"`)
    expect((await ask({ token })).html).toContain('Ya ha aceptado')
    expect(await stateOf(contact)).toMatchObject({
      audit: [
        { metadata: { wording: { language: 'de', text: expect.stringContaining('Ich bin einverstanden') } } },
      ],
    })
    const [text] = await withDatabase(
      project,
      (sql) =>
        sql`select body from private.outbox where contact_id = ${contact} and purpose = 'buddy_first_text'`,
    )
    expect(text?.body).toContain('Para aceptar')
  })

  test('says that a link has expired', async () => {
    const { token, contact } = await newInvited()
    await withDatabase(
      project,
      (sql) => sql`
        update public.buddy_contacts set verification_token_expires_at = now() where id = ${contact}`,
    )
    const opened = await ask({ token })
    expect([opened.status, opened.html.includes('This link has expired')]).toEqual([410, true])
    expect((await submit(token, { decision: 'accept', time_zone: ZONE, agreed: 'yes' })).status).toBe(410)
    expect((await ask({ token, action: 'accept' })).status).toBe(410)
    expect(await stateOf(contact)).toMatchObject({ verified: false, declined_at: null })
  })

  test('says that an unknown, a tampered or no link does not work', async () => {
    const { token } = await newInvited()
    const tampered = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`
    for (const query of [{ token: newToken().token }, { token: tampered }, { token: '' }, {}]) {
      const { status, html } = await ask(query)
      // Other tests open unknown links from this address too.
      expect([404, 429]).toContain(status)
      if (status === 404) expect(html).toContain('This link does not work')
    }
  })

  test('shows names as text, without links', async () => {
    const { token } = await newInvited({
      student: '<i>Robin</i> www.evil.example',
      contact: '"><script>alert(1)</script>',
    })
    for (const { html } of [await ask({ token }), await submit(token, { decision: 'decline' })]) {
      expect(html.match(/<script|<i>|evil\.example/)).toBeNull()
      expect(html).toContain('Robin')
    }
  })

  test('offers time zones that the database knows', async () => {
    const zones = new Set(ZONE_GROUPS.flatMap((group) => group.zones.map(({ zone }) => zone)))
    expect(zones.size).toBeGreaterThan(380)
    const known = await withDatabase(
      project,
      (sql) => sql`select name from pg_timezone_names where name = any(${[...zones]})`,
    )
    expect([...zones].filter((zone) => !known.some(({ name }) => name === zone))).toEqual([])
  })
})

describe('the link of the specification, with action', () => {
  test('agrees when it is called', async () => {
    const { token, contact } = await newInvited()
    const { status, html } = await ask({ token, action: 'accept' })
    expect([status, html.includes('Thank you, Sam')]).toEqual([200, true])
    expect(await stateOf(contact)).toMatchObject({ verified: true })
  })

  test('declines with its reason when it is called', async () => {
    const { token, contact } = await newInvited()
    await ask({ token, action: 'decline', reason: `No time${'!'.repeat(600)}` })
    const { audit, ...state } = await stateOf(contact)
    expect(state).toMatchObject({ verified: false, is_active: false })
    expect(audit.find(({ event_type }) => event_type === 'verification_declined')?.metadata.reason).toBe(
      `No time${'!'.repeat(493)}`,
    )
  })
})
