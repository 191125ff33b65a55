import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { CheckInMedia, QueuedCheckIn } from '../../../client/src/check-in/types.ts'
import { type Device, memoryDevice } from '../../../client/src/device.ts'
import {
  CheckInService,
  queueOf,
  type ServiceCall,
  Session,
  SharedDevice,
  serviceError,
  unreachable,
} from '../../../harness/client/check-in-service.ts'

const DAY = 24 * 60 * 60 * 1000
const audio = (text = 'my voice') => new Blob([text], { type: 'audio/webm;codecs=opus' })
const images = (count = 8) =>
  Array.from({ length: count }, (_, index) => new Blob([`picture ${index}`], { type: 'image/jpeg' }))
const PICTURES = Array.from({ length: 8 }, (_, index) => `picture ${index}`)

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-28T09:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const soon = () => pass(0)
/** The device sleeps meanwhile, and wakes. */
const later = async (ms: number) => {
  await soon()
  vi.setSystemTime(Date.now() + ms)
  await pass(60_000)
}

/** Follows a promise that may be rejected later. */
function followed<Result>(promise: Promise<Result>) {
  const state: { result?: Result; error?: unknown } = {}
  promise.then(
    (result) => {
      state.result = result
    },
    (error) => {
      state.error = error
    },
  )
  return state
}

/** Fails one call of a kind: the first, unless it is said which. */
function once(wanted: ServiceCall, error = unreachable, nth = 1) {
  let seen = 0
  return (call: ServiceCall) => {
    if (call === wanted && ++seen === nth) throw error()
  }
}

async function stepsOf(queue: { list(): Promise<QueuedCheckIn[]> }) {
  return (await queue.list()).map(({ step }) => step)
}

test('a check-in is sent, followed to its result, and what was recorded is deleted', async () => {
  const service = new CheckInService()
  const device = memoryDevice()
  const { checkIn, queue } = queueOf(service, { device })
  const steps: string[] = []
  const given = { audio: audio(), images: images(), transcript: 'my words', mood: 7, durationS: 61 }
  const state = followed(
    checkIn(given, { onProgress: ({ step }) => steps.at(-1) === step || steps.push(step) }),
  )
  await soon()
  expect(service.checkIns).toMatchObject([
    { status: 'processing', submitted: { mood_score: 7, conversation_duration: 61, transcript: 'my words' } },
  ])
  expect(await device.files.list()).toHaveLength(9)
  service.finish()
  await soon()
  expect(state.result).toMatchObject({ status: 'complete', id: 'check-in-1' })
  expect(steps).toEqual(['waiting', 'starting', 'uploading', 'submitting', 'analysing', 'complete'])
  expect(service.scored()).toEqual([['my words', 'my voice', ...PICTURES]])
  expect(await device.files.list()).toEqual([])
  // It stays in the list until it was shown.
  const [shown] = await queue.list()
  expect(shown).toMatchObject({ step: 'complete', ended: { status: 'complete' }, problem: null })
  await queue.remove(shown?.id ?? '')
  expect(await queue.list()).toEqual([])
  queue.close()
})

describe.each(['start', 'upload', 'read', 'complete'] as const)('where %s is interrupted', (call) => {
  test.each(['before', 'after'] as const)('%s it took effect, the check-in goes on, once', async (moment) => {
    const service = new CheckInService()
    service[moment] = once(call)
    const { checkIn, queue } = queueOf(service)
    const state = followed(checkIn({ audio: audio(), images: images(), transcript: 'my words' }))
    await soon()
    expect(await queue.list()).toMatchObject([{ step: 'waiting', problem: { code: 'offline' } }])
    await pass(10_000)
    service.finish()
    await soon()
    expect(state.result).toMatchObject({ status: 'complete' })
    expect(service.scored()).toEqual([['my words', 'my voice', ...PICTURES]])
    queue.close()
  })

  test.each(['before', 'after'] as const)(
    'by the end of the app, %s it took effect, it goes on at the next start',
    async (moment) => {
      const service = new CheckInService()
      const shared = new SharedDevice()
      const tab = shared.tab()
      const normally = service[moment]
      service[moment] = (made) => (made === call ? new Promise(() => {}) : undefined)
      const first = queueOf(service, { device: tab.device })
      followed(first.checkIn({ audio: audio(), images: images(), transcript: 'my words' }))
      await soon()
      tab.kill()
      service[moment] = normally
      await pass(60 * 60 * 1000)

      const { queue } = queueOf(service, { device: shared.tab().device })
      await queue.resume()
      await soon()
      expect(await stepsOf(queue)).toEqual(['analysing'])
      service.finish()
      await soon()
      expect(await queue.list()).toMatchObject([{ step: 'complete', ended: { id: 'check-in-1' } }])
      expect(service.checkIns).toHaveLength(1)
      expect(service.scored()).toEqual([['my words', 'my voice', ...PICTURES]])
      expect(await shared.storage.files.list()).toEqual([])
      queue.close()
    },
  )
})

describe('a submission that is still running at the service when the app is loaded anew', () => {
  /** An app that is loaded anew while the service works on its `complete`; what it goes on with, from then on. */
  async function reloaded(service: CheckInService) {
    const shared = new SharedDevice()
    const tab = shared.tab()
    const running = Promise.withResolvers<void>()
    service.before = (call) => (call === 'complete' ? running.promise : undefined)
    const first = queueOf(service, { device: tab.device })
    followed(first.checkIn({ audio: audio(), images: images(), transcript: 'my words' }))
    await soon()
    expect(service.calls.at(-1)).toBe('complete')
    tab.kill()
    const calledBefore = service.calls.length
    service.before = () => {}
    const { queue } = queueOf(service, { device: shared.tab().device })
    const land = async () => {
      running.resolve()
      for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    }
    return { queue, land, called: () => service.calls.slice(calledBefore) }
  }

  const MOMENTS = (['before', 'after'] as const).flatMap((moment) =>
    [1, 2, 3].map((nth) => [moment, nth] as const),
  )
  test.each(MOMENTS)('and ends %s call %d of what goes on: one check-in, once', async (moment, nth) => {
    const service = new CheckInService()
    const { queue, land, called } = await reloaded(service)
    service[moment] = async () => {
      if (called().length === nth) await land()
    }
    await queue.resume()
    await soon()
    await land()
    expect(await stepsOf(queue)).toEqual(['analysing'])
    service.finish()
    await soon()
    expect(await queue.list()).toMatchObject([{ step: 'complete', ended: { id: 'check-in-1' } }])
    expect(service.checkIns).toHaveLength(1)
    expect(service.scored()).toEqual([['my words', 'my voice', ...PICTURES]])
    queue.close()
  })

  test('and ends after the next one was refused: one check-in, once', async () => {
    const service = new CheckInService()
    const { queue, land } = await reloaded(service)
    service.before = once('complete', () => serviceError('rate_limited', 429, { retry_after_s: 60 }))
    await queue.resume()
    await soon()
    expect(await queue.list()).toMatchObject([{ step: 'waiting', problem: { code: 'rate_limited' } }])
    await land()
    await pass(60_000)
    expect(await stepsOf(queue)).toEqual(['analysing'])
    expect(service.checkIns).toHaveLength(1)
    queue.close()
  })

  test('and another device has replaced the recording and submitted it: both are scored', async () => {
    const service = new CheckInService()
    const { queue } = await reloaded(service)
    const [open] = service.checkIns
    if (!open) throw new Error('There is no check-in.')
    service.replace(open, 'audio', 'the recording of the laptop')
    service.before = (call) => {
      if (call === 'start') open.status = 'complete'
    }
    await queue.resume()
    await soon()
    expect(service.scored()).toEqual([
      ['the recording of the laptop', ...PICTURES],
      ['my words', 'my voice', ...PICTURES],
    ])
    queue.close()
  })
})

test('what was recorded offline is sent when the network is back', async () => {
  const service = new CheckInService()
  const listeners = new Set<(online: boolean) => void>()
  let online = false
  const connection: Device['connection'] = {
    isOnline: () => online,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const { checkIn, queue } = queueOf(service, { device: { ...memoryDevice(), connection } })
  const state = followed(checkIn({ audio: audio() }))
  await pass(3 * 60 * 60 * 1000)
  expect(service.calls).toEqual([])
  expect(await queue.list()).toMatchObject([{ step: 'waiting', problem: { code: 'offline' } }])
  online = true
  for (const listener of listeners) listener(true)
  await soon()
  service.finish()
  await soon()
  expect(state.result).toMatchObject({ status: 'complete' })
  queue.close()
})

test('two check-ins of a type are sent one after the other, each with what is its own', async () => {
  const service = new CheckInService()
  service.before = () => {
    throw unreachable()
  }
  const { checkIn, queue } = queueOf(service)
  followed(checkIn({ audio: audio('monday'), images: images() }))
  await later(DAY)
  followed(checkIn({ audio: audio('tuesday') }))
  await later(DAY)
  service.before = () => {}
  await queue.resume()
  await soon()
  service.finish()
  await soon()
  expect(service.scored()).toEqual([['monday', ...PICTURES], ['tuesday']])
  queue.close()
})

test('what waits does not take the place of a submission that may still arrive', async () => {
  const service = new CheckInService()
  const session = new Session()
  const { checkIn, queue } = queueOf(service, { session })
  service.before = once('complete')
  service.after = async (call) => {
    const [open] = service.checkIns
    if (call !== 'upload' || open?.files.get('audio') !== 'tuesday') return
    // It arrives late.
    await service
      .forDevice(session)
      .calls.complete(open.id, { media: ['audio'] }, new AbortController().signal)
  }
  followed(checkIn({ audio: audio('monday') }))
  followed(checkIn({ audio: audio('tuesday') }))
  await pass(10_000)
  service.finish()
  await pass(10_000)
  service.finish()
  await soon()
  expect(await stepsOf(queue)).toEqual(['complete', 'complete'])
  expect(service.scored()).toEqual([['monday'], ['tuesday']])
  queue.close()
})

describe('two tabs', () => {
  test('send a check-in once, and show the same', async () => {
    const service = new CheckInService()
    const shared = new SharedDevice()
    const one = queueOf(service, { device: shared.tab().device })
    const other = queueOf(service, { device: shared.tab().device })
    const seen: string[] = []
    other.queue.subscribe(([first]) => {
      if (first && seen.at(-1) !== first.step) seen.push(first.step)
    })
    await Promise.all([one.queue.resume(), other.queue.resume()])
    const state = followed(one.checkIn({ audio: audio() }))
    await soon()
    expect(await stepsOf(other.queue)).toEqual(['analysing'])
    service.finish()
    await soon()
    expect(state.result).toMatchObject({ status: 'complete' })
    expect(seen.slice(-3)).toEqual(['submitting', 'analysing', 'complete'])
    expect(service.calls.filter((call) => call === 'complete')).toHaveLength(1)
    one.queue.close()
    other.queue.close()
  })

  test('take over from one another: a tab ends while it sends', async () => {
    const service = new CheckInService()
    const shared = new SharedDevice()
    const first = shared.tab()
    const one = queueOf(service, { device: first.device })
    const other = queueOf(service, { device: shared.tab().device })
    service.before = (call) => (call === 'complete' ? new Promise(() => {}) : undefined)
    followed(one.checkIn({ audio: audio() }))
    await soon()
    expect(await stepsOf(other.queue)).toEqual(['submitting'])
    service.before = () => {}
    first.kill()
    await soon()
    expect(await stepsOf(other.queue)).toEqual(['analysing'])
    expect(service.scored()).toEqual([['my voice']])
    other.queue.close()
  })

  test('one asks for a check-in that the other one sends, and gets its result', async () => {
    const service = new CheckInService()
    const shared = new SharedDevice()
    const one = queueOf(service, { device: shared.tab().device })
    const other = queueOf(service, { device: shared.tab().device })
    followed(one.checkIn({ audio: audio('one') }, { type: 'weekly' }))
    await soon()
    const state = followed(other.checkIn({ audio: audio('other') }))
    await soon()
    service.finish()
    await soon()
    expect(state.result).toMatchObject({ status: 'complete', type: 'daily' })
    expect(service.scored()).toEqual([['one'], ['other']])
    one.queue.close()
    other.queue.close()
  })

  test('a check-in that is removed in one is sent by none', async () => {
    const service = new CheckInService()
    const shared = new SharedDevice()
    const one = queueOf(service, { device: shared.tab().device })
    const other = queueOf(service, { device: shared.tab().device })
    const held = Promise.withResolvers<void>()
    service.before = (call) => (call === 'upload' ? held.promise : undefined)
    const state = followed(one.checkIn({ audio: audio() }))
    await soon()
    const [shown] = await other.queue.list()
    await other.queue.remove(shown?.id ?? '')
    held.resolve()
    await pass(60_000)
    expect(state.error).toMatchObject({ code: 'aborted' })
    expect(service.calls).not.toContain('complete')
    expect(await shared.storage.files.list()).toEqual([])
    expect(await shared.storage.items.getAllKeys()).toEqual([expect.not.stringContaining('check-in')])
    one.queue.close()
    other.queue.close()
  })
})

describe('a second device', () => {
  test('submits first: what waits here becomes a check-in of its own', async () => {
    const service = new CheckInService()
    const session = new Session()
    const one = queueOf(service, { session })
    const held = Promise.withResolvers<void>()
    service.before = (call, detail) => (call === 'upload' && detail === 'image-08' ? held.promise : undefined)
    followed(one.checkIn({ audio: audio('phone'), images: images() }))
    await soon()
    service.before = () => {}
    const other = queueOf(service, { session })
    followed(other.checkIn({ audio: audio('laptop'), transcript: 'laptop' }))
    await soon()
    held.resolve()
    await pass(10_000)
    service.finish()
    await soon()
    expect(service.scored()).toEqual([
      ['laptop', 'laptop'],
      ['phone', ...PICTURES],
    ])
    one.queue.close()
    other.queue.close()
  })

  test('replaces what was uploaded here: it is uploaded anew before it is submitted', async () => {
    const service = new CheckInService()
    service.after = (call) => {
      const [open] = service.checkIns
      if (call !== 'upload' || !open) return
      service.after = () => {}
      service.replace(open, 'audio', 'the recording of the laptop')
    }
    const { checkIn, queue } = queueOf(service)
    followed(checkIn({ audio: audio() }))
    await soon()
    expect(service.scored()).toEqual([['my voice']])
    queue.close()
  })

  const ELSEWHERE: [what: string, media: CheckInMedia, scored: string[]][] = [
    ['another recording', { audio: audio('laptop') }, ['laptop']],
    ['words alone', { transcript: 'laptop' }, ['laptop']],
  ]
  test.each(ELSEWHERE)(
    'submits %s while a device waits for the response to its own',
    async (_, media, scored) => {
      const service = new CheckInService()
      const session = new Session()
      const one = queueOf(service, { session })
      const held = Promise.withResolvers<void>()
      service.before = (call) => (call === 'complete' ? held.promise : undefined)
      followed(one.checkIn({ audio: audio('phone') }))
      await soon()
      service.before = () => {}
      const other = queueOf(service, { session })
      followed(other.checkIn(media))
      await soon()
      // The phone's never arrives.
      service.before = once('complete')
      held.reject(unreachable())
      await pass(10_000)
      service.finish()
      await pass(10_000)
      service.finish()
      await soon()
      expect(service.scored()).toEqual([scored, ['phone']])
      expect(await one.queue.list()).toMatchObject([{ step: 'complete', checkInId: 'check-in-2' }])
      one.queue.close()
      other.queue.close()
    },
  )
})

describe('the person', () => {
  test('is signed out meanwhile: it waits, and goes on when they sign in again', async () => {
    const service = new CheckInService()
    const session = new Session()
    const { checkIn, queue } = queueOf(service, { session })
    service.before = once('upload')
    const state = followed(checkIn({ audio: audio() }))
    await soon()
    session.become(null)
    await pass(60_000)
    expect(state.error).toMatchObject({ code: 'session_ended' })
    expect(service.calls).toEqual(['start', 'upload'])
    expect(await queue.list()).toEqual([])
    session.become('robin')
    await soon()
    expect(await stepsOf(queue)).toEqual(['analysing'])
    queue.close()
  })

  test('is another one: they neither see nor send it; its owner does', async () => {
    const service = new CheckInService()
    const session = new Session()
    const { checkIn, queue } = queueOf(service, { session })
    service.before = once('start')
    followed(checkIn({ audio: audio("robin's") }))
    await soon()
    session.become('alex')
    await pass(60_000)
    expect(await queue.list()).toEqual([])
    expect(service.checkIns).toEqual([])
    followed(checkIn({ audio: audio("alex's") }))
    await soon()
    session.become('robin')
    await soon()
    expect(service.checkIns).toMatchObject([{ owner: 'alex' }, { owner: 'robin' }])
    expect(service.scored()).toEqual([["alex's"], ["robin's"]])
    queue.close()
  })

  test('is another one from the middle of a call on: nothing is sent as them', async () => {
    const service = new CheckInService()
    const session = new Session()
    const { checkIn, queue } = queueOf(service, { session })
    const held = Promise.withResolvers<void>()
    service.after = (call) => (call === 'upload' ? held.promise : undefined)
    followed(checkIn({ audio: audio("robin's"), transcript: 'my words' }))
    await soon()
    session.become('alex')
    held.resolve()
    await pass(60_000)
    expect(service.checkIns).toMatchObject([{ owner: 'robin', status: 'created' }])
    session.become('robin')
    await soon()
    expect(service.checkIns).toMatchObject([{ owner: 'robin', status: 'processing' }])
    queue.close()
  })

  test('is another one before a tab hears of it: nothing is sent as them', async () => {
    const service = new CheckInService()
    const session = new Session()
    const { checkIn, queue } = queueOf(service, { session })
    service.before = () => {
      session.account = 'alex'
    }
    followed(checkIn({ transcript: 'my words' }))
    await pass(60_000)
    expect(service.calls).toEqual(['start'])
    queue.close()
  })

  test('is known without a network whose token has expired', async () => {
    const service = new CheckInService()
    const session = new Session()
    const device = memoryDevice()
    const before = queueOf(service, { session, device })
    await before.queue.list()
    before.queue.close()
    session.unknown = true
    const { checkIn, queue } = queueOf(service, { session, device })
    followed(checkIn({ audio: audio() }))
    await soon()
    expect(await queue.list()).toMatchObject([{ step: 'waiting', problem: { code: 'offline' } }])
    session.become('robin')
    await soon()
    expect(await stepsOf(queue)).toEqual(['analysing'])
    queue.close()
  })

  test('whose session ends while they speak loses nothing; whoever is signed out when they begin checks in as no one', async () => {
    const service = new CheckInService()
    const session = new Session()
    const { checkIn, queue } = queueOf(service, { session })
    await queue.list()
    session.become(null)
    await pass(60_000)
    const lost = followed(checkIn({ audio: audio('late'), durationS: 30 }))
    followed(checkIn({ audio: audio(), durationS: 20 * 60 }))
    await soon()
    expect(lost.error).toMatchObject({ code: 'session_ended' })
    session.become('robin')
    await soon()
    expect(service.scored()).toEqual([['my voice']])
    queue.close()
  })
})

describe('a device', () => {
  const full = (device: Device, what: 'files' | 'items'): Device => ({
    ...device,
    files: {
      ...device.files,
      write: async (name, file) => {
        if (what === 'files' && name.endsWith('image-02'))
          throw new DOMException('No room', 'QuotaExceededError')
        await device.files.write(name, file)
      },
    },
    items: {
      ...device.items,
      setItem: async () => {
        throw new DOMException('No room', 'QuotaExceededError')
      },
    },
  })

  test.each(['files', 'items'] as const)(
    'without room for %s goes on in memory, and says so',
    async (what) => {
      const service = new CheckInService()
      const device = full(memoryDevice(), what)
      const { checkIn, queue } = queueOf(service, { device })
      const state = followed(checkIn({ audio: audio(), images: images() }))
      await soon()
      expect(await queue.list()).toMatchObject([
        { step: 'analysing', problem: { code: 'device_storage_full' } },
      ])
      service.finish()
      await soon()
      expect(state.result).toMatchObject({ status: 'complete' })
      expect(service.scored()).toEqual([['my voice', ...PICTURES]])
      expect(await device.files.list()).toEqual([])
      queue.close()
    },
  )

  test('that can no longer read a record says so, and sends the others', async () => {
    const service = new CheckInService()
    const device = memoryDevice()
    await device.items.setItem('wellbeing.check-in.robin.1764320400000-abc', '{"version":1,"id":"17')
    await device.items.setItem('wellbeing.check-in.robin.1764320400001-abd', '{"version":7}')
    await device.files.write('1764320400000-abc.audio', audio())
    const { checkIn, queue } = queueOf(service, { device })
    followed(checkIn({ audio: audio() }))
    await soon()
    expect(await queue.list()).toMatchObject([
      { step: 'failed', problem: { code: 'recording_lost' } },
      { step: 'failed', problem: { code: 'recording_lost' } },
      { step: 'analysing' },
    ])
    queue.close()
  })

  test.each([
    ['recordedAt', 1e300],
    ['nextAttemptAt', 'tomorrow'],
    ['media', [null]],
    ['attempts', null],
  ])('whose record has no valid %s (%j) says so, and sends the others', async (member, value) => {
    const service = new CheckInService()
    const device = memoryDevice()
    service.before = once('start')
    const first = queueOf(service, { device })
    followed(first.checkIn({ audio: audio() }))
    await soon()
    first.queue.close()
    const [key = ''] = (await device.items.getAllKeys()).filter((name) => name.includes('check-in'))
    const record: object = JSON.parse((await device.items.getItem(key)) ?? '')
    await device.items.setItem(key, JSON.stringify({ ...record, [member]: value }))
    vi.setSystemTime(Date.now() + 1000)
    const { checkIn, queue } = queueOf(service, { device })
    followed(checkIn({ audio: audio('another one') }))
    await soon()
    expect(await queue.list()).toMatchObject([
      { step: 'failed', problem: { code: 'recording_lost' } },
      { step: 'analysing' },
    ])
    queue.close()
  })

  test.each(['getAllKeys', 'getItem', 'read'] as const)(
    'whose storage does not respond for a while (%s) loses nothing',
    async (call) => {
      const service = new CheckInService()
      const device = memoryDevice()
      service.before = once('start')
      const first = queueOf(service, { device })
      followed(first.checkIn({ audio: audio(), images: images() }))
      await soon()
      first.queue.close()
      vi.setSystemTime(Date.now() + DAY)
      const failing = async () => {
        throw new DOMException('Connection to Indexed Database server lost', 'UnknownError')
      }
      const { items, files } = device
      const broken = queueOf(service, {
        device: {
          items: call === 'read' ? items : { ...items, [call]: failing },
          files: call === 'read' ? { ...files, read: failing } : files,
        },
      })
      await broken.queue.resume()
      await soon()
      broken.queue.close()
      expect(service.scored()).toEqual([])
      const { queue } = queueOf(service, { device })
      await queue.resume()
      await soon()
      expect(service.scored()).toEqual([['my voice', ...PICTURES]])
      queue.close()
    },
  )

  test('that has lost the recording says so; the rest can be sent', async () => {
    const service = new CheckInService()
    const device = memoryDevice()
    service.before = once('start')
    const { checkIn, queue } = queueOf(service, { device })
    const state = followed(checkIn({ audio: audio(), images: images() }))
    await soon()
    for (const name of await device.files.list()) if (name.endsWith('.audio')) await device.files.remove(name)
    await pass(10_000)
    expect(state.error).toMatchObject({ code: 'recording_lost', details: { file: 'audio' } })
    const [shown] = await queue.list()
    await queue.retry(shown?.id ?? '')
    await soon()
    expect(service.scored()).toEqual([PICTURES])
    queue.close()
  })

  test('keeps a recording for seven days, then deletes it and says so', async () => {
    const service = new CheckInService()
    const device = memoryDevice()
    service.before = () => {
      throw unreachable()
    }
    const first = queueOf(service, { device })
    followed(first.checkIn({ audio: audio(), transcript: 'my words' }))
    await later(6.9 * DAY)
    expect(await stepsOf(first.queue)).toEqual(['waiting'])
    await later(0.2 * DAY)
    expect(await first.queue.list()).toMatchObject([
      { step: 'expired', problem: { code: 'check_in_too_old' } },
    ])
    expect(await device.files.list()).toEqual([])
    expect(
      JSON.stringify([await device.items.getItem((await device.items.getAllKeys())[0] ?? '')]),
    ).not.toContain('my words')
    first.queue.close()
    vi.setSystemTime(Date.now() + 2 * DAY)
    const next = queueOf(service, { device })
    await next.queue.resume()
    await soon()
    expect(await next.queue.list()).toEqual([])
    next.queue.close()
  })

  test('whose clock is set back sends what waits, and keeps it no longer than from then on', async () => {
    const service = new CheckInService()
    service.before = () => {
      throw serviceError('rate_limited', 429, { retry_after_s: 3600 })
    }
    const { checkIn, queue } = queueOf(service)
    followed(checkIn({ audio: audio() }))
    await soon()
    service.before = () => {}
    vi.setSystemTime(Date.now() - 300 * DAY)
    await pass(60_000)
    expect(await stepsOf(queue)).toEqual(['analysing'])
    const [shown] = await queue.list()
    expect(Date.parse(shown?.expiresAt ?? '')).toBeLessThanOrEqual(Date.now() + 7 * DAY)
    queue.close()
  })

  test('deletes files whose check-in is gone', async () => {
    const device = memoryDevice()
    await device.files.write(`${Date.now() - DAY}-abc.audio`, audio())
    await device.files.write(`${Date.now()}-abd.audio`, audio())
    const { queue } = queueOf(new CheckInService(), { device })
    await queue.resume()
    await soon()
    expect(await device.files.list()).toEqual([`${Date.now()}-abd.audio`])
    queue.close()
  })
})

describe('the service', () => {
  test('has let the check-in expire: another one is begun', async () => {
    const service = new CheckInService()
    service.before = once('complete')
    const { checkIn, queue } = queueOf(service)
    followed(checkIn({ audio: audio() }))
    await soon()
    service.expire()
    await pass(10_000)
    expect(service.checkIns).toMatchObject([{ status: 'expired' }, { status: 'processing' }])
    expect(service.scored()).toEqual([['my voice']])
    queue.close()
  })

  test('does not take the recording: it is deleted, and the rest is sent if the person wants', async () => {
    const service = new CheckInService()
    const device = memoryDevice()
    const { checkIn, queue } = queueOf(service, { device })
    const state = followed(checkIn({ audio: audio('damaged'), images: images() }))
    await soon()
    expect(state.error).toMatchObject({ code: 'audio_unreadable', details: { file: 'audio' } })
    expect(await queue.list()).toMatchObject([{ step: 'failed', problem: { code: 'audio_unreadable' } }])
    expect(await device.files.list()).toHaveLength(8)
    const [shown] = await queue.list()
    await queue.retry(shown?.id ?? '')
    await soon()
    expect(service.scored()).toEqual([PICTURES])
    queue.close()
  })

  test('does not take some images: the others are sent, or none where they are too few', async () => {
    const service = new CheckInService()
    const { checkIn, queue } = queueOf(service)
    const damaged = new Blob(['damaged'], { type: 'image/jpeg' })
    followed(checkIn({ audio: audio(), images: [damaged, ...images()] }))
    await soon()
    followed(checkIn({ audio: audio(), images: [damaged, ...images(7)] }, { type: 'weekly' }))
    await soon()
    expect(service.scored()).toEqual([['my voice', ...PICTURES], ['my voice']])
    queue.close()
  })

  test('may not analyse a part any more: what is agreed to is sent', async () => {
    const service = new CheckInService()
    service.consents = { audio: true, camera: false }
    const { checkIn, queue } = queueOf(service)
    followed(checkIn({ audio: audio(), images: images() }))
    await soon()
    expect(service.scored()).toEqual([['my voice']])
    service.consents = { audio: false, camera: false }
    const state = followed(checkIn({ audio: audio() }))
    await soon()
    expect(state.error).toMatchObject({ code: 'consent_required' })
    service.consents = { audio: true, camera: false }
    await queue.resume()
    await soon()
    expect(service.scored()).toEqual([['my voice'], ['my voice']])
    queue.close()
  })

  test('may no longer have a part, which its person has withdrawn: what waits of it on the device is deleted', async () => {
    const service = new CheckInService()
    const device = memoryDevice()
    const held = Promise.withResolvers<void>()
    service.before = (call) => (call === 'upload' ? held.promise : undefined)
    const { checkIn, queue, leaveOut } = queueOf(service, { device })
    followed(checkIn({ audio: audio(), transcript: 'my words' }))
    await soon()
    const removed = followed(checkIn({ audio: audio() }, { type: 'weekly' }))
    await soon()
    service.before = () => {}
    service.consents = { audio: false, camera: true }
    await leaveOut('audio')
    held.resolve()
    await soon()
    expect(removed.error).toMatchObject({ code: 'aborted' })
    expect(await device.files.list()).toEqual([])
    expect(service.scored()).toEqual([['my words']])
    expect(await stepsOf(queue)).toEqual(['analysing'])
    queue.close()
  })

  test('can score nothing of it: the person is told why, and it is deleted', async () => {
    const service = new CheckInService()
    const device = memoryDevice()
    const { checkIn, queue } = queueOf(service, { device })
    const state = followed(checkIn({ audio: audio() }))
    await soon()
    service.finish('failed')
    await soon()
    expect(state.result).toMatchObject({ status: 'failed', error: { reason: 'silent' } })
    expect(await queue.list()).toMatchObject([
      {
        step: 'failed',
        canRetry: false,
        problem: { code: 'nothing_to_score', words: { title: 'Nothing was heard.' } },
      },
    ])
    expect(await device.files.list()).toEqual([])
    queue.close()
  })

  test('fails for its own reasons: it is kept, and sent once more when the person wants', async () => {
    const service = new CheckInService()
    const device = memoryDevice()
    const { checkIn, queue } = queueOf(service, { device })
    followed(checkIn({ audio: audio() }))
    await soon()
    service.finish('failed', 'analysis_failed')
    await soon()
    const [shown] = await queue.list()
    expect(shown).toMatchObject({
      step: 'failed',
      canRetry: true,
      problem: { code: 'analysis_failed', retryable: true },
    })
    await queue.retry(shown?.id ?? '')
    await soon()
    service.finish()
    await soon()
    expect(await queue.list()).toMatchObject([{ step: 'complete', problem: null }])
    expect(service.scored()).toEqual([['my voice']])
    expect(await device.files.list()).toEqual([])
    queue.close()
  })

  test('is broken: after some attempts it waits for the person, with the reason', async () => {
    const service = new CheckInService()
    service.before = () => {
      throw serviceError('internal_error', 500)
    }
    const { checkIn, queue } = queueOf(service)
    const state = followed(checkIn({ audio: audio() }))
    await pass(60 * 60 * 1000)
    expect(state.error).toMatchObject({ code: 'internal_error' })
    expect(service.calls).toHaveLength(8)
    expect(await queue.list()).toMatchObject([
      { step: 'waiting', nextAttemptAt: null, problem: { retryable: true } },
    ])
    service.before = () => {}
    const [shown] = await queue.list()
    await queue.retry(shown?.id ?? '')
    await soon()
    expect(await stepsOf(queue)).toEqual(['analysing'])
    queue.close()
  })

  test('asks to wait: it is not asked before', async () => {
    const service = new CheckInService()
    service.before = once('complete', () => serviceError('rate_limited', 429, { retry_after_s: 3600 }))
    const { checkIn, queue } = queueOf(service)
    followed(checkIn({ audio: audio() }))
    await pass(3_590_000)
    await queue.resume()
    await soon()
    expect(await queue.list()).toMatchObject([{ step: 'waiting', problem: { code: 'rate_limited' } }])
    await pass(20_000)
    expect(await stepsOf(queue)).toEqual(['analysing'])
    queue.close()
  })

  test('wants something of the person first: it waits for them', async () => {
    const service = new CheckInService()
    service.before = once('start', () => serviceError('mfa_required', 403))
    const { checkIn, queue } = queueOf(service)
    const state = followed(checkIn({ audio: audio() }))
    await pass(DAY)
    expect(state.error).toMatchObject({ code: 'mfa_required' })
    expect(service.calls).toEqual(['start'])
    await queue.resume()
    await soon()
    expect(await stepsOf(queue)).toEqual(['analysing'])
    queue.close()
  })
})

test('a wait that is ended leaves the check-in in the queue; an empty one is no check-in', async () => {
  const service = new CheckInService()
  const { checkIn, queue } = queueOf(service)
  const ending = new AbortController()
  const state = followed(checkIn({ audio: audio() }, { signal: ending.signal }))
  await soon()
  ending.abort()
  await soon()
  expect(state.error).toMatchObject({ code: 'aborted' })
  expect(await stepsOf(queue)).toEqual(['analysing'])
  await expect(checkIn({ transcript: ' ', images: [], mood: 3 })).rejects.toMatchObject({
    code: 'nothing_uploaded',
  })
  expect(await queue.list()).toHaveLength(1)
  queue.close()
})
