import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import * as apps from '../../../demo/apps.ts'
import type { Student } from '../../../harness/factories/students.ts'
import { type Project, withDatabase } from '../../../harness/stack/project.ts'
import { chromiumWithDevices } from '../devices.ts'

export type Device = 'microphone' | 'camera'

/** The students' app, and a browser with a microphone and a camera. */
export type Served = { browser: Browser; url: string; close(): Promise<void> }

export async function serveApp(project: Project): Promise<Served> {
  const app = await apps.serveApp('student', project, { port: 0 })
  const { browser, close } = await chromiumWithDevices()
  const address = app.address()
  if (address === null || typeof address === 'string') throw new Error('The app has no port.')
  return {
    browser,
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      await close()
      app.close()
      app.closeAllConnections()
    },
  }
}

/** A phone with the app, which a test leaves behind. */
export type Phone = { context: BrowserContext; open(screen?: string): Promise<Page> }

/** A phone of a student who is signed in, or of a stranger, on which the browser grants what is named. */
export async function newPhone(
  { browser, url }: Served,
  student: Student | null,
  granted: Device[] = ['microphone', 'camera'],
): Promise<Phone> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 390, height: 844 } })
  onTestFinished(() => context.close())
  await context.grantPermissions(granted, { origin: url })
  if (student) {
    const { data } = await student.client.auth.getSession()
    await context.addInitScript((session) => {
      // Once: what the app has made of it since stays.
      if (!localStorage.getItem('signed-in')) localStorage.setItem('wellbeing.session', session)
      localStorage.setItem('signed-in', 'yes')
    }, JSON.stringify(data.session))
  }
  return {
    context,
    async open(screen = '') {
      const page = await context.newPage()
      await page.goto(`${url}/#/${screen}`)
      return page
    },
  }
}

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Turns on what the browser grants, and records for so many seconds; without `finish` it goes on. */
export async function record(page: Page, seconds: number, { finish = true } = {}): Promise<void> {
  await button(page, 'Turn on').click()
  await button(page, 'Start recording').click()
  await page.getByText('Recording.', { exact: true }).waitFor()
  await page.waitForFunction((least) => {
    const [minutes = 0, rest = 0] = (document.querySelector('.clock')?.textContent ?? '')
      .split(':')
      .map(Number)
    return 60 * minutes + rest >= least
  }, seconds)
  if (!finish) return
  await button(page, 'Finish').click()
  await page.getByText(/^Recorded: /).waitFor()
}

/** Records a few seconds, and sends them. */
export async function checkIn(page: Page, seconds = 5): Promise<void> {
  await record(page, seconds)
  await button(page, 'Send').click()
}

/** Waits for the score, which the app shows by itself or after a tap. */
export async function seeScore(page: Page): Promise<void> {
  const result = page.getByRole('heading', { name: 'Your result' })
  const link = page.getByRole('link', { name: 'See the result' }).first()
  await result.or(link).first().waitFor({ timeout: 120_000 })
  if (!(await result.isVisible())) await link.click()
  await page
    .getByText(/^\d+ of 100$/)
    .first()
    .waitFor()
}

/** What became of a student's check-ins, in their order: how many recordings and images each has. */
export function checkInsOf(
  project: Project,
  { id }: Pick<Student, 'id'>,
): Promise<{ status: string; audio: number; images: number }[]> {
  return withDatabase(
    project,
    (sql) => sql<{ status: string; audio: number; images: number }[]>`
      select c.status,
        (select count(*)::integer from private.check_in_media m where m.check_in_id = c.id and m.kind = 'audio') as audio,
        (select count(*)::integer from private.check_in_media m where m.check_in_id = c.id and m.kind <> 'audio') as images
      from checkin.check_ins c where c.user_id = ${id} order by c.created_at`,
  )
}

/** Responds to no call to an address any more, until `release`: what happens meanwhile happens in the middle of it. */
export async function hold(
  context: BrowserContext,
  address: string,
): Promise<{ reached: Promise<void>; release(): Promise<void> }> {
  const reached = Promise.withResolvers<void>()
  await context.route(address, (route) => {
    if (route.request().method() === 'OPTIONS') return route.continue()
    reached.resolve()
    return undefined
  })
  return { reached: reached.promise, release: () => context.unroute(address) }
}

/** Where pictures of plays are put, if anywhere: `SCREENSHOTS=/tmp/pictures`. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
