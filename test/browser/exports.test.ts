import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { downloaded, exportOf, type Unpacked, unpacked } from '../../harness/factories/exports.ts'
import { newSession } from '../../harness/factories/sessions.ts'
import { newStudent, type Student } from '../../harness/factories/students.ts'
import { withDatabase } from '../../harness/stack/project.ts'
import { runAxe } from './accessibility.ts'
import { hasChromium, sharedChromium, visit, withoutChromium } from './chromium.ts'

const project = inject('project')
const SCREENS = [
  ['light', { viewport: { width: 360, height: 740 }, colorScheme: 'light' }],
  ['dark', { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' }],
] as const

describe.skipIf(!hasChromium)(`the pages of an export${withoutChromium}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'export-'))
  let browser: Browser
  let student: Student
  let link: string
  beforeAll(async () => {
    browser = await sharedChromium()
    student = await newStudent(project, ['audio', 'camera', 'text', 'support_circle'])
    await newSession(student.client)
    await withDatabase(project, async (sql) => {
      await sql`
        insert into public.buddy_contacts (user_id, name, phone, email, relationship)
        values (${student.id}, '<b>Alex</b>', '+12025550142', 'alex@example.com', 'friend')`
      await sql`
        with added as (
          insert into checkin.check_ins (user_id, type, status, progress, risk_level, submitted_at, completed_at)
          values (${student.id}, 'daily', 'complete', 1, 'mild', now(), now())
          returning id, user_id
        )
        insert into checkin.fusion_results (
          check_in_id, user_id, score, uncertainty, direction_of_change, significance, risk_level, summary, themes, drivers_positive,
          drivers_negative, drivers, components, baseline, algorithm_version
        )
        select id, user_id, 61.25, 0.31, 'same', 'low', 'mild', '<script>alert(1)</script>', '{}', '{}', '{}', '[]', '[]', '{}', 'wb-1.1.0'
        from added`
    })
    const note = `northfield/students/${student.id}/note.txt`
    await student.client.storage
      .from('university-files')
      .upload(note, new Blob(['Mine.'], { type: 'text/plain' }))
    write(folder, unpacked(await downloaded(await exportOf(project, student))))
    const [mail] = await withDatabase(
      project,
      (sql) => sql`select body from private.outbox where user_id = ${student.id} and purpose = 'export'`,
    )
    link = /api\/privacy\/download\?token=[0-9a-f]{64}/.exec(mail?.body)?.[0] ?? ''
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true })
  })

  test.each(SCREENS)('can be read by everybody, on a %s screen', async (_, screen) => {
    const file = pathToFileURL(join(folder, 'wellbeing-export', 'index.html')).href
    for (const address of [file, `${project.apiUrl}/functions/v1/${link}`]) {
      // Only axe itself needs scripts, and to be let in past the page's own policy.
      const { page, close } = await visit(browser, { ...screen, bypassCSP: true })
      await page.goto(address)
      const { violations } = await runAxe(page)
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
      const wide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')
      expect(wide, 'scrolls sideways').toBe(false)
      await close()
    }
  })

  test('shows what is stored as text, asks nobody, and leads to the files', async () => {
    const { page, hosts, close } = await visit(browser)
    await page.goto(pathToFileURL(join(folder, 'wellbeing-export', 'index.html')).href)
    const text = await page.textContent('main')
    expect(text).toContain('<b>Alex</b>')
    expect(text).toContain('<script>alert(1)</script>')
    expect(text).toContain('61.25')
    expect(text).toContain(student.email)
    expect([...hosts].filter((host) => host !== '')).toEqual([])
    await page.click('text=note.txt')
    expect(await page.textContent('body')).toBe('Mine.')
    await close()
  })
})

/** Unpacks an export into a folder, as its reader does. */
function write(folder: string, files: Unpacked): void {
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
}
