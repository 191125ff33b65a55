import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import { addAuthenticator, codeOf } from '../../../harness/factories/authenticator.ts'
import { startWith } from '../../../harness/factories/check-ins.ts'
import { mailsTo } from '../../../harness/factories/mails.ts'
import { newSession, storeAnalysis, storeScore } from '../../../harness/factories/sessions.ts'
import { newStaff, newStudent, type Student } from '../../../harness/factories/students.ts'
import { newUniversity } from '../../../harness/factories/universities.ts'
import { localOnly, serviceClient, withDatabase } from '../../../harness/stack/project.ts'
import { runAxe } from '../../browser/accessibility.ts'
import { hasChromium, withoutChromium } from '../../browser/chromium.ts'
import { DESK, newDesk, PHONE, type Served, serveStaff } from './app.ts'

const project = inject('project')
const PASSWORD = 'invented-password-1'
const WORDS = 'I cannot go on like this. I want to kill myself and I have a plan to do it tonight.'
const LONG_NAME = 'Alexandria-Wilhelmina Konstantinopolitanskaja-Hohenlohe-Lang' // 60 characters

let served: Served
beforeAll(async () => {
  served = await serveStaff(project)
  await withDatabase(
    project,
    (sql) =>
      sql`update private.messaging_settings set staff_app_url = ${served.url} where staff_app_url is null`,
  )
})
afterAll(() => served?.close())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

/** A counselor of a university with a name. */
async function newCounselor(university: string, first_name: string): Promise<Student> {
  const person = await newStaff(project, 'counselor', university)
  await named(person, { first_name, last_name: 'Invented' })
  return person
}

async function named({ id }: Pick<Student, 'id'>, name: { first_name: string; last_name: string }) {
  const { error } = await serviceClient(project).from('profiles').update(name).eq('user_id', id)
  if (error) throw error
}

/** A student of a university who agrees to all that counselors may see. */
async function newStudentAt(
  university: string,
  first_name: string,
  last_name = 'Invented',
): Promise<Student> {
  const student = await newStudent(project, [])
  const { error } = await serviceClient(project)
    .from('profiles')
    .update({ university_id: university, first_name, last_name })
    .eq('user_id', student.id)
  if (error) throw error
  const all = { kinds: ['audio', 'camera', 'counselor_access'], version: '2026-11' } as const
  for (const consents of [
    { ...all, kinds: [...all.kinds] },
    { kinds: ['text' as const], version: '2026-11.2' },
  ]) {
    const given = await student.client.rpc('grant_consents', consents)
    if (given.error) throw given.error
  }
  return student
}

/** Says in a check-in what opens a review with high risk, and gives the review's id. */
async function sayCrisis(student: Student): Promise<string> {
  const { id } = await startWith(project, student, {})
  const { status } = await call(project, student.token, 'POST', `checkins/${id}/complete`, {
    transcript: WORDS,
  })
  expect(status).toBe(200)
  return reviewOf(student)
}

/** Opens a review of somebody whose session shows high risk. */
async function showRisk(student: Student): Promise<string> {
  const session = await newSession(student.client)
  await withDatabase(project, (sql) => storeAnalysis(sql, student, session, 'text', { risk: 'high' }))
  return reviewOf(student)
}

async function reviewOf({ id }: Student): Promise<string> {
  const [review] = await withDatabase(
    project,
    (sql) => sql<{ id: string }[]>`
      select id from public.clinical_reviews where user_id = ${id} order by opened_at desc limit 1`,
  )
  if (!review) throw new Error('No review was opened')
  return review.id
}

/** What the browser's policy forbids, and what nobody catches. */
function brokenOn(page: Page): string[] {
  const broken: string[] = []
  page.on('pageerror', ({ message }) => broken.push(message))
  page.on('console', (message) => {
    if (/Content Security Policy|Permissions policy|MISSING_TRANSLATION|FORMAT_ERROR/i.test(message.text()))
      broken.push(message.text())
  })
  return broken
}

/** Whatever axe finds on a screen that is settled; and whether it is as wide as the window. */
async function look(page: Page): Promise<void> {
  await page.locator('h1').waitFor()
  await expect.poll(() => page.getByText(/^(Loading|Wird geladen|جارٍ التحميل)/).count()).toBe(0)
  const { violations } = await runAxe(page)
  const where = page.url()
  expect(
    violations.map(({ id, nodes }) => [id, nodes[0]?.html]),
    where,
  ).toEqual([])
  const wide: number = await page.evaluate('document.documentElement.scrollWidth')
  expect(wide, where).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0)
}

/** Presses Tab until something has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab')
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`Not reached by Tab: ${target}`)
}

describe.skipIf(!hasChromium)(`a counselor's screens${withoutChromium}`, () => {
  test(
    'lead from the mail of high risk to "Taken" on a phone with four taps and one code',
    localOnly('reads the inbox'),
    async () => {
      const university = await newUniversity(project)
      const [cora, ada] = [await newCounselor(university, 'Cora'), await newStudentAt(university, 'Ada')]
      const { secret } = await addAuthenticator(cora.client)
      await cora.client.rpc('take_over', { hours: 8 })
      const review = await sayCrisis(ada)
      const mail = await expect
        .poll(async () => (await mailsTo(cora.email)).find(({ subject }) => subject.startsWith('High risk')))
        .toBeDefined()
        .then(async () => (await mailsTo(cora.email)).find(({ subject }) => subject.startsWith('High risk')))
      expect(mail?.text).toContain('Invented University')
      expect(mail?.text).not.toMatch(/Ada/)
      const link = mail?.text.match(/https?:\S+/)?.[0] ?? ''
      expect(new URL(link).hash).toBe(`#/reviews/${review}`)

      let taps = 0
      const tap = async (target: Locator) => {
        taps += 1
        await target.click()
      }
      const desk = await newDesk(served, null, { viewport: PHONE })
      const page = await desk.context.newPage()
      taps += 1 // the link in the mail
      await page.goto(`${served.url}/${new URL(link).hash}`)
      // As a password manager fills them in.
      await page.locator('[name=email]').fill(cora.email)
      await page.locator('[name=current-password]').fill(PASSWORD)
      await tap(button(page, 'Sign in'))
      await page.locator('[name=code]').fill(codeOf(secret))
      await tap(button(page, 'Continue'))
      await heading(page, 'Ada Invented').waitFor()
      await tap(button(page, 'Take'))
      await page.getByText('Taken.').waitFor()
      expect(taps).toBeLessThanOrEqual(4)
      // Whoever looks at the browser's history learns nobody's name.
      expect(await page.title()).not.toContain('Ada')
      const { data } = await cora.client.rpc('review_queue')
      expect(data).toMatchObject([{ id: review, status: 'claimed', claimed_by: cora.id }])
    },
  )

  test.each([
    ['a phone', PHONE],
    ['a desk', DESK],
  ])('take a review from its beginning to its end on %s', async (_, viewport) => {
    const university = await newUniversity(project)
    const [cora, cyd] = [await newCounselor(university, 'Cora'), await newCounselor(university, 'Cyd')]
    const ada = await newStudentAt(university, 'Ada')
    const desk = await newDesk(served, cora, { viewport })
    const page = await desk.open('reviews')
    const broken = brokenOn(page)
    const seen = page.getByRole('table', { name: 'Nobody has these' })

    // The queue: nobody waits, then somebody does, without anything being pressed.
    await page.getByText('Nobody is waiting.').waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await look(page)
    await sayCrisis(ada)
    await seen.getByRole('link', { name: 'Ada Invented' }).waitFor({ timeout: 10_000 })
    await look(page)

    // One review: why, who, and what the words were.
    await seen.getByRole('link', { name: 'Ada Invented' }).click()
    await page.locator('mark').getByText('I want to kill myself').waitFor()
    await page.getByRole('link', { name: ada.email }).waitFor()
    await page.getByText('Words of wanting to die, or of suicide').waitFor()
    await look(page)
    await button(page, 'Take').click()
    await page.getByText('You have had this review since').waitFor()
    await page.getByText(/Write a note or close it by/).waitFor()
    await look(page)
    await page.getByRole('textbox', { name: 'Note' }).fill('Called at 02:10, is with a friend.')
    await button(page, 'Keep the note').click()
    await page.getByText('The note is kept.').waitFor()
    await page.getByText('There is a note, so it does not lapse.').waitFor()
    expect(await page.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('')

    // Handed over: the colleague closes it, and it is reopened.
    await button(page, 'Hand over').click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('Ada Invented').waitFor()
    await look(page)
    await dialog.getByLabel('Colleague').selectOption({ label: 'Cyd Invented' })
    await dialog.getByRole('button', { name: 'Hand over' }).click()
    await page.getByText('Handed over to Cyd Invented').waitFor()
    await page.getByText('Cyd Invented has had this review since').waitFor()
    const review = await reviewOf(ada)
    await cyd.client.rpc('reopen_review', { review_id: review })
    await button(page, 'Take').click()
    await button(page, 'Close the review').click()
    await dialog.getByLabel('Outcome').selectOption({ label: 'Safety plan made' })
    await dialog.getByLabel('Last note').fill('Plan made.')
    await look(page)
    await dialog.getByRole('button', { name: 'Close the review' }).click()
    await page.getByText('Safety plan made').waitFor()
    await look(page)
    await button(page, 'Undo').click()
    await page.getByText('You have had this review since').waitFor()
    await button(page, 'Close the review').click()
    await dialog.getByLabel('Outcome').selectOption({ label: 'Referred to treatment' })
    await dialog.getByRole('button', { name: 'Close the review' }).click()
    await page.getByText('Referred to treatment').waitFor()
    await page.goto(`${served.url}/#/reviews/closed`)
    await page.getByRole('cell', { name: 'Referred to treatment' }).waitFor()
    await look(page)
    await page.getByRole('link', { name: 'Ada Invented' }).click()
    await button(page, 'Reopen').click()
    await dialog.getByRole('button', { name: 'Reopen' }).click()
    await page.getByText('Nobody has this review yet.').waitFor()
    expect(broken).toEqual([])
  })

  test.each([
    ['a phone', PHONE],
    ['a desk', DESK],
  ])('find a student, write to them, and plan who is on call, on %s', async (_, viewport) => {
    const university = await newUniversity(project)
    const [cora, ada] = [await newCounselor(university, 'Cora'), await newStudentAt(university, 'Ada')]
    const desk = await newDesk(served, cora, { viewport })
    const page = await desk.open('students')
    const broken = brokenOn(page)
    const dialog = page.getByRole('alertdialog')

    // Students: search, one of them with history, and a kind message.
    for (const score of [52, 61]) {
      const session = await newSession(ada.client)
      await withDatabase(project, (sql) => storeScore(sql, ada, session, score))
    }
    await page.getByLabel('Search by name').fill('nobody of this name')
    await page.getByText('Nobody with this name.').waitFor()
    await page.getByLabel('Search by name').fill('ada')
    await page.getByRole('link', { name: 'Ada Invented' }).waitFor()
    await look(page)
    await page.getByRole('link', { name: 'Ada Invented' }).click()
    await heading(page, 'Signs of life').waitFor()
    await page.getByRole('img', { name: /Scores over time/ }).waitFor()
    await look(page)
    await button(page, 'Write to the student').click()
    await dialog.getByLabel('What it says').selectOption({ label: 'Come by whenever you like' })
    await look(page)
    await dialog.getByRole('button', { name: 'Send' }).click()
    await page
      .getByText(/^(To be sent|Sent) \d/)
      .first()
      .waitFor()
    await button(page, 'Write to the student').click()
    await dialog.getByRole('button', { name: 'Send' }).click()
    expect(await dialog.getByRole('alert').textContent()).toContain(
      'A counselor has written to this student within a day.',
    )
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    // Cover: nobody, then the counselor; a shift that is entered, removed and entered again.
    await page.goto(`${served.url}/#/cover`)
    await page.getByText('Nobody is on call now.').waitFor()
    await look(page)
    await button(page, 'Take over now').click()
    await dialog.getByRole('button', { name: 'Take over now' }).click()
    await page.getByText('You are on call.').waitFor()
    await page.getByRole('listitem').getByText('Cora Invented').waitFor()
    await button(page, 'Remove the shift').click()
    await look(page)
    await dialog.getByRole('button', { name: 'Remove the shift' }).click()
    await page.getByText('Nobody is on call now.').waitFor()
    await button(page, 'Undo').click()
    await page.getByRole('rowheader', { name: 'Cora Invented' }).waitFor()
    await look(page)
    expect(broken).toEqual([])
  })

  test('keep a note that is being written through a lock, a lost network and a way back, and not through a sign-out', async () => {
    const university = await newUniversity(project)
    const [cora, ada] = [await newCounselor(university, 'Cora'), await newStudentAt(university, 'Ada')]
    const review = await showRisk(ada)
    const { open, context } = await newDesk(served, cora, { viewport: PHONE })
    const page = await open('reviews')
    const note = page.getByRole('textbox', { name: 'Note' })
    async function lockAndUnlock() {
      await button(page, 'Lock').click()
      await heading(page, 'Locked').waitFor()
      expect(await page.content()).not.toContain('Half a note')
      await context.setOffline(false)
      await page.locator('[name=current-password]').fill(PASSWORD)
      await page.locator('[type=submit]').click()
    }
    await page.goto(`${served.url}/#/reviews/${review}`)
    await button(page, 'Take').click()
    await page.getByText('You have had this review since').waitFor()
    // Whoever pressed what is gone is still where they were.
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Ada Invented')
    await note.fill('Half a note')
    await lockAndUnlock()
    await page.getByText('What you had typed is here again.').waitFor()
    expect(await note.inputValue()).toBe('Half a note')
    await note.fill('Half a note, and more')
    await context.setOffline(true)
    await button(page, 'Keep the note').click()
    await page.getByRole('alert').getByText('The service cannot be reached.').waitFor()
    await lockAndUnlock()
    expect(await note.inputValue()).toBe('Half a note, and more')
    await page.goBack()
    await heading(page, 'Reviews').waitFor()
    await page.goForward()
    expect(await note.inputValue()).toBe('Half a note, and more')

    await button(page, 'Lock').click()
    await button(page, 'Sign out').click()
    await page.locator('[name=email]').fill(cora.email)
    await page.locator('[name=current-password]').fill(PASSWORD)
    await page.locator('[type=submit]').click()
    await note.waitFor()
    expect(await note.inputValue()).toBe('')
    await note.fill('Is with a friend.')
    await button(page, 'Keep the note').click()
    await page.getByRole('listitem').getByText('Is with a friend.').waitFor()
    expect(await note.inputValue()).toBe('')
  })

  test('are used by keyboard alone: a review is found, taken, written on and closed', async () => {
    const university = await newUniversity(project)
    const [cora, ada] = [await newCounselor(university, 'Cora'), await newStudentAt(university, 'Ada')]
    await showRisk(ada)
    const page = await (await newDesk(served, cora)).open('reviews')
    const { keyboard } = page
    await tabTo(page, page.getByRole('link', { name: 'Ada Invented' }))
    await keyboard.press('Enter')
    await tabTo(page, button(page, 'Take'))
    await keyboard.press('Enter')
    await page.getByText('You have had this review since').waitFor()
    await tabTo(page, page.getByRole('textbox', { name: 'Note' }))
    await keyboard.type('Is with a friend.')
    await tabTo(page, button(page, 'Keep the note'))
    await keyboard.press('Enter')
    await page.getByRole('listitem').getByText('Is with a friend.').waitFor()
    await tabTo(page, button(page, 'Close the review'))
    await keyboard.press('Enter')
    const dialog = page.getByRole('alertdialog')
    await tabTo(page, dialog.getByLabel('Outcome'))
    await keyboard.press('n')
    await tabTo(page, dialog.getByRole('button', { name: 'Close the review' }))
    await keyboard.press('Enter')
    await page.getByText('No risk now').waitFor()
  })

  test('show nothing and do nothing for who was a counselor until a moment ago, in tabs that were open', async () => {
    const university = await newUniversity(project)
    const [cora, ada] = [await newCounselor(university, 'Cora'), await newStudentAt(university, 'Ada')]
    const review = await showRisk(ada)
    const desk = await newDesk(served, cora)
    await desk.context.clock.install()
    const [queue, one] = [await desk.open('reviews'), await desk.open(`reviews/${review}`)]
    const students = await desk.open('students')
    await students.getByText('Ada Invented').waitFor()
    await queue.getByText('Ada Invented').waitFor()
    await heading(one, 'Ada Invented').waitFor()
    await withDatabase(project, (sql) => sql`delete from public.user_roles where user_id = ${cora.id}`)
    await button(one, 'Take').click()
    await expect.poll(() => one.getByText('Ada Invented').count()).toBe(0)
    await desk.context.clock.fastForward(31_000)
    await expect.poll(() => queue.getByText('Ada Invented').count()).toBe(0)
    await desk.context.clock.fastForward(31_000)
    await expect.poll(() => students.getByText('Ada Invented').count()).toBe(0)
    const [stored] = await withDatabase(
      project,
      (sql) => sql`select status, claimed_by from public.clinical_reviews where id = ${review}`,
    )
    expect(stored).toMatchObject({ status: 'open', claimed_by: null })
  })

  test('show a counselor of another university nothing behind a link', async () => {
    const ada = await newStudentAt(await newUniversity(project), 'Ada')
    const review = await showRisk(ada)
    const lou = await newCounselor(await newUniversity(project), 'Lou')
    const page = await (await newDesk(served, lou)).open(`reviews/${review}`)
    await page.getByText('There is no such review that you may see.').waitFor()
    await look(page)
    for (const screen of [`students/${ada.id}`, 'reviews', 'students']) {
      await page.goto(`${served.url}/#/${screen}`)
      await look(page)
      expect(await page.getByText('Ada').count()).toBe(0)
    }
    await page.goto(`${served.url}/#/reviews/no-review`)
    await page.getByText('There is no such review that you may see.').waitFor()
  })

  test.each([
    ['a phone, dark, Arabic', { viewport: PHONE, colorScheme: 'dark', locale: 'ar' }],
    ['a phone, light, German', { viewport: PHONE, colorScheme: 'light', locale: 'de-DE' }],
    ['a desk, dark, German', { viewport: DESK, colorScheme: 'dark', locale: 'de-DE' }],
    ['a desk, light, Arabic', { viewport: DESK, colorScheme: 'light', locale: 'ar' }],
  ] as const)(
    'fit 500 reviews and names of 60 characters, without an accessibility fault: %s',
    async (_, options) => {
      const university = await newUniversity(project)
      const [cora, ada] = [
        await newCounselor(university, LONG_NAME),
        await newStudentAt(university, LONG_NAME, ''),
      ]
      const review = await sayCrisis(ada)
      await withDatabase(project, async (sql) => {
        await sql`
        with people as (
          insert into auth.users (id, email, aud, role, raw_user_meta_data, email_confirmed_at)
          select person, person || ${`@${university}.example.edu`}, 'authenticated', 'authenticated',
            jsonb_build_object('first_name', ${LONG_NAME}::text, 'last_name', ''), now()
          from (select gen_random_uuid() as person from generate_series(1, 499)) as people
          returning id
        )
        insert into public.clinical_reviews (user_id, university_id, source, source_id, risk_level)
        select id, ${university}, 'session', gen_random_uuid(), 'moderate' from people`
      })
      const page = await (await newDesk(served, cora, options)).open('reviews')
      const broken = brokenOn(page)
      await page.locator('tbody tr').nth(29).waitFor()
      expect(await page.locator('tbody tr').count()).toBe(30)
      await look(page)
      await page.evaluate('scrollTo(0, 500)')
      await page.evaluate("document.querySelectorAll('tbody th a')[20].click()")
      await page.waitForURL(/reviews.[0-9a-f]{8}-/)
      await page.locator('main section').first().waitFor()
      await page.goBack()
      await expect.poll(() => page.evaluate('scrollY')).toBe(500)
      for (const screen of [
        `reviews/${review}`,
        'reviews/closed',
        'students',
        `students/${ada.id}`,
        'cover',
      ]) {
        await page.goto(`${served.url}/#/${screen}`)
        await look(page)
      }
      expect(broken).toEqual([])
    },
  )
})
