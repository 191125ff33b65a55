import { readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type {
  Recorded,
  Recorder,
  RecorderOptions,
  RecorderState,
} from '../../../client/src/recorder/index.ts'
import { probeRecording } from '../../../functions/_shared/audio/probe.ts'
import { inspectImage } from '../../../functions/_shared/visual/inspect-image.ts'
import { ROOT } from '../../../scripts/root.ts'
import { chromiumWithDevices, hasDevices, withoutDevices } from '../devices.ts'

const APP = 'https://app.example.edu'
const BUILT = join(ROOT, 'client/dist')

/** What the page has, for the functions that run there. */
declare global {
  var createRecorder: (options?: RecorderOptions) => Recorder
  var recorder: Recorder
  /** Tracks that the page was given. */
  var tracks: MediaStreamTrack[]
  /** Devices that the page has instead of the browser's own. */
  var devices: { audio?: () => MediaStream; video?: () => MediaStream }
  var stopped: (recorded: Promise<Recorded>) => Promise<Stopped>
}

type Stopped = { audio: { type: string; bytes: number[] } | null; images: number[][]; durationS: number }

let browser: Browser
let close: () => Promise<void>

beforeAll(async () => {
  if (!hasDevices) return
  const started = await chromiumWithDevices()
  browser = started.browser
  close = started.close
})
afterAll(() => close?.())

/** A page with a recorder, on which the person has granted what is named. */
async function pageWithRecorder(granted: ('microphone' | 'camera')[], options: RecorderOptions = {}) {
  const context = await browser.newContext()
  await context.grantPermissions(granted, { origin: APP })
  const page = await context.newPage()
  await page.route(`${APP}/**`, (route) => {
    const path = normalize(new URL(route.request().url()).pathname)
    return path === '/'
      ? route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>A page</title>' })
      : route.fulfill({ contentType: 'text/javascript', body: readFileSync(join(BUILT, path), 'utf8') })
  })
  await page.addInitScript(() => {
    globalThis.tracks = []
    globalThis.devices = {}
    const getUserMedia = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
    navigator.mediaDevices.getUserMedia = async (wanted = {}) => {
      const instead = wanted.audio ? devices.audio : devices.video
      const stream = instead ? instead() : await getUserMedia(wanted)
      tracks.push(...stream.getTracks())
      return stream
    }
  })
  await page.goto(`${APP}/`)
  await page.addScriptTag({
    type: 'module',
    content: `
      import { createRecorder } from '${APP}/recorder/index.js'
      const bytes = async (blob) => [...new Uint8Array(await blob.arrayBuffer())]
      globalThis.stopped = async (recorded) => {
        const { audio, images, durationS } = await recorded
        return {
          audio: audio ? { type: audio.type, bytes: await bytes(audio) } : null,
          images: await Promise.all(images.map(bytes)),
          durationS,
        }
      }
      globalThis.createRecorder = createRecorder`,
  })
  await page.waitForFunction(() => 'createRecorder' in globalThis)
  await page.evaluate((chosen) => {
    globalThis.recorder = createRecorder(chosen)
  }, options)
  return { page, [Symbol.asyncDispose]: () => context.close() }
}

const state = (page: Page) => page.evaluate(() => recorder.state())
const stop = (page: Page) => page.evaluate(() => stopped(recorder.stop()))
const open = (page: Page, microphone = true, camera = true) =>
  page.evaluate((wanted) => recorder.open(wanted), { microphone, camera })

/** Waits until the recorder's state is as expected. */
const until = (page: Page, expected: Partial<RecorderState>) =>
  expect.poll(() => state(page)).toMatchObject(expected)

const recordedFor = (page: Page, seconds: number) =>
  page.waitForFunction((least) => recorder.state().durationS >= least, seconds)

function probe({ audio }: Stopped) {
  const bytes = new Uint8Array(audio?.bytes ?? [])
  return probeRecording({ size: bytes.length, read: async (start, end) => bytes.subarray(start, end) })
}

describe.skipIf(!hasDevices)(`the recorder in a browser${withoutDevices}`, () => {
  test('records speech in one file that the service reads, and eight to twelve different pictures', async () => {
    await using visit = await pageWithRecorder(['microphone', 'camera'])
    const { page } = visit
    expect(await open(page)).toMatchObject({ microphone: 'granted', camera: 'granted', recording: false })
    expect(await page.evaluate(() => recorder.preview()?.getVideoTracks().length)).toBe(1)
    await page.evaluate(() => recorder.start())
    await recordedFor(page, 6)
    const spoken = await state(page)
    expect(spoken).toMatchObject({ recording: true, paused: false, hints: [] })
    const recorded = await stop(page)

    expect(recorded.audio?.type).toMatch(/^audio\/webm;\s*codecs=opus$/)
    const info = await probe(recorded)
    expect(info).toMatchObject({ container: 'webm', codec: 'opus' })
    expect(Math.abs(info.durationS - recorded.durationS)).toBeLessThan(0.7)
    expect(recorded.audio?.bytes.length).toBeLessThan(recorded.durationS * 8_000)

    expect(recorded.images.length).toBeGreaterThanOrEqual(8)
    expect(recorded.images.length).toBeLessThanOrEqual(12)
    expect(new Set(recorded.images.map((bytes) => bytes.join())).size).toBe(recorded.images.length)
    expect(await state(page)).toMatchObject({ recording: false, ended: true })
  })

  test('makes pictures as large as they may be, and no larger', async () => {
    await using visit = await pageWithRecorder(['camera'], { imageSide: 320 })
    const { page } = visit
    await open(page, false)
    await page.evaluate(() => recorder.start())
    await recordedFor(page, 5)
    const { audio, images } = await stop(page)
    expect(audio).toBeNull()
    const sizes = images.map((bytes) => inspectImage(new Uint8Array(bytes), bytes.length))
    expect(sizes.length).toBeGreaterThanOrEqual(8)
    for (const { width, height } of sizes) expect(Math.max(width, height)).toBe(320)
  })

  test('says how loud it is while nothing is recorded yet', async () => {
    await using visit = await pageWithRecorder(['microphone'])
    await open(visit.page, true, false)
    await expect.poll(async () => (await state(visit.page)).level).toBeGreaterThan(0.2)
    expect(await state(visit.page)).toMatchObject({ camera: 'off', durationS: 0, images: 0 })
  })

  test('pauses and goes on in one file, without what was said in between', async () => {
    await using visit = await pageWithRecorder(['microphone'])
    const { page } = visit
    await open(page, true, false)
    await page.evaluate(() => recorder.start())
    await recordedFor(page, 2)
    await page.evaluate(() => recorder.pause())
    const paused = await state(page)
    expect(paused).toMatchObject({ recording: true, paused: true, interrupted: false })
    // Two seconds of readings of the microphone.
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          let readings = 0
          recorder.subscribe(() => ++readings === 20 && resolve())
        }),
    )
    expect((await state(page)).durationS).toBe(paused.durationS)
    await page.evaluate(() => recorder.resume())
    await recordedFor(page, 4)
    const recorded = await stop(page)
    expect(recorded.durationS).toBeLessThan(6)
    expect(Math.abs((await probe(recorded)).durationS - recorded.durationS)).toBeLessThan(0.7)
  })

  test.each([
    ['microphone', 'camera', { microphone: 'refused', camera: 'granted' }],
    ['camera', 'microphone', { microphone: 'granted', camera: 'refused' }],
  ] as const)('goes on without the %s that was refused', async (_, granted, expected) => {
    await using visit = await pageWithRecorder([granted])
    const { page } = visit
    expect(await open(page)).toMatchObject(expected)
    await page.evaluate(() => recorder.start())
    await recordedFor(page, 5)
    const { audio, images } = await stop(page)
    expect(audio !== null).toBe(granted === 'microphone')
    expect(images.length > 0).toBe(granted === 'camera')
  })

  test.each([
    ['NotFoundError', 'missing'],
    ['NotReadableError', 'busy'],
  ] as const)('tells %s of a device as %s, and does not begin without any', async (name, access) => {
    await using visit = await pageWithRecorder([])
    const { page } = visit
    await page.evaluate((error) => {
      const fail = () => {
        throw new DOMException('', error)
      }
      globalThis.devices = { audio: fail, video: fail }
    }, name)
    expect(await open(page)).toMatchObject({ microphone: access, camera: access })
    expect(await page.evaluate(() => recorder.preview())).toBeNull()
    await expect(page.evaluate(() => recorder.start())).rejects.toThrow('Neither microphone nor camera')
  })

  test('keeps what there is when the microphone is unplugged, and says that it has ended', async () => {
    await using visit = await pageWithRecorder(['microphone'])
    const { page } = visit
    await open(page, true, false)
    await page.evaluate(() => recorder.start())
    await recordedFor(page, 3)
    await page.evaluate(() => {
      for (const track of tracks) {
        track.stop()
        track.dispatchEvent(new Event('ended'))
      }
    })
    await until(page, { microphone: 'missing', recording: false, ended: true })
    const recorded = await stop(page)
    expect((await probe(recorded)).durationS).toBeGreaterThan(2)
  })

  test('goes on with the microphone when the camera is unplugged', async () => {
    await using visit = await pageWithRecorder(['microphone', 'camera'])
    const { page } = visit
    await open(page)
    await page.evaluate(() => recorder.start())
    await recordedFor(page, 1)
    await page.evaluate(() => {
      const camera = tracks.find(({ kind }) => kind === 'video')
      camera?.stop()
      camera?.dispatchEvent(new Event('ended'))
    })
    await until(page, { camera: 'missing', recording: true, ended: false })
    await recordedFor(page, 2)
    expect((await probe(await stop(page))).durationS).toBeGreaterThan(1)
  })

  test('waits while a phone call has the microphone, and goes on when the person says so', async () => {
    await using visit = await pageWithRecorder(['microphone'])
    const { page } = visit
    await open(page, true, false)
    await page.evaluate(() => recorder.start())
    await recordedFor(page, 1)
    const call = (muted: boolean) =>
      page.evaluate((is) => {
        const [track] = tracks
        if (track) Object.defineProperty(track, 'muted', { value: is, configurable: true })
        track?.dispatchEvent(new Event(is ? 'mute' : 'unmute'))
      }, muted)
    await call(true)
    expect(await state(page)).toMatchObject({ recording: true, paused: true, interrupted: true })
    await page.evaluate(() => recorder.resume())
    expect(await state(page)).toMatchObject({ paused: true })
    await call(false)
    expect(await state(page)).toMatchObject({ paused: true, interrupted: true })
    await page.evaluate(() => recorder.resume())
    expect(await state(page)).toMatchObject({ paused: false, interrupted: false })
    await recordedFor(page, 2)
    expect((await probe(await stop(page))).durationS).toBeGreaterThan(1.5)
  })

  test('records nothing of what is said while the page is hidden', async () => {
    await using visit = await pageWithRecorder(['microphone'])
    const { page } = visit
    await open(page, true, false)
    await page.evaluate(() => recorder.start())
    await recordedFor(page, 1)
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    expect(await state(page)).toMatchObject({ paused: true, interrupted: true })
  })

  test('ends by itself at the longest duration, and frees what it used', async () => {
    await using visit = await pageWithRecorder(['microphone', 'camera'], { maxDurationS: 2 })
    const { page } = visit
    await open(page)
    await page.evaluate(() => recorder.start())
    await until(page, { ended: true, recording: false })
    expect(await page.evaluate(() => tracks.map(({ readyState }) => readyState))).toEqual(['ended', 'ended'])
    const { durationS } = await probe(await stop(page))
    expect(durationS).toBeGreaterThan(1.5)
    expect(durationS).toBeLessThan(4)
  })

  test('forgets what was recorded when the person cancels', async () => {
    await using visit = await pageWithRecorder(['microphone', 'camera'])
    const { page } = visit
    await open(page)
    await page.evaluate(() => recorder.start())
    await recordedFor(page, 1)
    await page.evaluate(() => recorder.cancel())
    expect(await stop(page)).toEqual({ audio: null, images: [], durationS: 0 })
    expect(await page.evaluate(() => tracks.map(({ readyState }) => readyState))).toEqual(['ended', 'ended'])
  })

  test('frees devices that the browser grants after the person has gone on', async () => {
    await using visit = await pageWithRecorder(['microphone', 'camera'])
    const { page } = visit
    await page.evaluate(async () => {
      const opening = Promise.all([
        recorder.open({ microphone: true, camera: true }),
        recorder.open({ microphone: true, camera: true }),
      ])
      recorder.cancel()
      await opening
    })
    expect(await page.evaluate(() => tracks.map(({ kind, readyState }) => [kind, readyState]))).toEqual([
      ['audio', 'ended'],
    ])
  })

  test('hints at what is too dark and too quiet to be of use', async () => {
    await using visit = await pageWithRecorder([])
    const { page } = visit
    await page.evaluate(() => {
      globalThis.devices = {
        audio: () => new AudioContext().createMediaStreamDestination().stream,
        video: () => {
          const canvas = document.createElement('canvas')
          const context = canvas.getContext('2d')
          setInterval(() => context?.fillRect(0, 0, canvas.width, canvas.height), 50)
          return canvas.captureStream()
        },
      }
    })
    await open(page)
    await until(page, { hints: ['too_dark'] })
    await page.evaluate(() => recorder.start())
    await until(page, { hints: ['too_quiet', 'too_dark'] })
    await page.evaluate(() => recorder.cancel())
  })

  test('hints at what is too loud and too bright', async () => {
    await using visit = await pageWithRecorder([])
    const { page } = visit
    await page.evaluate(() => {
      globalThis.devices = {
        audio: () => {
          const context = new AudioContext()
          const oscillator = new OscillatorNode(context)
          const heard = context.createMediaStreamDestination()
          oscillator.connect(new GainNode(context, { gain: 4 })).connect(heard)
          oscillator.start()
          return heard.stream
        },
        video: () => {
          const canvas = document.createElement('canvas')
          const context = canvas.getContext('2d')
          setInterval(() => {
            if (context) context.fillStyle = 'white'
            context?.fillRect(0, 0, canvas.width, canvas.height)
          }, 50)
          return canvas.captureStream()
        },
      }
    })
    await open(page)
    await page.evaluate(() => recorder.start())
    await until(page, { hints: ['too_loud', 'too_bright'] })
    await page.evaluate(() => recorder.cancel())
  })
})
