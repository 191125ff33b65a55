/** What is wrong with what is being recorded, before anything is sent. */
export type RecorderHint = 'too_quiet' | 'too_loud' | 'too_dark' | 'too_bright'

/** What a permission came to: `refused` by the person, `missing` device, `busy` in another app. */
export type Access = 'granted' | 'refused' | 'missing' | 'busy'

export type RecorderState = {
  microphone: Access
  camera: Access
  recording: boolean
  paused: boolean
  /** Seconds recorded. */
  durationS: number
  /** Level of the sound, 0 to 1, of the last tenth of a second. */
  level: number
  images: number
  hints: RecorderHint[]
}

export type Recorded = { audio?: Blob; images: Blob[]; durationS: number }

/** Records speech by `MediaRecorder`, and stills of the camera at intervals while it records. */
export type Recorder = {
  /** Asks for what is wanted; what is refused is left out, never an error. */
  open(wanted: { microphone: boolean; camera: boolean }): Promise<RecorderState>
  /** The camera's picture, to be shown: `video.srcObject`; null without a camera. */
  preview(): MediaStream | null
  start(): void
  pause(): void
  resume(): void
  /** Ends, and frees microphone and camera. 8 to 12 images, or none. */
  stop(): Promise<Recorded>
  cancel(): void
  state(): RecorderState
  subscribe(listener: (state: RecorderState) => void): () => void
}

export type RecorderOptions = {
  /** Longest recording, seconds; it stops by itself. Default: 20 minutes. */
  maxDurationS?: number
  /** Longest side of an image, px. Default: 1080. */
  imageSide?: number
}

export function createRecorder(options: RecorderOptions = {}): Recorder {
  throw new Error(`not there yet: ${options.maxDurationS}`)
}
