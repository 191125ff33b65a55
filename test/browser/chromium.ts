import { existsSync } from 'node:fs'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'

export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Starts one that asks nobody but the pages that it is shown. */
export const QUIET_CHROMIUM = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Whether there is a browser to look at pages with. */
export const hasChromium = existsSync(CHROMIUM)

/** Says in a test's title why it is skipped. */
export const withoutChromium = hasChromium ? '' : ` (skipped: no Chromium at ${CHROMIUM})`

let started: Promise<Browser> | undefined

/**
 * The browser of this worker. The files that the worker runs share it, each visit in a session of its own; it ends with the worker.
 */
export function sharedChromium(): Promise<Browser> {
  started ??= chromium.launch({ executablePath: CHROMIUM, args: QUIET_CHROMIUM })
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
