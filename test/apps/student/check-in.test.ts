import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { PASSWORD } from '../../../harness/factories/accounts.ts'
import { transcriptOf } from '../../../harness/factories/check-ins.ts'
import { mailsTo } from '../../../harness/factories/mails.ts'
import { newStudent } from '../../../harness/factories/students.ts'
import { faultsOf } from '../../browser/accessibility.ts'
import { hasDevices, withoutDevices } from '../devices.ts'
import {
  button,
  checkIn,
  checkInsOf,
  hold,
  newPhone,
  picture,
  record,
  type Served,
  seeScore,
  serveApp,
} from './app.ts'

const project = inject('project')
const HOUR_MS = 60 * 60 * 1000
/** What a recording of some seconds becomes: one recording, and eight images or more. */
const SCORED = { status: 'complete', audio: 1, images: expect.toSatisfy((count: number) => count >= 8) }

/** Steps between which a network can be lost, by the address of the call that is under way then. */
const STEPS = [
  ['it begins', '**/checkins/start'],
  ['it sends the recording', '**/storage/v1/**/audio*'],
  ['it sends the pictures', '**/storage/v1/**/image-05*'],
  ['it submits', '**/complete'],
  ['it is analysed', '**/functions/v1/checkins/*'],
] as const

describe.skipIf(!hasDevices)(`a check-in in the students' app${withoutDevices}`, () => {
  let served: Served
  beforeAll(async () => {
    served = await serveApp(project)
  })
  afterAll(() => served?.close())

  test('from the sign-up to the score of 20 seconds of speech', async () => {
    const phone = await newPhone(served, null)
    const page = await phone.open('sign-up')
    const email = `person-${crypto.randomUUID()}@northfield.example.edu`
    await page.getByLabel('Email address').fill(email)
    await page.getByText(/^You sign up with .*Northfield/).waitFor()
    await page.getByLabel('First name').fill('Robin')
    await page.getByLabel('Last name').fill('Field')
    await page.getByLabel('New password').fill(PASSWORD)
    await button(page, 'Create account').click()
    await page.getByLabel('Code from the email').waitFor()
    const code = await vi.waitFor(async () => {
      const [mail] = await mailsTo(email)
      const found = mail?.text.match(/\b\d{6,10}\b/)?.[0]
      if (!found) throw new Error('There is no mail yet.')
      return found
    }, 30_000)
    await page.getByLabel('Code from the email').fill(code)
    await button(page, 'Go on').click()
    await page.getByRole('link', { name: 'Keep my password' }).click()
    await page.getByRole('heading', { name: 'Hello Robin' }).waitFor()

    await page.getByRole('link', { name: 'What you agree to' }).first().click()
    const toAgree = button(page, 'I agree')
    // Recordings, pictures and words, of six kinds.
    for (const left of [6, 5, 4]) {
      await expect.poll(() => toAgree.count()).toBe(left)
      await toAgree.first().click()
    }
    await expect.poll(() => toAgree.count()).toBe(3)
    await page.getByRole('link', { name: 'Back to Home' }).click()
    await page.getByRole('link', { name: 'Check in', exact: true }).click()
    await record(page, 20)
    await picture(page, 'recorded')
    await page.getByText('7', { exact: true }).click()
    await button(page, 'Send').click()
    await seeScore(page)
    await picture(page, 'score')
    expect(await faultsOf(page)).toEqual([])
    for (const part of ['Voice', 'Face', 'Mood']) {
      await page
        .getByText(new RegExp(`^${part}`))
        .first()
        .waitFor()
    }
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('link', { name: /\d+ of 100$/ }).waitFor()
    await expect.poll(() => page.getByRole('heading', { name: 'On this device' }).count()).toBe(0)
  })

  test('without the camera, which was refused', async () => {
    const student = await newStudent(project)
    const page = await (await newPhone(served, student, ['microphone'])).open('check-in')
    await button(page, 'Turn on').click()
    await page.getByText(/^The camera is not allowed for this app/).waitFor()
    await button(page, 'Turn off').click()
    await checkIn(page)
    await seeScore(page)
    expect(await checkInsOf(project, student)).toEqual([{ status: 'complete', audio: 1, images: 0 }])
  })

  test('without the microphone, which was refused, in the student’s own words', async () => {
    const student = await newStudent(project)
    const page = await (await newPhone(served, student, ['camera'])).open('check-in')
    await record(page, 0).catch(() => {})
    await page.getByText(/^The microphone is not allowed for this app/).waitFor()
    await page.getByLabel('In your own words').fill(transcriptOf('positive'))
    await picture(page, 'microphone-refused')
    await button(page, 'Send').click()
    await seeScore(page)
    expect(await checkInsOf(project, student)).toMatchObject([{ status: 'complete', audio: 0 }])
  })

  test.each(STEPS)('the network is lost while %s, and comes back', async (_, address) => {
    const student = await newStudent(project)
    const { context, open } = await newPhone(served, student)
    const page = await open('check-in')
    const held = await hold(context, address)
    await checkIn(page)
    await held.reached
    await context.setOffline(true)
    await page.getByText('You are offline.').first().waitFor()
    await held.release()
    await page.getByRole('heading', { name: 'On this device' }).waitFor()
    await picture(page, `offline-${address.replaceAll(/\W+/g, '-')}`)
    await context.setOffline(false)
    await seeScore(page)
    expect(await checkInsOf(project, student)).toEqual([SCORED])
  })

  test.each(STEPS)('the page is loaded anew while %s', async (_, address) => {
    const student = await newStudent(project)
    const { context, open } = await newPhone(served, student)
    const page = await open('check-in')
    const held = await hold(context, address)
    await checkIn(page)
    await held.reached
    const loaded = page.reload()
    await held.release()
    await loaded
    await seeScore(page)
    expect(await checkInsOf(project, student)).toEqual([SCORED])
  })

  test('closed after the upload, and opened an hour later, when the token has expired', async () => {
    const student = await newStudent(project)
    const { context, open } = await newPhone(served, student)
    const page = await open('check-in')
    const held = await hold(context, '**/complete')
    await checkIn(page)
    await held.reached
    await page.close()
    await held.release()
    await context.clock.install({ time: Date.now() + HOUR_MS })
    const next = await open()
    await seeScore(next)
    expect(await checkInsOf(project, student)).toEqual([SCORED])
  })

  test('closed while it records: what there was is offered again, and sent once', async () => {
    const student = await newStudent(project)
    const { open } = await newPhone(served, student)
    const page = await open('check-in')
    await page.getByLabel('In your own words').fill('It was a long day')
    await record(page, 20, { finish: false })
    await page.close()
    const next = await open('check-in')
    await next.getByText(/^Recorded: 00:\d\d of sound, \d+ pictures/).waitFor()
    expect(await next.getByLabel('In your own words').inputValue()).toBe('It was a long day')
    await picture(next, 'draft')
    await button(next, 'Send').click()
    await seeScore(next)
    expect(await checkInsOf(project, student)).toEqual([SCORED])
    const later = await open('check-in')
    await later.getByText('Microphone and camera are off.').waitFor()
    expect(await later.getByLabel('In your own words').inputValue()).toBe('')
  })

  test('in two tabs, of which one sends it and both show it', async () => {
    const student = await newStudent(project)
    const { context, open } = await newPhone(served, student)
    const [tab, other] = [await open('check-in'), await open()]
    const held = await hold(context, '**/complete')
    await checkIn(tab)
    await held.reached
    await other.getByText('Being sent').first().waitFor()
    await held.release()
    await tab.close()
    await seeScore(other)
    expect(await checkInsOf(project, student)).toEqual([SCORED])
  })

  test('on a second device, while one waits on the first', async () => {
    const student = await newStudent(project)
    const first = await newPhone(served, student)
    const page = await first.open('check-in')
    const held = await hold(first.context, '**/checkins/start')
    await checkIn(page)
    await held.reached
    await page.close()
    await held.release()
    const second = await newPhone(served, student)
    const laptop = await second.open('check-in')
    await checkIn(laptop)
    await seeScore(laptop)
    await seeScore(await first.open())
    expect(await checkInsOf(project, student)).toEqual([SCORED, SCORED])
    await laptop.getByRole('link', { name: 'History' }).click()
    await expect.poll(() => laptop.getByRole('row').count()).toBeGreaterThanOrEqual(3)
  })

  test('on a device without room, which says so and sends it from memory', async () => {
    const student = await newStudent(project)
    const { context, open } = await newPhone(served, student)
    const page = await open('check-in')
    const developer = await context.newCDPSession(page)
    await developer.send('Storage.overrideQuotaForOrigin', { origin: served.url, quotaSize: 1000 })
    const held = await hold(context, '**/complete')
    await checkIn(page)
    await held.reached
    await page.getByText(/There is no room left on this device/).waitFor()
    await page.getByText(/^Leave the app open until it is sent: this device has no room/).waitFor()
    await picture(page, 'no-room')
    await held.release()
    await page
      .getByText(/Being analysed|Your result|See the result/)
      .first()
      .waitFor()
    await seeScore(page)
    expect(await checkInsOf(project, student)).toEqual([SCORED])
  })

  test('recorded offline, kept over the end of the app, and sent when there is a network', async () => {
    const student = await newStudent(project)
    const { context, open } = await newPhone(served, student)
    const page = await open('check-in')
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}))
    await context.setOffline(true)
    await checkIn(page)
    await page.getByText('Waiting to be sent').waitFor()
    await page.close()
    const later = await open()
    await later.getByText('Waiting to be sent').waitFor()
    await picture(later, 'waiting')
    await context.setOffline(false)
    await seeScore(later)
    expect(await checkInsOf(project, student)).toEqual([SCORED])
  })
})
