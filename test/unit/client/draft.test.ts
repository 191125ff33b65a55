// Loaded with the first draft: a test whose clock stands still does not wait for that.
import '../../../client/src/check-in/draft.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CheckInMedia } from '../../../client/src/check-in/types.ts'
import { type Device, memoryDevice } from '../../../client/src/device.ts'
import { CheckInService, queueOf, Session, SharedDevice } from '../../../harness/client/check-in-service.ts'

const DAY = 24 * 60 * 60 * 1000
const audio = (text = 'my voice') => new Blob([text], { type: 'audio/webm;codecs=opus' })
const images = Array.from({ length: 8 }, (_, index) => new Blob([`picture ${index}`], { type: 'image/jpeg' }))
const PICTURES = Array.from({ length: 8 }, (_, index) => `picture ${index}`)

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-28T09:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

const soon = () => vi.advanceTimersByTimeAsync(0)

async function textsOf(media: CheckInMedia | null) {
  const { audio, images, ...rest } = media ?? {}
  return { ...rest, audio: await audio?.text(), images: images?.length }
}

/** The device of a person who has an app closed with a draft of a recording, pictures, words and a mood. */
async function closedWithDraft(device: Device): Promise<void> {
  const { draft, queue } = queueOf(new CheckInService(), { device })
  await draft.save({ audio: audio('my'), durationS: 5 })
  await draft.save({ audio: audio(), images, transcript: 'my words', mood: 4, durationS: 61 })
  expect(await queue.list()).toEqual([])
  queue.close()
}

test('a draft is there at the next start, is not sent by itself, and becomes the check-in that is sent', async () => {
  const device = memoryDevice()
  await closedWithDraft(device)
  const service = new CheckInService()
  const { draft, checkIn, queue } = queueOf(service, { device })
  await queue.resume()
  await soon()
  expect([service.checkIns, await queue.list()]).toEqual([[], []])
  const media = (await draft.read()) ?? {}
  expect(await textsOf(media)).toEqual({
    ...{ audio: 'my voice', images: 8, transcript: 'my words', mood: 4, durationS: 61 },
  })
  checkIn(media).catch(() => {})
  await soon()
  service.finish()
  await soon()
  expect(service.scored()).toEqual([['my words', 'my voice', ...PICTURES]])
  expect(await draft.read()).toBeNull()
  expect(await device.files.list()).toEqual([])
  queue.close()
})

test('a draft that two tabs have is sent once, and both hear of its end', async () => {
  const shared = new SharedDevice()
  const service = new CheckInService()
  const first = queueOf(service, { device: shared.tab().device })
  await first.draft.save({ audio: audio() })
  const second = queueOf(service, { device: shared.tab().device })
  const media = (await second.draft.read()) ?? {}
  const ended = [first.checkIn({ audio: audio() })]
  await soon()
  ended.push(second.checkIn(media))
  await soon()
  service.finish()
  await soon()
  expect(await Promise.all(ended)).toMatchObject([{ id: 'check-in-1' }, { id: 'check-in-1' }])
  expect(service.scored()).toEqual([['my voice']])
  first.queue.close()
  second.queue.close()
})

test('a draft is the person’s own, and is deleted when it is discarded or a week old', async () => {
  const device = memoryDevice()
  await closedWithDraft(device)
  const session = new Session('sasha')
  const { draft, queue } = queueOf(new CheckInService(), { device, session })
  expect(await draft.read()).toBeNull()
  session.become('robin')
  expect(await draft.read()).toMatchObject({ mood: 4 })
  await draft.save({})
  expect([await draft.read(), await device.files.list()]).toEqual([null, []])
  await draft.save({ audio: audio() })
  vi.setSystemTime(Date.now() + 7 * DAY + 1)
  await queue.resume()
  await soon()
  expect([await draft.read(), await device.files.list(), await queue.list()]).toEqual([null, [], []])
  queue.close()
})

test('the part of a withdrawn consent is deleted from a draft', async () => {
  const device = memoryDevice()
  await closedWithDraft(device)
  const { draft, leaveOut, queue } = queueOf(new CheckInService(), { device })
  await leaveOut('camera')
  expect(await device.files.list()).toHaveLength(1)
  expect(await textsOf(await draft.read())).toMatchObject({ audio: 'my voice', transcript: 'my words' })
  queue.close()
})

test('a draft stays on the device while older files of nobody are deleted', async () => {
  const device = memoryDevice()
  const { draft, queue } = queueOf(new CheckInService(), { device })
  await draft.save({ mood: 4 })
  await device.files.write('1-gone.audio', audio())
  vi.setSystemTime(Date.now() + DAY)
  await draft.save({ mood: 4, audio: audio() })
  await queue.resume()
  await soon()
  expect(await textsOf(await draft.read())).toMatchObject({ audio: 'my voice' })
  expect(await device.files.list()).toHaveLength(1)
  queue.close()
})

test('without room what was kept before stays, and what is sent from memory is not offered again', async () => {
  const device = memoryDevice()
  const { files } = device
  let isFull = false
  device.files = {
    ...files,
    async write(name, file) {
      if (isFull) throw new DOMException('No room', 'QuotaExceededError')
      await files.write(name, file)
    },
  }
  const service = new CheckInService()
  const { draft, checkIn, queue } = queueOf(service, { device })
  await draft.save({ audio: audio('my') })
  isFull = true
  await expect(draft.save({ audio: audio() })).rejects.toMatchObject({ code: 'device_storage_full' })
  expect(await textsOf(await draft.read())).toMatchObject({ audio: 'my' })
  checkIn({ audio: audio() }).catch(() => {})
  await soon()
  const next = queueOf(service, { device })
  expect(await next.draft.read()).toBeNull()
  queue.close()
  next.queue.close()
})
