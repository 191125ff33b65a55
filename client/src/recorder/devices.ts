/**
 * What a permission came to: `off` not asked for, `refused` by the person, `missing` no device, or one that was unplugged, `busy` in
 * another app.
 */
export type Access = 'off' | 'granted' | 'refused' | 'missing' | 'busy'

/** What somebody was asked for, and what came of it. */
export type OpenedDevice = { access: Access; track: MediaStreamTrack | null }

export const NOT_ASKED: OpenedDevice = { access: 'off', track: null }

/**
 * The voice as it is: what a browser does to it for calls (gain, noise, echo) is found by the service (`gain_controlled`,
 * `pauses_cleaned`), which then trusts the recording less.
 */
const VOICE: MediaTrackConstraints = {
  channelCount: 1,
  autoGainControl: false,
  noiseSuppression: false,
  echoCancellation: false,
}

/** Asks for the microphone. Where the browser can't record (`recordingType` is null) there is none. */
export function openMicrophone(): Promise<OpenedDevice> {
  return recordingType() === null
    ? Promise.resolve({ access: 'missing', track: null })
    : openDevice({ audio: VOICE })
}

/** Asks for the camera that looks at the person. */
export function openCamera(side: number): Promise<OpenedDevice> {
  return openDevice({
    video: { facingMode: 'user', width: { ideal: side }, height: { ideal: Math.round((side * 3) / 4) } },
  })
}

async function openDevice(constraints: MediaStreamConstraints): Promise<OpenedDevice> {
  // Not there on a page that came over plain HTTP.
  if (!('mediaDevices' in navigator)) return { access: 'missing', track: null }
  try {
    const stream = await navigator.mediaDevices.getUserMedia(constraints)
    return { access: 'granted', track: stream.getTracks()[0] ?? null }
  } catch (error) {
    return { access: accessOf(error), track: null }
  }
}

/** What an error of `getUserMedia` means. */
export function accessOf(error: unknown): Access {
  switch (error instanceof Error ? error.name : '') {
    case 'NotAllowedError':
    case 'SecurityError':
      return 'refused'
    case 'NotReadableError':
    case 'AbortError':
      return 'busy'
    default:
      return 'missing' // NotFoundError, OverconstrainedError, TypeError
  }
}

/**
 * The type to record in. Safari says that it records WebM too, and other programs can't play what it writes, so that there MP4 comes
 * first; every browser of an iPhone is Safari inside.
 */
export function recordingType(): string | null {
  if (!('MediaRecorder' in globalThis)) return null
  const webm = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus']
  const mp4 = ['audio/mp4;codecs=mp4a.40.2', 'audio/mp4']
  const types = navigator.vendor.startsWith('Apple') ? [...mp4, ...webm] : [...webm, ...mp4]
  return types.find((type) => MediaRecorder.isTypeSupported(type)) ?? null
}
