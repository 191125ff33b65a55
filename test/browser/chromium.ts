import { existsSync } from 'node:fs'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'

/** The browser of the machine. */
export const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Whether there is a browser to look at pages with. */
export const hasChromium = existsSync(EXECUTABLE)

/** Says in a test's title why it is skipped. */
export const withoutChromium = hasChromium ? '' : ` (skipped: no Chromium at ${EXECUTABLE})`

let started: Promise<Browser> | undefined

/**
 * The browser of this worker, which asks nobody but the pages that it is shown. The files that the worker runs share it, each visit in
 * a session of its own; it ends with the worker.
 */
export function sharedChromium(): Promise<Browser> {
  started ??= chromium.launch({
    executablePath: EXECUTABLE,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  return started
}

export type Visit = { page: Page; hosts: Set<string>; close(): Promise<void> }

/** Opens a page in a session of its own and notes every host that it asks. */
export async function visit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
  const context: BrowserContext = await browser.newContext({ locale: 'en-GB', ...options })
  const page = await context.newPage()
  const hosts = new Set<string>()
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url())
    if (protocol !== 'data:') hosts.add(host)
  })
  return { page, hosts, close: () => context.close() }
}
