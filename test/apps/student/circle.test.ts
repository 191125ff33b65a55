import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { serveApp } from '../../../demo/apps.ts'
import { newStudent, type Student } from '../../../harness/factories/students.ts'
import { nameContact, newContact, newStudentWithCircle } from '../../../harness/factories/support-contacts.ts'
import { faultsOf } from '../../browser/accessibility.ts'
import { hasChromium, sharedChromium, type Visit, visit, withoutChromium } from '../../browser/chromium.ts'
import { button } from './app.ts'

const project = inject('project')
const PHONE = { width: 390, height: 844 }

let app: Awaited<ReturnType<typeof serveApp>>
beforeAll(async () => {
  app = await serveApp('student', project, { port: 0 })
})
afterAll(() => {
  app.close()
  app.closeAllConnections()
})

/** Opens a screen of the app, signed in. */
async function open(student: Student, screen: string, locale = 'en-GB'): Promise<Visit> {
  const visited = await visit(await sharedChromium(), { locale, viewport: PHONE, serviceWorkers: 'block' })
  const { data } = await student.client.auth.getSession()
  await visited.page.addInitScript(
    (session) => localStorage.setItem('wellbeing.session', session),
    JSON.stringify(data.session),
  )
  const address = app.address()
  if (address === null || typeof address === 'string') throw new Error('The app has no port.')
  await visited.page.goto(`http://127.0.0.1:${address.port}/#/${screen}`)
  return visited
}

const namesOn = (page: Page) => page.getByRole('grid').getByRole('heading').allTextContents()
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

/** The names of a student's active contacts, in the order in which the service tells them. */
async function orderOf({ client }: Student): Promise<string[]> {
  const { data } = await client
    .from('buddy_contacts')
    .select('name')
    .eq('is_active', true)
    .order('priority_rank')
  return (data ?? []).map(({ name }) => name)
}

describe.skipIf(!hasChromium)(`the support circle on its screen${withoutChromium}`, () => {
  test('whoever has not agreed to the circle is led to agree', async () => {
    const { page, close } = await open(await newStudent(project, []), 'circle')
    await page.getByRole('link', { name: 'Read and agree' }).click()
    await page.getByRole('heading', { name: 'What you agree to' }).waitFor()
    await close()
  })

  test('people are named, changed, taken out, brought back and removed', async () => {
    const student = await newStudentWithCircle(project)
    const { page, close } = await open(student, 'circle')
    await link(page, 'Add somebody').click()
    await page.getByLabel('Name').fill('Ottoline')
    await page.getByLabel('Mobile number').fill('(202) 555-0143')
    await page.getByLabel('What they are to you').fill('sister')
    await button(page, 'Save').click()
    await expect.poll(() => namesOn(page)).toEqual(['Ottoline'])
    await page.getByText('Needs an email address before they can be asked').waitFor()

    await link(page, 'Edit').click()
    await page.getByLabel('Email address').fill('ottoline@example.com')
    await button(page, 'Save').click()
    await button(page, 'Ask whether they agree').click()
    await page.getByText('The email is on its way.').waitFor()
    await button(page, 'Ask once more').waitFor()

    await link(page, 'Edit').click()
    await button(page, 'Take out for now').click()
    await button(page, 'Back into the circle').click()
    await expect.poll(() => namesOn(page)).toEqual(['Ottoline'])
    await link(page, 'Edit').click()
    await button(page, 'Remove for good').click()
    await button(page, 'Remove for good').click()
    await page.getByText('Nobody is in your circle yet.').waitFor()
    expect(await orderOf(student)).toEqual([])
    await close()
  })

  test('what is wrong is told in the student’s language where it was typed, and stays there', async () => {
    const { page, close } = await open(await newStudentWithCircle(project), 'circle', 'de-DE')
    await link(page, 'Jemanden hinzufügen').click()
    await page.getByLabel('Name').fill('Ottoline')
    await page.getByLabel('Handynummer').fill('555')
    await button(page, 'Speichern').click()
    await page.getByRole('alert').getByText('Das ist keine Handynummer.').waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('Ottoline')
    await close()
  })

  test('the order is changed by buttons, by keyboard and by dragging, and the service has it', async () => {
    const student = await newStudentWithCircle(project)
    for (const name of ['Ada', 'Ben', 'Cleo']) await nameContact(student, { name })
    const { page, close } = await open(student, 'circle')
    const becomes = async (...names: string[]) => {
      await expect.poll(() => namesOn(page)).toEqual(names)
      await expect.poll(() => orderOf(student)).toEqual(names)
    }
    await becomes('Ada', 'Ben', 'Cleo')
    await button(page, 'Move Ben down').click()
    await becomes('Ada', 'Cleo', 'Ben')
    await page.getByRole('status').getByText('Ben is now number 3.').waitFor({ state: 'attached' })
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Move Ben up')

    await page.getByRole('row', { name: 'Ada' }).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Insert between Ada and Cleo' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await becomes('Cleo', 'Ada', 'Ben')

    const below = page.getByRole('row', { name: 'Ben' })
    const height = (await below.boundingBox())?.height ?? 0
    await page.getByRole('row', { name: 'Cleo' }).dragTo(below, {
      sourcePosition: { x: 100, y: 30 },
      targetPosition: { x: 100, y: height - 4 },
    })
    await becomes('Ada', 'Ben', 'Cleo')
    await close()
  })

  test('alerts are paused and go on', async () => {
    const student = await newStudentWithCircle(project)
    const { page, close } = await open(student, 'circle')
    await button(page, 'For 3 days').click()
    await page.getByText('Alerts are paused until').waitFor()
    await button(page, 'End the pause').click()
    await button(page, 'For 3 days').waitFor()
    await close()
  })

  test('a contact who agreed is asked to check in, and what became of it is shown', async () => {
    const student = await newStudentWithCircle(project)
    await newContact(project, student, { name: 'Ottoline' })
    const { page, close } = await open(student, 'circle')
    await button(page, 'Ask to check in with me').click()
    await page.getByText('They get a text now.').waitFor()
    await page.getByText(/^(Will be asked|Was asked) to check in with you/).waitFor()
    await button(page, 'Ask to check in with me').click()
    await page.getByText('That was a lot in a short time.').waitFor()
    await close()
  })
})

describe.skipIf(!hasChromium)(`reminders on their screen${withoutChromium}`, () => {
  test('a reminder is kept on the device, is due at home, and is a file for the calendar', async () => {
    const student = await newStudent(project, [])
    const { page, close } = await open(student, 'reminders')
    const now = await page.evaluate(() => {
      const time = new Date()
      return `${String(time.getHours()).padStart(2, '0')}:${String(time.getMinutes()).padStart(2, '0')}`
    })
    await page.getByLabel('Time').fill(now)
    for (const day of ['Saturday', 'Sunday']) await page.getByText(day).click()
    await button(page, 'Save').click()
    await page.getByText('Saved.').waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Add to my calendar' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('check-in.ics')
    const chunks = await (await file.createReadStream()).toArray()
    expect(Buffer.concat(chunks).toString()).toMatch(
      /^BEGIN:VCALENDAR\r\n.*RRULE:FREQ=WEEKLY;BYDAY=SU,MO,TU,WE,TH,FR,SA\r\n/s,
    )

    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByText('It is time for your check-in, if you like.').waitFor()
    await page.goto(page.url().replace(/#.*/, '#/reminders'))
    await button(page, 'End the reminder').click()
    await page.getByText('There is no reminder any more.').waitFor()
    await close()
  })
})

test.skipIf(!hasChromium)(
  `axe finds nothing on these screens, in light and dark${withoutChromium}`,
  async () => {
    const student = await newStudentWithCircle(project)
    await newContact(project, student, {
      name: 'Ottoline Wiseman-Featherstonehaugh von und zu Hohenstein Kal',
    })
    await nameContact(student, { name: 'مريم الأحمد' })
    for (const locale of ['de-DE', 'ar-EG']) {
      const { page, close } = await open(student, 'circle', locale)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.getByRole('row').first().waitFor()
        expect(await faultsOf(page)).toEqual([])
        await page.getByRole('row').first().getByRole('link').click()
        await page.getByRole('textbox').first().waitFor()
        expect(await faultsOf(page)).toEqual([])
        await page.goBack()
      }
      await page.goto(page.url().replace(/#.*/, '#/reminders'))
      await page.getByRole('checkbox').first().waitFor({ state: 'attached' })
      expect(await faultsOf(page)).toEqual([])
      await close()
    }
  },
)
