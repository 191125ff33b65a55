import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newStaff } from '../../../harness/factories/students.ts'
import { newModule, RIGHT, WRONG } from '../../../harness/factories/training.ts'
import { withDatabase } from '../../../harness/stack/project.ts'
import { runAxe } from '../../browser/accessibility.ts'
import { hasChromium, withoutChromium } from '../../browser/chromium.ts'
import { DESK, newDesk, PHONE, type Served, serveStaff } from './app.ts'

const project = inject('project')

const LONG_NAME = 'Alexandria-Wilhelmina Konstantinopolitanskaja-Hohenlohe-Lang' // 60 characters

let served: Served
beforeAll(async () => {
  served = await serveStaff(project)
})
afterAll(() => served?.close())

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

/** What the browser's policy forbids, and what nobody catches. */
function brokenOn(page: Page): string[] {
  const broken: string[] = []
  page.on('pageerror', ({ message }) => broken.push(message))
  page.on('console', (message) => {
    if (/Content Security Policy|Permissions policy|MISSING_TRANSLATION/i.test(message.text()))
      broken.push(message.text())
  })
  return broken
}

/** Waits until a screen has all that it asks for. */
async function settled(page: Page): Promise<void> {
  await page.locator('h1').waitFor()
  await expect
    .poll(() => page.getByText(/^(Loading|Wird geladen|جارٍ التحميل|Cargando|Chargement)/).count())
    .toBe(0)
}

/** Where pictures of plays are put, if anywhere: `SCREENSHOTS=/tmp/pictures`. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

/** What axe-core finds on a screen, of every rule. */
async function faultsOf(page: Page): Promise<string[]> {
  const { violations } = await runAxe(page)
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

/** A vulnerability as a run leaves it; returns its id. */
function newVulnerability(title: string, severity = 'high'): Promise<string> {
  return withDatabase(project, async (sql) => {
    const [row] = await sql<[{ id: string }]>`
      insert into public.vulnerabilities (probe, fault, title, severity, evidence)
      values ('injection', ${`invented:${crypto.randomUUID()}`}, ${title}, ${severity}::public.vulnerability_severity,
        '{"method": "GET", "path": "/rest/v1/consents?select=*", "status": 200}')
      returning id`
    return row.id
  })
}

describe.skipIf(!hasChromium)(`what a security administrator checks${withoutChromium}`, () => {
  test('a security test is created, run, looked at and switched off', async () => {
    const desk = await newDesk(served, await newStaff(project, 'security_admin'))
    const page = await desk.open('security-tests')
    await heading(page, 'Security tests').waitFor()
    await button(page, 'New security test').click()
    const name = `Doors ${crypto.randomUUID()}`
    await page.getByLabel('Name').fill(name)
    for (const box of await page.getByRole('dialog').getByRole('checkbox').all()) await box.press('Space')
    await page.getByText('Functions that only the database calls, without their secret').click()
    await button(page, 'Create').click()
    await heading(page, name).waitFor()
    await button(page, 'Run now').click()
    await page.getByText('The latest run').waitFor()
    await page
      .getByText('1 of 1 probes have ended')
      .or(page.getByText('Complete', { exact: true }).first())
      .first()
      .waitFor({ timeout: 120_000 })
    await page.getByText('Complete', { exact: true }).first().waitFor({ timeout: 120_000 })
    await page.getByText('Nothing found').waitFor()

    await button(page, 'Change').click()
    await page.getByRole('combobox', { name: 'Schedule' }).selectOption('Weekly')
    await button(page, 'Store').click()
    const schedule = page.getByRole('switch', { name: 'Runs by itself on schedule' })
    await schedule.waitFor()
    await page.getByText('Runs by itself on schedule').click()
    await page.getByText('Switched off').waitFor()
    expect(await schedule.isChecked()).toBe(false)
  })

  test('a vulnerability is accepted for a time, which is undone, and withdrawn', async () => {
    const id = await newVulnerability('Another student’s consents are read')
    const desk = await newDesk(served, await newStaff(project, 'security_admin'), { viewport: PHONE })
    const page = await desk.open('vulnerabilities')
    await page.getByText('Another student’s consents are read').first().click()
    await heading(page, 'Another student’s consents are read').waitFor()
    const accept = async () => {
      await button(page, 'Accept for a time').click()
      const question = page.getByRole('alertdialog')
      await question.getByText('Another student’s consents are read').waitFor()
      await question.getByLabel('Reason').fill('Until the next release of the app.')
      await question.getByRole('button', { name: 'Accept for a time' }).click()
      await page.getByText('The vulnerability is accepted.').waitFor()
    }
    const statusNow = () =>
      withDatabase(project, async (sql) => {
        const [row] = await sql<
          [{ status: string }]
        >`select status from public.vulnerabilities where id = ${id}`
        return row.status
      })
    await accept()
    expect(await statusNow()).toBe('accepted')
    await button(page, 'Undo').click()
    await expect.poll(statusNow).toBe('open')
    await accept()
    await button(page, 'Withdraw the acceptance').click()
    await page.getByText('The vulnerability is open again at once.').waitFor()
    await button(page, 'Withdraw the acceptance').click()
    await expect.poll(statusNow).toBe('open')
  })

  test('a framework is assessed, a control decided with evidence, and its report taken along', async () => {
    const desk = await newDesk(served, await newStaff(project, 'security_admin'))
    const page = await desk.open('compliance')
    await heading(page, 'Compliance').waitFor()
    const before = await page.getByRole('link', { name: /\d{4}/ }).count()
    await button(page, 'Assess GDPR now').click()
    await expect
      .poll(() => page.getByRole('link', { name: /\d{4}/ }).count(), { timeout: 60_000 })
      .toBeGreaterThan(before)
    await page.getByRole('link', { name: 'Art. 13 Information' }).click()
    await heading(page, /^Art. 13/).waitFor()
    await page.getByText('It takes a person to assess this.').waitFor()
    await button(page, 'Decide').click()
    const reason = `The app shows the notice ${crypto.randomUUID()}.`
    await page.getByRole('combobox', { name: 'Decision' }).selectOption('Partial')
    await page.getByLabel('Reason').fill(reason)
    await page.getByLabel('What it is, and what it shows').fill('The notice as it is shown')
    await page.getByLabel('Where it is kept').fill('https://intranet.example.edu/notices/7')
    await button(page, 'Store').click()
    await page.getByText(reason).waitFor()
    await page.getByRole('link', { name: 'https://intranet.example.edu/notices/7' }).waitFor()

    await page.getByRole('link', { name: 'Compliance', exact: true }).first().click()
    await button(page, 'Assess GDPR now').click()
    await expect
      .poll(() => page.getByRole('link', { name: /\d{4}/ }).count(), { timeout: 60_000 })
      .toBeGreaterThan(before + 1)
    await page.getByRole('link', { name: /\d{4}/ }).first().click()
    await heading(page, 'GDPR: compliance report').waitFor()
    await page.getByText(reason).waitFor()
    for (const [label, member] of [
      ['Download as JSON', 'controls'],
      ['Download as OSCAL', 'assessment-results'],
    ] as const) {
      const download = page.waitForEvent('download')
      await button(page, label).click()
      const content: unknown = JSON.parse(await readFile(await (await download).path(), 'utf8'))
      expect(content).toHaveProperty(member)
    }
  })

  test('what the service cannot see is recorded', async () => {
    const desk = await newDesk(served, await newStaff(project, 'security_admin'), { viewport: PHONE })
    const page = await desk.open('compliance/facts')
    await button(page, 'Record').click()
    await page.getByLabel('What was done').selectOption('Exercise of an incident')
    const proof = `Minutes ${crypto.randomUUID()}`
    await page.getByLabel('Where the proof is kept').fill(proof)
    await button(page, 'Store').click()
    await page.getByText(proof).waitFor()
  })

  test('a module is written, previewed, published, assigned, and changed without its answers', async () => {
    const counselor = await newStaff(project, 'counselor')
    const desk = await newDesk(served, await newStaff(project, 'security_admin'))
    const page = await desk.open('training-modules')
    await page.getByRole('link', { name: 'New module' }).click()
    const title = `Locks ${crypto.randomUUID()}`
    await page.getByRole('textbox', { name: 'Title' }).fill(title)
    await page.getByRole('textbox', { name: 'Heading' }).fill('Why')
    await page
      .getByRole('textbox', { name: 'Text' })
      .fill('Lock **it**.\n\n<img src=x onerror=alert(1)>\n\n[Here](javascript:alert(1))')
    await page.getByText('Staff see and take it').click()
    await page.getByRole('tab', { name: 'Questions' }).click()
    await page.getByRole('spinbutton', { name: 'Questions of an attempt' }).fill('1')
    await button(page, 'Add a question').click()
    await page.getByRole('textbox', { name: 'Question', exact: true }).fill('When do you lock it?')
    const answers = page.getByRole('textbox', { name: 'What it says' })
    await answers.nth(0).fill('Whenever I stand up')
    await answers.nth(1).fill('In the evening')
    await page.getByRole('tab', { name: 'Preview' }).click()
    await page.getByText('<img src=x onerror=alert(1)>').waitFor()
    expect(await page.locator('main img').count()).toBe(0)
    expect(await page.locator('main a[href^=javascript]').count()).toBe(0)
    await button(page, 'Create').click()
    await heading(page, title).waitFor()

    await button(page, 'Assign').click()
    await page.getByLabel('For whom').selectOption('One person')
    await page.getByLabel('Email address').fill(counselor.email)
    await page.getByRole('dialog').getByRole('button', { name: 'Assign' }).click()
    await page.getByText('30 days').waitFor()
    await page.getByText('Not begun').last().waitFor()

    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByRole('tab', { name: 'Questions' }).click()
    await page.getByText('When do you lock it?').waitFor()
    expect(await page.getByText('Whenever I stand up').count()).toBe(0)
    await page.getByRole('tab', { name: 'Text' }).click()
    await page.getByRole('textbox', { name: 'Heading' }).fill('Why you lock it')
    // What is not stored stays while somebody looks at another screen.
    await page.getByRole('link', { name: 'To the module' }).click()
    await page.getByRole('link', { name: 'Edit' }).click()
    expect(await page.getByRole('textbox', { name: 'Heading' }).inputValue()).toBe('Why you lock it')
    await button(page, 'Store as the next version').click()
    await page.getByText('Version 2 is stored.').waitFor()
    await button(page, 'Withdraw').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click()
    await page.getByText('The module is assigned to nobody.').waitFor()
    await button(page, 'Undo').click()
    await page.getByText('30 days').waitFor()
  })

  test('has no accessibility fault on any screen, and fits it, with no row, with one, and with 500', async () => {
    const admin = await newStaff(project, 'security_admin')
    const module = await withDatabase(project, async (sql) => {
      await sql`
        insert into public.vulnerabilities (probe, fault, title, severity, status, accepted_at, accepted_until, accepted_reason)
        select 'injection', 'invented:' || gen_random_uuid(), ${LONG_NAME} || ' ' || n, 'low', 'accepted', now(), now() + interval '9 days', 'It is invented.'
        from generate_series(1, 500) n`
      const id = await newModule(sql, `${LONG_NAME} ${crypto.randomUUID()}`)
      const person = await newStaff(project, 'counselor')
      await sql`update public.profiles set first_name = 'Alexandria-Wilhelmina', last_name = 'Konstantinopolitanskaja-Hohenlohe-Lang' where user_id = ${person.id}`
      await sql`insert into public.training_assignments (module_id, user_id) values (${id}, ${person.id})`
      return id
    })
    const vulnerability = await newVulnerability(LONG_NAME)
    const { data } = await admin.client.rpc('assess_compliance', { framework: 'hipaa' })
    const run = await withDatabase(project, async (sql) => {
      const [row] = await sql<[{ id: string }]>`
        insert into public.security_tests (id, name, probes) values (${`tst_${crypto.randomUUID().replaceAll('-', '')}`}, ${LONG_NAME}, '{worker_doors}')
        returning id`
      // Without the triggers that would begin them.
      await sql.begin(async (transaction) => {
        await transaction`set local session_replication_role = replica`
        await transaction`
          with runs as (
            insert into public.security_test_runs (test_id, scheduled, status, created_at, ended_at)
            select ${row.id}, n % 2 = 0, 'completed', now() - n * interval '1 hour', now() - n * interval '1 hour' + interval '1 minute'
            from generate_series(1, 500) n returning id, created_at
          )
          insert into public.security_test_results (run_id, probe, status, attempts, started_at, ended_at, checks, findings)
          select id, 'worker_doors', 'faults_found', 1, created_at, created_at + interval '1 minute', 12,
            jsonb_build_array(jsonb_build_object('fault', 'invented:door', 'title', ${LONG_NAME}::text, 'severity', 'high', 'evidence', '{"status": 200}'::jsonb))
          from runs`
      })
      return row.id
    })
    const screens = {
      tests: 'security-tests',
      test: `security-tests/${run}`,
      vulnerabilities: 'vulnerabilities',
      vulnerability: `vulnerabilities/${vulnerability}`,
      compliance: 'compliance',
      control: 'compliance/controls/ctl_hipaa_164_312_b',
      report: `compliance/${data}`,
      facts: 'compliance/facts',
      modules: 'training-modules',
      module: `training-modules/${module}`,
      editor: `training-modules/${module}/edit`,
      new: 'training-modules/new',
      nothing: 'vulnerabilities/vul_nothing',
      training: 'training',
      learn: `training/${module}`,
      section: 'training/trn_hipaa_fundamentals/sections/s2',
    }
    for (const [look, options] of Object.entries({
      desk: { viewport: DESK },
      phone: { viewport: PHONE, colorScheme: 'dark' },
      german: { viewport: PHONE, locale: 'de-DE' },
      arabic: { viewport: DESK, locale: 'ar', colorScheme: 'dark' },
    } as const)) {
      const desk = await newDesk(served, admin, options)
      const page = await desk.open('security-tests')
      const broken = brokenOn(page)
      for (const [name, screen] of Object.entries(screens)) {
        await page.goto(`${served.url}/#/${screen}`)
        await settled(page)
        await page.waitForLoadState('networkidle')
        await settled(page)
        await picture(page, `${name}-${look}`)
        const width = await page.evaluate(() => document.documentElement.scrollWidth)
        expect.soft(width, `${name} on ${look}`).toBeLessThanOrEqual(options.viewport.width)
        expect.soft(await faultsOf(page), `${name} on ${look}`).toEqual([])
      }
      await page.goto(`${served.url}/#/vulnerabilities`)
      await settled(page)
      await page.locator('.filters select').first().selectOption('accepted')
      await settled(page)
      await picture(page, `many-${look}`)
      expect.soft(await faultsOf(page)).toEqual([])
      expect.soft(broken).toEqual([])
    }
  }, 400_000)
})

describe.skipIf(!hasChromium)(`everybody in staff learns${withoutChromium}`, () => {
  test('with the keyboard alone: reads, answers and passes', async () => {
    const name = `Doors ${crypto.randomUUID()}`
    const module = await withDatabase(project, (sql) => newModule(sql, name))
    const desk = await newDesk(served, await newStaff(project, 'counselor'))
    const page = await desk.open('training')
    /** Tabs on to what has this name, and presses a key there. */
    async function press(wanted: string | RegExp, key: 'Enter' | 'Space'): Promise<void> {
      const isThere = () =>
        page.evaluate(() => {
          const { activeElement } = document
          const labels = activeElement instanceof HTMLInputElement ? [...(activeElement.labels ?? [])] : []
          return [activeElement, ...labels]
            .map((element) => element?.textContent ?? '')
            .join(' ')
            .trim()
        })
      for (let tabs = 0; tabs < 200; tabs++) {
        const text = await isThere()
        if (typeof wanted === 'string' ? text === wanted : wanted.test(text)) break
        await page.keyboard.press('Tab')
      }
      await page.keyboard.press(key)
    }
    await page.getByText(name).first().waitFor()
    await press(name, 'Enter')
    await heading(page, name).waitFor()
    await press('Begin to read', 'Enter')
    await heading(page, 'The first').waitFor()
    await press('I have read this: go on', 'Enter')
    await heading(page, 'The second').waitFor()
    // What an author wrote of HTML is shown as they wrote it.
    await page.getByText('<script>alert(1)</script>').waitFor()
    await press('I have read this: to the questions', 'Enter')
    await heading(page, name).waitFor()
    await press('Answer the questions', 'Enter')
    await heading(page, `${name}: questions`).waitFor()
    await picture(page, 'questions-desk')
    expect(await faultsOf(page)).toEqual([])
    for (const question of await page.getByRole('radiogroup').all()) {
      const right = await question
        .getByRole('radio', { name: RIGHT })
        .first()
        .evaluate((radio) =>
          [...(radio.closest('[role=radiogroup]')?.querySelectorAll('input') ?? [])].indexOf(
            radio as HTMLInputElement,
          ),
        )
      await question.getByRole('radio').first().focus()
      await page.keyboard.press('Space')
      for (let down = 0; down < right; down++) await page.keyboard.press('ArrowDown')
    }
    await press('Submit my answers', 'Enter')
    await page.getByText(/^You passed: 5 of 5/).waitFor()
    await picture(page, 'passed-desk')
    const [certificate] = await withDatabase(
      project,
      (sql) => sql`select from public.training_certificates where module_id = ${module}`,
    )
    expect(certificate).toBeDefined()
  })

  test('on a phone, and is told when it was not enough; what was chosen stays when the screen is left', async () => {
    const name = `Windows ${crypto.randomUUID()}`
    const module = await withDatabase(project, (sql) => newModule(sql, name))
    const counselor = await newStaff(project, 'counselor')
    await counselor.client.rpc('read_training_sections', { module_id: module, sections: ['s1', 's2'] })
    const desk = await newDesk(served, counselor, { viewport: PHONE })
    const page = await desk.open(`training/${module}`)
    await button(page, 'Answer the questions').click()
    await heading(page, `${name}: questions`).waitFor()
    await page.getByText(`${WRONG}, first`).first().click()
    await page.getByText('4 questions are not answered yet').waitFor()
    await page.getByRole('link', { name: 'To the module' }).click()
    await button(page, 'Answer the questions').click()
    await page.getByText('4 questions are not answered yet').waitFor()
    await picture(page, 'questions-phone')
    expect(await faultsOf(page)).toEqual([])
    await button(page, 'Submit my answers').click()
    await page.getByText(/^Not passed this time: 0 of 5/).waitFor()
    await picture(page, 'failed-phone')
    await page.goto(`${served.url}/#/training/${module}/questions`)
    await page.getByText('No attempt is open.').waitFor()
  })
})
