import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { speech, transcriptOf } from '../../harness/factories/check-ins.ts'
import { newStudent, type Student } from '../../harness/factories/students.ts'
import { wavFile } from '../../harness/media/containers.ts'
import { withDatabase } from '../../harness/stack/project.ts'
import { hasChromium, sharedChromium, withoutChromium } from '../browser/chromium.ts'
import { openTab, servePage, type Tab } from './page-with-client.ts'

const project = inject('project')
const PATIENCE = { timeout: 240_000, interval: 50 }
const HOUR = 60 * 60 * 1000

/** Speech of so many seconds: one recording said again and again. */
function speechOf(seconds: number): Uint8Array {
  const samples = speech('short.wav').bytes.subarray(44)
  const sound = new Uint8Array(seconds * 32_000)
  for (let at = 0; at < sound.length; at += samples.length)
    sound.set(samples.subarray(0, sound.length - at), at)
  return wavFile({ rateHz: 16_000, sound })
}

/** What became of a student's check-ins, in their order. */
function statusesOf({ id }: Student): Promise<{ status: string; type: string; audio: number }[]> {
  return withDatabase(
    project,
    (sql) => sql<{ status: string; type: string; audio: number }[]>`
      select c.status, c.type,
        (select count(*)::integer from private.check_in_media m where m.check_in_id = c.id and m.kind = 'audio') as audio
      from checkin.check_ins c where c.user_id = ${id} order by c.created_at`,
  )
}

const SCORED = { status: 'complete', type: 'daily', audio: 1 }

function until(tab: Tab, step: string): Promise<void> {
  return vi.waitFor(async () => expect((await tab.list()).map((one) => one.step)).toContain(step), PATIENCE)
}

/** Answers no call to an address any more: a tab that is closed now is closed in the middle of it. */
async function hold(
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

describe.skipIf(!hasChromium)(`check-ins in a browser${withoutChromium}`, () => {
  let browser: Browser
  let served: Awaited<ReturnType<typeof servePage>>
  beforeAll(async () => {
    browser = await sharedChromium()
    served = await servePage({
      '20-seconds': speechOf(20),
      '5-minutes': speechOf(300),
      '20-minutes': speechOf(1195),
    })
  })
  afterAll(() => served.close())

  /** A browser of a student, who is signed in. */
  async function newBrowser(
    student?: Student,
  ): Promise<{ context: BrowserContext; tab: Tab; open(): Promise<Tab> }> {
    const context = await browser.newContext()
    onTestFinished(() => context.close())
    const open = () => openTab(context, served.url, project)
    const tab = await open()
    if (student) await tab.signIn(student)
    return { context, tab, open }
  }

  test('recorded offline, it is kept over a reload, and sent once there is a network', async () => {
    const student = await newStudent(project, ['audio'])
    const { context, tab, open } = await newBrowser(student)
    await tab.page.evaluate(() => fetch('/20-seconds').then((response) => response.arrayBuffer()))
    await context.route('**/20-seconds', (route) => route.fulfill({ body: Buffer.from(speechOf(20)) }))
    const cut = (url: string) => context.route(`${url}/**`, (route) => route.abort())
    await cut(project.apiUrl)
    await tab.begin({ wav: '20-seconds' })
    await vi.waitFor(async () => expect(await tab.seen()).toContain('waiting: offline'), PATIENCE)
    await tab.page.close()
    const next = await open()
    await vi.waitFor(async () => expect(await next.list()).toMatchObject([{ step: 'waiting' }]), PATIENCE)
    await context.unroute(`${project.apiUrl}/**`)
    await next.page.evaluate(() => dispatchEvent(new Event('online')))
    await until(next, 'complete')
    expect(await statusesOf(student)).toEqual([SCORED])
  })

  test.each([
    ['begins', '**/checkins/start'],
    ['uploads', '**/storage/v1/upload/resumable/**'],
    ['submits', '**/complete'],
    ['is analysed', '**/functions/v1/checkins/*'],
  ])(
    'a tab that is killed while it %s, and opened an hour later, when its token has expired, goes on',
    async (_, address) => {
      const student = await newStudent(project, ['audio', 'text'])
      const { context, tab, open } = await newBrowser(student)
      const held = await hold(context, address)
      await tab.begin({ wav: '20-seconds', transcript: transcriptOf('positive') })
      await held.reached
      await tab.page.close()
      await held.release()
      await context.clock.install({ time: Date.now() + HOUR })
      const next = await open()
      await until(next, 'complete')
      expect(await next.list()).toMatchObject([
        { step: 'complete', ended: { status: 'complete' }, problem: null },
      ])
      expect(await statusesOf(student)).toEqual([SCORED])
    },
  )

  test('a token that the service no longer takes is renewed', async () => {
    const student = await newStudent(project, ['text'])
    const { tab, context, open } = await newBrowser(student)
    await tab.page.evaluate(() => {
      const name = Object.keys(localStorage).find((key) => key.endsWith('-auth-token')) ?? ''
      const session = JSON.parse(localStorage.getItem(name) ?? '{}')
      localStorage.setItem(name, JSON.stringify({ ...session, access_token: `${session.access_token}x` }))
    })
    await tab.page.close()
    const next = await open()
    await next.begin({ transcript: transcriptOf('positive') })
    await until(next, 'complete')
    expect((await next.seen()).filter((step) => step.includes(':'))).toEqual([])
    expect(context.pages()).toHaveLength(1)
  })

  test('two tabs show the same, send it once, and one goes on where the other one was closed', async () => {
    const student = await newStudent(project, ['audio'])
    const { context, tab, open } = await newBrowser(student)
    const other = await open()
    const calls: string[] = []
    context.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (request.method() === 'POST')
        calls.push(pathname.replace(/[\w-]{36}/, '…').replace('/functions/v1/', ''))
    })
    await tab.begin({ wav: '5-minutes' })
    await until(other, 'analysing')
    await until(tab, 'complete')
    await until(other, 'complete')
    expect(calls.filter((path) => path.startsWith('checkins/'))).toEqual([
      'checkins/start',
      'checkins/…/complete',
    ])
    // What lasts a moment may be over when the other tab looks: it waits at the beginning, or was not seen to.
    const seen = (await other.seen()).filter((step) => step !== 'starting')
    expect(seen.slice(seen[0] === 'waiting' ? 1 : 0)).toEqual([
      'uploading',
      'submitting',
      'analysing',
      'complete',
    ])

    const held = await hold(context, '**/checkins/start')
    await tab.begin({ wav: '20-seconds', type: 'weekly' })
    await held.reached
    await until(other, 'starting')
    await held.release()
    await tab.page.close()
    await vi.waitFor(async () => {
      expect((await other.list()).map(({ step, type }) => [type, step])).toEqual([
        ['daily', 'complete'],
        ['weekly', 'complete'],
      ])
    }, PATIENCE)
    expect(await statusesOf(student)).toEqual([SCORED, { ...SCORED, type: 'weekly' }])
  })

  test('two tabs that record at the same time get a result each', async () => {
    const student = await newStudent(project, ['audio', 'text'])
    const { tab, open } = await newBrowser(student)
    const other = await open()
    await Promise.all([
      tab.begin({ wav: '20-seconds' }),
      other.begin({ transcript: transcriptOf('positive') }),
    ])
    await vi.waitFor(async () => {
      expect(await tab.outcome()).toMatchObject({ ended: { status: 'complete' } })
      expect(await other.outcome()).toMatchObject({ ended: { status: 'complete' } })
    }, PATIENCE)
    expect((await tab.outcome())?.ended?.id).not.toBe((await other.outcome())?.ended?.id)
    expect((await statusesOf(student)).map(({ audio }) => audio).sort()).toEqual([0, 1])
  })

  test('a second device submits first: what waits on the first becomes a check-in of its own', async () => {
    const student = await newStudent(project, ['audio'])
    const { context, tab, open } = await newBrowser(student)
    const held = await hold(context, '**/complete')
    await tab.begin({ wav: '20-seconds' })
    await held.reached
    await tab.page.close()
    await held.release()
    const { tab: laptop } = await newBrowser(student)
    await laptop.begin({ wav: '5-minutes' })
    await until(laptop, 'complete')
    await until(await open(), 'complete')
    expect(await statusesOf(student)).toEqual([SCORED, SCORED])
  })

  test('a browser without room says so, and sends it from memory', async () => {
    const student = await newStudent(project, ['audio'])
    const context = await browser.newContext()
    onTestFinished(() => context.close())
    const developer = await context.newCDPSession(await context.newPage())
    await developer.send('Storage.overrideQuotaForOrigin', { origin: served.url, quotaSize: 1000 })
    const tab = await openTab(context, served.url, project)
    await tab.signIn(student)
    const held = await hold(context, '**/complete')
    await tab.begin({ wav: '5-minutes' })
    await held.reached
    expect(await tab.list()).toMatchObject([{ step: 'submitting', problem: { code: 'device_storage_full' } }])
    await held.release()
    await until(tab, 'complete')
    expect(await statusesOf(student)).toEqual([SCORED])
  })

  test('twenty minutes of speech are sent in pieces, go on after a reload, and are scored once', async () => {
    const student = await newStudent(project, ['audio'])
    const { tab, open } = await newBrowser(student)
    await tab.begin({ wav: '20-minutes' })
    await vi.waitFor(async () => expect((await tab.list())[0]?.progress).toBeGreaterThan(0.3), PATIENCE)
    await tab.page.close()
    const next = await open()
    await vi.waitFor(async () => expect((await next.list())[0]?.progress).toBeGreaterThan(0.3), PATIENCE)
    await until(next, 'complete')
    expect(await statusesOf(student)).toEqual([SCORED])
    expect(await next.list()).toMatchObject([{ ended: { result: { score: expect.any(Number) } } }])
  })

  test('a recording is sent by nobody but whose it is', async () => {
    const [student, friend] = [await newStudent(project, ['audio']), await newStudent(project, ['audio'])]
    const { context, tab } = await newBrowser(student)
    const held = await hold(context, '**/checkins/start')
    await tab.begin({ wav: '20-seconds' })
    await held.reached
    await tab.signOut()
    await held.release()
    await tab.signIn(friend)
    await tab.resume()
    expect(await tab.list()).toEqual([])
    await tab.signOut()
    await tab.signIn(student)
    await until(tab, 'complete')
    expect([await statusesOf(friend), await statusesOf(student)]).toEqual([[], [SCORED]])
  })
})
