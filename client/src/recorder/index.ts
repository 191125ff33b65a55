import {
  type Access,
  NOT_ASKED,
  type OpenedDevice,
  openCamera,
  openMicrophone,
  recordingType,
} from './devices.ts'
import { createAlbum, type LightHint, openImages } from './images.ts'
import { levelOf, openMeter, type SoundHint, type SoundReading, soundHints } from './sound.ts'
import { wholeWebm } from './webm.ts'

export type { Access } from './devices.ts'

/** What is wrong with what is being recorded, before anything is sent. */
export type RecorderHint = SoundHint | LightHint

export type RecorderState = {
  microphone: Access
  camera: Access
  /** From `start` until it ends, pauses included. */
  recording: boolean
  paused: boolean
  /** It was not the person who paused: a phone call took the microphone, or the page was hidden. `resume` goes on afterwards. */
  interrupted: boolean
  /** It has ended, by `stop` or by itself: the longest duration, or the microphone was unplugged. `stop` returns what there is. */
  ended: boolean
  /** Seconds recorded. */
  durationS: number
  /** Loudness of the last tenth of a second, even in decibels: 0 at -60 dB and below, 1 at full scale. */
  level: number
  images: number
  hints: RecorderHint[]
}

export type Recorded = { audio?: Blob; images: Blob[]; durationS: number }

/** Records speech by `MediaRecorder`, and images of the camera at intervals while it records. One recorder makes one recording. */
export type Recorder = {
  /**
   * Asks for what is wanted, one after the other; what is refused is left out, never an error. Call it in answer to a tap. It can be
   * called again until `start`, to ask for more or to let a device go.
   */
  open(wanted: { microphone: boolean; camera: boolean }): Promise<RecorderState>
  /** The camera's picture, to be shown: `video.srcObject`; null without a camera. The video needs `muted` and `playsInline`. */
  preview(): MediaStream | null
  /** @throws {Error} when no device is open, or the recorder was started before */
  start(): void
  pause(): void
  /** Goes on, unless a phone call still has the microphone. */
  resume(): void
  /** What there is so far, up to five seconds behind, as a recording that can be sent: to be kept on the device while it goes on. */
  recorded(): Promise<Recorded>
  /** Ends, and frees microphone and camera. 8 to 12 images, or none. */
  stop(): Promise<Recorded>
  /** Ends, frees microphone and camera, and forgets what was recorded. */
  cancel(): void
  state(): RecorderState
  /** Calls at each change, ten times a second while a device is open, and once at the beginning. Returns what ends it. */
  subscribe(listener: (state: RecorderState) => void): () => void
}

export type RecorderOptions = {
  /** Longest recording, seconds; it stops by itself. Default: 5 s less than the 20 minutes that the service takes. */
  maxDurationS?: number
  /** Longest side of an image, px. Default: 1080. */
  imageSide?: number
}

/** Enough for Opus and AAC of one voice: 20 minutes are 5 MB. */
const BITS_PER_SECOND = 32_000
/** Where a browser takes no notice of that, it ends below the 50 MB that the service takes. */
const MOST_BYTES = 48 * 1024 * 1024
const PIECE_MS = 5_000
const TICK_S = 0.1
/** A tick that comes later than this was delayed by a device that slept, and recorded nothing. */
const LONGEST_TICK_S = 5

export function createRecorder({ maxDurationS = 1195, imageSide = 1080 }: RecorderOptions = {}): Recorder {
  const listeners = new Set<(state: RecorderState) => void>()
  const album = createAlbum<Blob>()
  const pieces: Blob[] = []
  let bytes = 0
  let microphone = NOT_ASKED
  let camera = NOT_ASKED
  let meter: ReturnType<typeof openMeter> | null = null
  let view: ReturnType<typeof openImages> | null = null
  let shown: MediaStream | null = null
  let recorder: { media: MediaRecorder; stopped: Promise<void> } | null = null
  let readings: SoundReading[] = []
  let phase: 'ready' | 'recording' | 'paused' | 'interrupted' | 'ended' = 'ready'
  let durationS = 0
  let level = 0
  let hints: RecorderHint[] = []
  let lastTick = 0
  let ticking: ReturnType<typeof setInterval> | undefined
  let awake: WakeLockSentinel | null = null
  let cancelled = false
  let opening: Promise<void> = Promise.resolve()
  let result: Promise<Recorded> | null = null

  const state = (): RecorderState => ({
    microphone: microphone.access,
    camera: camera.access,
    recording: phase === 'recording' || phase === 'paused' || phase === 'interrupted',
    paused: phase === 'paused' || phase === 'interrupted',
    interrupted: phase === 'interrupted',
    ended: phase === 'ended',
    durationS,
    level,
    images: album.count(),
    hints,
  })
  const tell = () => {
    for (const listener of listeners) listener(state())
  }

  function tick(): void {
    const now = performance.now() / 1000
    const passed = Math.min(now - lastTick, LONGEST_TICK_S)
    lastTick = now
    const reading = meter?.read() ?? null
    level = reading ? levelOf(reading) : 0
    if (phase === 'recording') {
      durationS += passed
      if (reading) readings.push(reading)
      if (album.isDue(durationS)) takeImage()
      if (durationS >= maxDurationS || bytes >= MOST_BYTES) end()
    }
    readings = readings.slice(-100)
    hints = [...soundHints(readings, TICK_S), ...(view?.hints() ?? [])]
    tell()
  }

  async function takeImage(): Promise<void> {
    const at = durationS
    const image = await view?.take()
    if (image && phase !== 'ended') album.add(image, at)
  }

  function interrupt(): void {
    if (phase === 'recording') hold('interrupted')
  }

  function hold(as: 'paused' | 'interrupted'): void {
    phase = as
    if (recorder?.media.state === 'recording') recorder.media.pause()
    readings = []
    letSleep()
    tell()
  }

  const onVisibility = () => document.hidden && interrupt()

  function stayAwake(): void {
    // A phone that locks itself would end the recording. Refused in power saving: then it may.
    navigator.wakeLock?.request('screen').then(
      (lock) => {
        if (phase === 'recording') awake = lock
        else lock.release()
      },
      () => {},
    )
  }

  function letSleep(): void {
    awake?.release()
    awake = null
  }

  function unplugged(device: 'microphone' | 'camera'): void {
    if (device === 'camera') {
      camera = { access: 'missing', track: null }
      closeCamera()
    } else {
      microphone = { access: 'missing', track: null }
      // Another microphone would be a second recording in the file, of which only the first is heard.
      if (recorder) end()
      else closeMicrophone()
    }
    tell()
  }

  function closeCamera(): void {
    camera.track?.stop()
    view?.close()
    view = null
    shown = null
  }

  function closeMicrophone(): void {
    microphone.track?.stop()
    meter?.close()
    meter = null
  }

  function close(): void {
    clearInterval(ticking)
    document.removeEventListener('visibilitychange', onVisibility)
    letSleep()
    closeCamera()
    closeMicrophone()
    level = 0
    hints = []
  }

  /** Ends the recording, once: what there is of it. */
  function end(): Promise<Recorded> {
    result ??= finish()
    return result
  }

  async function finish(): Promise<Recorded> {
    phase = 'ended'
    if (recorder && recorder.media.state !== 'inactive') recorder.media.stop()
    await recorder?.stopped // not before it has handed out its last piece
    close()
    tell()
    return cancelled ? { images: [], durationS: 0 } : recorded()
  }

  function recorded(): Recorded {
    const type = recorder?.media.mimeType || recordingType() || ''
    return {
      ...(bytes > 0 && { audio: new Blob(pieces, { type }) }),
      images: album.chosen(),
      durationS,
    }
  }

  function record(track: MediaStreamTrack) {
    const mimeType = recordingType()
    const media = new MediaRecorder(new MediaStream([track]), {
      ...(mimeType && { mimeType }),
      audioBitsPerSecond: BITS_PER_SECOND,
    })
    media.addEventListener('dataavailable', ({ data }) => {
      // Safari sends empty ones, also while it is paused.
      if (data.size === 0) return
      pieces.push(data)
      bytes += data.size
    })
    const stopped = new Promise<void>((resolve) => media.addEventListener('stop', () => resolve()))
    // By itself, as when the microphone was taken away.
    void stopped.then(end)
    media.start(PIECE_MS)
    return { media, stopped }
  }

  async function openWanted(wanted: { microphone: boolean; camera: boolean }): Promise<void> {
    if (!wanted.microphone) {
      closeMicrophone()
      microphone = NOT_ASKED
    } else if (!microphone.track) {
      microphone = watched(await openMicrophone(), 'microphone')
      if (microphone.track) meter = openMeter(microphone.track)
      microphone.track?.addEventListener('mute', interrupt)
    }
    // The person has gone on while they were asked.
    if (phase === 'ended') return
    if (!wanted.camera) {
      closeCamera()
      camera = NOT_ASKED
    } else if (!camera.track) {
      camera = watched(await openCamera(imageSide), 'camera')
      if (camera.track) {
        shown = new MediaStream([camera.track])
        view = openImages(camera.track, imageSide)
      }
    }
  }

  function watched(device: OpenedDevice, name: 'microphone' | 'camera'): OpenedDevice {
    device.track?.addEventListener('ended', () => unplugged(name))
    return device
  }

  return {
    async open(wanted) {
      if (phase !== 'ready') return state()
      // One after the other: a second tap asks for nothing twice.
      opening = opening.then(() => openWanted(wanted))
      await opening
      // Ended while the person was being asked.
      if (state().ended) close()
      else if (ticking === undefined) {
        lastTick = performance.now() / 1000
        ticking = setInterval(tick, TICK_S * 1000)
      }
      meter?.wake()
      tell()
      return state()
    },
    preview: () => shown,
    start() {
      if (phase !== 'ready') throw new Error('A recorder makes one recording: create another one.')
      if (!microphone.track && !camera.track)
        throw new Error('Neither microphone nor camera is open: call open.')
      if (microphone.track) recorder = record(microphone.track)
      phase = 'recording'
      lastTick = performance.now() / 1000
      document.addEventListener('visibilitychange', onVisibility)
      stayAwake()
      meter?.wake()
      if (microphone.track?.muted) interrupt()
      tell()
    },
    pause() {
      if (phase === 'recording') hold('paused')
    },
    resume() {
      if (phase !== 'paused' && phase !== 'interrupted') return
      if (microphone.track?.muted || document.hidden) return
      if (recorder?.media.state === 'paused') recorder.media.resume()
      phase = 'recording'
      lastTick = performance.now() / 1000
      stayAwake()
      meter?.wake()
      view?.wake()
      tell()
    },
    async recorded() {
      const { audio, ...rest } = recorded()
      if (!audio?.type.startsWith('audio/webm')) return { ...rest, ...(audio && { audio }) }
      return { ...rest, audio: await wholeWebm(audio) }
    },
    stop: end,
    cancel() {
      cancelled = true
      void end()
    },
    state,
    subscribe(listener) {
      listeners.add(listener)
      listener(state())
      return () => void listeners.delete(listener)
    },
  }
}
