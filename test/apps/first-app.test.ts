import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'
import sirv from 'sirv'
import { afterAll, expect, inject, test, vi } from 'vitest'
import { blocksOf, type CodeBlock } from '../../harness/documentation.ts'
import { newAddress, PASSWORD } from '../../harness/factories/accounts.ts'
import { mailsTo } from '../../harness/factories/mails.ts'
import { localOnly, type Project, withDatabase } from '../../harness/stack/project.ts'
import { ROOT } from '../../scripts/root.ts'
import { faultsOf } from '../browser/accessibility.ts'
import { CHROMIUM, hasChromium, QUIET_CHROMIUM, withoutChromium } from '../browser/chromium.ts'

const project = inject('project')
const execute = promisify(execFile)

/** What a shell of the reader has, without what npm tells the scripts that it runs. */
const SHELL = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(npm_(package|lifecycle|config_local)|INIT_CWD)/.test(name),
  ),
)

/** Commands that serve until they are ended: the tests' own stack, and their own server of what was built, are in their place. */
const SERVING = ['npm ci && npm start', 'npm run dev']

const folder = mkdtempSync(join(tmpdir(), 'first-app-'))
const ends: (() => unknown)[] = []
afterAll(async () => {
  for (const end of ends.reverse()) await end()
  rmSync(folder, { recursive: true })
})

/** Whether packages can be had: what is on the page begins with `npm create`. */
async function reachesRegistry(): Promise<boolean> {
  const { stdout } = await execute('npm', ['config', 'get', 'registry'], { cwd: folder, env: SHELL })
  return fetch(stdout.trim(), { signal: AbortSignal.timeout(10_000) }).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Does what a block of the page says in the folder that the one before left; returns the folder that it leaves. */
async function follow({ language, name, text }: CodeBlock, at: string): Promise<string> {
  if (name !== null) {
    const file = join(at, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    return at
  }
  expect(language, 'a block is a file or commands').toBe('sh')
  const commands = text.split('\n').filter((line) => !SERVING.includes(line))
  const { stdout } = await execute('bash', ['-ec', `${commands.join('\n')}\npwd`], { cwd: at, env: SHELL })
  return stdout.trim().split('\n').at(-1) ?? at
}

/** The page's settings, for the service of the tests. */
function forProject(block: CodeBlock, { apiUrl, publishableKey }: Project): CodeBlock {
  if (block.name !== '.env.local') return block
  const text = block.text
    .replace('http://127.0.0.1:54321', apiUrl)
    .replace('sb_publishable_…', publishableKey)
  expect(text).toContain(`=${apiUrl}\n`)
  expect(text).toContain(`=${publishableKey}\n`)
  return { ...block, text }
}

/** Serves the files of a folder, and returns the address. */
async function serve(files: string): Promise<string> {
  const server = createServer(sirv(files)).listen(0, '127.0.0.1')
  ends.push(() => server.close())
  await once(server, 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`
}

/** A browser whose microphone hears a recording again and again. */
async function speakingBrowser(recording: string): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [
      ...QUIET_CHROMIUM,
      ...['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'],
      `--use-file-for-fake-audio-capture=${recording}`,
    ],
  })
  ends.push(() => browser.close())
  return browser
}

const registry = await reachesRegistry()
const skipped = registry ? withoutChromium : ' (skipped: the registry of npm is not reachable)'

test.skipIf(!hasChromium || !registry)(
  `the page leads from an empty folder to a score${skipped}`,
  localOnly('reads the inbox'),
  async () => {
    symlinkSync(ROOT, join(folder, 'student-wellbeing'))
    let at = folder
    for (const block of blocksOf('first-app.md')) at = await follow(forProject(block, project), at)
    expect(at).toBe(join(folder, 'first-app'))

    const browser = await speakingBrowser(join(ROOT, 'corpora', 'speech', 'short.wav'))
    const page = await browser.newPage()
    const faults: string[] = []
    page.on('pageerror', ({ message }) => faults.push(message))
    await page.goto(await serve(join(at, 'dist')))
    const message = page.getByRole('status')

    const email = newAddress()
    await page.getByLabel('First name').fill('Robin')
    await page.getByLabel('Last name').fill('Field')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill('short-1')
    await page.getByRole('button', { name: 'Sign up' }).click()
    await vi.waitFor(async () => expect(await message.textContent()).toMatch(/password/i), 30_000)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByRole('button', { name: 'Confirm' }).waitFor()
    const code = await vi.waitFor(async () => {
      const [found] = (await mailsTo(email))[0]?.text.match(/\b\d{10}\b/) ?? []
      if (!found) throw new Error(`No mail with a code came to ${email}`)
      return found
    }, 30_000)
    await page.getByLabel('Code from your mail').fill(code)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('button', { name: 'I agree' }).click()

    await record(page)
    await page.locator('#score').waitFor({ timeout: 120_000 })
    expect(await page.locator('#score').textContent()).toMatch(/^\d+ of 100, in a range from \d+ to \d+$/)
    expect(await page.locator('#help').textContent()).toContain('Northfield crisis line')
    expect(await faultsOf(page)).toEqual([])

    // Signed in and agreed, as before. What is recorded without a network is sent when the page is opened again.
    await page.reload()
    await page.getByRole('button', { name: 'Record' }).waitFor()
    await page.route(`${project.apiUrl}/**`, (route) => route.abort())
    await record(page)
    await vi.waitFor(
      async () => expect(await message.textContent()).toMatch(/offline|network|connection/i),
      30_000,
    )
    await page.unroute(`${project.apiUrl}/**`)
    await page.reload()
    await vi.waitFor(async () => expect(await scoresOf(email)).toBe(2), { timeout: 120_000, interval: 500 })
    expect(faults).toEqual([])
  },
)

/** Speaks for some seconds and sends it. */
async function record(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Record' }).click()
  const seconds = async () =>
    Number((await page.getByRole('status').textContent())?.match(/^(\d+) s$/)?.[1] ?? 0)
  await vi.waitFor(async () => expect(await seconds()).toBeGreaterThan(12), { timeout: 60_000 })
  await page.getByRole('button', { name: 'Stop and send' }).click()
}

/** How many scores the account of an address has. */
async function scoresOf(email: string): Promise<number> {
  const rows = await withDatabase(
    project,
    (sql) => sql`
      select 1 from checkin.fusion_results as result join auth.users as person on person.id = result.user_id
      where person.email = ${email}`,
  )
  return rows.length
}
