import type { Browser, BrowserContext, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { serveApp } from '../../../demo/apps.ts'
import type { Student } from '../../../harness/factories/students.ts'
import type { Project } from '../../../harness/stack/project.ts'
import { sharedChromium } from '../../browser/chromium.ts'

/** The staff's app, and a browser. */
export type Served = { browser: Browser; url: string; close(): void }

export async function serveStaff(project: Project): Promise<Served> {
  const app = await serveApp('staff', project, { port: 0 })
  const browser = await sharedChromium()
  const address = app.address()
  if (address === null || typeof address === 'string') throw new Error('The app has no port.')
  return {
    browser,
    url: `http://127.0.0.1:${address.port}`,
    close() {
      app.close()
      app.closeAllConnections()
    },
  }
}

export const PHONE = { width: 390, height: 844 }
export const DESK = { width: 1280, height: 800 }

type Options = {
  viewport?: { width: number; height: number }
  locale?: string
  colorScheme?: 'light' | 'dark'
}

/** A browser of its own with the app, in which somebody is signed in, or nobody. */
export async function newDesk(
  { browser, url }: Served,
  person: Student | null,
  { viewport = DESK, locale = 'en-GB', colorScheme = 'light' }: Options = {},
): Promise<{ context: BrowserContext; open(screen?: string): Promise<Page> }> {
  const context = await browser.newContext({ locale, viewport, colorScheme })
  onTestFinished(() => context.close())
  if (person) {
    const { data } = await person.client.auth.getSession()
    await context.addInitScript((session) => {
      // Once: what the app has made of it since stays.
      if (localStorage.getItem('signed-in')) return
      localStorage.setItem('signed-in', 'yes')
      localStorage.setItem('wellbeing.staff-session', session)
      localStorage.setItem('wellbeing.staff-active', String(Date.now()))
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
