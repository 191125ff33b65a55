import type postgres from 'postgres'
import { describe, expect, inject, test, vi } from 'vitest'
import { requireDescribed, servedDocument } from '../../../harness/client/described-response.ts'
import { newAgent, ofAgent, whilePolicy } from '../../../harness/factories/security-policies.ts'
import type { Student } from '../../../harness/factories/students.ts'
import {
  askContact,
  newContact,
  newStudentWithCircle,
  newToken,
} from '../../../harness/factories/support-contacts.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')
const PHONE =
  'Mozilla/5.0 (Linux; Android 14; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36'
const PERSON = {
  'user-agent': PHONE,
  'sec-fetch-user': '?1',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
}

/** What expands links in messages, and scans them, as they call themselves. */
const MACHINES = [
  'WhatsApp/2.23.20.0',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
  'TelegramBot (like TwitterBot)',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/131.0.0.0 Safari/537.36',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
  'curl/8.5.0',
]

/** The pages' folders: of a student's request, and of an alert. */
const FOLDERS = ['checkin', 'alert'] as const

type Asked = { student: Student; contact: string; request: string; token: string; path: string }

/** A contact who was asked. */
async function newAsked(
  folder: (typeof FOLDERS)[number] = 'checkin',
  names: { student?: string; contact?: string } = {},
): Promise<Asked> {
  const student = await newStudentWithCircle(project, names.student)
  const contact = await newContact(project, student, { ...(names.contact && { name: names.contact }) })
  const type = folder === 'checkin' ? 'user_initiated' : 'system_initiated'
  const asked = await askContact(project, contact, { type })
  return { student, contact, ...asked, path: `/buddy/${folder}/${asked.token}` }
}

/** Opens a page, whose response has to be as the served description says. */
async function open(path: string, init: RequestInit = {}): Promise<{ response: Response; html: string }> {
  const response = await fetch(`${project.apiUrl}/functions/v1${path}`, init)
  const template = path.replace(/[^/]+$/, '{token}')
  const call = { path: template, method: init.method ?? 'GET' }
  if (call.method !== 'HEAD') await requireDescribed(await servedDocument(project), call, response)
  return { response, html: await response.text() }
}

function submit(path: string, form: object) {
  return open(path, { method: 'POST', body: new URLSearchParams({ ...form }) })
}

/** All that an answer or a stop would change. */
function stateOf({ request, contact }: Asked) {
  return withDatabase(project, async (sql) => {
    const [asked] = await sql`
      select response_type, response_received_at, link_clicked_at
      from public.buddy_check_in_requests where id = ${request}`
    const [person] = await sql`
      select verified, is_active, declined_at from public.buddy_contacts where id = ${contact}`
    return { ...asked, ...person }
  })
}

const UNTOUCHED = {
  response_type: null,
  response_received_at: null,
  link_clicked_at: null,
  verified: true,
  is_active: true,
  declined_at: null,
}

/** Runs a test that other tests' unknown links would disturb, with none of them counted. */
function withoutUnknownLinks(check: (sql: postgres.Sql) => Promise<void>): Promise<void> {
  return withDatabase(project, (sql) =>
    vi.waitFor(
      async () => {
        await sql`delete from private.rate_limit_uses where scope = 'unknown-link'`
        await check(sql)
      },
      { timeout: 20_000, interval: 100 },
    ),
  )
}

describe.each(FOLDERS)('the page /buddy/%s', (folder) => {
  test('is opened by machines, again and again, and nothing changes', async () => {
    const asked = await newAsked(folder)
    for (const agent of MACHINES) {
      const { response } = await open(asked.path, { headers: { ...PERSON, 'user-agent': agent } })
      expect(response.status).toBe(200)
    }
    const { 'sec-fetch-user': _, ...unasked } = PERSON
    await open(asked.path, { headers: unasked })
    for (const purpose of ['prefetch', 'prefetch;prerender', 'prefetch;anonymous-client-ip']) {
      await open(asked.path, { headers: { ...PERSON, 'sec-purpose': purpose } })
    }
    for (const headers of [PERSON, {}]) {
      const { response, html } = await open(asked.path, { method: 'HEAD', headers })
      expect([response.status, html]).toEqual([200, ''])
    }
    expect(await stateOf(asked)).toEqual(UNTOUCHED)
  })

  test('counts the first click of a person, and no other', async () => {
    const asked = await newAsked(folder)
    await open(asked.path, { headers: PERSON })
    const first = await stateOf(asked)
    expect(first).toEqual({ ...UNTOUCHED, link_clicked_at: expect.any(Date) })
    await open(asked.path, { headers: PERSON })
    expect(await stateOf(asked)).toEqual(first)
  })

  test.each([
    ['called', 'called'],
    ['Messaged', 'messaged'],
    ['Unavailable', 'unavailable'],
  ])('takes the answer %s once, and thanks', async (sent, stored) => {
    const asked = await newAsked(folder)
    const { response, html } = await submit(asked.path, { response: sent })
    expect(response.status).toBe(200)
    expect(html).toContain('Thank you, Sam')
    const state = await stateOf(asked)
    expect(state).toMatchObject({
      response_type: stored,
      response_received_at: expect.any(Date),
      link_clicked_at: expect.any(Date),
      verified: true,
    })
    const other = stored === 'called' ? 'messaged' : 'called'
    expect((await submit(asked.path, { response: other })).html).toContain('Thank you, Sam')
    expect(await stateOf(asked)).toEqual(state)
    const again = await open(asked.path, { headers: PERSON })
    expect([again.response.status, again.html.includes('type="radio"')]).toEqual([200, false])
  })

  test('is sent with every button pressed and nothing chosen, and nothing changes', async () => {
    const asked = await newAsked(folder)
    for (const form of [
      {},
      { response: '' },
      { response: 'yes' },
      { form: 'stop' },
      { form: 'stop', stop: '' },
    ]) {
      const { response, html } = await submit(asked.path, form)
      expect(response.status).toBe(422)
      expect(html).toContain('role="alert"')
    }
    expect(await stateOf(asked)).toEqual(UNTOUCHED)
  })

  test('ends being a contact where the box is ticked', async () => {
    const asked = await newAsked(folder)
    const { response, html } = await submit(asked.path, { form: 'stop', stop: 'yes' })
    expect([response.status, html.includes('You are no longer a contact')]).toEqual([200, true])
    expect(await stateOf(asked)).toMatchObject({ is_active: false, declined_at: expect.any(Date) })
    const after = await open(asked.path)
    expect([after.response.status, after.html.includes('You are no longer a contact')]).toEqual([410, true])
    expect((await submit(asked.path, { response: 'called' })).response.status).toBe(410)
    expect(await stateOf(asked)).toMatchObject({ response_type: null })
  })

  test('says that a link has expired, and takes no answer and no stop then', async () => {
    const asked = await newAsked(folder)
    await withDatabase(
      project,
      (sql) => sql`update private.buddy_links set expires_at = now() where request_id = ${asked.request}`,
    )
    for (const opened of [
      await open(asked.path, { headers: PERSON }),
      await submit(asked.path, { response: 'called' }),
      await submit(asked.path, { form: 'stop', stop: 'yes' }),
    ]) {
      expect(opened.response.status).toBe(410)
      expect(opened.html).toContain('This link has expired')
    }
    expect(await stateOf(asked)).toEqual(UNTOUCHED)
  })

  test('says that a request is over once the student withdrew their consent, and names nobody', async () => {
    const asked = await newAsked(folder)
    await withDatabase(
      project,
      (sql) => sql`
        update public.consents set withdrawn_at = now()
        where user_id = ${asked.student.id} and kind = 'support_circle'`,
    )
    const { response, html } = await open(asked.path)
    expect(response.status).toBe(410)
    expect(html).toContain('This request was taken back')
    expect(html).not.toMatch(/Robin|Sam\b/)
    expect((await submit(asked.path, { response: 'called' })).response.status).toBe(410)
    expect(await stateOf(asked)).toMatchObject({ response_type: null })
  })

  test('says that an unknown or tampered link does not work', async () => {
    const { token, path } = await newAsked(folder)
    const tampered = `${token.slice(0, -1)}0`
    for (const wrong of [newToken().token, tampered, `${token}=`, 'x'.repeat(64)]) {
      await withoutUnknownLinks(async () => {
        const { response, html } = await open(path.replace(token, wrong))
        expect(response.status).toBe(404)
        expect(html).toContain('This link does not work')
        expect((await submit(path.replace(token, wrong), { response: 'called' })).response.status).toBe(404)
      })
    }
  })
})

/** Makes a contact's request the one of an alert, with columns of it; its text is taken for sent. */
function alertOf({ student, contact, request }: Asked, columns: Record<string, unknown> = {}) {
  const row = { id: crypto.randomUUID(), user_id: student.id, worrying_days: 4, step: 1, ...columns }
  return withDatabase(project, async (sql) => {
    // It would be cancelled, and its link with it, if it had not gone out before the alert ended.
    await sql`delete from private.outbox where request_id = ${request}`
    await sql`insert into public.support_alerts ${sql(row)}`
    await sql`
      insert into private.support_alert_plan (alert_id, position, step, contact_id, request_id)
      values (${row.id}, 1, 1, ${contact}, ${request})`
    return row.id
  })
}

test('the page of an alert says over how many days', async () => {
  const asked = await newAsked('alert')
  await alertOf(asked)
  expect((await open(asked.path)).html).toContain('Over 4 days we have noticed patterns that concern us.')
})

describe('the page of an alert that is over says what is true now:', () => {
  test('that the student is all right', async () => {
    const asked = await newAsked('alert')
    await alertOf(asked, { status: 'resolved', all_right_at: new Date(), ended_at: new Date() })
    const { response, html } = await open(asked.path)
    expect([response.status, html.includes('Robin has said that all is well')]).toEqual([200, true])
    expect(html).not.toContain('Send my answer')
  })

  test('that somebody else was in touch', async () => {
    const asked = await newAsked('alert')
    const alert = await alertOf(asked)
    const other = await newContact(project, asked.student, { name: 'Kim', priority_rank: 2 })
    const { request, token } = await askContact(project, other, { type: 'system_initiated' })
    await withDatabase(
      project,
      (sql) => sql`
        insert into private.support_alert_plan (alert_id, position, step, contact_id, request_id)
        values (${alert}, 2, 1, ${other}, ${request})`,
    )
    await submit(`/buddy/alert/${token}`, { response: 'called' })
    const { html } = await open(asked.path)
    expect(html).toContain('Somebody else has been in touch with Robin')
    expect(html).not.toContain('Kim')
  })

  test('that it ended, while an answer still counts', async () => {
    const asked = await newAsked('alert')
    await alertOf(asked, { status: 'escalated', ended_at: new Date() })
    expect((await open(asked.path)).html).toContain('This alert has ended')
    expect((await submit(asked.path, { response: 'called' })).html).toContain('Thank you, Sam')
  })
})

describe('the page of time zone and language', () => {
  const settings = (path: string) => path.replace(/(checkin|alert)/, 'settings')

  test('stores what the contact chooses, also for a text that waits', async () => {
    const asked = await newAsked()
    await withDatabase(
      project,
      (sql) =>
        sql`update private.outbox set send_at = now() + interval '5 hours' where request_id = ${asked.request}`,
    )
    const link = /href="([^"]*settings[^"]*)"/.exec((await open(asked.path)).html)?.[1]
    expect(link).toBe(`../settings/${asked.token}?language=en`)
    const { response, html } = await submit(settings(asked.path), {
      ...{ time_zone: 'Europe/Berlin', texts_at_night: 'yes', language: 'de' },
    })
    expect([response.status, html.includes('Gespeichert')]).toEqual([200, true])
    const [row] = await withDatabase(
      project,
      (sql) => sql`
        select c.time_zone, c.language, c.texts_at_night, o.send_at <= now() as is_due
        from public.buddy_contacts c join private.outbox o on o.contact_id = c.id where c.id = ${asked.contact}`,
    )
    expect(row).toEqual({ time_zone: 'Europe/Berlin', language: 'de', texts_at_night: true, is_due: true })
    expect((await open(asked.path)).html).toMatch(/<html lang="de">[\s\S]*Robin bittet Sie, sich zu melden/)
  })

  test('says all that is missing, and keeps what was chosen', async () => {
    const asked = await newAsked()
    const { response, html } = await submit(settings(asked.path), { texts_at_night: 'yes', language: 'xx' })
    expect(response.status).toBe(422)
    for (const part of ['Choose your time zone.', 'Choose a language.', 'value="yes" checked']) {
      expect(html).toContain(part)
    }
  })

  test('is nobody’s by a link that is over', async () => {
    const asked = await newAsked()
    await submit(asked.path, { form: 'stop', stop: 'yes' })
    await withoutUnknownLinks(async () => {
      expect((await open(settings(asked.path))).response.status).toBe(404)
    })
  })
})

describe('what a browser is shown in place of an error', () => {
  const browser = {
    accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8',
    'accept-language': 'fr-CA, en;q=0.8',
  }
  const fetched = async (path: string, init: RequestInit) => {
    const response = await fetch(`${project.apiUrl}/functions/v1${path}`, init)
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      html: await response.text(),
    }
  }

  test.each([
    [
      'an address that there is not',
      '/buddy/chekin/abc',
      { headers: browser },
      404,
      'Cette page n’existe pas',
    ],
    ['the function itself', '/buddy', { headers: browser }, 404, 'Cette page n’existe pas'],
    [
      'another method',
      '/buddy/alert/abc',
      { method: 'PUT', headers: browser },
      405,
      'ne s’utilise pas ainsi',
    ],
    [
      'another method of the page to agree',
      '/api/buddy/verify?token=a',
      { method: 'PUT', headers: browser },
      405,
      'ne s’utilise',
    ],
  ])('is a page in its language: %s', async (_, path, init, status, words) => {
    const shown = await fetched(path, init)
    expect(shown).toMatchObject({ status, type: 'text/html; charset=utf-8' })
    expect(shown.html).toContain('<html lang="fr">')
    expect(shown.html).toContain(words)
    expect(shown.html).toContain('href="tel:112"')
  })

  test("is in the contact's own language where the link is theirs", async () => {
    const asked = await newAsked()
    await withDatabase(
      project,
      (sql) => sql`update public.buddy_contacts set language = 'ar' where id = ${asked.contact}`,
    )
    const body = new URLSearchParams({ response: 'called', more: 'x'.repeat(20_000) })
    const { status, html } = await fetched(asked.path, { method: 'POST', headers: browser, body })
    expect([status, html.includes('<html lang="ar" dir="rtl">'), html.includes('لم ينجح ذلك')]).toEqual([
      400,
      true,
      true,
    ])
  })

  test('keeps the link that it is of where another language is chosen', async () => {
    const { html } = await fetched('/api/buddy/verify?token=a', { method: 'PUT', headers: browser })
    expect(html).toContain('href="?token=a&language=de"')
  })

  test('is JSON for a program', async () => {
    expect(await fetched('/buddy/chekin/abc', {})).toMatchObject({
      status: 404,
      type: expect.stringContaining('json'),
    })
  })
})

test('no security policy keeps a contact from answering, and the page to agree says why it is closed', async () => {
  const asked = await newAsked('alert')
  const agent = newAgent()
  const browser = { 'user-agent': agent, accept: 'text/html', 'accept-language': 'de' }
  const policy = { conditions: ofAgent(agent), actions: [{ action: 'block_access' }] }
  await whilePolicy(project, policy, async () => {
    const fetched = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(`${project.apiUrl}/functions/v1${path}`, { headers: browser, ...init })
      return { status: response.status, html: await response.text() }
    }
    const closed = await fetched('/api/buddy/verify?token=unknown')
    expect([closed.status, closed.html.includes('für Ihr Netz zurzeit gesperrt')]).toEqual([403, true])
    expect(closed.html).toContain('findahelpline.com')
    expect((await fetched(`/buddy/settings/${asked.token}`)).status).toBe(403)
    const answered = await fetched(asked.path, {
      method: 'POST',
      body: new URLSearchParams({ response: 'called' }),
    })
    expect([answered.status, answered.html.includes('Thank you, Sam')]).toEqual([200, true])
  })
  expect(await stateOf(asked)).toMatchObject({ response_type: 'called' })
})

describe('every page', () => {
  test('shows names as text, without links and line breaks', async () => {
    const asked = await newAsked('alert', {
      student: '<b>Robin</b>\nhttps://evil.example/x',
      contact: `"><img src=x onerror=alert(1)> www.evil.example`,
    })
    for (const { html } of [await open(asked.path), await submit(asked.path, { response: 'called' })]) {
      expect(html).not.toMatch(/<img|<b>|evil\.example/)
      expect(html).toContain('Robin')
    }
  })

  test('may load nothing, run nothing, be kept by nobody, and tells no other host where it was', async () => {
    const { path } = await newAsked()
    const { headers } = (await open(path)).response
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(headers.get('content-security-policy')).toContain("form-action 'self'")
    expect([
      headers.get('cache-control'),
      headers.get('referrer-policy'),
      headers.get('x-robots-tag'),
      headers.get('set-cookie'),
    ]).toEqual(['no-store', 'no-referrer', 'noindex', null])
  })

  test('names the help of the university and says nothing of scores', async () => {
    for (const folder of FOLDERS) {
      const asked = await newAsked(folder)
      const { html } = await open(asked.path)
      expect(html).toContain('Northfield crisis line')
      expect(html).toContain('href="tel:112"')
      expect(html).not.toMatch(/\bscor(e|es|ing)\b|risk level|high risk|moderate|theme|transcript|diagnos/i)
      expect(html).not.toMatch(/<script|\son\w+=|\ssrc=|@import|url\(/i)
      expect(/<title>(.*)<\/title>/.exec(html)?.[1]).toBe('A request from a friend · Student wellbeing')
    }
  })

  test('takes no other method and no huge form', async () => {
    const asked = await newAsked()
    const address = `${project.apiUrl}/functions/v1${asked.path}`
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const response = await fetch(address, { method, headers: { 'content-type': 'text/plain' } })
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'POST'])
      await response.body?.cancel()
    }
    const huge = await submit(asked.path, { response: 'called', more: 'x'.repeat(20_000) })
    expect([huge.response.status, huge.html.includes('body_too_large')]).toEqual([400, true])
    expect(await stateOf(asked)).toEqual(UNTOUCHED)
  })

  test('is shown while unknown links of the same address are refused', async () => {
    const { path, token } = await newAsked()
    await withoutUnknownLinks(async (sql) => {
      await open(path.replace(token, newToken().token))
      await sql`
        update private.rate_limit_uses u set used_at = array_fill(now(), array[r.requests])
        from private.rate_limit_rules r where r.scope = u.scope and u.scope = 'unknown-link'`
      const { response, html } = await open(path.replace(token, newToken().token))
      expect(response.status).toBe(429)
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(200)
      expect(html).toContain('Too many tries')
      expect((await open(path)).response.status).toBe(200)
      await sql`delete from private.rate_limit_uses where scope = 'unknown-link'`
    })
  })
})
