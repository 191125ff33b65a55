import axe from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { dose } from '../depth.ts'

const DESKTOP = { width: 1280, height: 900 }
const PHONE = { width: 360, height: 740 }

type Screen = readonly [string, BrowserContextOptions]

const LIGHT_DESKTOP: Screen = ['a desktop, light', { viewport: DESKTOP, colorScheme: 'light' }]
const DARK_PHONE: Screen = ['a phone, dark', { viewport: PHONE, colorScheme: 'dark' }]

/** What pages are looked at on; each width and each scheme in `npm test`, every pair of them in depth. */
export const SCREENS: readonly Screen[] = dose(
  [LIGHT_DESKTOP, DARK_PHONE],
  [
    LIGHT_DESKTOP,
    ['a desktop, dark', { viewport: DESKTOP, colorScheme: 'dark' }],
    ['a phone, light', { viewport: PHONE, colorScheme: 'light' }],
    DARK_PHONE,
  ],
)

/** Runs every rule of axe-core; of what is not a violation it names one element a rule, since all would be most of the work. */
export async function runAxe(page: Page): Promise<axe.AxeResults> {
  await page.evaluate(axe.source)
  return page.evaluate<axe.AxeResults>("axe.run({ resultTypes: ['violations'] })")
}

/** What axe-core finds that is serious or critical; the page's policy lets no script in but the browser's own. */
export async function faultsOf(page: Page): Promise<string[]> {
  const results = await runAxe(page)
  expect(results.passes.map(({ id }) => id)).toContain('color-contrast')
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}
